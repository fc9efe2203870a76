"""``FILE.ttl``: data that conforms to SHACL shapes, so that its quality is the reward."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from importlib.util import find_spec

from sundog.errors import SundogError
from sundog.objectives import schema_org
from sundog.objectives.condition import Condition
from sundog.objectives.memory import Memory
from sundog.objectives.page import PageView
from sundog.objectives.statements import as_ntriples, page_statements
from sundog.objectives.tokens import Tokens
from sundog.processes.sandbox import Sandbox, StoppedError
from sundog.rdf.namespaces import RDFS, SCHEMA_ORG, one_schema_org

SECONDS = 2.0  # a page
MOST_MEMORY = 1 << 30
SUBCLASS = f"<{RDFS}subClassOf>"


class Shacl(Condition):
    form = "FILE.ttl"
    summary = "SHACL shapes; the reward is the number of focus nodes that conform (needs the extra sundog[shacl])"
    example = "shapes.ttl"
    costly = True

    def __init__(self, name: str, shapes: str) -> None:
        self.name, self.shapes = name, one_schema_org(shapes)

    def __str__(self) -> str:
        return self.name

    @classmethod
    def reads(cls, word: str) -> bool:
        return word.endswith(".ttl")

    @classmethod
    def read(cls, word: str, tokens: Tokens) -> Condition:
        if find_spec("pyshacl") is None:
            raise tokens.error(f"{word} needs pyshacl: pip install 'sundog[shacl]'")
        condition = cls(word, tokens.file(word))
        sandbox = condition._sandbox(check=True)
        try:
            sandbox.start()
        except SundogError as error:
            raise tokens.error(f"{word}: {error}") from None
        sandbox.close()
        return condition

    def begin(self, memory: Memory) -> None:
        sandbox = memory.processes[self] = self._sandbox(check=False)
        sandbox.start()

    def reward(self, page: PageView, memory: Memory) -> float:
        return float(len(self.subjects(page, memory)))

    def subjects(self, page: PageView, memory: Memory) -> Collection[str]:
        statements = page_statements(page, memory, self)
        if not statements:
            return ()
        try:
            found: list[str] = memory.processes[self].ask(as_ntriples(statements) + _superclasses(page))
        except StoppedError as stopped:
            memory.faults.append((self.name, str(stopped)))
            return ()
        return found

    def _sandbox(self, *, check: bool) -> Sandbox:
        setup = {"shapes": self.shapes, "check": check}
        return Sandbox("sundog.processes.page_shapes", setup, seconds=SECONDS, memory=MOST_MEMORY)


def _superclasses(page: PageView) -> str:
    """What SHACL needs to know that a NewsArticle is an Article."""
    return "".join([_superclass_statements(iri) for iri in page.types if iri.startswith(SCHEMA_ORG)])


@lru_cache(maxsize=4096)
def _superclass_statements(iri: str) -> str:
    """
    >>> _superclass_statements("http://schema.org/HowTo").count("subClassOf")
    2
    """
    name = schema_org.class_name(iri)
    if name not in schema_org.parents():
        return ""
    above = sorted(schema_org.with_superclasses(name) - {name})
    return "".join([f"<{iri}> {SUBCLASS} <{SCHEMA_ORG}{parent}> .\n" for parent in above])
