"""A small web for other people's crawlers."""

from tests.engines.live.conftest import web as web
