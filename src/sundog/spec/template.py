"""URLs with ``{id}``, ``{page}`` and ``{cursor}`` in them."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from sundog.errors import UsageError, nearest
from sundog.frontier.identity import identity

FIELD = re.compile(r"\{([^{}]*)\}")
FIELDS = ("id", "page", "cursor")
DOTS = (".", "..")  # in a path they mean another one, however they are written
LONGEST_VALUE = 1_000
MOST_VALUES = 8  # of a template


class Template:
    """
    >>> users = Template("https://api.example/users/{id}?page={page}&as={id}")
    >>> users.fill(id="a/b", page=2)
    'https://api.example/users/a%2Fb?page=2&as=a%2Fb'
    >>> users.beginning(1, "").id_of("https://api.example/users/a%2Fb?page=1&as=a%2Fb")
    'a/b'
    """

    def __init__(self, text: str, place: str = "template") -> None:
        self.text, self.place = text, place
        self.fields = tuple(FIELD.findall(text))

    def check(self, first_page: int, first_cursor: str) -> None:
        for name in self.fields:
            if name not in FIELDS:
                known = ", ".join(f"{{{each}}}" for each in FIELDS)
                hint = nearest(name, FIELDS)
                raise UsageError(f"{self.place}: '{{{name}}}' means nothing{hint}; there are {known}")
        if "id" not in self.fields:
            raise UsageError(f"{self.place}: '{{id}}' is missing, where a node's id belongs")
        if "page" in self.fields and "cursor" in self.fields:
            raise UsageError(f"{self.place}: there are numbers of pages or cursors, not both")
        if len(self.fields) > MOST_VALUES:
            raise UsageError(f"{self.place}: more than {MOST_VALUES} fields")
        url = self.fill(id="id", page=first_page, cursor=first_cursor)
        if url is None or identity(url) is None or "#" in url:
            raise UsageError(f'{self.place} = "{self.text}": an http or https URL is expected')
        origin = "/".join(self.text.split("/", 3)[:3])
        if "{" in origin:
            raise UsageError(f"{self.place}: '{{id}}' must stand after the host's name")

    def fill(self, *, id: str, page: int = 0, cursor: str = "") -> str | None:
        """None if the id cannot be part of a URL. A parameter that is an empty cursor is left out."""
        if not id or id in DOTS or len(id) > LONGEST_VALUE or len(cursor) > LONGEST_VALUE:
            return None
        text = self.text if cursor else _without_cursor(self.text)
        values = {"id": id, "page": str(page), "cursor": cursor}
        try:
            return FIELD.sub(lambda field: quote(values[field[1]], safe=""), text)
        except (KeyError, UnicodeEncodeError):
            return None

    def beginning(self, first_page: int, first_cursor: str) -> Template:
        """With the first page and cursor filled in, so that it is the node's alone."""
        text = self.text if first_cursor else _without_cursor(self.text)
        text = text.replace("{page}", str(first_page)).replace("{cursor}", quote(first_cursor, safe=""))
        return Template(text, self.place)

    def first(self, id: str) -> str | None:
        return self.fill(id=id)

    def id_of(self, url: str) -> str | None:
        """The id from which ``fill`` has made the URL."""
        first, *others = self.text.split("{id}")
        rest = r"\1".join(map(re.escape, others))
        found = re.fullmatch(f"{re.escape(first)}([^/?&#=]+){rest}", url) if others else None
        return unquote(found[1]) if found else None


def _without_cursor(text: str) -> str:
    path, mark, query = text.partition("?")
    kept = [part for part in query.split("&") if not part.endswith("={cursor}")]
    return f"{path}{mark if kept and kept != [''] else ''}{'&'.join(kept)}".replace("{cursor}", "")
