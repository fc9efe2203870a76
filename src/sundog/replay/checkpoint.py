"""A session beside the log of its crawl, so that resuming need not begin at the first step.

The log stays the truth. A checkpoint is the session as the log leaves it at one step; whoever goes on from there,
with the rest of the log, has the session that the whole log gives. One that does not fit (other code, an edited
spec, another log) is as good as none.

A session is a pickle, which can run anything when it is read, and arrays that kernels trust. A crawl's directory
may come from a stranger. So a checkpoint is signed with a key of this user, and nothing of it is looked at before
its signature holds.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any, NamedTuple

from sundog._jit import cache_directory, sources_digest
from sundog.errors import SundogError
from sundog.files import complete_or_absent
from sundog.model import Decision
from sundog.session import CrawlSession, packed
from sundog.spec import CrawlSpec
from sundog.store import CrawlReader
from sundog.store.directory import CHECKPOINT

KEY = "checkpoints.key"
KEY_BYTES = 32
SIGNATURE_BYTES = 32


class Checkpoint(NamedTuple):
    """All that the log says up to ``step``; ``in_flight``: what was decided and has not ended, in its order."""

    step: int
    session: CrawlSession
    in_flight: list[Decision]


def can_be_kept(session: CrawlSession) -> bool:
    """Whether the policy is Sundog's own: of others, nobody knows when their code has changed."""
    module = type(session.policy).__module__
    return module.startswith("sundog.policies.") and not module.startswith("sundog.policies.objects.")


def write_checkpoint(checkpoint: Checkpoint, reader: CrawlReader, spec: CrawlSpec) -> None:
    """In place of the last one. SundogError if it cannot be written."""
    key = _own_key(make=True)
    if key is None:
        raise SundogError(f"{cache_directory() / KEY} cannot be made: no checkpoint is kept")
    with complete_or_absent(reader.directory / CHECKPOINT) as temporary, temporary.open("wb") as file:
        signed = _Signed(file, key)
        packed.dump((_circumstances(reader, spec, checkpoint.step), checkpoint), signed.write)
        file.write(signed.signature)


def read_checkpoint(reader: CrawlReader, spec: CrawlSpec) -> Checkpoint | None:
    """None if there is none that fits."""
    key = _own_key(make=False)
    if key is None:
        return None
    try:
        data = memoryview((reader.directory / CHECKPOINT).read_bytes())
    except OSError:
        return None
    body, signature = data[:-SIGNATURE_BYTES], data[-SIGNATURE_BYTES:]
    if not hmac.compare_digest(_hash(key, body), signature):
        return None
    try:
        circumstances, checkpoint = packed.load(body)
    except Exception:  # of another version, whose classes are gone
        return None
    if circumstances != _circumstances(reader, spec, checkpoint.step):
        return None
    return Checkpoint(*checkpoint)


def _circumstances(reader: CrawlReader, spec: CrawlSpec, step: int) -> tuple[Any, ...]:
    """Whatever must be the same for a checkpoint to fit: the code, the settings of the session, the log so far."""
    settings = (spec.policy, sorted(spec.policy_parameters.items()), spec.seed, spec.fetches, spec.world)
    return version("sundog"), sources_digest(), settings, spec.explore.log, reader.step_as_logged(step)


class _Signed:
    """A file that hashes what is written."""

    def __init__(self, file: IO[bytes], key: bytes) -> None:
        self._file, self._hash = file, hashlib.blake2b(key=key, digest_size=SIGNATURE_BYTES)

    def write(self, data: Any) -> int:
        self._hash.update(data)
        return self._file.write(data)

    @property
    def signature(self) -> bytes:
        return self._hash.digest()


def _hash(key: bytes, data: memoryview) -> bytes:
    return hashlib.blake2b(data, key=key, digest_size=SIGNATURE_BYTES).digest()


def _own_key(*, make: bool) -> bytes | None:
    """This user's, which nobody else can read; None: there is none."""
    path: Path = cache_directory() / KEY
    with contextlib.suppress(OSError):
        if make and not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):  # another process was quicker
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(handle, "wb") as file:
                    file.write(secrets.token_bytes(KEY_BYTES))
        key = path.read_bytes()
        return key if len(key) == KEY_BYTES else None
    return None
