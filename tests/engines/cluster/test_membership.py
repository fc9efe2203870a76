"""What a shard says of itself to the coordinator."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep

from sundog.engines.cluster.membership import Membership, Standing
from sundog.engines.cluster.messages import Order
from sundog.engines.live.run import crawl, resume
from sundog.model import BUDGET_SPENT, FRONTIER_EMPTY
from sundog.sharding.budget import Amounts, Grant
from sundog.sharding.ownership import Owners
from sundog.spec.crawl import Following
from tests.engines.live.webs import HOME, SmallWeb, spec_for

PATIENCE = 60.0  # seconds, of a busy machine


def said(shard: Membership, holds: Callable[[Standing], bool]) -> Standing:
    """As soon as it is so, and the shard has looked again."""
    end = monotonic() + PATIENCE
    while not (shard.is_running and holds(shard.look())):
        assert monotonic() < end, shard.standing
        sleep(0.02)
    return shard.standing


def grant(shard: Membership, fetches: int) -> None:
    lease = shard.standing.lease
    order = Order("now", pool=lease.pool, grant=Grant(0, lease, Amounts(fetches)))
    shard.put(order)
    said(shard, lambda standing: standing.lease.most.fetches == fetches)


def test_a_lease_is_spent_when_all_tries_are_over(tmp_path: Path) -> None:
    """Else the crawl ends with pages in flight that its budget was for."""
    with SmallWeb() as web, ThreadPoolExecutor() as threads:
        web.reply(HOME, status="503 Later")
        web.reply(f"{HOME}1", status="503 Later")
        spec = spec_for(web, HOME, f"{HOME}1", following=Following(patience=9.0, retries=1))
        shard = Membership(0, Owners(1), 100, "now")
        run = threads.submit(crawl, spec, tmp_path / "crawl", company=shard)
        said(shard, lambda standing: standing.rest == BUDGET_SPENT)
        grant(shard, 1)
        said(shard, lambda standing: standing.used.fetches == 1 and standing.rest == BUDGET_SPENT)
        shard.put(Order("now", stop="enough"))
        assert run.result()["fetched"] == 1
        assert len(web.asked()) == 2


def test_more_budget_is_of_no_use_where_all_pages_are_those_of_another_shard(tmp_path: Path) -> None:
    """Else it would get the budget and give it back for ever, while others wait for it."""
    with SmallWeb() as web, ThreadPoolExecutor() as threads:
        web.page(HOME, *[f"/{number}" for number in range(20)])
        for number in range(20):
            web.page(f"{HOME}{number}", "/")
        alone = Membership(0, Owners(1), 100, "now")
        run = threads.submit(crawl, spec_for(web, budget=100), tmp_path / "crawl", company=alone)
        said(alone, lambda standing: standing.rest == BUDGET_SPENT)
        grant(alone, 5)
        said(alone, lambda standing: standing.used.fetches == 5 and standing.rest == BUDGET_SPENT)
        alone.put(Order("now", stop="enough"))
        run.result()

        owners = Owners(6)
        other = next(number for number in range(6) if number != owners.of(HOME))
        shard = Membership(other, owners, 100, "now")
        run = threads.submit(resume, tmp_path / "crawl", company=shard)
        assert said(shard, lambda standing: bool(standing.rest)).rest == BUDGET_SPENT  # it has not tried so far
        grant(shard, 10)
        said(shard, lambda standing: standing.rest == FRONTIER_EMPTY)
        shard.put(Order("now", gives_back=True))
        said(shard, lambda standing: standing.lease.most.fetches == 5)
        sleep(0.5)
        rests = shard.look().rest
        shard.put(Order("now", stop="enough"))
        run.result()
        assert rests == FRONTIER_EMPTY
        assert len(web.asked()) == 5
