"""``sundog sample`` makes what ``pretrain=`` takes; ``sundog warm-up`` leaves nothing to compile."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from sundog.engines.simulate import rewards_of
from sundog.policies.pretrain import read_sample
from sundog.worlds.load import load_world
from sundog.worlds.synthetic import generate, write
from tests.cli.commands import Command, one_line


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worlds") / "web"
    write(generate("web2014", pages=1500, hosts=100, seed=1), folder)
    return folder


def test_a_sample_of_a_world_is_what_pretrain_takes(sundog: Command, web: Path, tmp_path: Path) -> None:
    out = tmp_path / "sample.tsv"
    done = sundog("sample", web, "--out", out, "--for", "microdata", "--pages", 400, "--json")
    assert orjson.loads(done.out)["pages"] == 400
    world = load_world(web)
    rewards = rewards_of(world, "microdata")
    examples = list(read_sample(out))
    for example in examples:
        page = world.row_of(example.url)
        assert example.relevant == (rewards[page] > 0)
        if example.referrer:
            parent = world.row_of(example.referrer)
            assert page in world.links_of(parent).targets
            assert example.parent_relevant == (rewards[parent] > 0)
    assert sum(bool(example.referrer) for example in examples) > 350
    words = ("simulate", web, "--policy", "naive-bayes", "--budget", 100, "--for", "microdata", "--json")
    plain, taught = (orjson.loads(sundog(*words, *more).out) for more in ((), ("--set", f"pretrain={out}")))
    assert taught["runs"][0]["relevant"] != plain["runs"][0]["relevant"]


def test_a_sample_of_a_crawl(sundog: Command, crawl: Path, tmp_path: Path) -> None:
    out = tmp_path / "sample.tsv"
    done = sundog("sample", crawl, "--out", out)
    assert done.code == 0
    assert "2 pages, 1 of them relevant" in done.err
    assert [(each.url, each.relevant, each.parent_relevant, each.referrer) for each in read_sample(out)] == [
        ("http://a.example/", True, False, ""),
        ("http://c.example?q", False, True, "http://a.example/"),
    ]
    assert "is there already" in one_line(sundog("sample", crawl, "--out", out))
    assert "judged already" in one_line(sundog("sample", crawl, "--out", out, "--force", "--for", "any"))


def test_a_sample_without_two_kinds_of_pages_is_refused(sundog: Command, web: Path, tmp_path: Path) -> None:
    done = sundog("sample", web, "--out", tmp_path / "x", "--for", "any or not any")
    assert (done.code, "nothing could be learned" in one_line(done)) == (1, True)
    assert not (tmp_path / "x").exists()


def test_warm_up(sundog: Command) -> None:
    done = sundog("warm-up", "--policy", "bfs")
    assert (done.code, done.out) == (0, "")
    assert "kernels are compiled" in done.err
    assert "unknown policy" in one_line(sundog("warm-up", "--policy", "bsf"))
