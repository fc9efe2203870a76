"""The frame that pictures of pages are drawn in: an empty document, our script and our styles.

It has an origin of its own, which is nobody's: neither cookies nor the API nor the page around it are within its
reach. Only the script and the sheet that are in it may be used, by their hashes, so nothing of a shown page would
run even if it got there; and nothing can be asked for from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from html import escape
from pathlib import Path

from sundog.web.new.picture import ATTRIBUTES, TAGS

STATIC = Path(__file__).parent.parent / "static"
SCRIPT, SHEET = STATIC / "js" / "new" / "frame.js", STATIC / "css" / "frame.css"


@cache
def frame_document() -> str:
    """The lists of what may be drawn go with it: the script makes nothing else."""
    allowed = escape(json.dumps({"tags": sorted(TAGS), "attributes": sorted(ATTRIBUTES)}))
    return (
        f'<!DOCTYPE html><html lang="en" data-allowed="{allowed}"><head><meta charset="utf-8">'
        "<title>The page</title>"
        f"<style>{SHEET.read_text()}</style></head><body><script>{SCRIPT.read_text()}</script></body></html>"
    )


@cache
def frame_policy() -> str:
    return (
        f"sandbox allow-scripts; default-src 'none'; script-src '{_hash(SCRIPT)}'; style-src '{_hash(SHEET)}'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    )


def _hash(path: Path) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(path.read_text().encode()).digest()).decode()
