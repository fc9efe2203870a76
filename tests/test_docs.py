"""The documentation says what is there: headings, links and examples."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sundog.cli.app import app
from sundog.objectives.registry import OBJECTIVES
from sundog.objectives.types import PREFIXES
from sundog.policies.parameters import FEATURE_SETS, LEARNERS, PARAMETERS
from sundog.policies.presets import POLICIES
from sundog.syntaxes import STORED

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)
GROUPS = {
    str(group.name or group.typer_instance.info.name): group.typer_instance for group in app.registered_groups
}
COMMANDS = [str(command.name) for command in app.registered_commands] + [
    f"{name} {command.name}" for name, group in GROUPS.items() for command in group.registered_commands
]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# A directory of some machine: /home/…, C:\…; not the path of a URL.
MACHINE_PATH = re.compile(r"(?<![\w:/.])/(?:home|root|tmp|work|Users|usr|var|opt|mnt|etc)/|\b[A-Z]:\\")


class Block(NamedTuple):
    line: int
    code: str


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def python_blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(text.count("\n", 0, match.start(2)), match[2])
        for match in FENCE.finditer(text)
        if match[1] == "python"
    ]


def prose_of(page: Path) -> str:
    """The page without its code blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def headings(page: Path) -> list[str]:
    return HEADING.findall(prose_of(page))


def named_in_headings(page: Path) -> set[str]:
    """What stands in backticks in the page's headings."""
    return {name for heading in headings(page) for name in re.findall(r"`([^`]+)`", heading)}


def anchor_of(heading: str) -> str:
    """As GitHub makes it.

    >>> anchor_of("Leases, `Wait` and Finished")
    'leases-wait-and-finished'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def links_of(page: Path) -> Iterator[tuple[Path, str]]:
    """Links into the repository: the file, and the anchor if there is one."""
    for target in LINK.findall(prose_of(page)):
        if "://" not in target and not target.startswith("mailto:"):
            path, _, anchor = target.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("docs/policies.md", sorted(POLICIES)),
        ("docs/policies.md", [*PARAMETERS, "delay"]),
        ("docs/quickstart.md", [f"sundog {command}" for command in COMMANDS]),
    ],
    ids=["policies", "parameters", "commands"],
)
def test_each_has_a_heading(page: str, names: list[str]) -> None:
    missing = [name for name in names if name not in named_in_headings(ROOT / page)]
    assert not missing, f"{page} has no heading for {', '.join(missing)}"


@pytest.mark.parametrize(
    ("page", "words"),
    [
        (
            "docs/objectives.md",
            [*STORED, *PREFIXES, *(each.form for each in OBJECTIVES if "," not in each.form)],
        ),
        ("docs/policies.md", [*FEATURE_SETS, *LEARNERS]),
    ],
    ids=["objectives", "features and learners"],
)
def test_each_word_is_explained(page: str, words: list[str]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [word for word in words if f"`{word}`" not in text]
    assert not missing, f"{page} does not explain {', '.join(missing)}"


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=name_of)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of one page in order, in one namespace and an empty directory."""
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "docs"}
    for block in python_blocks(page):
        if block.code.lstrip().startswith(">>>"):
            compare(block, page, namespace)
        else:
            exec(compile("\n" * block.line + block.code, str(page), "exec"), namespace)


def compare(block: Block, page: Path, namespace: dict[str, object]) -> None:
    """Run a block with prompts; what it prints must be what stands there."""
    test = doctest.DocTestParser().get_doctest(block.code, {}, name_of(page), str(page), block.line)
    test.globs = namespace
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test, out=said.append, clear_globs=False)
    assert not runner.failures, "".join(said)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    for target, anchor in links_of(page):
        assert target.exists(), f"{name_of(page)} links to {target.relative_to(ROOT)}, which does not exist"
        anchors = map(anchor_of, headings(target)) if anchor else [anchor]
        assert anchor in anchors, f"{name_of(page)} links to #{anchor}, which {name_of(target)} does not have"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_paths_of_a_machine(page: Path) -> None:
    found = MACHINE_PATH.search(page.read_text(encoding="utf-8"))
    assert not found, f"{name_of(page)} has '{found[0]}'" if found else ""


def test_every_page_is_listed() -> None:
    """Who begins at the README or at docs/index.md finds all of them."""
    for start in (ROOT / "README.md", ROOT / "docs" / "index.md"):
        listed = {target for target, _ in links_of(start)} | {start}
        unlisted = [name_of(page) for page in PAGES if page.parent.name == "docs" and page not in listed]
        assert not unlisted, f"{name_of(start)} does not link to {', '.join(unlisted)}"
