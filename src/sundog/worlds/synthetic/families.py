"""Software families: what a site runs decides its page kinds, its URLs and its taste in markup."""

from dataclasses import dataclass

HOME, LIST, PAGED, DETAIL, TAG, USER, STATIC, TRAP = range(8)
SYNTAXES = ("jsonld", "microdata", "rdfa", "microformats")


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of software.

    `share` is that of its sites among all; `adoption` the log-odds by which they are more inclined to markup;
    `mix` are the shares of LIST, PAGED, DETAIL, TAG, USER, STATIC among a host's inner pages;
    `markup` the chance that a host with markup has it in each template HOME .. TRAP;
    `syntaxes` the taste for each of SYNTAXES; `styles` the URL styles with their weights.
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
