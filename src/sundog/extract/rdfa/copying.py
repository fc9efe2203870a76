"""Property copying (HTML+RDFa 1.1, 3.5): ``rdfa:copy`` repeats what a pattern says."""

from __future__ import annotations

from sundog.extract.terms import TYPE, Triple

COPY = "<http://www.w3.org/ns/rdfa#copy>"
PATTERN = "<http://www.w3.org/ns/rdfa#Pattern>"


def with_copies(statements: list[Triple]) -> list[Triple]:
    """Patterns replaced by what they stand for."""
    patterns = {s for s, p, o in statements if p == TYPE and o == PATTERN}
    if not any(p == COPY for _, p, _ in statements) or not patterns:
        return statements
    known = dict.fromkeys(statements)
    used: set[str] = set()
    while True:
        copies = [(s, o) for s, p, o in known if p == COPY and o in patterns]
        used.update(pattern for _, pattern in copies)
        said: dict[str, list[Triple]] = {pattern: [] for pattern in used}
        for statement in known:
            if statement[0] in said and statement[2] != PATTERN:
                said[statement[0]].append(statement)
        before = len(known)
        for subject, pattern in copies:
            known.update(dict.fromkeys((subject, p, o) for _, p, o in said[pattern]))
        if len(known) == before:
            break
    return [(s, p, o) for s, p, o in known if s not in used and not (p == COPY and o in used)]
