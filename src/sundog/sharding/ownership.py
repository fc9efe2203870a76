"""Which shard owns a host or an address: rendezvous hashing.

Every shard draws a number for a name, and the highest draw owns it. A further shard can only win names, so
these are all that move; the names of a removed shard go to whoever is second, and nothing else moves. The draws
depend on the name and the shard's number alone: the same in every process, on every machine, in every Python.

A host goes by its registered domain, so that subdomains, which often share servers, stay together. That is by the
Public Suffix List of the installed tldextract: shards of one crawl must have the same one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from sundog.errors import UsageError
from sundog.fetch.addresses import counted_as
from sundog.urls.hosts import host_of, registered_domain, without_port

REMEMBERED = 1 << 18  # hosts, and addresses, whose owners are not computed again


class Owners:
    """The shards 0 to ``shards`` - 1 of a crawl. Domains in ``split`` are too large for one: they go by host.

    >>> owners = Owners(4)
    >>> [owners.of(name) for name in ("http://www.shop.co.uk/x", "https://m.shop.co.uk:8443/", "shop.co.uk")]
    [3, 3, 3]
    >>> [Owners(4, {"shop.co.uk"}).of(name) for name in ("www.shop.co.uk", "m.shop.co.uk", "shop.co.uk")]
    [2, 1, 3]
    """

    def __init__(self, shards: int, split: Iterable[str] = frozenset()) -> None:
        if shards < 1:
            raise UsageError(f"{shards} shards: a crawl has at least 1")
        self.shards, self.split = shards, frozenset(name.lower() for name in split)
        for name in sorted(self.split):
            if registered_domain(name) != name:
                raise UsageError(f"split '{name}' is not a registered domain: write '{registered_domain(name)}'")
        self._numbers = np.arange(1, shards + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        self._of_authority = lru_cache(REMEMBERED)(self._owner_of_authority)
        self._of_address = lru_cache(REMEMBERED)(self._owner_of_address)

    def of(self, url_or_host: str) -> int:
        """The shard that owns the host; ports and letter case make no difference."""
        parts = url_or_host.split("/", 3)  # quicker than to parse what is remembered anyway
        return self._of_authority(parts[2] if len(parts) > 2 else url_or_host)

    def of_address(self, ip: str) -> int:
        """The shard that grants time slots for an address, however it is spelt."""
        return self._of_address(ip)

    def _owner_of_authority(self, authority: str) -> int:
        name = without_port(host_of(f"http://{authority}")).lower().rstrip(".")
        domain = registered_domain(name)
        return self._highest_draw(name if domain in self.split else domain)

    def _owner_of_address(self, ip: str) -> int:
        return self._highest_draw(counted_as(ip))

    def _highest_draw(self, name: str) -> int:
        """The draws are SplitMix64 of the name's digest and the shard's number."""
        digest = blake2b(name.encode(errors="surrogatepass"), digest_size=8).digest()
        draws = self._numbers ^ np.uint64(int.from_bytes(digest, "little"))
        draws = (draws ^ (draws >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        draws = (draws ^ (draws >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return int(np.argmax(draws ^ (draws >> np.uint64(31))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Owners) and (self.shards, self.split) == (other.shards, other.split)

    def __hash__(self) -> int:
        return hash((self.shards, self.split))

    def __reduce__(self) -> tuple[type[Owners], tuple[int, frozenset[str]]]:
        return Owners, (self.shards, self.split)

    def __repr__(self) -> str:
        return f"Owners({self.shards}, {set(self.split) or ''})".replace(", )", ")")
