"""A page as a picture of its own: elements and texts that a browser can draw and cannot run.

Nothing here is HTML any more. The browser makes each element by its name, from a list, and gives it attributes
from another; so there is no markup that could be read in a second way. What would run, ask for something, take
input or lead elsewhere is not in the lists. ``frame.py`` has the rest of the walls.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from turbohtml import Text

from sundog.patterns.example.tree import Node, attribute, elements, text_of
from sundog.web.new.picture_styles import safe_declarations, safe_sheet

TAGS = frozenset(
    "a abbr address article aside b bdi bdo blockquote body br caption center cite code col colgroup data dd "
    "del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr html i img "
    "ins kbd li main mark menu nav ol p pre q rp rt ruby s samp search section small span strike strong sub "
    "summary sup table tbody td tfoot th thead time tr tt u ul var wbr".split()
)
ATTRIBUTES = frozenset(
    "align alt bgcolor border cellpadding cellspacing class color colspan dir height id lang open reversed "
    "rowspan start style title type valign width".split()
)
# With all that is in them. Words in a picture drawn by SVG are no values of a page.
LEFT_OUT = frozenset(
    "applet area audio base canvas datalist dialog embed frame frameset head iframe input link map math meta "
    "noembed noframes noscript object option param portal script select slot source style svg template "
    "textarea title track video".split()
)
DRAWN_AS_BLOCKS = frozenset({"form", "fieldset", "legend", "dir", "marquee"})
MOST_ELEMENTS = 20_000
MOST_CHARACTERS = 1_000_000  # of texts and attributes together
MOST_SHEET_CHARACTERS = 600_000
LONGEST_ATTRIBUTE = 2_000


class Picture(NamedTuple):
    """``parts`` in the page's order: ``[number, its parent's number, tag, attributes]`` of an element, ``[its
    parent's number, text]`` of a text. ``sheets``: media and text of each. ``cut``: there is more than that."""

    parts: list[list[Any]]
    sheets: list[tuple[str, str]]
    cut: bool


def picture_of(page: Node) -> Picture:
    every = elements(page)
    numbers = {node: number for number, node in enumerate(every)}
    parts: list[list[Any]] = []
    left = MOST_CHARACTERS
    drawn = 0
    waiting: list[tuple[Node | Text, int]] = [(page, -1)]
    while waiting:
        node, above = waiting.pop()
        part = [above, _text(node)] if isinstance(node, Text) else [numbers[node], above, *_drawn(node)]
        left -= _length(part)
        drawn += isinstance(node, Node)
        if left < 0 or drawn > MOST_ELEMENTS:
            return Picture(parts, list(_sheets(page)), cut=True)
        parts.append(part)
        if isinstance(node, Node):
            waiting += [(child, numbers[node]) for child in reversed(list(_shown_children(node)))]
    return Picture(parts, list(_sheets(page)), cut=False)


def title_of(page: Node) -> str:
    title = page.select_one("title")
    return text_of(title)[:200] if title is not None else ""


def _shown_children(node: Node) -> Iterator[Node | Text]:
    for child in node.children:
        if isinstance(child, Text) or (
            isinstance(child, Node) and str(child.tag) not in LEFT_OUT and child.attr("hidden") is None
        ):
            yield child


def _text(text: Text) -> str:
    return str(text.text)


def _drawn(node: Node) -> tuple[str, dict[str, str]]:
    """What it is drawn as, and its attributes. Names that nobody knows are inline, as in browsers."""
    tag = str(node.tag)
    drawn = tag if tag in TAGS else "div" if tag in DRAWN_AS_BLOCKS else "span"
    kept = {name: attribute(node, name)[:LONGEST_ATTRIBUTE] for name in node.attrs if name in ATTRIBUTES}
    if "style" in kept:
        kept["style"] = safe_declarations(kept["style"])
    return drawn, kept


def _length(part: list[Any]) -> int:
    return sum(len(each) for each in part if isinstance(each, str)) + sum(
        len(name) + len(value) for each in part if isinstance(each, dict) for name, value in each.items()
    )


def _sheets(page: Node) -> Iterator[tuple[str, str]]:
    left = MOST_SHEET_CHARACTERS
    for style in page.select("style"):
        text = style.text
        left -= len(text)
        if left < 0:
            return
        yield attribute(style, "media")[:LONGEST_ATTRIBUTE], safe_sheet(text)
