"""All datasets together: what is answered to a request, and what a crawl must find."""

from __future__ import annotations

from sundog.demo_web.answers import NOT_FOUND, Answer, wants_rdf

from .datasets import KINDS, Dataset
from .forms import FORMS, Document, Entry, Gone, Negotiated, Thing, Triple


class LinkedDataWeb:
    """``things`` of each dataset. The same number gives the same bytes."""

    def __init__(self, things: int = 24) -> None:
        self.datasets: list[Dataset] = [kind(things) for kind in KINDS]
        for dataset, other in zip(self.datasets, [*self.datasets[1:], self.datasets[0]], strict=True):
            dataset.elsewhere = other
        self.entries: dict[str, Entry] = {}
        for dataset in self.datasets:
            for entry in [*dataset.entries(), *dataset.dead_links()]:
                self.entries[entry.data.url if isinstance(entry, Negotiated) else entry.url] = entry
        self._bodies: dict[str, bytes] = {}

    @property
    def seeds(self) -> list[str]:
        """One thing, from which all of them can be found."""
        return [self.datasets[0].thing(0)]

    @property
    def documents(self) -> dict[str, list[Triple]]:
        """What each document says, by its URL; those that say nothing are not there."""
        found = [entry.data if isinstance(entry, Negotiated) else entry for entry in self.entries.values()]
        return {each.url: each.triples for each in found if isinstance(each, Document) and each.triples}

    def is_packed(self, host: str) -> bool:
        return False

    def answer(self, host: str, target: str, accept: str = "") -> Answer:
        entry = self.entries.get(f"http://{host}{target}")
        match entry:
            case Document():
                return self._document(entry)
            case Thing(_, data, page):
                return Answer(303, location=data if wants_rdf(accept) or not page else page)
            case Negotiated(data, page):
                return self._document(data if wants_rdf(accept) else page)
            case Gone(_, status, location):
                return Answer(status, location=location)
        return NOT_FOUND

    def _document(self, document: Document) -> Answer:
        key = f"{document.url} {document.form}"
        if key not in self._bodies:
            self._bodies[key] = FORMS[document.form](document.triples)
        return Answer(200, document.declared, self._bodies[key], headers=document.headers)
