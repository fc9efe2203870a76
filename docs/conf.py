"""Builds these pages as a site: ``make docs``.

The pages are plain Markdown that reads well without being built. What a site needs besides them is made here: the
list of pages from the links of index.md, and the reference of the library from its docstrings.
"""

from __future__ import annotations

import inspect
import re

from sphinx.application import Sphinx

import sundog

project = "Sundog"
version = release = sundog.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "index"
html_theme = "furo"
html_title = "Sundog"
html_show_copyright = False
myst_heading_anchors = 4  # as GitHub makes them
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
python_use_unqualified_type_names = True
nitpicky = False

BESIDE_DOCS = re.compile(r"\]\(\.\./(\w+\.md)\)")  # CHANGELOG.md: offered as a file
PAGE = re.compile(r"\]\(([\w/-]+)\.md[)#]")


def contents(index: str) -> str:
    """The pages that index.md links to, in the order of its contents."""
    before, _, listed = index.partition("\n## Contents\n")
    names = dict.fromkeys(PAGE.findall(listed + before))
    return "\n".join(["", "```{toctree}", ":hidden:", "", *names, "```", ""])


def reference() -> str:
    """One directive per public name."""
    lines = ["", "```{eval-rst}", ".. currentmodule:: sundog", ""]
    for name in sundog.__all__:
        if inspect.isclass(getattr(sundog, name)):
            lines += [f".. autoclass:: sundog.{name}", "   :members:", ""]
        else:
            lines += [f".. autofunction:: sundog.{name}", ""]
    return "\n".join([*lines, "```", ""])


def complete(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = BESIDE_DOCS.sub(r"](path:../\1)", source[0])
    if page == root_doc:
        source[0] += contents(source[0])
    elif page == "api":
        source[0] += reference()


def without_aliases(app: Sphinx, what: str, name: str, member: object, options: object, lines: list[str]) -> None:
    """Python's own words on the fields of a named tuple say nothing."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app: Sphinx) -> None:
    app.connect("source-read", complete)
    app.connect("autodoc-process-docstring", without_aliases)
