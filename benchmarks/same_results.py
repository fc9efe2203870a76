"""What extraction finds on real pages and on mutations of them, as hashes: a faster version must find the same.

``python -m benchmarks.same_results --bases FILE … --save before.json``, then change the code, and
``python -m benchmarks.same_results --bases FILE … --against before.json`` names every page that differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.mutations import Base, bases, drawn
from sundog.extract import Extraction, extract

URL = "https://www.a.example/dir/page.html?q#part"
PARTS = ("statements", "links", "faults", "microformats")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_results", description=__doc__)
    parser.add_argument("--bases", nargs="*", default=[], metavar="FILE.jsonl.gz", help="html or body per line")
    parser.add_argument("--mutations", type=int, default=0, metavar="N", help="so many mutated pages as well")
    parser.add_argument("--save", metavar="FILE", help="keep the hashes of all pages")
    parser.add_argument("--against", metavar="FILE", help="compare with hashes that were kept")
    given = parser.parse_args()
    found = {
        name: digests(result)
        for name, base in _pages(given)
        if not (result := extract(base.body, URL, base.content_type)).counts["rdf"]
    }
    whole = hashlib.sha256(json.dumps(found).encode()).hexdigest()
    print(f"{len(found):,} pages: {whole}")
    if given.save:
        Path(given.save).write_text(json.dumps(found))
    if given.against:
        sys.exit(_compared(json.loads(Path(given.against).read_text()), found))


def _pages(given: argparse.Namespace) -> Iterator[tuple[str, Base]]:
    """Those that claim to be HTML. RDF is left out: Oxigraph names its blank nodes at random."""
    all_bases = bases(given.bases)
    for number, base in enumerate((*all_bases.small, *all_bases.real)):
        if base.content_type.startswith(("text/html", "application/xhtml")):
            yield f"page {number}", base
    for seed in range(given.mutations):
        base = drawn(random.Random(seed), all_bases)
        if base.content_type == "text/html" and not base.body.startswith((b"\x1f\x8b", b"BZh", b"PK")):
            yield f"mutation {seed}", base


def digests(found: Extraction) -> list[str]:
    """Of each part."""
    links = [tuple(link._replace(around=(link.before, link.after))) for link in found.links]  # type: ignore[arg-type]
    texts = (found.nquads(), repr(links), repr(found.faults), json.dumps(found.mf2))
    return [hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest() for text in texts]


def _compared(before: dict[str, list[str]], now: dict[str, list[str]]) -> int:
    """How many pages differ, each named with the parts that do."""
    different = 0
    for name in before | now:
        one, other = before.get(name), now.get(name)
        if one != other:
            different += 1
            parts = [part for part, a, b in zip(PARTS, one or "----", other or "----", strict=True) if a != b]
            print(f"{name}: {', '.join(parts)}")
    print(f"{different:,} pages differ")
    return min(different, 1)


if __name__ == "__main__":
    main()
