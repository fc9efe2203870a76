"""Sundog inside other people's crawlers."""
