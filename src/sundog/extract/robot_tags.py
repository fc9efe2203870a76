"""What a page asks of robots: ``<meta name="robots">`` elements and ``X-Robots-Tag`` headers, read by one rule."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

_WITH_VALUES: Final = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")


class RobotTags(NamedTuple):
    """What a page lets robots do with it."""

    may_index: bool = True
    may_follow: bool = True


def robot_tags(texts: Iterable[str], robot: str = "") -> RobotTags:
    """From the contents of metas, or of headers, each of which may name robots; ``robot`` is our own name.

    >>> robot_tags(["otherbot: noindex, NOFOLLOW"], "sundog")
    RobotTags(may_index=True, may_follow=True)
    >>> robot_tags(["index, max-image-preview:none", "sundog: noindex"], "sundog")
    RobotTags(may_index=False, may_follow=True)
    """
    words = {word for text in texts for word in _words(text, robot)}
    return RobotTags(words.isdisjoint({"noindex", "none"}), words.isdisjoint({"nofollow", "none"}))


def meta_tags(metas: Iterable[dict[str, str]], robot: str = "") -> RobotTags:
    """From the attributes of a page's metas: those for all robots, and those with our own name."""
    texts = [meta["content"] for meta in metas if _is_ours(meta.get("name", ""), robot) and "content" in meta]
    return robot_tags(texts, robot) if texts else RobotTags()


def _is_ours(name: str, robot: str) -> bool:
    return bool(name) and name.strip().lower() in ("robots", robot)


def _words(text: str, robot: str) -> Iterable[str]:
    """A robot's name counts for all that follows it, up to the next name."""
    is_meant = True
    for part in text.lower().split(","):
        name, colon, word = (piece.strip() for piece in part.partition(":"))
        if name in _WITH_VALUES:
            continue
        if colon:
            is_meant = name in ("robots", "*", robot)
        if is_meant:
            yield word if colon else name
