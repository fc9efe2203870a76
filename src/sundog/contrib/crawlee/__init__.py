"""Sundog as a request manager of crawlee: it chooses the next request, and learns from what handlers push."""

try:
    import crawlee  # noqa: F401
except ImportError:
    raise ImportError("crawlee is missing: pip install 'sundog[crawlee]'") from None

from sundog.contrib.crawlee.request_manager import SundogRequestManager

__all__ = ["SundogRequestManager"]
