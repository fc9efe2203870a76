"""Locators: expressions that lead to an element, for a reason that a reader would give.

A locator is relative to a root, the page or one of its repeated parts, and begins with ``//`` or ``.//``.
"""

from __future__ import annotations

from collections.abc import Iterator

from sundog.patterns.example.expressions import Locator, field_name, has_class, is_telling
from sundog.patterns.example.label_locators import by_column, by_heading, by_label, by_own_label, by_pair
from sundog.patterns.example.tree import Node, ancestors, attribute, children, parent

MOST_ANCHORS = 4
TITLES = frozenset({"title", "h1", "h2", "h3", "h4"})
TELLING_RELATIONS = frozenset({"author", "tag", "license"})
TAG_NAMES = {"time": "date", "a": "link", "img": "image", "p": "text"}


def locators_to(node: Node, root: Node) -> Iterator[Locator]:
    """Those that need no other element's help, then those from an anchor above it."""
    start = "//" if parent(root) is None else ".//"
    if node == root:
        yield Locator(".", "tag", "value", steps=0)
        return
    yield from _by_property(node, start)
    yield from by_label(node, start)
    yield from by_own_label(node, start)
    yield from by_pair(node, start)
    yield from _by_id_or_class(node, start)
    yield from by_heading(node, root, start)
    yield from by_column(node, start)
    yield Locator(f"{start}{node.tag}", "tag", _name_of_tag(str(node.tag)), css=str(node.tag))
    yield from _below_an_anchor(node, root, start)
    yield _by_position(node, root, start)


def _by_property(node: Node, start: str) -> Iterator[Locator]:
    """schema.org and its kind: the page's author has said what it is."""
    for kind in ("itemprop", "property"):
        for name in attribute(node, kind).split()[:2]:
            if "'" not in name and '"' not in name:
                path = f"{start}*[@{kind}='{name}']"
                yield Locator(path, "itemprop", field_name(name.rpartition(":")[2]), css=f"[{kind}='{name}']")
    for name in attribute(node, "rel").split()[:2]:
        if name in TELLING_RELATIONS:
            yield Locator(f"{start}{node.tag}[@rel='{name}']", "itemprop", name, css=f"{node.tag}[rel='{name}']")
    if node.tag == "meta" and is_telling(attribute(node, "name").replace(":", "-")):
        name = attribute(node, "name")
        yield Locator(f"{start}meta[@name='{name}']", "itemprop", field_name(name), css=f"meta[name='{name}']")


def _by_id_or_class(node: Node, start: str) -> Iterator[Locator]:
    name = attribute(node, "id")
    if is_telling(name):
        named = _name_of_tag(str(node.tag), field_name(name))
        yield Locator(f"{start}*[@id='{name}']", "id", named, css=f"#{name}")
    for name in attribute(node, "class").split()[:6]:
        if is_telling(name):
            path = f"{start}{node.tag}[{has_class(name)}]"
            yield Locator(path, "class", _name_of_tag(str(node.tag), field_name(name)), css=f"{node.tag}.{name}")


def _below_an_anchor(node: Node, root: Node, start: str) -> Iterator[Locator]:
    """Somewhere below the nearest elements that have a telling id or class."""
    anchors = 0
    for distance, above in enumerate(ancestors(node), start=1):
        if above == root or anchors == MOST_ANCHORS or above.tag in ("html", "body"):
            return
        for anchor in _by_id_or_class(above, start):
            anchors += 1
            steps = 1 + distance
            yield _extended(anchor, "//", " ", str(node.tag), steps)
            if distance == 1:
                yield _extended(anchor, "/", " > ", str(node.tag), steps)


def _extended(anchor: Locator, slash: str, combinator: str, tag: str, steps: int) -> Locator:
    return Locator(
        f"{anchor.xpath}{slash}{tag}", anchor.kind, anchor.name, f"{anchor.css}{combinator}{tag}", steps
    )


def _by_position(node: Node, root: Node, start: str) -> Locator:
    """When there is nothing else to hold on to: counted from the nearest id, or from the root.

    CSS says it within rows and their like only, whose parts are in the same order everywhere.
    """
    steps: list[str] = []
    selectors: list[str] = []
    at = node
    while at != root and not is_telling(attribute(at, "id")):
        above = parent(at)
        if above is None:
            break
        same = [child for child in children(above) if child.tag == at.tag]
        nth = same.index(at) + 1 if len(same) > 1 else 0
        steps.insert(0, f"{at.tag}[{nth}]" if nth else str(at.tag))
        selectors.insert(0, f"{at.tag}:nth-of-type({nth})" if nth else str(at.tag))
        at = above
    positions = sum(step.endswith("]") for step in steps)
    if at != root:
        steps.insert(0, f"{start}*[@id='{attribute(at, 'id')}']")
    elif start == "//":
        steps.insert(0, f"/{at.tag}")
    css = " > ".join([":scope", *selectors]) if at == root and start != "//" else ""
    return Locator("/".join(steps), "position", _name_of_tag(str(node.tag)), css, len(steps), positions)


def _name_of_tag(tag: str, default: str = "") -> str:
    """What a field is called that is known by its tag; a heading's class says less than that it is a heading."""
    if tag in TITLES:
        return "title"
    return default or TAG_NAMES.get(tag, "value")
