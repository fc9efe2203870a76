"""JSON-LD in pages: contexts, containers, broken JSON."""

from __future__ import annotations

import json
from typing import Any

from tests.hostile.corpus import attack, numbered, times

VOCABULARY = {"@vocab": "http://v.example/"}


def script(content: str) -> str:
    return f"<script type=application/ld+json>{content}</script>"


def document(value: Any, context: Any = VOCABULARY) -> str:
    return script(json.dumps({"@context": context, "p": value}))


def many(size: int, length: int) -> range:
    return range(max(1, size // length))


@attack()
def json_quotes(size: int) -> str:
    """A script of quotation marks."""
    return script(times('"', size))


@attack()
def json_strings(size: int) -> str:
    """A script of strings, which no comma parts."""
    return script('{"a":' + times('"b" ', size))


@attack()
def json_escapes(size: int) -> str:
    """Backslashes that may escape what follows, or not."""
    return script('{"a":"' + times('\\"\\x', size))


@attack()
def json_comments(size: int) -> str:
    """Comments that begin and do not end."""
    return script("{" + times("/* // ", size))


@attack()
def json_slashes(size: int) -> str:
    """What may be the beginning of a comment."""
    return script(times("/", size))


@attack()
def json_wrappers(size: int) -> str:
    """What pages put around their JSON, again and again."""
    return script(times("<!--//<![CDATA[ ", size // 2) + "{}" + times("//]]>-->;", size // 2))


@attack()
def json_commas(size: int) -> str:
    """Commas too many, with blanks before the bracket that makes them so."""
    return script("[" + times(f",{' ' * 200}", size))


@attack()
def json_values(size: int) -> str:
    """Very many values in one script."""
    return script(times('{"a":1};', size))


@attack()
def json_numbers(size: int) -> str:
    """Numbers one after the other, and none of them an object."""
    return script(times("1 ", size))


@attack()
def json_scripts(size: int) -> str:
    """Very many scripts, each broken."""
    return times(script("{,}"), size)


@attack()
def json_brackets(size: int) -> str:
    """Nested brackets."""
    return script(times("[", size))


@attack()
def json_braces(size: int) -> str:
    """Nested objects, each in each."""
    return script(times('{"a":', size))


@attack()
def json_closing(size: int) -> str:
    """Brackets that close what was never opened."""
    return script("[{}" + times("]}", size))


@attack()
def json_entities(size: int) -> str:
    """JSON that was escaped as HTML twice."""
    return script("{&quot;a&quot;:&quot;" + times("&amp;amp;quot;", size))


@attack()
def json_huge_number(size: int) -> str:
    """One number with as many digits as fit."""
    return script('{"@context":{"@vocab":"http://v.example/"},"p":' + "9" * size + "}")


@attack()
def json_huge_exponents(size: int) -> str:
    """Numbers beyond all that a double holds."""
    return script('{"@context":{"@vocab":"http://v.example/"},"p":[' + times("1e999999,-0,1E+21,", size) + "0]}")


@attack()
def json_surrogates(size: int) -> str:
    """Halves of surrogate pairs, and NULs, in names and values."""
    return script(
        '{"@context":{"@vocab":"http://v.example/"},"@graph":['
        + times('{"\\ud800\\u0000":"\\udfff","@id":"\\ud800","@type":"\\u0000"},', size)
        + "{}]}"
    )


@attack()
def json_long_string(size: int) -> str:
    """One value as long as the page."""
    return document("x" * size)


@attack()
def json_long_key(size: int) -> str:
    """A name as long as the page."""
    return script(json.dumps({"@context": VOCABULARY, "k" * size: 1}))


@attack()
def json_many_keys(size: int) -> str:
    """A node with as many properties as fit."""
    return script(json.dumps({"@context": VOCABULARY} | {f"k{n}": n for n in many(size, 15)}))


@attack()
def jsonld_context_chain(size: int) -> str:
    """Each term is defined by the next one."""
    terms = {f"t{n}": f"t{n + 1}:x" for n in many(size, 24)}
    return document(1, {**terms, "p": "t0:y"})


@attack()
def jsonld_context_cycle(size: int) -> str:
    """Terms that are defined by each other."""
    count = len(many(size, 24))
    return document(1, {f"t{n}": f"t{(n + 1) % count}:x" for n in range(count)})


@attack()
def jsonld_growing_terms(size: int) -> str:
    """Each term is the one before it and a little more: the last is long, and all together are quadratic."""
    terms: dict[str, Any] = {"t0": "http://v.example/"}
    terms |= {
        f"t{n}": {"@id": f"t{n - 1}:abcdefghijklmnop/", "@prefix": True} for n in range(1, max(2, size // 60))
    }
    return document(1, terms)


@attack()
def jsonld_contexts_in_a_row(size: int) -> str:
    """A list of contexts, each a copy of all before it."""
    return document(1, [{f"t{n}": "http://v.example/"} for n in many(size, 30)])


@attack()
def jsonld_context_in_each_node(size: int) -> str:
    """A large context, and nodes that each add a term to it."""
    terms = {f"t{n}": f"http://v.example/{n}" for n in many(size // 2, 36)}
    return document(
        [{"@context": {"a": "http://a.example/"}, "a": 1} for _ in many(size // 2, 45)], {**VOCABULARY, **terms}
    )


@attack()
def jsonld_schema_org_in_each_node(size: int) -> str:
    """The largest bundled context, applied anew in each node."""
    return document([{"@context": [{"a": "b:"}, "https://schema.org/"], "name": 1} for _ in many(size, 64)])


@attack()
def jsonld_schema_org_in_a_row(size: int) -> str:
    """The same in one list of contexts."""
    return document(1, [{"a": "b:"}] + ["https://schema.org"] * len(many(size, 22)))


@attack()
def jsonld_nested_contexts(size: int) -> str:
    """Contexts at each level of a deep document."""
    deep = 200
    terms = {f"t{n}": f"http://v.example/{n}" for n in many(size // deep, 36)}
    value: Any = 1
    for _ in range(deep):
        value = {"@context": terms, "p": value}
    return document(value)


@attack()
def jsonld_scoped_contexts(size: int) -> str:
    """Terms whose contexts define terms with contexts, used at every level."""
    scoped = {
        f"s{n}": {"@id": f"http://v.example/{n}", "@context": {"x": "http://x.example/"}}
        for n in many(size // 2, 80)
    }
    value: Any = 1
    for n in range(100):
        value = {f"s{n}": value}
    return document([value, *({f"s{n}": {"x": 1}} for n in many(size // 2, 22))], {**VOCABULARY, **scoped})


@attack()
def jsonld_recursive_scopes(size: int) -> str:
    """A term whose context defines it again."""
    context: Any = {}
    for _ in range(100):
        context = {"p": {"@id": "http://v.example/p", "@context": context}}
    value: Any = 1
    for _ in range(150):
        value = {"p": value}
    return document([value] * len(many(size, 1_500)), context)


@attack()
def jsonld_type_scopes(size: int) -> str:
    """Types that each bring a context, very many on one node."""
    count = len(many(size // 2, 70))
    context = {
        f"T{n}": {"@id": f"http://v.example/{n}", "@context": {"a": "http://a.example/"}} for n in range(count)
    }
    node = {"@type": [f"T{n}" for n in range(count)], "a": 1}
    return document([node] * 3, {**VOCABULARY, **context})


@attack()
def jsonld_protected_terms(size: int) -> str:
    """Terms that may not be defined again, and are."""
    terms = {f"t{n}": f"http://v.example/{n}" for n in many(size // 2, 36)}
    return document(1, [{"@protected": True, **terms}, {**terms, "t0": "http://w.example/"}, {"t1": "b:c"}])


@attack()
def jsonld_remote_contexts(size: int) -> str:
    """Contexts on other servers, and on this machine."""
    return document(
        1, [f"http://169.254.169.254/{n}" for n in many(size, 32)] + ["file:///etc/passwd", "http://localhost/c"]
    )


@attack()
def jsonld_reverse(size: int) -> str:
    """Properties that point backwards, nested."""
    value: Any = {"@id": "x"}
    for _ in range(150):
        value = {"@reverse": {"p": [value, {"@id": "y"}]}}
    return document([value] * len(many(size, 6_000)))


@attack()
def jsonld_nest(size: int) -> str:
    """Nodes that hide their properties, and their names, in nests in nests."""
    value: Any = {"@id": "x", "a": 1}
    for _ in range(150):
        value = {"@nest": value, "b": 1}
    return document([value] * len(many(size, 3_600)))


@attack()
def jsonld_graphs(size: int) -> str:
    """Graphs in graphs."""
    value: Any = {"a": 1}
    for n in range(150):
        value = {"@id": f"g{n}", "@graph": [value]}
    return document([value] * len(many(size, 5_000)))


@attack()
def jsonld_lists(size: int) -> str:
    """Lists of lists of lists."""
    value: Any = [1]
    for _ in range(200):
        value = [value, value[:0]]
    return document([{"@list": value}] * len(many(size, 1_500)))


@attack()
def jsonld_unnamed_lists(size: int) -> str:
    """Lists below a property that RDF cannot name: they are taken back again, each level from all of them."""
    value: Any = list(range(size // 10))
    for _ in range(100):
        value = {"q": {"@list": [value]}}
    return document(value, {"p": "_:p", "q": "_:q"})


@attack()
def jsonld_sets(size: int) -> str:
    """Arrays in arrays, which are one set, put together at each level."""
    value: Any = list(range(size // 10))
    for _ in range(200):
        value = [value]
    return document(value)


@attack()
def jsonld_json_literals(size: int) -> str:
    """Values that are JSON, nested, with keys to sort."""
    value: Any = {str(n): n for n in many(size, 16)}
    for _ in range(200):
        value = {"b": value, "a": 1}
    return document(value, {**VOCABULARY, "p": {"@type": "@json"}})


@attack()
def jsonld_language_maps(size: int) -> str:
    """Very many languages, none of them one."""
    return document(
        {f"x-{n}-{'y' * 90}": "z" for n in many(size, 108)}, {**VOCABULARY, "p": {"@container": "@language"}}
    )


@attack()
def jsonld_index_maps(size: int) -> str:
    """Maps by type, each key with a context of its own."""
    kinds = {f"K{n}": {"@id": f"k:{n}", "@context": {"a": "b:c"}} for n in many(size // 2, 50)}
    return document({name: {"a": 1} for name in kinds}, {**VOCABULARY, **kinds, "p": {"@container": "@type"}})


@attack()
def jsonld_graph_maps(size: int) -> str:
    """Maps of graphs of maps."""
    value = {f"g{n}": {"a": {"a": n}} for n in many(size, 32)}
    return document(value, {**VOCABULARY, "p": {"@container": ["@graph", "@id"]}})


@attack()
def jsonld_long_base(size: int) -> str:
    """A base of the longest length, for very many names."""
    base = "http://b.example/" + "../x/" * 390
    return document([{"@id": f"../{n}"} for n in many(size, 18)], {"@base": base, "p": "v:p"})


@attack()
def jsonld_types(size: int) -> str:
    """Nodes of very many types."""
    return script(numbered('{{"@context":"http://schema.org/","@type":["T{n}","U{n}"]}}\n', size))


@attack()
def jsonld_same_node(size: int) -> str:
    """One node, described again and again with the same words."""
    return script(json.dumps([{"@id": "x", "v:p": 1}] * len(many(size, 23))))
