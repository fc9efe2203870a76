"""Spiders in processes of their own: a reactor runs once."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.engines.live.webs import SmallWeb

ROOT = Path(__file__).parents[3]
ADDON = {"ADDONS": {"sundog.contrib.scrapy.Addon": 500}}
PATIENCE = 600.0  # seconds


def start(web: SmallWeb, spider: str, **settings: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.contrib.scrapy.project", spider, str(web.port), json.dumps(settings)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> dict[str, Any]:
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    answer: dict[str, Any] = json.loads(out.splitlines()[-1])
    assert answer["stats"].get("sundog/in_flight", 0) == 0, "no lease leaks"
    return {**answer, "errors": err}


def run(web: SmallWeb, spider: str, **settings: Any) -> dict[str, Any]:
    return ended(start(web, spider, **ADDON, **settings))
