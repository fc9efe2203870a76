"""Software of sites: page kinds, taste in markup, and the URLs that each version gives its pages.

Patterns of URLs are written with the placeholders of `urls.py`. The same patterns serve several families and occur
with and without markup, so a URL hints at the label and never tells it.
"""

from __future__ import annotations

from dataclasses import dataclass

HOME, LIST, PAGED, DETAIL, TAG, USER, STATIC, TRAP = range(8)
# What the generator can make; tastes and random draws go by this order, whatever other syntaxes there are.
MARKUP_SYNTAXES = ("jsonld", "microdata", "rdfa", "microformats")


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of software.

    `share` is that of its sites among all; `adoption` the log-odds by which they are more inclined to markup;
    `mix` are the shares of LIST, PAGED, DETAIL, TAG, USER, STATIC among a host's inner pages;
    `markup` the chance that a host with markup has it in each template HOME .. TRAP;
    `syntaxes` the taste for each of MARKUP_SYNTAXES; `styles` the URL styles with their weights.
    """

    share: float
    adoption: float
    mix: tuple[float, float, float, float, float, float]
    markup: tuple[float, float, float, float, float, float, float, float]
    syntaxes: tuple[float, float, float, float]
    styles: tuple[tuple[str, float], ...]


FAMILIES: dict[str, Family] = {
    "shop": Family(
        share=0.13,
        adoption=0.5,
        mix=(0.10, 0.13, 0.62, 0.06, 0.04, 0.05),
        markup=(0.35, 0.4, 0.35, 0.97, 0.3, 0.6, 0.1, 0.3),
        syntaxes=(1.2, 3.0, 0.5, 0.6),
        styles=(("product", 4), ("route", 2), ("pretty", 2), ("html", 2), ("aspx", 1)),
    ),
    "blog": Family(
        share=0.22,
        adoption=0.7,
        mix=(0.06, 0.12, 0.54, 0.18, 0.03, 0.07),
        markup=(0.8, 0.75, 0.8, 0.97, 0.75, 0.5, 0.35, 0.5),
        syntaxes=(0.8, 0.5, 0.4, 2.2),
        styles=(("dated", 4), ("blogger", 3), ("pretty", 2), ("html", 1)),
    ),
    "forum": Family(
        share=0.07,
        adoption=-0.3,
        mix=(0.05, 0.18, 0.50, 0.06, 0.18, 0.03),
        markup=(0.15, 0.25, 0.7, 0.9, 0.2, 0.75, 0.05, 0.4),
        syntaxes=(0.7, 0.8, 0.3, 1.4),
        styles=(("viewtopic", 3), ("showthread", 3), ("board", 2)),
    ),
    "wiki": Family(
        share=0.03,
        adoption=-0.5,
        mix=(0.10, 0.05, 0.65, 0.10, 0.06, 0.04),
        markup=(0.6, 0.5, 0.2, 0.9, 0.2, 0.2, 0.4, 0.3),
        syntaxes=(0.6, 0.3, 1.2, 1.4),
        styles=(("mediawiki", 5), ("pretty", 1)),
    ),
    "news": Family(
        share=0.08,
        adoption=0.6,
        mix=(0.06, 0.10, 0.68, 0.10, 0.02, 0.04),
        markup=(0.4, 0.35, 0.3, 0.95, 0.35, 0.6, 0.15, 0.3),
        syntaxes=(1.4, 1.0, 1.4, 0.8),
        styles=(("press", 4), ("article", 3), ("html", 2), ("pretty", 1)),
    ),
    "cms": Family(
        share=0.14,
        adoption=0.3,
        mix=(0.12, 0.06, 0.52, 0.08, 0.04, 0.18),
        markup=(0.7, 0.6, 0.6, 0.9, 0.6, 0.6, 0.8, 0.5),
        syntaxes=(0.8, 0.3, 2.4, 0.6),
        styles=(("drupal", 4), ("joomla", 4), ("pretty", 2), ("article", 1)),
    ),
    "portal": Family(
        share=0.08,
        adoption=0.2,
        mix=(0.22, 0.18, 0.46, 0.06, 0.04, 0.04),
        markup=(0.3, 0.5, 0.45, 0.92, 0.4, 0.5, 0.1, 0.3),
        syntaxes=(0.9, 1.5, 0.7, 1.2),
        styles=(("listing", 4), ("pretty", 2), ("aspx", 1), ("scripts", 1)),
    ),
    "scripts": Family(
        share=0.10,
        adoption=-0.7,
        mix=(0.14, 0.14, 0.54, 0.07, 0.04, 0.07),
        markup=(0.4, 0.4, 0.4, 0.9, 0.4, 0.4, 0.3, 0.3),
        syntaxes=(0.7, 1.0, 0.8, 1.0),
        styles=(("scripts", 4), ("aspx", 3), ("html", 2), ("article", 1)),
    ),
    "static": Family(
        share=0.15,
        adoption=-1.6,
        mix=(0.12, 0.05, 0.63, 0.02, 0.03, 0.15),
        markup=(0.7, 0.5, 0.5, 0.85, 0.5, 0.6, 0.7, 0.4),
        syntaxes=(0.4, 0.4, 0.8, 1.4),
        styles=(("html", 5), ("tilde", 3), ("pretty", 1)),
    ),
}


@dataclass(frozen=True, slots=True)
class UrlStyle:
    """URL patterns of one software version, for LIST .. TRAP; `modern` is its age in [-1, 1]."""

    modern: float
    patterns: tuple[str, str, str, str, str, str, str]


STYLES: dict[str, UrlStyle] = {
    "pretty": UrlStyle(
        0.6,
        (
            "/{section}/",
            "/{section}/page/{page}/",
            "/{section}/{slug}/",
            "/tag/{tag}/",
            "/profile/{tag}/",
            "/{slug}/",
            "/{section}/calendar/{date}/",
        ),
    ),
    "html": UrlStyle(
        -0.5,
        (
            "/{section}/index.html",
            "/{section}/index{page}.html",
            "/{section}/{slug}.html",
            "/tags/{tag}.html",
            "/people/{tag}.html",
            "/{slug}.html",
            "/events/{date}.html",
        ),
    ),
    "product": UrlStyle(
        0.5,
        (
            "/category/{section}",
            "/category/{section}?page={page}",
            "/product/{slug}-{id}.html",
            "/brand/{tag}",
            "/reviews/{id}",
            "/info/{slug}",
            "/category/{section}?sessionid={hex}",
        ),
    ),
    "route": UrlStyle(
        0.1,
        (
            "/index.php?route=product/category&path={id}",
            "/index.php?route=product/category&path={number}&page={page}",
            "/index.php?route=product/product&product_id={id}",
            "/index.php?route=product/manufacturer&manufacturer_id={id}",
            "/index.php?route=product/review&review_id={id}",
            "/index.php?route=information/information&information_id={id}",
            "/index.php?route=product/product&product_id={number}&token={hex}",
        ),
    ),
    "dated": UrlStyle(
        0.3,
        (
            "/category/{section}/",
            "/page/{page}/",
            "/{year}/{month}/{slug}/",
            "/tag/{tag}/",
            "/author/{tag}/",
            "/{slug}/",
            "/calendar/{date}/",
        ),
    ),
    "blogger": UrlStyle(
        -0.1,
        (
            "/search/label/{section}",
            "/search?updated-max={year}-{month}&start={page}",
            "/{year}/{month}/{slug}.html",
            "/search/label/{tag}-posts",
            "/user/{id}",
            "/p/{slug}.html",
            "/search?updated-max={date}&results={number}",
        ),
    ),
    "viewtopic": UrlStyle(
        -0.6,
        (
            "/viewforum.php?f={id}",
            "/viewtopic.php?t={number}&start={page}",
            "/viewtopic.php?t={id}",
            "/search.php?keywords={tag}",
            "/memberlist.php?mode=viewprofile&u={id}",
            "/faq.php?page={slug}",
            "/viewtopic.php?t={number}&sid={hex}",
        ),
    ),
    "showthread": UrlStyle(
        0.2,
        (
            "/forumdisplay.php?f={id}",
            "/forumdisplay.php?f={number}&page={page}",
            "/showthread.php?t={id}",
            "/tags.php?tag={tag}",
            "/member.php?u={id}",
            "/content.php?title={slug}",
            "/calendar.php?day={date}",
        ),
    ),
    "board": UrlStyle(
        0.7,
        (
            "/forum/{section}/",
            "/forum/{section}/page-{page}",
            "/forum/{section}/{slug}.{id}/",
            "/forum/tags/{tag}/",
            "/members/{tag}.{id}/",
            "/help/{slug}/",
            "/forum/calendar/{date}/",
        ),
    ),
    "mediawiki": UrlStyle(
        0.0,
        (
            "/wiki/Category:{section}",
            "/index.php?title=Special:AllPages&from={page}",
            "/wiki/{slug}",
            "/wiki/Talk:{tag}",
            "/wiki/User:{tag}",
            "/wiki/Help:{slug}",
            "/index.php?title=Special:Log&offset={hex}",
        ),
    ),
    "drupal": UrlStyle(
        0.4,
        (
            "/taxonomy/term/{id}",
            "/node?page={page}",
            "/node/{id}",
            "/tags/{tag}",
            "/users/{tag}",
            "/content/{slug}",
            "/calendar/{date}",
        ),
    ),
    "joomla": UrlStyle(
        -0.3,
        (
            "/index.php?option=com_content&view=category&id={id}",
            "/index.php?option=com_content&view=category&id={number}&limitstart={page}",
            "/index.php?option=com_content&view=article&id={id}:{slug}",
            "/component/tags/tag/{id}-{tag}",
            "/index.php?option=com_users&view=profile&id={id}",
            "/index.php/{slug}",
            "/index.php?option=com_events&day={date}",
        ),
    ),
    "aspx": UrlStyle(
        -0.2,
        (
            "/list.aspx?cat={id}",
            "/list.aspx?cat={number}&page={page}",
            "/detail.aspx?id={id}",
            "/search.aspx?query={tag}",
            "/user.aspx?id={id}",
            "/{slug}.aspx",
            "/detail.aspx?id={number}&session={hex}",
        ),
    ),
    "scripts": UrlStyle(
        -0.7,
        (
            "/list.php?cat={id}",
            "/list.php?cat={number}&page={page}",
            "/show.php?id={id}",
            "/search.php?query={tag}",
            "/user.php?id={id}",
            "/page.php?name={slug}",
            "/show.php?id={number}&PHPSESSID={hex}",
        ),
    ),
    "press": UrlStyle(
        0.5,
        (
            "/{section}/",
            "/{section}/archive/{page}",
            "/{section}/{year}/{month}/{day}/{slug}.html",
            "/topic/{tag}",
            "/author/{tag}",
            "/about/{slug}.html",
            "/archive/{date}/",
        ),
    ),
    "article": UrlStyle(
        0.1,
        (
            "/section/{section}",
            "/section/{section}?page={page}",
            "/article/{id}/{slug}",
            "/topics/{tag}",
            "/contributors/{tag}",
            "/info/{slug}",
            "/archive?date={date}",
        ),
    ),
    "listing": UrlStyle(
        0.5,
        (
            "/{section}/",
            "/{section}/?page={page}",
            "/listing/{slug}-{id}",
            "/city/{tag}/",
            "/user/{tag}",
            "/about/{slug}",
            "/{section}/?sort=name&sid={hex}",
        ),
    ),
    "tilde": UrlStyle(
        -1.0,
        (
            "/~{tag}/{section}/",
            "/docs/{section}/part{page}.htm",
            "/docs/{section}/{slug}.htm",
            "/index/{tag}.htm",
            "/~{tag}/",
            "/{slug}.htm",
            "/log/{date}.htm",
        ),
    ),
}
ONE_SHAPE = UrlStyle(0.0, ("/{section}/{slug}",) * 7)
"""What all pages look like where URLs tell nothing."""
