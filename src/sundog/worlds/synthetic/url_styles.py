"""URL styles: how the pages of one software version are addressed.

Patterns are written with the placeholders of `urls.py`. The same patterns serve several
families and occur with and without markup, so a URL hints at the label and never tells it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UrlStyle:
    """URL patterns of one software version, for LIST .. TRAP of `families.py`; `modern` is its age in [-1, 1]."""

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
