"""One Chromium: how it is started, and how it ends with everything that it started.

It has no network: names lead nowhere, every connection goes to the wall. It has no secrets either: a profile of
its own, a fresh context a page, and an environment without ours.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from asyncio import timeout
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sundog.errors import SundogError
from sundog.fetch.render.folder import BrowserFolder
from sundog.fetch.render.processes import BrowserProcess, end_group, processes_below, seconds_of_parent

if TYPE_CHECKING:
    from playwright.async_api import Browser as PlaywrightBrowser

# Debian's headless shell takes half the processor time of Chromium. Its command is a script that stays its parent.
_SHELL: Final = "/usr/lib/chromium/chromium-headless-shell"
NAMES: Final = (_SHELL, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
NO_PLAYWRIGHT: Final = "rendering needs Playwright: pip install 'sundog[render]'"
TO_START: Final = 60.0  # seconds
TO_END: Final = 5.0
_KEEPER: Final = Path(__file__).with_name("keeper.py")
_KEPT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE")
HEAP_MB: Final = 256  # of JavaScript, a page; the rest of its memory is watched
# Of two lists of features Chromium takes the last, so Playwright's is repeated here (without it, for one, http
# becomes https). Then, what every context starts besides: a process in stock, and the menus of a window that
# nobody sees, which take two thirds of the processor time of a small page.
_OFF: Final = """
    AimEnabled AvoidCorsURLLoaderRestartOnRedirect AvoidUnnecessaryBeforeUnloadCheckSync
    DestroyProfileOnBrowserClose HttpsFirstBalancedModeAutoEnable HttpsUpgrades LensOverlay MediaRouter
    NetworkTimeServiceQuerying OptimizationHints PaintHolding PreconnectToSearch ThirdPartyStoragePartitioning
    SpareRendererForSitePerProcess
    PreloadTopChromeWebUI WebUIOmniboxAimPopup WebUIOmniboxFullPopup WebUIOmniboxPopup
    IsolateOrigins site-per-process Translate WebRtcHideLocalIpsWithMdns
"""
FLAGS: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-bypass-list=<-loopback>",  # loopback goes to the wall, too
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-remote-fonts",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-notifications",
    "--disable-speech-api",
    "--deny-permission-prompts",
    "--mute-audio",
    "--no-pings",
    "--no-first-run",
    f"--disable-features={','.join(_OFF.split())}",
    f"--js-flags=--max-old-space-size={HEAP_MB}",
)


def find_chromium() -> str:
    """Raises SundogError if there is none."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    raise SundogError(f"rendering needs Chromium, and none is installed: looked for {', '.join(NAMES)}")


def check_installed() -> None:
    """Raises SundogError if something is missing. Nothing is loaded: a crawl may never need it."""
    if find_spec("playwright") is None:
        raise SundogError(NO_PLAYWRIGHT)
    find_chromium()


def import_playwright() -> Any:
    """The function that starts it. Raises SundogError where the extra is missing."""
    try:
        from playwright.async_api import async_playwright
    except ImportError:
        raise SundogError(NO_PLAYWRIGHT) from None
    return async_playwright


class Chromium:
    """Open it, and close it in any case."""

    def __init__(self, proxy: str) -> None:
        self._proxy = proxy
        self._playwright: Any = None
        self._folder: BrowserFolder | None = None
        self.browser: PlaywrightBrowser | None = None
        self.pages = 0

    async def open(self) -> None:
        start, path = import_playwright(), find_chromium()
        self._folder = BrowserFolder()
        folder = self._folder.path
        self._pid_file = folder / "pid"
        program = folder / "browser"
        program.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" -IS "{_KEEPER}" "{self._pid_file}" "{path}" "$@"\n'
        )
        program.chmod(stat.S_IRWXU)
        environment = {name: value for name, value in os.environ.items() if name in _KEPT}
        try:
            async with timeout(TO_START):
                self._playwright = await start().start()
                self.browser = await self._playwright.chromium.launch(
                    executable_path=str(program),
                    headless=True,
                    args=list(FLAGS),
                    proxy={"server": self._proxy, "bypass": "<-loopback>"},
                    env={**environment, "HOME": str(folder), "TMPDIR": str(folder)},
                    chromium_sandbox=os.geteuid() != 0,  # root has none
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
        except BaseException as error:
            await self.close()
            if isinstance(error, Exception):
                reason = str(error).strip().splitlines() or [type(error).__name__]
                raise SundogError(f"{path} could not be started: {reason[0][:200]}") from None
            raise

    @property
    def is_alive(self) -> bool:
        return self.browser is not None and self.browser.is_connected()

    @property
    def pid(self) -> int:
        """0 before it is known."""
        with suppress(OSError, ValueError):
            return int(self._pid_file.read_text())
        return 0

    def processes(self) -> list[BrowserProcess]:
        return processes_below(self.pid) if self.pid else []

    @property
    def cpu_seconds(self) -> float:
        """Of all its processes, and of Playwright's."""
        pid = self.pid
        return sum(each.seconds for each in processes_below(pid)) + seconds_of_parent(pid) if pid else 0.0

    async def close(self) -> None:
        pid = self.pid if self._folder is not None else 0
        with suppress(Exception):
            async with timeout(TO_END):
                if self.browser is not None:
                    await self.browser.close()
        if pid:
            end_group(pid)
        with suppress(Exception):
            async with timeout(TO_END):
                if self._playwright is not None:
                    await self._playwright.stop()
        self.browser = self._playwright = None
        if self._folder is not None:
            self._folder.remove()
            self._folder = None
