"""Watching one crawl: from its log to server-sent events."""
