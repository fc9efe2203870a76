"""What runs a site decides the shape of its URLs. No software belongs to one kind of site or habit of markup.

Paths are written as the identity of a URL has them: without ``index.html`` and ``index.php``, which links may add.
"""

from __future__ import annotations

from typing import NamedTuple


class Software(NamedTuple):
    """URL patterns. ``more`` is the second and later pages of a list, put behind the list's own URL."""

    section: str
    more: str
    item: str
    tag: str
    author: str
    static: str
    default: str = "index.html"  # what its links put where a path ends in a slash


SOFTWARE = {
    "pretty": Software(
        "/{section}/", "page/{page}/", "/{section}/{slug}/", "/tag/{tag}/", "/author/{author}/", "/{name}/"
    ),
    "dated": Software(
        "/category/{section}/", "page/{page}/", "/{year}/{month}/{slug}/", "/tag/{tag}/", "/author/{author}/",
        "/{name}/",
    ),
    "files": Software(
        "/{section}/", "page{page}.html", "/{section}/{slug}.html", "/tags/{tag}.html", "/people/{author}.html",
        "/{name}.html",
    ),
    "query": Software(
        "/?cat={s}", "&paged={page}", "/?p={n}", "/?tag={tag}", "/?author={a}", "/?page_id={name}", "index.php"
    ),
    "script": Software(
        "/list.php?cat={s}", "&page={page}", "/show.php?id={n}", "/search.php?tag={tag}", "/user.php?id={a}",
        "/page.php?name={name}",
    ),
    "numbered": Software(
        "/c/{s}-{section}", "?page={page}", "/{n}-{slug}", "/t/{tag}", "/u/{author}", "/info/{name}"
    ),
    "nodes": Software(
        "/taxonomy/term/{s}", "?page={page}", "/node/{n}", "/tags/{tag}", "/user/{a}", "/content/{name}"
    ),
    "named": Software(
        "/{thing}s/{section}", "?page={page}", "/{thing}/{slug}", "/topics/{tag}", "/authors/{author}",
        "/about/{name}",
    ),
    "board": Software(
        "/viewforum.php?f={s}", "&start={page}0", "/viewtopic.php?t={n}", "/tags.php?tag={tag}",
        "/member.php?u={a}", "/help.php?topic={name}",
    ),
    "wiki": Software(
        "/wiki/Category:{section}", "?from={page}", "/wiki/{slug}", "/wiki/Tag:{tag}", "/wiki/User:{author}",
        "/wiki/Help:{name}",
    ),
    "linked": Software("/list/{section}", "?page={page}", "/page/{n}", "/tag/{tag}", "/agent/{a}", "/{name}"),
}  # fmt: skip

_COMMON = (("pretty", 3.0), ("dated", 2.0), ("files", 1.5), ("query", 1.0), ("numbered", 1.5), ("nodes", 1.0),
           ("named", 1.5), ("script", 1.0))  # fmt: skip
CHOICES = {
    "forum": (("board", 3.0), ("script", 1.0), ("pretty", 1.0)),
    "wiki": (("wiki", 4.0), ("pretty", 1.0)),
    "data": (("linked", 1.0),),
}


def choices_for(kind: str) -> tuple[tuple[str, float], ...]:
    return CHOICES.get(kind, _COMMON)
