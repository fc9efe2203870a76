"""Help, completion in a real shell, and environment variables."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sundog.cli import environment
from sundog.cli.app import app
from sundog.cli.crawls.crawl import _free_directory, _spec_of
from sundog.errors import UsageError
from tests.cli.commands import Command, one_line
from tests.test_docs import COMMANDS, ROOT

BIN = Path(sys.executable).parent
SEED = "http://a.example/"
VARIABLE = re.compile(r"SUNDOG_[A-Z_]+")
PAGE = ROOT / "docs" / "command-line.md"


@pytest.mark.parametrize(
    "command", ["", *COMMANDS, *(str(group.typer_instance.info.name) for group in app.registered_groups)]
)
def test_help_is_short_and_flags_have_no_type(sundog: Command, command: str) -> None:
    done = sundog(*command.split(), "-h")
    assert done.code == 0
    assert done.out == sundog(*command.split(), "--help").out
    assert "Usage: sundog" in done.out
    assert "<bool>" not in done.out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("sundog cra", ["crawl"]), ("sundog crawl --conn", ["--connect-to"]), ("sundog pattern tr", ["try"])],
)
def test_bash_completes_commands_and_options(typed: str, offered: list[str]) -> None:
    words = typed.split()
    script = f"""
        eval "$(sundog --show-completion bash)"
        COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}
        _sundog_completion sundog  # bash gives it the name of the command
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == offered, done.stderr


def test_a_crawl_takes_defaults_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable, text in (("BUDGET", "7"), ("POLICY", "bfs"), ("DELAY", "2.5"), ("WORKERS", "")):
        monkeypatch.setenv(f"SUNDOG_{variable}", text)
    monkeypatch.setenv("SUNDOG_USER_AGENT", "finder/1 (+https://a.example/)")
    spec, _ = _spec_of([SEED], {})
    assert (spec.budget, spec.policy, spec.delay, spec.workers) == (7, "bfs", 2.5, None)
    assert spec.user_agent == "finder/1 (+https://a.example/)"


def test_options_and_the_spec_go_before_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable, text in (("BUDGET", "7"), ("POLICY", "bfs"), ("CONCURRENCY", "3")):
        monkeypatch.setenv(f"SUNDOG_{variable}", text)
    file = tmp_path / "a.toml"
    file.write_text(f'seeds = ["{SEED}"]\nbudget = 20\n')
    spec, _ = _spec_of([str(file)], {"policy": "random"})
    assert (spec.budget, spec.policy, spec.concurrency) == (20, "random", 3)


@pytest.mark.parametrize("variable", ["SUNDOG_BUDGET", "SUNDOG_DELAY", "SUNDOG_CONCURRENCY"])
def test_a_wrong_default_is_named(monkeypatch: pytest.MonkeyPatch, sundog: Command, variable: str) -> None:
    monkeypatch.setenv(variable, "many")
    done = sundog("crawl", SEED)
    assert done.code == 2
    assert one_line(done).startswith(f"sundog: the environment variable {variable}: ")
    with pytest.raises(UsageError, match=variable):
        _spec_of([SEED], {})


def test_a_wrong_default_that_an_option_replaces_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUNDOG_BUDGET", "many")
    assert _spec_of([SEED], {"budget": 5})[0].budget == 5


def test_crawls_are_kept_in_the_root(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SUNDOG_ROOT", raising=False)
    monkeypatch.chdir(tmp_path)
    assert _free_directory() == Path("crawl")
    monkeypatch.setenv("SUNDOG_ROOT", str(tmp_path / "all"))
    assert _free_directory() == tmp_path / "all" / "crawl"
    (tmp_path / "all" / "crawl").mkdir(parents=True)
    assert _free_directory() == tmp_path / "all" / "crawl-2"


@pytest.mark.parametrize(("variable", "text"), [("SUNDOG_PORT", "many"), ("SUNDOG_PORT", "70000")])
def test_the_site_reads_the_environment(
    monkeypatch: pytest.MonkeyPatch, sundog: Command, variable: str, text: str
) -> None:
    monkeypatch.setenv(variable, text)
    done = sundog("serve")
    assert done.code == 2
    assert variable in one_line(done) or "--port" in one_line(done)


# Numba reads its variables anew when one has changed.
COMPILE_AFTER_A_CHANGE = """
import os, numba
from sundog import _jit
os.environ["NUMBA_OPT"] = "2"
numba.config.reload_config()
from sundog.revisits.rates import _observe
_jit.mark_as_compiled("simulate")
print(_observe.stats.cache_path, repr(numba.config.CACHE_DIR))
"""


@pytest.mark.parametrize("others", [{}, {"NUMBA_CACHE_DIR": ""}])
def test_kernels_are_kept_where_the_environment_says(tmp_path: Path, others: dict[str, str]) -> None:
    """And nowhere else; kernels that are not Sundog's stay where their owner has them."""
    cache, here = tmp_path / "cache", tmp_path / "here"
    here.mkdir()
    variables = {name: text for name, text in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", COMPILE_AFTER_A_CHANGE],
        env={**variables, **others, "SUNDOG_CACHE_DIR": str(cache)},
        cwd=here,
        capture_output=True,
        text=True,
        check=True,
    )
    place, of_others = done.stdout.split()
    (directory,) = cache.iterdir()
    assert Path(place).is_relative_to(directory)
    assert (directory / "simulate.compiled").exists()
    assert list(here.iterdir()) == []
    assert of_others == "''"


def test_all_variables_are_in_one_table() -> None:
    sources = [ROOT / "src/sundog/_jit.py", *(ROOT / "src/sundog/cli").glob("*.py")]
    read = {name for path in sources for name in VARIABLE.findall(path.read_text(encoding="utf-8"))}
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `SUNDOG_")]
    assert {VARIABLE.findall(row)[0] for row in rows} == read
    assert read >= set(environment.OF_CRAWLS.values())
