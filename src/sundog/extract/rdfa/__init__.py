"""RDFa 1.1 in HTML.

What every page has is no RDFa: OpenGraph metas, which have a syntax of their own here; ``rel`` values that are
neither in a vocabulary nor terms of RDFa; typed links on a page that has no attribute of RDFa's own.
"""

from __future__ import annotations

import re
from typing import Any

from sundog.extract.dom import BLANKS, Element, attributes_of
from sundog.extract.guards import TimeBox
from sundog.extract.metas import is_social
from sundog.extract.output import Statements
from sundog.extract.page import HtmlPage
from sundog.extract.rdfa.names import TERMS
from sundog.extract.rdfa.reader import Reader, copy_patterns

__all__ = ["read_rdfa"]

_TERMS = re.compile("|".join(TERMS), re.IGNORECASE | re.ASCII)
_RDFA_SELECTOR = "[typeof], [vocab], [rev], :not(meta)[property]"
_ONLY_RDFA = ("about", "datatype", "inlist", "resource", "typeof", "vocab")
_MARKED = ", ".join(f"[{name}]" for name in _ONLY_RDFA)
_RESOURCES = frozenset({"about", "resource", "href", "src"})
# Values of rel that name nothing of RDFa: nearly all do not, and pages of a site have them in common.
_silent: set[str] = set()
_MOST_SILENT, _LONGEST_SILENT = 5_000, 200  # of them; characters


def read_rdfa(page: HtmlPage, box: TimeBox, out: Statements) -> None:
    """Append the page's RDFa statements to ``out``."""
    if not _may_have_rdfa(page):
        return
    page.ready(box)
    elements = _elements_with_rdfa(page)
    if elements:
        Reader(page, box, out).read(_with_ancestors(elements))
        copy_patterns(out, box)


def _may_have_rdfa(page: HtmlPage) -> bool:
    """Without a look at each element: most pages have no RDFa."""
    document = page.document
    if document.has(_RDFA_SELECTOR):
        return True
    for attrs in page.metas:
        if "property" in attrs and not is_social(attrs):
            return True
    telling = {rel for rel in set(document.relations()) - _silent if not _is_silent(rel)}
    if not telling:
        return False
    if any(map(_TERMS.search, telling)):
        return True
    for node in document.parsed.select("[rel]"):
        rel = node.attr("rel")
        if ":" in rel and (node.tag != "link" or not rel.lower().startswith(("http:", "https:"))):
            return True
    return document.has(_MARKED)  # typed links


def _is_silent(rel: str) -> bool:
    if ":" in rel or _TERMS.search(rel):
        return False
    if len(rel) <= _LONGEST_SILENT:
        if len(_silent) >= _MOST_SILENT:
            _silent.clear()
        _silent.add(rel)
    return True


def _elements_with_rdfa(page: HtmlPage) -> list[Element]:
    """Elements that may write a statement."""
    document = page.document
    view = document.view
    found = [view(node) for node in document.nodes("[property]") if node.tag != "meta" or not _is_social(node)]
    found += document.having("typeof", "vocab")
    has_vocabulary = document.has_node("[vocab]")
    has_rdfa: bool | None = None  # not looked for yet
    covered = 0  # the first element that is in none of those whose insides were looked through
    for node in document.nodes("[rel], [rev]"):
        attribute = node.attr
        rel, rev = attribute("rel") or "", attribute("rev")
        if rel in _silent and rev is None and not has_vocabulary:
            continue
        words = f"{rel} {rev or ''}"
        has_name = ":" in words
        if has_name and _is_typed_link(node.tag, rel):
            if has_rdfa is None:
                has_rdfa = document.has_node(_MARKED)
            has_name = has_rdfa
        if has_name or has_vocabulary or _TERMS.search(words):
            element = view(node)
            found.append(element)
            if element.index >= covered and not _names_object(element.attrs):  # they are named further inside
                inside = document.descendants(element)
                found += [each for each in inside if not _RESOURCES.isdisjoint(each.attrs)]
                covered = element.end
    return found


def _is_social(meta: Any) -> bool:
    """Of an element of turbohtml; nearly all have these two attributes and no other."""
    if len(meta.attrs) == 2 and meta.attr("content") is not None:
        return is_social({"property": meta.attr("property")})
    return is_social(attributes_of(meta))


def _names_object(attrs: dict[str, str]) -> bool:
    """For certain: what is in brackets may stand for nothing."""
    return "href" in attrs or "src" in attrs or attrs.get("resource", "[").lstrip(BLANKS)[:1] != "["


def _is_typed_link(tag: str, rel: str) -> bool:
    """``<link rel="https://…" href="…">``: Web Linking (RFC 8288), as WordPress has on each page."""
    return tag == "link" and rel.startswith(("http://", "https://"))


def _with_ancestors(elements: list[Element]) -> list[Element]:
    """The same with everything around them, in document order."""
    marked = set(elements)
    for element in elements:
        parent = element.parent
        while parent is not None and parent not in marked:
            marked.add(parent)
            parent = parent.parent
    return sorted(marked, key=lambda element: element.index)
