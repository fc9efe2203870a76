"""The named structural parameters of a synthetic web, and the three webs we ship.

A profile says what the web is like, never what a policy finds: every number here can be argued
about by somebody who knows web sites and has never seen a crawler.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar

AnyProfile = TypeVar("AnyProfile")


def find_profile(given: str | AnyProfile, known: Mapping[str, AnyProfile]) -> AnyProfile:
    """The profile itself, or the known one of that name; raises ValueError."""
    if not isinstance(given, str):
        return given
    if given not in known:
        raise ValueError(f"unknown profile {given!r}: choose from {', '.join(known)}")
    return known[given]


def check_shares(profile: Any, probabilities: Collection[str]) -> None:
    """Refuse a share or probability outside [0, 1], naming it. None: it is left to others."""
    for field in fields(profile):
        value = getattr(profile, field.name)
        bounded = field.name.endswith("share") or field.name in probabilities
        if bounded and value is not None and not 0 <= value <= 1:
            raise ValueError(f"profile {profile.name}: {field.name} = {value} is not in [0, 1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A kind of web. All shares and probabilities lie in [0, 1]."""

    name: str
    summary: str

    # What is measured on the real Web and hit exactly (up to one host).
    relevant_share: float
    """Pages with jsonld, microdata, rdfa or microformats: the published share of the data set."""
    rich_microdata_share: float | None
    """Pages with at least five Microdata statements; None leaves it to the syntax weights."""
    syntax_weights: tuple[float, float, float, float]
    """How often a site chooses jsonld, microdata, rdfa, microformats first: decided by the year."""

    # Who has markup.
    host_decides: bool = True
    """Markup is a site's decision. False: every page tosses its own coin (the adverse web)."""
    size_slope: float = 0.45
    """Log-odds of markup per e-fold of host size: large sites run newer software and have staff."""
    community_spread: float = 0.9
    """Standard deviation of a community's log-odds: shops of a trade copy each other's SEO."""
    software_signal: float = 0.1
    """Weight of software family and version (seen in the URL's shape) in the site's decision."""
    one_frame_pages: float = 280.0
    """Size at which half of the sites with markup have it in the frame of every page (hCard in the
    footer, an RDFa theme). A small site is one template; a large one has grown from many."""
    section_cover: float = 0.6
    """Share of sections that have markup on the other sites with markup, which grew part by part."""
    template_habit: float = 0.2
    """How far such sites leave out the templates that their software leaves out."""
    bare_home: float = 0.5
    """Home page of a site with markup has none: markup describes items, and items are inside."""
    page_noise: float = 0.05
    """A page that should have markup lacks it (old content, broken template)."""
    stray_markup: float = 0.02
    """A page of a site without markup has some (a pasted widget, rel=license, a vCard)."""

    # How sites hang together.
    size_tail: float = 1.05
    """Pareto exponent of host sizes; Web measurements give 1.0 to 1.5."""
    largest_host_share: float = 0.008
    """No host is larger than this share of all pages: crawlers cap hosts."""
    listed_share: float = 0.2
    """Hosts that only the root, a directory, leads to: small old sites that hardly ever have markup.
    The paper's root is from the Open Directory, which listed such sites by the million."""
    links_per_page: float = 13.0
    """Mean links a page that lead to pages of the data set."""
    off_host_share: float = 0.55
    """Share of links that leave the host."""
    locality: float = 0.6
    """Share of off-host links that stay in the topical community."""
    likeness: float = 0.1
    """Chance that a linking site passes over a target that is not like it in family and markup."""
    popularity: float = 1.0
    """Exponent of host size in the chance of being linked to: large sites are known."""
    deep_link_share: float = 0.64
    """Off-host links to an inner page instead of the home page."""
    outlying_share: float = 0.3
    """Inner pages that no page of their own host links to: the sample holds the page, not the path."""
    dead_end_share: float = 0.08
    """Pages without any link out: documents, broken pages, the rim of the data set."""
    trap_host_share: float = 0.03
    """Hosts with a calendar or session ids that spin out near-duplicate pages."""

    # What URLs tell.
    software_urls: bool = True
    """Software decides URL shapes. False: all pages of all hosts share one shape."""
    https_share: float = 0.03
    """Hosts on https."""

    def __post_init__(self) -> None:
        check_shares(self, _PROBABILITIES)


_PROBABILITIES = frozenset(
    {"template_habit", "section_cover", "bare_home", "page_noise", "stray_markup", "locality", "likeness"}
)

WEB2014 = Profile(
    name="web2014",
    summary="the Anthelion paper's Common Crawl subset: 27.4% of pages relevant, few on small hosts",
    relevant_share=0.274,
    rich_microdata_share=0.0325,
    syntax_weights=(0.002, 0.3, 0.3, 0.4),
)

WEB2024 = Profile(
    name="web2024",
    summary="WebDataCommons 2022: 47% of pages, 42% of hosts have markup, JSON-LD leads",
    relevant_share=0.47,
    rich_microdata_share=None,
    syntax_weights=(0.55, 0.36, 0.05, 0.06),
    https_share=0.85,
    size_slope=0.22,
)

ADVERSE = Profile(
    name="adverse",
    summary="URLs tell nothing and every page tosses its own coin: nothing to learn",
    relevant_share=0.274,
    rich_microdata_share=None,
    syntax_weights=(0.1, 0.3, 0.25, 0.35),
    host_decides=False,
    likeness=0.0,
    community_spread=0.0,
    software_signal=0.0,
    software_urls=False,
)

PROFILES: dict[str, Profile] = {profile.name: profile for profile in (WEB2014, WEB2024, ADVERSE)}
