"""Hostile pages and files, made by code, and crawls of them."""
