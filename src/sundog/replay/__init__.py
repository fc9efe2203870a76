"""A session rebuilt from the log of a crawl, from its beginning or from a checkpoint."""

from sundog.replay.log import Replayed, filled_catalog, new_session, replay, restore, score_parts, why_alone

__all__ = ["Replayed", "filled_catalog", "new_session", "replay", "restore", "score_parts", "why_alone"]
