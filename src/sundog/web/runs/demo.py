"""The demo's web, served for crawls of it: by a process that outlives the server, as they do."""

from __future__ import annotations

import socket
from pathlib import Path
from threading import Lock
from time import monotonic, sleep

import orjson

from sundog.errors import SundogError
from sundog.files import write_whole
from sundog.processes.child import Child, whole_environment
from sundog.processes.detached import DetachedProcess
from sundog.web.one_shot import NICENESS
from sundog.web.request_bodies import Draft
from sundog.web.runs.directories import read_json

TO_START = 20.0  # seconds
DRAFT = Draft(
    id="",
    title="Demo: recipes",
    description="A web of 60 hosts on this machine, made up for demonstrations.",
    seeds=["http://lumen-forge.example/", "http://m.opal-lane.example/"],
    objective="type:schema:Recipe",
    budget=1_000,
    delay=0.0,
)


class Demo:
    """Always at the same port, so that crawls of it can be resumed."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "demo.json"
        self._output = folder / "demo.log"
        self._lock = Lock()

    def address(self) -> str:
        """Where it is served; it is started if it is not."""
        with self._lock:
            known = read_json(self._file)
            process = DetachedProcess(known.get("pid", 0), known.get("started", ""))
            if process.pid:
                process.exit_code()  # lets the system forget one that has ended
            port = known.get("port") or _free_port()
            if not process.is_running:
                self._start(port)
            return f"127.0.0.1:{port}"

    def _start(self, port: int) -> None:
        child = Child(
            module="sundog.demo_web",
            words=["--port", str(port)],
            environment=whole_environment(),
            niceness=NICENESS,
        )
        process = child.detach(self._output.absolute())
        write_whole(self._file, orjson.dumps({**process._asdict(), "port": port}))
        end = monotonic() + TO_START
        while not _answers(port):
            if process.exit_code() is not None or monotonic() > end:
                raise SundogError(f"the demo's web cannot be served at port {port}: see {self._output.name}")
            sleep(0.05)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1.0).close()
    except OSError:
        return False
    return True
