"""The sites, and what each answers. A site has items, lists of them, and articles without data.

How the data of an item comes into its page is the site's kind:

- ``plain``: JSON-LD in the page; its scripts only open menus
- ``tags``: a tag manager writes JSON-LD into a page that is complete otherwise
- ``app``: a single-page application with client-side routing: the page is empty, everything comes from an API
- ``state``: the framework leaves its state in the page
- ``scroll``: as ``app``, but lists grow only when somebody scrolls
- ``click``: as ``tags``, but data comes when a button is clicked
- ``attack``: see ``attacks``
"""

from __future__ import annotations

import json
from typing import Final, NamedTuple

from examples.script_web.attacks import ATTACKS, attack_page

KINDS: Final = ("plain", "tags", "app", "state", "scroll", "click", "attack")
A_LIST: Final = 12  # items on a list
_GTM: Final = "<script async src='https://{host}/gtm.js?id=GTM-1'></script>"
_MENU: Final = "<script src=/menu.js></script>"
_WORDS: Final = (
    "amber brass cedar delft ember flint glass hazel ivory jade kelp linen maple nickel ochre pearl".split()
)
_TEXT: Final = "<p>" + "A text that says what there is to say about it, at some length. " * 8 + "</p>"

_FILLER: Final = "<div class='row wide'><span class=label>Note</span><p>Words that fill a page.</p></div>\n"

ROUTER: Final = """
const root = document.getElementById('root');
const get = path => fetch('/api' + path).then(answer => answer.json());
const link = path => `<a href="${path}">${path}</a> `;
async function show(path) {
  const data = await get(path);
  document.title = data.title;
  root.innerHTML = `<h1>${data.title}</h1>` + data.links.map(link).join('') + '<p>' + (data.text || '') + '</p>';
  if (data.jsonld) {
    const script = document.createElement('script');
    script.type = 'application/ld+json';
    script.text = JSON.stringify(data.jsonld);
    document.head.append(script);
  }
  if (data.more) root.style.minHeight = '300vh';
  if (data.more) addEventListener('scroll', async () => {
    const next = await get(data.more); root.insertAdjacentHTML('beforeend', next.links.map(link).join(''));
  }, {once: true});
}
show(location.pathname);
"""
TAGS: Final = """
fetch('/tags.json?for=' + location.pathname).then(answer => answer.json()).then(found => {
  if (!found.jsonld) return;
  const write = () => {
    const script = document.createElement('script');
    script.type = 'application/ld+json'; script.text = JSON.stringify(found.jsonld); document.head.append(script);
  };
  const button = document.getElementById('more');
  if (button) button.onclick = write; else write();
});
"""


class Answer(NamedTuple):
    body: str
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    location: str = ""


class Site(NamedTuple):
    host: str
    kind: str
    items: int
    articles: int
    canary: int = 9
    filler: int = 0  # bytes of text and markup in each page, besides what it says

    @property
    def lists(self) -> int:
        return max(1, -(-self.items // A_LIST))

    @property
    def item_paths(self) -> list[str]:
        return [f"/item/{n}" for n in range(self.items)]

    def answer(self, path: str) -> Answer:
        path, _, query = path.partition("?")
        if path == "/robots.txt":
            return Answer("User-agent: *\nDisallow: /forbidden/\n", "text/plain")
        if path == "/to-loopback":
            return Answer("", status=302, location=f"http://127.0.0.1:{self.canary}/redirected")
        if path in ("/menu.js", "/gtm.js", "/app.3f9a2c1b.js", "/sw.js"):
            scripts = {"/menu.js": "document.documentElement.className = 'js'", "/app.3f9a2c1b.js": ROUTER}
            has_tags = self.kind in ("tags", "click") and path == "/gtm.js"
            return Answer(TAGS if has_tags else scripts.get(path, ""), "text/javascript")
        if path == "/tags.json":
            wanted = query.partition("=")[2]
            return _json({"jsonld": self._jsonld(wanted) if wanted.startswith("/item/") else None})
        if path.startswith("/api/"):
            return self._api(path.removeprefix("/api"))
        return self._page(path)

    def _links(self, path: str) -> list[str] | None:
        """Of a page; None: there is no such page."""
        first, _, rest = path.removeprefix("/").partition("/")
        number = int(rest) if rest.isdecimal() else -1
        lists = [f"/list/{n}" for n in range(self.lists)]
        if path == "/":
            attacks = [f"/attack/{name}" for name in ATTACKS] if self.kind == "attack" else []
            return [*lists, *(f"/blog/{n}" for n in range(self.articles)), *attacks]
        if first == "list" and 0 <= number < self.lists:
            return [*self.item_paths[number * A_LIST : (number + 1) * A_LIST], "/"]
        if first == "item" and 0 <= number < self.items:
            return ["/", f"/item/{(number + 1) % self.items}"]
        if first == "blog" and 0 <= number < self.articles:
            return ["/", f"/blog/{(number + 1) % self.articles}", f"/blog/{(number + 2) % self.articles}"]
        return None

    def _title(self, path: str) -> str:
        word = _WORDS[sum(map(ord, self.host + path)) % len(_WORDS)]
        return f"{word.capitalize()} {path.strip('/').replace('/', ' ') or 'home'}"

    def _jsonld(self, path: str) -> dict[str, object]:
        offer = {"@type": "Offer", "price": str(5 + len(path) % 7), "priceCurrency": "EUR"}
        return {"@context": "https://schema.org", "@type": "Product", "name": self._title(path), "offers": offer}

    def _api(self, path: str) -> Answer:
        more = path.endswith("/more")
        links = self._links(path.removesuffix("/more"))
        if links is None:
            return Answer("{}", "application/json", 404)
        found: dict[str, object] = {"title": self._title(path), "links": links, "text": _TEXT[3:-4]}
        if path.startswith("/item/"):
            found["jsonld"] = self._jsonld(path)
        if self.kind == "scroll" and path.startswith("/list/"):
            found["links"] = links[6:] if more else links[:6]
            found["more"] = "" if more else f"{path}/more"
        return _json(found)

    def _page(self, path: str) -> Answer:
        if self.kind == "attack" and path.startswith("/attack/") and path.removeprefix("/attack/") in ATTACKS:
            return Answer(attack_page(path.removeprefix("/attack/"), self.canary))
        links = self._links(path)
        if links is None:
            return Answer("<p>not here</p>", status=404)
        if self.kind in ("app", "scroll"):
            return Answer(
                "<!doctype html><title>Shop</title><noscript>Please enable JavaScript.</noscript>"
                "<div id=root></div><script type=module src=/app.3f9a2c1b.js></script>"
            )
        is_item = path.startswith("/item/")
        head = f"<title>{self._title(path)}</title>{_MENU}{_GTM.format(host=self.host)}"
        if self.kind in ("plain", "attack") and is_item:
            head += f'<script type="application/ld+json">{json.dumps(self._jsonld(path))}</script>'
        body = f"<h1>{self._title(path)}</h1>{_TEXT}" + "".join(f'<a href="{to}">{to}</a> ' for to in links)
        body += _FILLER * (self.filler // len(_FILLER))
        if self.kind == "click" and is_item:
            body += "<button id=more>Show details</button>"
        if self.kind == "state":
            product = {"name": self._title(path), "price": 7, "sku": path, "url": path, "image": "/i.png"}
            props = {"props": {"pageProps": {"product": product if is_item else None}}}
            body = (
                f'<div id=__next>{body}</div><script id=__NEXT_DATA__ type="application/json">{json.dumps(props)}'
            )
            body += "</script>"
        return Answer(f"<!doctype html><html lang=en><head>{head}</head><body>{body}</body></html>")


def _json(value: object) -> Answer:
    return Answer(json.dumps(value), "application/json")


def sites_of(
    kinds: dict[str, int], items: int, articles: int, canary: int = 9, filler: int = 0
) -> dict[str, Site]:
    """So many sites of each kind, by host.

    >>> list(sites_of({"plain": 1, "app": 2}, 3, 1))
    ['plain0.test', 'app0.test', 'app1.test']
    """
    names = [(f"{kind}{n}.test", kind) for kind, number in kinds.items() for n in range(number)]
    return {host: Site(host, kind, items, articles, canary, filler) for host, kind in names}
