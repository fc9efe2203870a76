"""The whole crawl as one value, and as one TOML file."""

from sundog.spec.crawl import CrawlSpec, Following, read_spec, spec_text, with_settings

__all__ = ["CrawlSpec", "Following", "read_spec", "spec_text", "with_settings"]
