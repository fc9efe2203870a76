"""Bytes in, statements, links and faults out."""
