"""Markup as text again, for literals of type rdf:HTML and rdf:XMLLiteral."""

from __future__ import annotations

from collections.abc import Callable

from sundog.extract.dom import VOID, Element


def inner_html(element: Element) -> str:
    """As the HTML standard serialises fragments, comments included.

    >>> from sundog.extract.dom import parse_html
    >>> inner_html(parse_html("<p>a &lt; <b title='&quot;'>b</b><br>").elements[3])
    'a &lt; <b title="&quot;">b</b><br>'
    """
    html: str = element.node.inner_html
    return html


def inner_xml(element: Element, spend: Callable[[int], None]) -> str:
    """The outermost elements repeat the namespaces that are declared around them (HTML+RDFa 1.1, 4).

    ``spend`` is told how long that makes them.
    """
    return _written(element, _declared_around(element), spend)


def _declared_around(element: Element) -> dict[str, str]:
    found: dict[str, str] = {}
    node: Element | None = element
    while node is not None:
        for name, value in node.attrs.items():
            if name == "xmlns" or name[:6] == "xmlns:":
                found.setdefault(name, value)
        node = node.parent
    return found


def _written(element: Element, declared: dict[str, str], spend: Callable[[int], None]) -> str:
    repeated = sum(len(name) + len(value) for name, value in declared.items())
    pieces: list[str] = []
    stack: list[Element | str | tuple[str]] = list(reversed(element.children))
    depth = 0
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):  # an end tag
            pieces.append(node[0])
            depth -= 1
        elif isinstance(node, str):
            pieces.append(_text(node))
        else:
            attrs = node.attrs
            if declared and not depth:
                spend(repeated)
                attrs = {**declared, **attrs}
            attributes = "".join(f' {name}="{_attribute(value)}"' for name, value in attrs.items())
            if node.tag in VOID and not node.children:
                pieces.append(f"<{node.tag}{attributes}/>")
                continue
            pieces.append(f"<{node.tag}{attributes}>")
            stack.append((f"</{node.tag}>",))
            depth += 1
            stack.extend(reversed(node.children))
    return "".join(pieces)


def _text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
