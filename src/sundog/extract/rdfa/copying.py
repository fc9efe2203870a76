"""Property copying (HTML+RDFa 1.1, 3.5): ``rdfa:copy`` repeats what a pattern says."""

from __future__ import annotations

from sundog.extract.terms import TYPE, Triple
from sundog.extract.timebox import TimeBox

COPY = "<http://www.w3.org/ns/rdfa#copy>"
PATTERN = "<http://www.w3.org/ns/rdfa#Pattern>"


def with_copies(statements: list[Triple], box: TimeBox) -> list[Triple]:
    """Patterns that are copied, replaced by their copies; patterns may copy patterns, also in circles."""
    patterns = {s for s, p, o in statements if p == TYPE and o == PATTERN}
    copied: dict[str, list[str]] = {}
    for subject, predicate, value in statements:
        if predicate == COPY and value in patterns:
            copied.setdefault(subject, []).append(value)
    if not copied:
        return statements
    used = {pattern for several in copied.values() for pattern in several}
    said: dict[str, list[Triple]] = {pattern: [] for pattern in used}
    kept: list[Triple] = []
    for statement in statements:
        subject, predicate, value = statement
        if predicate == COPY and value in used:
            continue
        if subject not in used:
            kept.append(statement)
        elif value != PATTERN:
            said[subject].append(statement)
    for subject in copied:
        if subject not in used:
            for pattern in _reached(copied, subject):
                box.check()
                kept += [(subject, predicate, value) for _, predicate, value in said[pattern]]
    return kept


def _reached(copied: dict[str, list[str]], subject: str) -> list[str]:
    reached: dict[str, None] = {}
    stack = list(copied[subject])
    while stack:
        pattern = stack.pop()
        if pattern not in reached:
            reached[pattern] = None
            stack += copied.get(pattern, [])
    return list(reached)
