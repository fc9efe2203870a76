"""Files appear whole or not at all, and nothing is left beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sundog.errors import SundogError
from sundog.files import complete_together, temporary_name, temporary_of, write_whole


@pytest.mark.parametrize("durable", [True, False])
def test_a_file_is_replaced_as_a_whole(tmp_path: Path, durable: bool) -> None:
    path = tmp_path / "x"
    path.write_text("old")
    write_whole(path, b"new", durable=durable)
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("x", b"new")]


def test_a_write_that_fails_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("sundog.files.os.fsync", full)
    with pytest.raises(SundogError, match=f"^{path} cannot be written: No space left on device$"):
        write_whole(path, b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("x", b"old")]


@pytest.mark.parametrize("name", [".", "no/x", "x" * 300, "nul\0"])
def test_what_cannot_be_written_is_said_in_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(SundogError, match=r"^.* cannot be written: [^\n]+$"):
        write_whole(tmp_path / name, b"")
    assert not list(tmp_path.iterdir())


def test_a_device_is_left_alone() -> None:
    with pytest.raises(SundogError, match="not a regular file"):
        write_whole(Path("/dev/null"), b"")


def test_files_that_belong_together_appear_together(tmp_path: Path) -> None:
    targets = tmp_path / "world" / "a", tmp_path / "world" / "b"

    def fail() -> None:
        with complete_together(*targets) as (first, _):
            first.write_text("1")
            raise OSError(28, "No space left on device")

    with pytest.raises(SundogError, match="world cannot be written: No space"):
        fail()
    assert not list(targets[0].parent.iterdir())
    with complete_together(*targets) as temporary:
        for path in temporary:
            path.write_text("2")
    assert sorted(targets[0].parent.iterdir()) == list(targets)


@pytest.mark.parametrize("name", ["export.nq", "result.xml", "export-csv", ".hidden"])
def test_what_a_killed_process_leaves_is_known_by_its_name(name: str) -> None:
    assert temporary_of(temporary_name(Path(name)).name) == name
    assert temporary_of(name) is None
