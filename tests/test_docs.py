"""The documentation says what is there: headings, links, examples, folders and functions."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import sundog
from sundog.cli.app import app
from sundog.objectives.registry import OBJECTIVES
from sundog.objectives.types import PREFIXES
from sundog.policies.parameters import FEATURE_SETS, LEARNERS, PARAMETERS
from sundog.policies.presets import POLICIES
from sundog.results.export import FORMATS
from sundog.syntaxes import STORED
from tests.test_imports import BASE, MAY_IMPORT, PACKAGE

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted(
    [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "papers").glob("*.md")]
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
        ("docs/quickstart.md", list(FORMATS)),
        ("docs/store.md", list(FORMATS)),
    ],
    ids=["objectives", "features and learners", "formats", "formats in the store"],
)
def test_each_word_is_explained(page: str, words: list[str]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [word for word in words if f"`{word}`" not in text]
    assert not missing, f"{page} does not explain {', '.join(missing)}"


@pytest.mark.parametrize("page", ["README.md", "docs/quickstart.md"])
def test_each_extra_is_named(page: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / page).read_text(encoding="utf-8")
    missing = [name for name in project["optional-dependencies"] if not re.search(rf"`{name}`|\[{name}\]", text)]
    assert not missing, f"{page} does not name the extra {', '.join(missing)}"


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=name_of)
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of one page in order, in one namespace and an empty directory."""
    monkeypatch.chdir(tmp_path)
    module = ModuleType("docs")
    monkeypatch.setitem(sys.modules, module.__name__, module)  # where dataclasses look up their types
    namespace = vars(module)
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


SOURCE = re.compile(r"`((?:src|tests|examples|benchmarks|docs|scripts)/[\w./-]+)`")
CREATED = re.compile(r"This is\s+`([^`]+)`:\n")  # files that a guide tells its reader to write
PROGRAM = re.compile(r"python3? -m\s+((?:benchmarks|examples|tests)[\w.]*)")


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=name_of)
def test_named_files_and_programs_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(SOURCE.findall(text)) - set(CREATED.findall(text))
    missing = [name for name in sorted(named) if not (ROOT / name).exists()]
    for name in PROGRAM.findall(text):
        module = ROOT / name.replace(".", "/")
        if not module.with_suffix(".py").exists() and not (module / "__main__.py").exists():
            missing.append(f"python -m {name}")
    assert not missing, f"{name_of(page)} names {', '.join(missing)}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_paths_of_a_machine(page: Path) -> None:
    found = MACHINE_PATH.search(page.read_text(encoding="utf-8"))
    assert not found, f"{name_of(page)} has '{found[0]}'" if found else ""


def test_every_page_is_listed() -> None:
    """Who begins at the README or at docs/index.md finds all of them."""
    for start in (ROOT / "README.md", ROOT / "docs" / "index.md"):
        listed = {target for target, _ in links_of(start)} | {start}
        unlisted = [name_of(page) for page in PAGES if page.parent == ROOT / "docs" and page not in listed]
        assert not unlisted, f"{name_of(start)} does not link to {', '.join(unlisted)}"


# --- docs/design.md: the map, the walks, the table of imports

DESIGN = ROOT / "docs" / "design.md"
WALKS = ("One live page", "One simulated step", "One click")
MOST_STATIONS = 10
QUOTED = re.compile(r"`([^`]+)`")


def section(heading: str) -> str:
    text = DESIGN.read_text(encoding="utf-8")
    return text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def table_rows(text: str) -> list[list[str]]:
    """The cells of a table's rows, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def stations(walk: str) -> list[str]:
    return re.split(r"^\d+\. ", section(walk), flags=re.MULTILINE)[1:]


def functions_of(station: str) -> list[tuple[str, str]]:
    """Pairs of a file and a name: a name belongs to the file before it.

    >>> functions_of("`a.py`: `f` calls `C.g`, and then `b/c.py`: `h`.")
    [('a.py', 'f'), ('a.py', 'C.g'), ('b/c.py', 'h')]
    """
    found, file = [], ""
    for quoted in QUOTED.findall(station):
        if quoted.endswith((".py", ".js")):
            file = quoted
        else:
            found.append((file, quoted))
    return found


def is_defined(file: str, name: str) -> bool:
    """A function or a class, or a method in the body of its class, of a file of the package."""
    text = (PACKAGE / file).read_text(encoding="utf-8")
    if file.endswith(".js"):
        return re.search(rf"\bfunction {re.escape(name)}\(", text) is not None
    body: list[ast.stmt] = ast.parse(text).body
    for part in name.split("."):
        definitions = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        found = [node for node in body if isinstance(node, definitions) and node.name == part]
        if not found:
            return False
        body = found[-1].body
    return True


def folders() -> set[str]:
    """Folders of the package; the browser's have one line for all of them."""
    modules = {path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE}
    browser = {PACKAGE / "web" / "static", PACKAGE / "web" / "templates"}
    return {f"{path.relative_to(PACKAGE).as_posix()}/" for path in modules | browser}


def test_the_map_has_every_folder_and_module() -> None:
    mapped = {name for row in table_rows(section("Map")) for name in QUOTED.findall(row[0])}
    assert mapped == folders() | {path.name for path in PACKAGE.glob("*.py")}


def test_every_module_of_the_live_engine_is_listed() -> None:
    live = PACKAGE / "engines" / "live"
    listed = {name for row in table_rows(section("Modules of the live engine")) for name in QUOTED.findall(row[0])}
    assert listed == {path.relative_to(live).as_posix() for path in live.rglob("[!_]*.py")}


@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_is_short(walk: str) -> None:
    assert 0 < len(stations(walk)) <= MOST_STATIONS


@pytest.mark.parametrize(
    ("file", "name"), sorted({pair for walk in WALKS for each in stations(walk) for pair in functions_of(each)})
)
def test_a_walk_is_true_to_the_code(file: str, name: str) -> None:
    assert is_defined(file, name), f"docs/design.md: {file} has no {name}"


@pytest.mark.parametrize("row", table_rows(section("Main types")), ids=lambda row: row[0])
def test_main_types_are_where_they_are_said_to_be(row: list[str]) -> None:
    (file,) = QUOTED.findall(row[1])
    missing = [name for name in QUOTED.findall(row[0]) if not is_defined(file, name)]
    assert not missing, f"docs/design.md: {file} has no {', '.join(missing)}"


def quoted_list(names: Iterable[str]) -> str:
    """In the order of the layers.

    >>> quoted_list({"model", "errors"})
    '`errors`, `model`'
    """
    return ", ".join(f"`{name or 'sundog'}`" for name in MAY_IMPORT if name in names) or "nothing"


def base_of_imports() -> str:
    return quoted_list(BASE)


def import_rows() -> list[str]:
    """The table of imports as docs/design.md has it: paste it there when the rule changes."""
    rules = {
        name: "everything" if below == set(MAY_IMPORT) - {name} else quoted_list(below - BASE)
        for name, below in MAY_IMPORT.items()
        if name not in BASE
    }
    return [f"| `{name or 'sundog'}` | {below} |" for name, below in rules.items()]


def test_the_table_of_imports_is_the_rule() -> None:
    text = section("Packages and the direction of imports")
    assert f"may import the base: {base_of_imports()}." in text
    assert [line for line in text.splitlines() if line.startswith("| `")] == import_rows()


def test_the_docs_build_as_a_site(tmp_path: Path) -> None:
    """With the reference of every public name; a warning is an error, as in ``make docs``."""
    site = tmp_path / "site"
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-q",
        "-W",
        "--keep-going",
        "-b",
        "html",
        str(ROOT / "docs"),
        str(site),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    reference = (site / "api.html").read_text(encoding="utf-8")
    assert [name for name in sundog.__all__ if f'id="sundog.{name}"' not in reference] == []
