"""Rounds in the site: one now, a schedule, a killed one that goes on, and what is told of them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import orjson

from tests.engines.live.webs import SmallWeb
from tests.web.sites import Site, shop, spec_of_shop


def test_rounds_are_made_on_demand_and_by_schedule(tmp_path: Path) -> None:
    with SmallWeb() as web:
        shop(web, 12)
        with Site(tmp_path, f"--connect-to={web.connect_to}") as site:
            name = site.begin(spec_of_shop(20))
            site.until_state(name, "finished")
            path = f"/api/crawls/{name}"
            assert site.get(f"{path}/health") == {"round": 0, "hosts": 0, "alarms": [], "ended": []}
            site.post(f"{path}/refresh", {"budget": 50})
            first = site.until(name, lambda crawl: crawl["state"] == "finished" and crawl["rounds"] == 1)
            assert (first["every"], first["alarms"]) == (0, 0)

            shop(web, 12, delay=0.3)  # slow, so that it can be killed
            site.post(f"{path}/schedule", {"every": "7d", "budget": 50})
            site.post(f"{path}/refresh", {"budget": 50})
            site.post(f"{path}/refresh", {"budget": 50}, status=409)  # never two at once
            site.until(name, lambda crawl: crawl["state"] == "running")
            os.kill(
                int(orjson.loads((tmp_path / name / ".web" / "state.json").read_bytes())["pid"]), signal.SIGKILL
            )
            shop(web, 12)
            kept = site.until(name, lambda crawl: crawl["state"] == "finished" and crawl["rounds"] == 2)
            assert (kept["every"], kept["round_budget"]) == (7 * 86_400, 50)
            rounds = site.get(f"{path}/rounds")["rounds"]
            assert [each["round"] for each in rounds] == [0, 1, 2]
            assert site.get(f"{path}/health")["round"] == 2
            assert site.get(f"{path}/changes", since="1")["more"] is False

            state = tmp_path / name / ".web" / "state.json"
            site.post(f"{path}/schedule", {"every": "1s", "budget": 50}, status=400)
            state.write_bytes(orjson.dumps({**orjson.loads(state.read_bytes()), "every": 2.0}))  # due at once
            site.until(name, lambda crawl: crawl["rounds"] >= 4)
            assert site.client.delete(f"{path}/schedule").status_code == 200
            assert site.crawl(name)["every"] == 0
