"""Models as files: what one crawl has learned, another can begin with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sundog import CrawlSession, Fetched, SundogError
from sundog.learn.files import KEPT, load_model, model_bytes
from sundog.learn.model import new_model

URLS = [f"http://a.example/{kind}/{number}" for kind in ("good", "bad") for number in range(10)]


def trained(policy: str, **parameters: object) -> CrawlSession:
    session = CrawlSession(policy=policy, budget=20, **parameters)
    session.add(URLS)
    return session


@pytest.mark.parametrize("policy", ["sundog", "naive-bayes", "ftrl", "logistic"])
def test_a_crawl_can_begin_with_what_another_has_learned(tmp_path: Path, policy: str) -> None:
    first = trained(policy)
    for _ in range(20):
        decision = first.next_decision()
        first.observe(decision, Fetched(float("good" in decision.url)))
    (tmp_path / "model.npz").write_bytes(model_bytes(first.model))
    second = trained(policy, pretrain=tmp_path / "model.npz")
    fresh = trained(policy)
    good, bad = second.estimate(range(20)).reshape(2, 10).mean(axis=1)
    assert good > bad + 0.1
    assert len(set(fresh.estimate(range(20)))) == 1 or policy == "naive-bayes"
    assert np.array_equal(second.model.table[:KEPT], first.model.table[:KEPT])


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    path, empty = tmp_path / "model.npz", new_model("ftrl", 64)
    path.write_bytes(b"PK nonsense")
    with pytest.raises(SundogError, match="is no model of a crawl"):
        load_model(path, empty)
    path.write_bytes(model_bytes(new_model("naive-bayes", 64)))
    with pytest.raises(SundogError, match="learner 'naive-bayes'"):
        load_model(path, empty)
    path.write_bytes(model_bytes(new_model("ftrl", 128)))
    with pytest.raises(SundogError, match="another size"):
        load_model(path, empty)
    broken = new_model("ftrl", 64)
    broken.table[0, 3] = np.nan
    path.write_bytes(model_bytes(broken))
    with pytest.raises(SundogError, match="damaged"):
        load_model(path, empty)


def test_nothing_in_a_file_is_executed(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    np.savez(path, learner=np.array("ftrl"), table=np.array([object()]), numbers=np.zeros(8))
    with pytest.raises(SundogError, match="is no model"):
        load_model(path, new_model("ftrl", 64))
