"""What an objective costs per live page: 30 statements, 5 entities, 6,000 characters of text.

CPU time, with that of the process in which queries and shapes run, and with its start.
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

from benchmarks.common import print_table
from benchmarks.storing import SCHEMA, entity
from sundog.objectives import PageView, parse_objective

PAGES, COSTLY_PAGES, ENTITIES = 5_000, 1_000, 5
PREFIXES = f"PREFIX s: <{SCHEMA}> PREFIX sh: <http://www.w3.org/ns/shacl#>"  # SPARQL and Turtle alike
SHAPE = "[] a sh:NodeShape ; sh:targetClass s:Product ; sh:property [ sh:path s:price ; sh:minCount 1 ] ."
FILES = {
    "ask.rq": f"{PREFIXES} ASK {{ ?x s:sku ?sku }}",
    "select.rq": f"{PREFIXES} SELECT * {{ ?x a s:Product ; s:name ?name ; s:price ?price }}",
    "shapes.ttl": f"{PREFIXES} {SHAPE}",
}
OBJECTIVES = [
    "any",
    "jsonld+microdata>=10",
    "type:schema:Product",
    "type:schema:Product and not opengraph",
    "keyword:bretagne,brittany",
    "novel type:schema:Product",
    "ask.rq",
    "select.rq",
    "type:schema:Recipe and select.rq",
    "shapes.ttl",
]


def page(number: int) -> PageView:
    statements = {"jsonld": [triple for each in range(ENTITIES) for triple in entity(number, each)]}
    text = " ".join(f"word{number * 7 + each}" for each in range(750))
    return PageView(f"http://host.example/{number}", {"jsonld": 30}, [f"{SCHEMA}Product"], statements, text)


def microseconds(objective: str, folder: Path) -> float:
    count = COSTLY_PAGES if "shapes" in objective else PAGES
    pages = [page(number) for number in range(count + 1)]
    judge = parse_objective(objective, folder).judge()
    judge(pages[-1])
    start = processor_seconds()
    for each in pages[:-1]:
        judge(each)
    judge.close()  # only then is the time of its process known
    return (processor_seconds() - start) / count * 1e6


def processor_seconds() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        rows = [[f"`{each}`", f"{microseconds(each, folder):,.1f}"] for each in OBJECTIVES]
    print_table("Objectives", ["objective", "µs per page"], rows)


if __name__ == "__main__":
    main()
