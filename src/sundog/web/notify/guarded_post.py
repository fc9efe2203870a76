"""One POST to an address that a stranger has named: checked as crawls check theirs, without redirects, in time."""

from __future__ import annotations

from collections.abc import Mapping

import aiohttp

from sundog.errors import SundogError
from sundog.fetch.resolver import CheckedResolver, PrivateAddressError, system_addresses
from sundog.fetch.target import Target

SECONDS = 20.0  # for all of it


async def post(target: Target, body: bytes, headers: Mapping[str, str], *, allow_private: bool) -> int:
    """The status of the answer. SundogError, which names the host only: the rest of an address may be a secret."""
    resolver = CheckedResolver(system_addresses, allow_private=allow_private)
    connector = aiohttp.TCPConnector(resolver=resolver, use_dns_cache=False)
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    try:
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout, trust_env=False) as session,
            session.post(target.href, data=body, headers=headers, allow_redirects=False) as answer,
        ):
            return answer.status
    except TimeoutError:
        raise SundogError(f"{target.host} has not answered in {SECONDS:g} seconds") from None
    except (aiohttp.ClientError, OSError) as error:
        is_private = isinstance(error.__cause__ or error, PrivateAddressError)
        why = "it is at a private address" if is_private else type(error).__name__
        raise SundogError(f"{target.host} cannot be reached: {why}") from None
