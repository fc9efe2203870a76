"""Queries over an index that another process writes."""

from __future__ import annotations

import threading
from pathlib import Path

import pyoxigraph
import pytest

from sundog.processes.query import prepare

REQUEST = {"query": "SELECT (count(*) AS ?n) { ?s ?p ?o }", "most_rows": 10}


def ask(path: Path) -> str:
    answer, _ = prepare(None)
    count: str = answer({"path": str(path), **REQUEST})["rows"][0][0]["value"]
    return count


def test_an_index_whose_files_are_being_replaced_is_opened_again(tmp_path: Path) -> None:
    index, elsewhere = tmp_path / "index", tmp_path / "elsewhere"
    node = pyoxigraph.NamedNode("http://a.example/")
    store = pyoxigraph.Store(str(index))
    store.add(pyoxigraph.Quad(node, node, node, node))
    store.flush()
    del store
    index.rename(elsewhere)
    back = threading.Timer(0.2, elsewhere.rename, [index])
    back.start()
    try:
        assert ask(index) == "1"
    finally:
        back.join()


def test_an_index_that_is_not_there_is_an_error_all_the_same(tmp_path: Path) -> None:
    with pytest.raises((OSError, RuntimeError), match="No such file"):
        ask(tmp_path / "nowhere")
