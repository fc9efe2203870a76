"""Arrow, which reads and writes Parquet files and tables: loaded when it is first used, for it takes 170 MB."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sundog.errors import SundogError


class _Module:
    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        try:
            value = getattr(import_module(self._name), attribute)
        except ModuleNotFoundError:
            raise SundogError(
                "Parquet files and Arrow tables need pyarrow, which is missing: pip install 'sundog[parquet]'"
            ) from None
        setattr(self, attribute, value)
        return value


pa: Any = _Module("pyarrow")
pc: Any = _Module("pyarrow.compute")
pq: Any = _Module("pyarrow.parquet")


def check_arrow() -> None:
    """SundogError if it is missing: before the work whose result it would write."""
    _ = pq.ParquetWriter
