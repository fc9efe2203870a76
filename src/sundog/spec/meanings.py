"""What each key of a spec means, in a few words: for the reference page, and for editors that read the schema.

A test compares the keys with those that a spec can have. ``access[].host`` is ``host`` of each ``[[access]]``.
"""

from __future__ import annotations

from typing import Final

_OF_CRAWLS = """
seeds: where the crawl begins: URLs, ids of nodes, or keywords
title: a name for people
description: what it is for
objective: which pages are wanted; `any` by default, `patterns` if there are data patterns
world: what is crawled: pages of the Web, nodes behind a JSON API, keywords of a search form, or archived pages
budget: fetches, or requests and queries of other worlds; 1,000 by default, or what rate windows allow
seconds: it ends after so many
bytes: of all pages together; it ends before there are more, when the largest page might be too much
policy: how the next page is chosen: a name that `sundog policies` lists
parameters: of the policy
seed: the same seed and the same answers give the same crawl
delay: seconds between two requests to a host
concurrency: requests in flight
workers: processes that read pages; one for each core but one by default
connect_to: HOST:PORT to which every request is sent as plain HTTP
allow_private: also ask private and loopback addresses
proxy: the URL of a proxy for all requests
user_agent: the name that servers see
cookies: keep cookies while the crawl runs
warc: keep pages as they came, in pages.warc.gz
free_disk: bytes; with less of them on its disk the crawl pauses
contexts: remote contexts of JSON-LD: those that come with Sundog, or also fetched
render: which pages a browser renders: none, those for which it pays, or all
extent: where it may go from its seeds: anywhere, or stay on their hosts or registered domains
scope: which URLs belong to the crawl; empty keys allow everything
following: what the crawl makes of what servers and pages ask of it
limits: of one fetch
access: logins and headers for hosts
rdf: how RDF is asked for and followed
api: of `world = "api"`: how nodes are asked for, and what is read of the answers
form: of `world = "form"`: how keywords are sent, and what is read of the answers
stop: when it ends before its budget is spent
explore: random pages, so that `sundog replay` can say what other policies would have done
archive: of `world = "archive"`: pages of WARC and WACZ files instead of the network
patterns: queries that find data and links, end the crawl, and make its result
rendering: how pages are rendered, and what that may cost
cluster: what Ray is told about the shards of a crawl; a crawl in one process ignores it
scope.hosts: only these hosts
scope.domains: only these domains and all hosts below them
scope.paths: only paths that begin with one of these
scope.include: only URLs in which one of these regular expressions is found
scope.exclude: no URLs in which one of these regular expressions is found
scope.max_depth: the most links from a seed
scope.skip_types: file endings that are not fetched
scope.languages: only links that say they lead to one of these languages, or say nothing
scope.avoid_traps: no calendars without end, no paths that repeat themselves, and the like
following.robots: obey robots.txt
following.nofollow: do not follow links that pages mark so
following.noindex: do not keep what pages mark so
following.duplicates: other URLs with the same content; `skip`, unless link patterns choose the pages
following.sitemaps: those that robots.txt names are candidates
following.retries: of what may heal
following.patience: seconds of the longest wait while nothing at all may be fetched
following.worth_waiting: a page worth less than this share of what a resting host would give must wait
following.host_concurrency: requests in flight to one host; 1 if there is a delay
following.address_concurrency: requests in flight to one address
explore.log: the probability of a random page in place of the policy's choice, such as 0.02
stop.left: end when at most this share of the wanted pages is missing, such as "2%"
limits.connect: seconds for look-up, connection and TLS handshake together
limits.first_byte: seconds from asking to the last header, and the longest silence within the body
limits.total: seconds, redirects included
limits.min_speed: bytes a second, judged after `speed_grace`
limits.speed_grace: seconds
limits.max_bytes: of the body, packed and unpacked; what is longer is cut
limits.max_density: bytes out of one; a body that is cut and was packed more densely is a bomb
limits.max_redirects: of one fetch
limits.max_header_line: bytes
limits.max_headers: of an answer
limits.max_url: characters
limits.error_bytes: of bodies that nobody wants, read only to keep the connection
limits.types: content types that are read; a missing type is always accepted
rendering.price: fetches that a rendered page costs of the budget; without it rendering costs none
rendering.budget: pages that are rendered at most
rendering.at_once: pages that are rendered at the same time
rendering.quiet: seconds without a request and without new elements, after which a page is ready
rendering.selector: an element that must be there first
rendering.scroll: times to the end of the page
rendering.click: names of buttons that are clicked, such as "Accept all" or "Load more"
rendering.hosts: from which scripts and data may come besides the hosts of the scope; with all hosts below them
rendering.seconds: of one page, without the time that it waits for hosts
rendering.requests: of one page
rendering.bytes: that the requests of one page may bring
rendering.nodes: elements of one page
rendering.memory: bytes of the process that runs a page
rendering.screenshots: keep a picture of each rendered page
cluster.split: registered domains that are too large for one shard: their hosts go to different ones
cluster.cpus: that Ray reserves for a shard
cluster.memory: bytes that it reserves; 0: none
cluster.resources: others that it reserves, by the names that nodes have given them
cluster.placement: of shards over the nodes of a cluster
cluster.environment: Ray's `runtime_env` for the shards
access[].host: with a port, if it is not the usual one
access[].user: of HTTP's basic authentication
access[].password: `${NAME}` or `${file:PATH}`
access[].headers: by name; secrets in them are `${NAME}` or `${file:PATH}`
access[].plain_http: send them without TLS, too
rdf.prefer: what servers are asked for; `auto`: as policy and objective suggest
rdf.follow: which URIs in statements are links: subjects, objects, predicates, types
rdf.properties: only subjects and objects of these
rdf.page_links: links of pages, besides those that lead to RDF
rdf.dumps: also packed files, if RDF is preferred
rdf.dump_bytes: of a dump, as it is sent
rdf.dump_unpacked: bytes of a dump
rdf.dump_statements: of a dump
rdf.dump_seconds: to read a dump
api.items: the URL of a node, with {id}
api.neighbours: the URL of its links; empty: they are in the answers of `items`
api.texts: JMESPath: what keywords are counted in
api.score: JMESPath: a number instead
api.links: JMESPath: ids, or objects with an id and perhaps a score or a text
api.keep: JMESPath: what is kept of items as answers
api.next: JMESPath: the next cursor, page or URL
api.first_page: its number
api.first_cursor: its text
api.page_size: a page with fewer entries is the last; 0: an empty one is
api.max_pages: of one node
api.headers: by name; secrets in them are `${NAME}` or `${file:PATH}`
api.requests: in each window; 0: as many as delay and server allow
api.window: seconds
api.robots: obey robots.txt, too
form.action: the URL of the form
form.field: the name of the field for the keyword
form.method: how it is sent
form.fields: others that are sent along
form.format: of the answers
form.records: a selector, CSS in HTML and JMESPath in JSON
form.id: within a record: `a@href`, `@data-id`, or a selector of text; empty: the record's text
form.text: where its words are; empty: in all of it
form.next: the link to more records
form.page_field: or the name of the field for the number of the page
form.first_page: its number
form.max_pages: of one keyword
form.min_length: of a keyword
archive.path: a WARC or WACZ file, a folder of them, or the directory of a crawl that kept its pages
form.max_share: words of a larger share of all records say nothing
patterns.engine: the query language of patterns that name none: xpath, css, xquery or sparql
patterns.start: the patterns that seeds get; all by default
patterns.seconds: for the patterns of one page
patterns.memory: megabytes that the process that runs patterns may take
patterns.data: patterns that yield items
patterns.link: patterns that find links to follow
patterns.stop: patterns that end the crawl
patterns.result: what the result is made of
"""
_OF_PATTERNS = """
patterns.data[].fields: the values of an item: queries, or tables
patterns.link[].depth: the most links from a seed
patterns.link[].priority: links of a higher one come first
patterns.link[].revisit: how often a page is visited: `once`, once for each `path`, or `every N` links to it
patterns.link[].next: the patterns that the linked pages get; all by default
patterns.stop[].name: in the summary
patterns.stop[].engine: its query language
patterns.stop[].seconds: that the crawl has taken
patterns.stop[].pages: that were fetched
patterns.stop[].items: that were found
patterns.stop[].of: items of these data patterns only
patterns.stop[].page: a URL, perhaps with `*`, that was fetched
patterns.stop[].dry: pages in a row without an item
patterns.stop[].when: a query that holds
patterns.result.engine: its query language
patterns.result.find: a query over all items and the crawl graph; without it the result is the items
patterns.result.of: items of these data patterns only
patterns.result.order: fields by which items are ordered
patterns.result.limit: the most items
patterns.result.format: xml, json, csv or parquet
"""
_OF_PAGE_PATTERNS = """
name: by which others refer to it
engine: its query language
find: what is looked for on a page
when: only on pages where this query holds
linked_from: only on pages that are linked from one where this other pattern matched
"""


def _read(text: str) -> dict[str, str]:
    pairs = (line.split(": ", 1) for line in text.strip().splitlines())
    return {key: meaning for key, meaning in pairs}


MEANINGS: Final = {
    **_read(_OF_CRAWLS),
    **_read(_OF_PATTERNS),
    **{f"patterns.data[].{key}": meaning for key, meaning in _read(_OF_PAGE_PATTERNS).items()},
    **{f"patterns.link[].{key}": meaning for key, meaning in _read(_OF_PAGE_PATTERNS).items()},
}
