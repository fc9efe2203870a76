"""Ctrl-C while kernels run."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

COMMAND = [sys.executable, "-c", "from sundog.cli import main; main()"]


def test_an_interrupted_kernel_ends_the_command_and_crashes_nothing(tmp_path: Path) -> None:
    arguments = ["synth", str(tmp_path / "web"), "--pages", "300000"]
    with subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr
        for line in running.stderr:
            if line == "drawing links\n":  # which is one long kernel
                break
        running.send_signal(signal.SIGINT)
        assert running.stderr.read().splitlines()[-1] == "sundog: interrupted"
    assert running.returncode == 130
    assert not (tmp_path / "web").exists()
