"""The DOM of a site: what stands around the text, and how entities and lists are laid out."""

from __future__ import annotations

from typing import NamedTuple


class Theme(NamedTuple):
    """Pieces of HTML. Pairs open and close; patterns have ``{}`` for what goes inside.

    ``css`` begins the class names of this theme; ``side`` says where the column of links is ('' for none).
    """

    css: str
    page: tuple[str, str]
    menu: tuple[str, str, str]  # before, around each link, after
    crumbs: tuple[str, str, str]
    main: tuple[str, str]
    side: str
    aside: tuple[str, str]
    listing: tuple[str, str]
    card: str  # {attributes}, {href}, {title} (may be marked up), {name} (never), {more}
    labelled: str  # {label}, {value}
    pager: tuple[str, str, str]
    footer: tuple[str, str]
    per_page: int


THEMES = (
    Theme(
        "wp", ('<div id="page" class="site">', "</div>"),
        ('<nav class="main-nav"><ul class="menu">', '<li class="menu-item">{}</li>', "</ul></nav>"),
        ('<p class="breadcrumbs">', "{} » ", "</p>"),
        ('<div id="content"><main id="main" class="site-main">', "</main></div>"), "right",
        ('<aside class="widget-area">', "</aside>"), ('<div class="posts">', "</div>"),
        '<article{attributes}><h2 class="card-title"><a href="{href}">{title}</a></h2>{more}</article>',
        '<p class="meta"><strong>{label}</strong> {value}</p>',
        ('<nav class="pagination">', '<span class="page-numbers">{}</span>', "</nav>"),
        ('<footer id="colophon"><div class="site-info">', "</div></footer>"), 10,
    ),
    Theme(
        "shop", ('<div class="wrapper">', "</div>"),
        ('<header class="top"><div class="nav-bar">', "{}", "</div></header>"),
        ('<ol class="crumb">', "<li>{}</li>", "</ol>"),
        ('<section class="container"><div class="row"><div class="col-9">', "</div></div></section>"), "left",
        ('<div class="col-3 filters">', "</div>"), ('<ul class="grid">', "</ul>"),
        '<li{attributes}><a class="thumb" href="{href}"><img src="/static/t.png" alt="{name}"></a>'
        '<a class="name" href="{href}">{title}</a>{more}</li>',
        '<div class="spec"><b>{label}</b><span>{value}</span></div>',
        ('<ul class="pages">', "<li>{}</li>", "</ul>"), ('<footer class="bottom">', "</footer>"), 24,
    ),
    Theme(
        "old", ('<table width="100%"><tr><td>', "</td></tr></table>"),
        ('<table class="nav"><tr>', "<td>{}</td>", "</tr></table>"), ('<font size="2">', "{} &gt; ", "</font>"),
        ('<table><tr><td valign="top" class="body">', "</td></tr></table>"), "left",
        ('<div class="leftcol">', "</div>"), ("<dl>", "</dl>"),
        '<dt{attributes}><a href="{href}">{title}</a>{more}</dt>', "<p><b>{label}:</b> {value}</p>",
        ("<p>", "[{}] ", "</p>"), ("<hr><small>", "</small>"), 20,
    ),
    Theme(
        "app", ('<div id="app" class="layout">', "</div>"),
        ('<header class="app-bar"><nav>', "{}", "</nav></header>"), ('<nav class="trail">', "{} / ", "</nav>"),
        ('<main class="view">', "</main>"), "", ("", ""), ('<div class="cards">', "</div>"),
        '<div{attributes}><a class="card-link" href="{href}"><h3>{title}</h3></a>{more}</div>',
        '<dl class="pair"><dt>{label}</dt><dd>{value}</dd></dl>',
        ('<div class="pager">', "{}", "</div>"), ('<footer class="app-footer">', "</footer>"), 12,
    ),
    Theme(
        "press", ('<div class="front">', "</div>"),
        ('<div class="masthead"><ul id="sections">', "<li>{}</li>", "</ul></div>"),
        ('<div class="path">', "{} | ", "</div>"),
        ('<div class="columns"><div class="story-column">', "</div></div>"), "right",
        ('<div class="rail">', "</div>"), ('<div class="river">', "</div>"),
        '<div{attributes}><span class="kicker">+</span> <a class="headline" href="{href}">{title}</a>{more}</div>',
        '<div class="fact"><span class="key">{label}</span> {value}</div>',
        ('<div class="more-pages">', "{} ", "</div>"), ('<div class="imprint">', "</div>"), 15,
    ),
    Theme(
        "board", ('<div id="wrap">', "</div>"),
        ('<ul class="linklist navbar">', '<li class="icon">{}</li>', "</ul>"),
        ('<div class="crumbs">', '<span class="crumb">{}</span>', "</div>"),
        ('<div id="page-body">', "</div>"), "", ("", ""), ('<ul class="topiclist topics">', "</ul>"),
        '<li{attributes}><dl><dt><a class="topictitle" href="{href}">{title}</a></dt><dd>{more}</dd></dl></li>',
        '<div class="postbody"><p class="author">{label}</p>{value}</div>',
        ('<div class="pagination">', "{} ", "</div>"), ('<div id="page-footer">', "</div>"), 25,
    ),
)  # fmt: skip

CHOICES = {"forum": (5, 5, 2), "shop": (1, 1, 3), "wiki": (2, 3), "data": (2, 3), "news": (4, 4, 0, 3)}
GENERAL = (0, 0, 1, 2, 3, 4)


def stylesheet(theme: Theme, rules: int = 90) -> str:
    """Rules that change nothing; pages of the Web carry as much."""
    names = ("head", "title", "card", "meta", "list", "item", "more", "side")
    return "".join(
        f".{theme.css}-{names[at % 8]}{at}{{margin:{at % 7}px {at % 3}px;color:#{at * 99991 % 0xFFFFFF:06x}}}\n"
        for at in range(rules)
    )
