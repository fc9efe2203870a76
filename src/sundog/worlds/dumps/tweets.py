"""Tweets as the collection twitter7 had them, as a scored graph: users, and who mentions whom.

A tweet is three lines, and an empty one after them::

    T   2009-06-01 21:43:59
    U   http://twitter.com/somebody
    W   @another sees what @others see

with tabs; a first line ``total number:…`` is passed over. A user's counts are those of all tweets of that user, a
link's those of the tweets of one user that mention the other. Users who are only mentioned are nodes without
counts: a crawl that asks for them finds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from sundog.errors import SundogError
from sundog.objectives.relevance import Relevance
from sundog.worlds.dumps.counted import CountedGraph, CountedWorld
from sundog.worlds.dumps.packed import opened

USERS = "https://twitter.com/"
MISSING = "No Post Title"  # what the collection has where a tweet is lost
MOST_BYTES = 100_000  # of a line
STEP = 100_000  # tweets between two calls of progress
_MENTION = re.compile(r"(?<![\w@])@(\w{1,15})(?!\w)", re.ASCII)
_USER = re.compile(r"(?:https?://)?(?:www\.)?twitter\.com/(\w{1,30})/?", re.ASCII)
_TAGS = ("T", "U", "W")


def world_from_tweets(
    path: Path, relevance: Relevance, directory: Path, *, progress: Callable[[int], None] = lambda count: None
) -> CountedWorld:
    graph = CountedGraph(relevance)
    with opened(path) as file:
        for number, (user, text) in enumerate(_tweets(file, str(path), graph), 1):
            counts = relevance.count(text)
            source = graph.node(user, counts)
            for name in dict.fromkeys(each.lower() for each in _MENTION.findall(text)):
                graph.link(source, graph.node(name), counts)
            if number % STEP == 0:
                progress(number)
    return graph.write(directory, lambda name: USERS + name)


def _tweets(file: IO[bytes], name: str, graph: CountedGraph) -> Iterator[tuple[str, str]]:
    """User and text; what has no user or no text is left out, and counted."""
    user, line = "", 0
    while data := file.readline(MOST_BYTES):
        line += 1
        tag, tab, value = data.decode("utf-8", "replace").strip("\r\n").partition("\t")
        if not tab or tag not in _TAGS:
            if tag.strip() and not (line == 1 and tag.startswith("total number")):
                raise SundogError(f"{name}, line {line}: a line that begins with T, U or W and a tab is expected")
            continue
        if tag == "U":
            known = _USER.fullmatch(value.strip())
            user = known[1].lower() if known else ""
        elif tag == "W":
            if user and value.strip() != MISSING:
                yield user, value
            else:
                graph.left_out += 1
            user = ""
