"""All attacks of the corpus."""

from tests.hostile import elements, files, json_ld, markup
from tests.hostile.corpus import ATTACKS

__all__ = ["ATTACKS", "elements", "files", "json_ld", "markup"]
