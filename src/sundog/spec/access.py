"""The tables ``[[access]]``: what hosts get that ask for a login or a key, and nobody else."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sundog.errors import UsageError
from sundog.fetch.addresses import is_loopback
from sundog.fetch.credentials import Credentials, patterns_of
from sundog.fetch.target import Target, parse_target
from sundog.spec.secrets import ascii_only, check_headers, check_named, check_no_literal_secret, filled
from sundog.urls.identity import LONGEST

OURS = frozenset(  # headers by which a connection works, or which other keys set
    "accept-encoding connection content-length expect host te trailer transfer-encoding upgrade user-agent".split()
)


@dataclass(frozen=True, kw_only=True)
class Access:
    """For one host, by https; by http only to this machine, or if ``plain_http`` allows it."""

    host: str  # with a port, if it is not the usual one
    user: str = ""  # and password: HTTP's basic authentication
    password: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    plain_http: bool = False

    @property
    def place(self) -> str:
        return f'access "{self.host}"'

    def check(self) -> None:
        target = self._target()
        if target.path != "/" or "*" in self.host:
            raise UsageError(f"{self.place}: a host's name is expected, such as data.example.org")
        if bool(self.user) != bool(self.password):
            raise UsageError(f"{self.place}: user and password belong together")
        if not self.user and not self.headers:
            raise UsageError(f"{self.place}: there is nothing to send; give user and password, or headers")
        if self.password:
            check_named(self.password, f"{self.place}: password")
        check_headers(self.headers, f"{self.place}: headers")
        check_no_literal_secret(self.headers, f"{self.place}: headers")
        for name in self.headers:
            if name.lower() in OURS or (self.user and name.lower() == "authorization"):
                raise UsageError(f"{self.place}: headers.{name} is set by Sundog itself")

    def credentials(self, environment: Mapping[str, str]) -> dict[str, Credentials]:
        """By origin."""
        secrets: list[str] = []
        headers = {}
        for name, value in self.headers.items():
            place = f"{self.place}: headers.{name}"
            headers[name] = ascii_only(filled(value, place, environment, secrets), place)
        if self.user:
            user = filled(self.user, f"{self.place}: user", environment, [])
            if ":" in user:
                raise UsageError(f"{self.place}: user: a name without a colon is expected")
            password = filled(self.password, f"{self.place}: password", environment, secrets)
            encoded = base64.b64encode(f"{user}:{password}".encode()).decode()
            secrets.append(encoded)
            headers["Authorization"] = f"Basic {encoded}"
        found = Credentials(headers, patterns_of(secrets))
        target = self._target()
        is_plain = self.plain_http or is_loopback(target.hostname)
        return {f"{scheme}://{target.host}": found for scheme in ("https", *["http"] * is_plain)}

    def _target(self) -> Target:
        target = parse_target(f"https://{self.host}", max_length=LONGEST)
        if not isinstance(target, Target) or "://" in self.host:
            raise UsageError(f"{self.place}: a host's name is expected, such as data.example.org")
        return target


def check_access(tables: Sequence[Access]) -> None:
    hosts: set[str] = set()
    for each in tables:
        each.check()
        if each.host.lower() in hosts:
            raise UsageError(f"{each.place}: there are two tables for this host")
        hosts.add(each.host.lower())
