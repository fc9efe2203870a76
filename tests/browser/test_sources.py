"""What pages are made of: nothing from elsewhere, nothing inline, no markup put together from strings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sundog

WEB = Path(sundog.__file__).parent / "web"
SCRIPTS = sorted((WEB / "static").rglob("*.js"))
STYLES = sorted((WEB / "static").rglob("*.css"))
TEMPLATES = sorted((WEB / "templates").iterdir())
MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|srcdoc"
)
FOREIGN = re.compile(r"https?://(?!www\.w3\.org/|www\.example\.org/)[\w.]+\.\w+")
MOST_LINES = 300


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_make_elements_never_markup(path: Path) -> None:
    text = path.read_text()
    assert not MARKUP.search(text)
    assert not FOREIGN.search(text)
    assert len(text.splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_styles_load_nothing(path: Path) -> None:
    loaded = re.findall(r"url\(([^)]*)\)", path.read_text())
    assert all(re.fullmatch(r'"[\w-]+\.css"', each) for each in loaded)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_have_nothing_inline(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|\|\s*safe", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))
    assert not FOREIGN.search(text)
