"""Run as a program: turns into the browser, which from then on dies with the process that started it.

``python keeper.py PID_FILE BROWSER ARGUMENTS``. It imports nothing of ours, so that it takes a few milliseconds.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    pid_file, browser, *arguments = sys.argv[1:]
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)
    with open(pid_file, "w", encoding="ascii") as file:
        file.write(str(os.getpid()))
    os.execv(browser, [browser, *arguments])


if __name__ == "__main__":
    main()
