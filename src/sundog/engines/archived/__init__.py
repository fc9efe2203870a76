"""Worlds made of archives and of earlier crawls."""
