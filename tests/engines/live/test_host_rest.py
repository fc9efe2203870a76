"""Whether a page is fetched now, or a better one of a resting host is waited for."""

from __future__ import annotations

import math
import subprocess
import sys

from sundog.engines.live.host_rest import WorthWaiting


def test_a_poor_page_waits_for_a_rich_host_that_rests() -> None:
    hosts = WorthWaiting(0.5)
    hosts.host_asleep(1, until=10.0, worth=0.8)
    hosts.host_asleep(2, until=5.0, worth=0.1)
    assert hosts.wait_until(0.3, now=0.0) == 10.0, "the poor host is not waited for"
    assert hosts.wait_until(0.45, now=0.0) is None
    assert hosts.wait_until(0.01, now=0.0) == 5.0, "the first that is better"


def test_what_wakes_too_late_or_not_at_all_is_not_waited_for() -> None:
    hosts = WorthWaiting(0.5)
    hosts.host_asleep(1, until=1000.0, worth=0.8)
    assert hosts.wait_until(0.1, now=0.0) is None
    hosts.host_asleep(1, until=math.inf, worth=0.8)
    assert hosts.wait_until(0.1, now=0.0) == math.inf, "it is in flight"
    hosts.host_asleep(1, until=math.inf, worth=math.nan)
    assert hosts.wait_until(0.1, now=0.0) is None
    hosts.host_asleep(1, until=3.0, worth=0.8)
    assert hosts.wait_until(0.1, now=3.0) is None, "it is awake"


def test_with_a_share_of_0_nothing_waits() -> None:
    hosts = WorthWaiting(0.0)
    hosts.host_asleep(1, until=1.0, worth=1.0)
    assert hosts.wait_until(0.0, now=0.0) is None


COMPILED = """
from sundog.engines.live.start import compile_kernels
from sundog.policies.hosts import steps
compile_kernels("sundog")
print(len(steps.worth_of_host.signatures))
"""


def test_the_first_host_that_rests_keeps_nobody_waiting_for_a_kernel() -> None:
    done = subprocess.run([sys.executable, "-c", COMPILED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1"]
