"""Whether Sundog works with the other Pythons that pyproject.toml names, as far as this machine has them.

``python scripts/other_pythons.py``, after ``make setup``: builds the wheel, installs it with what running needs
into an environment of each, and uses it there (``first_use.py``). CI runs it after the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CLASSIFIER = "Programming Language :: Python :: 3."
VERSION_OF = "import sys; print('%d.%d' % sys.version_info[:2])"


def promised() -> list[str]:
    """Without the one that runs this."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = [each.rpartition(" ")[2] for each in project["classifiers"] if each.startswith(CLASSIFIER)]
    return [version for version in versions if version != f"3.{sys.version_info.minor}"]


def interpreter(version: str) -> Path | None:
    return next((path for path in _places(version) if _prints(path, version)), None)


def _places(version: str) -> Iterator[Path]:
    if found := shutil.which(f"python{version}"):
        yield Path(found)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob(f"versions/{version}.*/bin/python"))


def _prints(python: Path, version: str) -> bool:
    """A command of that name may be an empty promise, as pyenv's are."""
    done = subprocess.run([python, "-c", VERSION_OF], capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.strip() == version


def use(python: Path, version: str, wheel: Path) -> str:
    """What it printed; an error if it failed. The environment is kept, so that the next time is quick."""
    place = ROOT / ".venv" / f"python{version}"
    own = place / "bin" / "python"
    pip = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    if not own.exists():
        _run(python, "-m", "venv", place)
    _run(*pip, "--requirement", ROOT / "requirements-run.lock")
    _run(*pip, "--no-deps", "--force-reinstall", wheel)
    with tempfile.TemporaryDirectory() as empty:
        return _run(own, "-W", "error", ROOT / "scripts" / "first_use.py", cwd=empty)


def _run(*command: Path | str, cwd: Path | str = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} failed\n{done.stdout}")
    return done.stdout


def main() -> None:
    pythons = {version: interpreter(version) for version in promised()}
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor() as threads:
        _run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", directory)
        (wheel,) = Path(directory).glob("*.whl")
        used = {
            version: threads.submit(use, python, version, wheel) for version, python in pythons.items() if python
        }
        for version in pythons:
            print(
                used[version].result().strip() if version in used else f"Python {version} is not on this machine"
            )


if __name__ == "__main__":
    main()
