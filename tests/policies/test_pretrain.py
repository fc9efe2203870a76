"""Classifiers that learn from a sample before the crawl begins."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from sundog import CrawlSession, Decision, Fetched, SundogError
from sundog.policies.pretrain import read_sample

RECIPES = [f"http://cook{i % 5}.example/recipe/tasty-dish-{i}" for i in range(400)]
LOGINS = [f"http://cook{i % 5}.example/login/session-page-{i}" for i in range(400)]
LEARNERS = ["naive-bayes", "ftrl", "logistic", "hoeffding-tree"]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    """Recipes are relevant and logins are not, but for every tenth of each."""
    path = tmp_path / "sample.tsv"
    lines = []
    for i, (recipe, login) in enumerate(zip(RECIPES, LOGINS, strict=True)):
        usual = int(i % 10 != 0)
        lines += [f"{2 * i}\t{recipe}\t{usual}\ttrue\n", f"{2 * i + 1}\t{login}\t{1 - usual}\tfalse\n"]
    path.write_text("".join(lines))
    return path


def estimates(session: CrawlSession) -> list[float]:
    return session.estimate([0, 1]).tolist()


@pytest.mark.parametrize("policy", LEARNERS)
def test_a_pretrained_classifier_predicts_from_the_sample(policy: str, sample: Path) -> None:
    session = CrawlSession(policy=policy, budget=9, pretrain=sample, features="url", frozen=True)
    session.add(["http://cook3.example/login/session-page", "http://cook3.example/recipe/tasty-dish"])
    login, recipe = estimates(session)
    assert login < 0.5 < recipe
    decision = session.next_decision()
    assert isinstance(decision, Decision)
    assert "recipe" in decision.url


@pytest.mark.parametrize("policy", LEARNERS)
def test_frozen_it_learns_nothing_more(policy: str, sample: Path) -> None:
    frozen, online = (
        CrawlSession(policy=policy, budget=300, pretrain=sample, features="url", frozen=frozen)
        for frozen in (True, False)
    )
    changed = []
    for session in (frozen, online):
        session.add(["http://cook3.example/login/session-page", "http://cook3.example/recipe/tasty-dish"])
        before = estimates(session)
        session.add([f"http://x.example/recipe/other-dish-{i}" for i in range(200)])
        for _ in range(150):
            decision = session.next_decision()
            assert isinstance(decision, Decision)
            session.observe(decision, Fetched(0.0))
        changed.append(estimates(session) != before)
    assert changed == [False, True]


def test_a_packed_sample_teaches_the_same(sample: Path, tmp_path: Path) -> None:
    packed = tmp_path / "sample.tsv.gz"
    packed.write_bytes(gzip.compress(sample.read_bytes()))
    assert list(read_sample(packed)) == list(read_sample(sample))
    words = []
    for path in (sample, packed):
        session = CrawlSession(policy="naive-bayes", budget=9, pretrain=path)
        session.add(RECIPES[:1] + LOGINS[:1])
        words.append(estimates(session))
    assert np.array_equal(*words)


def test_flags_in_every_spelling(tmp_path: Path) -> None:
    path = tmp_path / "sample.tsv"
    path.write_text("1\thttp://a/\t1\tFALSE\r\n\n2\thttp://b/\tTrue\t0\n3\thttp://c/\t\t1\n")
    flags = [(one.relevant, one.parent_relevant) for one in read_sample(path)]
    assert flags == [(True, False), (True, False), (False, True)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1\thttp://a/\t1\t0\n2\thttp://b/\t1\n", r"sample.tsv, line 2: has 3 columns"),
        (b"1\thttp://a/\t1\t0\n\n2\thttp://b/\tyes\t1\n", r"sample.tsv, line 3: 'yes' is neither"),
        (b"1\thttp://a/\t1\t2\n", r"sample.tsv, line 1: '2' is neither"),
        (b"1\thttp://\xff\xfe/\t1\t0\n", r"sample.tsv cannot be read"),
        (b"", r"sample.tsv has no examples"),
    ],
)
def test_a_malformed_sample_is_named_by_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "sample.tsv"
    path.write_bytes(content)
    with pytest.raises(SundogError, match=message):
        CrawlSession(policy="naive-bayes", budget=9, pretrain=path)


@pytest.mark.parametrize(
    "content", [b"no gzip", b"\x1f\x8b\x08\x00" * 9, gzip.compress(b"1\thttp://a/\t1\t0\n", mtime=0)[:-9]]
)
def test_a_damaged_gz_sample_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "sample.tsv.gz"
    path.write_bytes(content)
    with pytest.raises(SundogError, match=r"sample.tsv.gz cannot be read"):
        CrawlSession(policy="naive-bayes", budget=9, pretrain=path)
