"""Numba as the kernels use it: cached on disk, typed, and with a cache that is never stale.

Numba's own cache notices a change in a kernel's file but not in a kernel it calls from another
file, nor in a constant or a record. The cache directory is therefore named after a digest of all sources in which
kernels, constants and records stand.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import hashlib
import logging
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

_BLAS = "scipy.linalg.cython_blas"


def _leave_out_blas() -> None:
    """Numba loads all of ``scipy.linalg`` only to see whether it is there, for a tenth of a crawl's start. Kernels
    of ours need none of it; it is loaded when somebody else's do."""
    if _BLAS in sys.modules or "numba.np.arraymath" in sys.modules or find_spec("scipy") is None:
        return
    sys.modules[_BLAS] = None  # type: ignore[assignment]  # what is None here cannot be imported
    try:
        from numba.np import arraymath
    finally:
        del sys.modules[_BLAS]
    arraymath._HAVE_BLAS = True


_leave_out_blas()
logger = logging.getLogger(__name__)
# Measured with two cores: 15 s of a core's time for the whole command, 26 s by the clock under a load of 4.
COMPILING = "compiling kernels for this machine: once, 10 to 30 seconds …"
F = TypeVar("F", bound=Callable[..., Any])

# Ids in records are 32 bits wide. Kernels take 64-bit ones only, or each would be compiled for both.
int64 = cast("Callable[[Any], int]", np.int64)
# Where kernels stand, with the constants and records that are compiled into them.
KERNELS = (
    "_jit.py",
    "_view.py",
    *(f"{room}/**/*.py" for room in ("frontier", "learn", "policies", "revisits", "session", "urls", "worlds")),
)


@cache
def sources_digest() -> str:
    """Of all code that decides what a session does."""
    package = Path(__file__).parent  # Numba keeps the kernels of two installations apart
    digest = hashlib.blake2b(f"{numba.__version__} {sys.version} {package}".encode(), digest_size=8)
    for path in sorted(path for place in KERNELS for path in package.glob(place)):
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def cache_directory() -> Path:
    """The user's own, for what can be made anew."""
    general = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(os.environ.get("SUNDOG_CACHE_DIR") or os.path.join(general, "sundog"))


@cache
def kernels_directory() -> Path:
    """Numba's, if the user has chosen one."""
    return Path(os.environ.get("NUMBA_CACHE_DIR") or cache_directory() / f"kernels-{sources_digest()}")


def _marker(work: str) -> Path:
    return kernels_directory() / f"{work}.compiled"


def kernels_are_compiled(work: str) -> bool:
    """Whether an earlier run of this very version has left all kernels of this kind of work on disk."""
    return _marker(work).exists()


def mark_as_compiled(work: str) -> None:
    """Called once the work is done; a cache that cannot be written is no reason to fail."""
    with contextlib.suppress(OSError):
        _marker(work).parent.mkdir(parents=True, exist_ok=True)
        _marker(work).touch()


def njit(function: F) -> F:
    """Compile ``function`` on first use; division by zero gives inf or nan, as in numpy."""
    with _own_cache():
        return cast(F, numba.njit(cache=True, error_model="numpy")(function))


@contextlib.contextmanager
def _own_cache() -> Iterator[None]:
    """Numba asks for the place when it meets a function. It is told for ours alone: others in this process have
    kernels too, and Numba forgets what it was told when a variable of its own changes in the environment."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(kernels_directory())
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def for_types_of(kernel: Any, *arguments: Any) -> Callable[..., Any]:
    """The kernel's machine code for arguments of exactly these types; it must never be given others.

    Calling it skips Numba's search for the code, which takes longer than a choice does."""
    return cast("Callable[..., Any]", kernel.compile(tuple(map(numba.typeof, arguments))))


# What Python gets when it calls an inner kernel: a TypeError instead of a crash.
_REFUSE = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value or 0


class _Part(JITCodeLibrary):  # type: ignore[misc]
    """The code of an inner kernel. It is linked into entry points and made machine code there, with all that
    they call, and not once for itself and once again in every kernel between."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        self._ensure_finalized()
        return _REFUSE

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Nor is there a place for what only functions that use Python objects need."""


class _PartCompiler(Compiler):  # type: ignore[misc]
    def define_pipelines(self) -> Any:
        state = self.state
        state.library = _Part(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


def inner(function: F) -> F:
    """The same for functions that only other kernels call. Counting references to arrays would take half of a
    crawl's time, so they do not; whoever calls an entry point holds the arrays."""
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "_nrt": False}
    kernel = numba.njit(error_model="numpy", pipeline_class=_PartCompiler, **options)(function)
    by_types = kernel.get_call_template

    def by_plain_types(arguments: Any, keywords: Any) -> Any:
        """Numba would compile a function once for each constant that it is called with."""
        return by_types(tuple(map(types.unliteral, arguments)), keywords)

    kernel.get_call_template = by_plain_types
    return cast(F, kernel)


@contextlib.contextmanager
def compilation(work: str) -> Iterator[None]:
    """Within, all kernels of this kind of work are used once. The log tells of it if they are not on disk yet.

    Without the garbage collector: it finds nothing in what the compiler makes, and takes a tenth of the time.
    """
    is_first, begun = not kernels_are_compiled(work), perf_counter()
    if is_first:
        logger.info(COMPILING)
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
    mark_as_compiled(work)
    if is_first:
        logger.info("kernels are compiled, in %.1f s", perf_counter() - begun)
