"""Objectives in a live crawl: their files come along, and what they have found is remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.engines.live.run import crawl, resume
from tests.engines.live.webs import HOME, Crawled, SmallWeb, spec_for, urls

ASK = "ASK { ?s a <http://schema.org/%s> }"


@pytest.mark.parametrize(
    "objective",
    [
        "a/q.rq and not b/q.rq",
        "q.rq and not my-q.rq",
        '"with space/q.rq" or (my-q.rq and q.rq)',
        '"with space/two words.rq"',
    ],
)
def test_files_come_along(web: SmallWeb, tmp_path: Path, objective: str) -> None:
    """A resume needs none of the files that the user had, and judges as before."""
    files = {"a/q.rq": "Product", "b/q.rq": "Nothing", "q.rq": "Product", "my-q.rq": "Nothing"}
    files |= {"with space/q.rq": "Product", "with space/two words.rq": "Product"}
    for name, kind in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(ASK % kind)
    web.product(HOME, *urls("1"))
    web.product(*urls("1"))
    crawl(spec_for(web, objective=objective, budget=1), tmp_path / "crawl", folder=tmp_path)
    for name in files:
        (tmp_path / name).unlink()
    resume(tmp_path / "crawl", budget=2)
    assert Crawled(tmp_path / "crawl").rewards == {HOME: 1.0, urls("1")[0]: 1.0}


def test_rows_that_were_seen_are_not_new_after_a_resume(web: SmallWeb, tmp_path: Path) -> None:
    (tmp_path / "names.rq").write_text("SELECT ?n { ?s <http://schema.org/name> ?n }")
    for url, name in zip([HOME, *urls("1", "2", "3")], ("kettle", "kettle", "pot", "pot"), strict=True):
        web.product(url, *urls("1", "2", "3"), name=name)
    crawl(spec_for(web, objective="names.rq", budget=1), tmp_path / "crawl", folder=tmp_path)
    resume(tmp_path / "crawl", budget=4)
    done = Crawled(tmp_path / "crawl")
    assert done.rewards == {HOME: 1.0, **dict(zip(urls("1", "2", "3"), (0.0, 1.0, 0.0), strict=True))}
    assert len(done.rows("SELECT * FROM answers")) == 2
