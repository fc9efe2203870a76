"""The named parameters of a scored graph, and the paper's five data sets.

A profile says what the graph is like, never what an estimator finds in it.
"""

from dataclasses import dataclass, replace

from sundog.worlds.synthetic.profiles import check_shares


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphProfile:
    """A kind of scored graph. All shares and probabilities lie in [0, 1]."""

    name: str
    summary: str

    # What is published of the data sets, and hit exactly.
    scored_share: float
    """Nodes with a score above 0, among all: table 1 by the number of nodes of the whole data set."""
    scored_links: float
    """Links with a score above 0, for each node with one: table 1."""
    links_per_node: float
    """Mean links a node."""

    # How nodes hang together.
    out_spread: float
    """Standard deviation of the logarithm of a node's size (words of a page, messages of a person), on which the
    number of its links and its chance of a keyword depend."""
    in_tail: float
    """Pareto exponent of popularity: in-degrees of Web pages and of people have exponents near 1 (their
    densities near 2)."""
    fame: float
    """Exponent of size in popularity: what much is written of at home is known elsewhere."""
    locality: float = 0.35
    """Share of links that stay among the 32 nodes nearest in topic. Of the others the same share stays among
    the nearest 128, and so on to the whole graph: a page cites its own subject first, then the wider field."""
    back_links: float
    """Share of links that the target returns: pages cite each other, people answer."""

    # Where the keyword is.
    topic_share: float
    """Share of the variance of a node's affinity to the keyword that its fields, narrow and wide, explain."""
    size_share: float
    """Share that its size explains: a long page has every word sooner. The rest is the node's own."""
    richness: float
    """Mean further occurrences at a node that only just has the keyword."""
    steepness: float = 1.4
    """E-folds of that mean for each standard deviation of affinity above the first occurrence."""
    attraction: float
    """Chance that a node of score s prefers the richer of two that it might link to, before the factor
    s/(1 + s): who writes on a subject cites who writes on it."""

    # What links tell.
    target_slope: float
    """Log-odds that a link has a score, for each unit of its target's score: the words around a link are about
    its target."""
    density: float = 0.5
    """Exponent of a node's occurrences in the chance that a link of it has a score: more of them are near more
    links, but they also crowd together."""
    near_again: float = 0.12
    """Chance of one more occurrence near a link that has one, and again, if the target has no score."""
    near_slope: float = 0.3
    """Log-odds of one more for each unit of the target's score."""

    def __post_init__(self) -> None:
        check_shares(self, _PROBABILITIES)
        if self.topic_share + self.size_share > 1:
            raise ValueError(f"profile {self.name}: topic_share and size_share are more than 1 together")


_PROBABILITIES = frozenset({"locality", "back_links", "attraction", "near_again"})

# The paper does not say how large its Wikipedia was. This is our guess at the French one's dump of February 2013
# without talk pages: articles, redirects, categories.
_WIKIPEDIA_PAGES = 3_000_000
# As the paper says of the Twitter data: 17 million users, 93 million mentions.
_TWITTER_USERS, _TWITTER_MENTIONS = 17_000_000, 93_000_000

KEYWORD = GraphProfile(
    name="keyword",
    summary="pages with a rare word, as 'bretagne' in the French Wikipedia: 1.4% of the pages",
    scored_share=42_923 / _WIKIPEDIA_PAGES,
    scored_links=163_017 / 42_923,
    links_per_node=10.0,
    out_spread=0.8,
    in_tail=1.1,
    fame=1.5,
    back_links=0.1,
    topic_share=0.75,  # a rare name belongs to few subjects, a common word to all
    size_share=0.15,
    richness=0.7,
    attraction=0.5,
    target_slope=0.6,
)
KEYWORD_FRANCE = replace(
    KEYWORD,
    name="keyword-france",
    summary="pages with a common word, as 'france' there: 72% of the pages, few links with it",
    scored_share=2_162_969 / _WIKIPEDIA_PAGES,
    scored_links=2_410_783 / 2_162_969,
    topic_share=0.6,
)
MENTIONS = GraphProfile(
    name="mentions",
    summary="people who mention each other and a rare subject, as 'jazz' on Twitter: 0.6% of them",
    scored_share=105_240 / _TWITTER_USERS,
    scored_links=50_629 / 105_240,
    links_per_node=_TWITTER_MENTIONS / _TWITTER_USERS,
    out_spread=1.5,
    in_tail=1.2,
    fame=1.0,
    back_links=0.3,
    topic_share=0.5,
    size_share=0.35,
    richness=0.8,
    attraction=0.6,
    target_slope=0.4,
)
MENTIONS_WEIRD = replace(
    MENTIONS,
    name="mentions-weird",
    summary="the same with a word of everyday speech, as 'weird': 3.2% of them",
    scored_share=541_937 / _TWITTER_USERS,
    scored_links=342_153 / 541_937,
    topic_share=0.35,
)
MENTIONS_HAPPY = replace(
    MENTIONS_WEIRD,
    name="mentions-happy",
    summary="the same with a very common word, as 'happy': 11% of them",
    scored_share=1_860_131 / _TWITTER_USERS,
    scored_links=1_898_015 / 1_860_131,
)

GRAPHS: dict[str, GraphProfile] = {
    profile.name: profile for profile in (KEYWORD, KEYWORD_FRANCE, MENTIONS, MENTIONS_HAPPY, MENTIONS_WEIRD)
}
