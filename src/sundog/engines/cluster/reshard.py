"""Another number of shards for a crawl that does not run: only what belongs to another shard now moves.

Of a host that moves, the new owner gets the pages that wait (as links from elsewhere), the names of those that
were fetched, and what politeness knows. Pages stay where they were fetched: results are of all shards together,
also of those that there are no more. What is done twice does no harm, so one that was killed is begun again. Only
when all of it is there, ``cluster.json`` says that it counts; until then nobody fetches what is not theirs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sundog.engines.cluster.lessons import keep_learned
from sundog.engines.cluster.membership import leased_in
from sundog.engines.cluster.outbox import LEASE, TAKEN
from sundog.model import LinkBatch
from sundog.replay import filled_catalog
from sundog.session import NO_TEXTS
from sundog.sharding.ownership import Owners
from sundog.store import CrawlReader, CrawlStore, Received, open_readonly
from sundog.store.database import transaction
from sundog.store.events import unpacked_links
from sundog.store.reader import SPENT
from sundog.store.shards import LOG_ID, Layout, shard_directories, shard_directory, shard_number, write_layout
from sundog.urls.identity import identity

# URLs that the shard itself was to fetch; what it has only handed over to others is not among them.
KNOWN = """SELECT u.url, u.depth, max(l.event IN ('fetched', 'failed')), max(l.event = 'refused')
  FROM urls u LEFT JOIN outcomes o ON o.candidate = u.id LEFT JOIN log l ON l.step = o.step GROUP BY u.id"""
FOREIGN = "SELECT step, links FROM foreign_links ORDER BY step"


class Moving(NamedTuple):
    """What one shard gets: pages that wait, with their depths; pages that were asked; states of hosts."""

    waiting: dict[str, int]
    asked: set[str]
    hosts: dict[str, object]


def reshard(directory: Path, layout: Layout, shards: int, spec_text: str) -> Layout:
    """Returns the new layout, which is written already."""
    if shards == layout.shards:
        return layout
    new = layout._replace(shards=shards)
    moving = _moving(directory, Owners(layout.shards, layout.split), Owners(shards, layout.split))
    for number in range(shards):
        _take(shard_directory(directory, number), number, moving[number], spec_text)
    for path in shard_directories(directory):
        if shard_number(path) >= shards:
            keep_learned(path)
        with CrawlStore.open(path) as store:
            lease = leased_in(store.state(LEASE, 0)).lease  # the rest is shared out anew
            size = store.state(SPENT, {}).get("bytes", 0)
            store.save(LEASE, [lease.pool, lease.version + 1, store.fetches + store.visits, size])
    write_layout(directory, new)
    return new


def _moving(directory: Path, before: Owners, after: Owners) -> defaultdict[int, Moving]:
    moving: defaultdict[int, Moving] = defaultdict(lambda: Moving({}, set(), {}))
    taken: dict[int, dict[str, int]] = {}
    paths = shard_directories(directory)
    for path in paths:
        with open_readonly(path) as reader:
            taken[shard_number(path)] = reader.state(TAKEN, {})
    for path in paths:
        number = shard_number(path)
        with open_readonly(path) as reader:
            for url, depth, is_done, is_refused in reader.connection.execute(KNOWN):
                owner = after.of(url)
                if before.of(url) != number or owner == number:
                    continue
                if is_done:
                    moving[owner].asked.add(url)
                elif not is_refused:
                    moving[owner].waiting.setdefault(url, depth)
            for url in map(_name, reader.redirected_urls()):
                if before.of(url) == number != after.of(url):
                    moving[after.of(url)].asked.add(url)
            for url in reader.asked_elsewhere():
                moving[after.of(url)].asked.add(url)
            for host, state in reader.host_states().items():
                if before.of(host) == number != after.of(host):
                    moving[after.of(host)].hosts[host] = state
            for url, depth in _not_taken(reader, before, taken):
                if before.of(url) != after.of(url) or number >= after.shards:
                    moving[after.of(url)].waiting.setdefault(url, depth)
    return moving


def _not_taken(reader: CrawlReader, owners: Owners, taken: dict[int, dict[str, int]]) -> Iterator[tuple[str, int]]:
    """Links to other shards that these have not got so far."""
    log = reader.state(LOG_ID)
    for step, links in reader.connection.execute(FOREIGN).fetchall():
        for candidate, url in reader.urls_of(unpacked_links(links).targets.tolist()).items():
            if step > taken.get(owners.of(url), {}).get(log, 0):
                query = "SELECT depth FROM urls WHERE id = ?"
                yield url, int(reader.connection.execute(query, (candidate,)).fetchone()[0])


def _name(url: str) -> str:
    return identity(url) or url


def _take(path: Path, number: int, moving: Moving, spec_text: str) -> None:
    known = path in shard_directories(path.parent)
    if not known and not any(moving):
        return  # it begins with what others send it
    with CrawlStore.open(path) if known else CrawlStore.create(path, spec_text) as store:
        with transaction(store.connection):
            rows = [(url,) for url in moving.asked]
            store.connection.executemany("INSERT OR IGNORE INTO asked_elsewhere VALUES (?)", rows)
        catalog = filled_catalog(store)
        first, urls = catalog.size, list(moving.waiting)
        targets = catalog.add(urls)
        depths = dict(zip(targets.tolist(), moving.waiting.values(), strict=True))
        if urls:
            new = range(first, catalog.size)
            event = Received(number, 0, LinkBatch(targets, NO_TEXTS, NO_TEXTS), [depths[each] for each in new])
            store.append(event, urls=catalog.urls_since(first) if new else ())
        for host, state in moving.hosts.items():
            store.save_host(host, state)
        store.commit()
