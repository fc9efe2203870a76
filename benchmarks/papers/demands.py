"""What each paper has, and where it can be run here: the last section but one of its page.

Names in code marks are policies, parameters, objectives and commands; a test looks each of them up.
"""

from __future__ import annotations

from benchmarks.papers.page import PaperPage

HEADING = "Where each thing is"
DEMANDS: dict[str, list[tuple[str, str]]] = {
    "anthelion": [
        ("pages with a statement in Microdata, Microformats or RDFa", "`--for any`"),
        ("pages with five Microdata statements", "`--for microdata>=5`"),
        ("words of URLs, hashed; parents; siblings", "parameters `features` and `hashes`"),
        ("Naive Bayes and Hoeffding tree, online", "policies `naive-bayes` and `hoeffding-tree`"),
        ("static classifiers", "parameters `pretrain` and `frozen`, [how](../policies.md#pretrain)"),
        ("random, BFS", "policies `random` and `bfs`"),
        (
            "negative absolute bad, best score, success rate",
            "policies `negative-bad`, `best-score`, `success-rate`",
        ),
        ("Thompson sampling", "policy `thompson`"),
        (
            "absolute good, Thompson and success rate · best score",
            "policies `good-best`, `thompson-best`, `success-best`",
        ),
        ("λ, fixed and decaying", "parameters `lambda` and `decay`; policy `anthelion` is the paper's best"),
        (
            "a component with two queues that is fed back labels, late",
            "[`CrawlSession`](../concepts.md#delay-and-in-flight-fetches); `delay` of `sundog simulate`",
        ),
        ("the authors' files", "[worlds](../worlds.md#the-authors-files)"),
        ("future work: contextual bandits that share between hosts", "policy `sundog`"),
        (
            "future work: graded relevance, several classes",
            "[graded rewards](../objectives.md#graded-rewards); objectives joined by `or`",
        ),
        ("future work: quality of data as reward", "`--for FILE.ttl`, [SHACL](../objectives.md#shacl)"),
        ("future work: queries answered while crawling", "`--for FILE.rq`, [SPARQL](../objectives.md#sparql)"),
        ("future work: topical crawling", "`--for keyword:WORD`, [keywords](../objectives.md#keywords)"),
    ],
    "graphs": [
        ("edge and node scores, sum and count of non-zero", "`--for score`; `--score` of `sundog simulate`"),
        ("greedy and altered greedy", "parameters `q` and `zeta`"),
        ("the refresh rate", "parameter `refresh`"),
        (
            "random, breadth-first, oracle",
            "policies `random`, `bfs`, `oracle`; all scores known: `steered-oracle`",
        ),
        (
            "neighbourhood n, e, ne; sum, average, maximum",
            "policies `nh-n`, `nh-e`, `nh-ne`; parameter `aggregate`",
        ),
        ("linear neighbourhood, learned while crawling", "policies `lnh-sum`, `lnh-max`, `lnh-avg`"),
        ("Navigational Rank", "policy `navigational-rank`, parameter `d`"),
        ("OPIC, weighted by nodes, edges or both", "policy `opic`, parameter `weights`"),
        ("the hybrid", "policy `hybrid-paper`; ours: `hybrid`"),
        ("precision while the crawl follows the oracle", "`--precision` of `sundog simulate`"),
        ("score relative to the oracle", "`--relative-to` of `sundog simulate`"),
        ("web pages with a keyword", "`sundog score`, [scored graphs](../worlds.md#scored-graphs)"),
        ("a social API with a rate limit", "[a JSON API](../graph-worlds.md#a-json-api)"),
        ("a deep-web form", "[a search form](../graph-worlds.md#a-search-form)"),
        ("peers that are asked", "[a graph given by a function](../worlds.md#a-graph-given-by-a-function)"),
        ("future work: estimators and bandits", "policy `ensemble`"),
        ("future work: crawling nodes again", "[revisits](../revisits.md)"),
        ("future work: very short crawls", "[benchmarks](../graph-findings.md)"),
    ],
    "ldcoc": [
        ("pages that bring RDF", "`--for rdf`"),
        ("features t, r, p, x", "parameter `features` of policy `ldcoc`"),
        ("Content-Type by HEAD", "parameter `head`"),
        ("FTRL-proximal, its threshold and rates", "parameters `tau`, `rate`, `rates`, `l1`"),
        ("predicted negatives that are fetched all the same", "parameter `epsilon`"),
        ("likeness of siblings", "parameter `similar`"),
        ("BFS", "policy `bfs`"),
        ("static Naive Bayes, SVM, nearest neighbours", "parameters `learner`, `pretrain` and `frozen`"),
        ("LDSpider's heuristic", "policy `ldspider`"),
    ],
    "nc2": [
        ("seeds and four kinds of query", "[patterns](../patterns.md): `data`, `link`, `stop`, `result`"),
        ("any query language, by configuration", "`engine`: [all of them](../patterns.md#engines)"),
        ("the crawl graph in queries", "[what a pattern sees](../patterns.md#what-a-pattern-sees)"),
        ("visits of one page again", "[`revisit`](../patterns.md#revisits)"),
        ("the result document", "[the whole crawl](../patterns.md#the-whole-crawl)"),
        ("the interface, with an expert and a demo mode", "`sundog serve`, [the site](../web.md)"),
    ],
}


def add_demands(made: PaperPage) -> None:
    made.add(
        HEADING,
        "What the paper demands of a crawler, and what runs it. `sundog policies` lists policies, and "
        "[Policies](../policies.md#parameters) has their parameters.",
        ("in the paper", "here"),
        DEMANDS[made.name],
    )
