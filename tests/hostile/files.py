"""Answers that are no pages: native RDF, sitemaps, feeds, packed files, and lies about what is sent."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import zipfile
import zlib

from tests.hostile.corpus import attack, items, names, numbered, times

RDF = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://v.example/'"
PREFIXES = "@prefix a: <http://a.example/> .\n"


def rdf_xml(content: str, before: str = "", more: str = "") -> str:
    return f"<?xml version='1.0'?>{before}<rdf:RDF {RDF} {more}>{content}</rdf:RDF>"


def entities(letter: str, levels: int, start: str = "lolololololo") -> str:
    """Each entity is ten times the one before it."""
    declared = "".join(f"<!ENTITY {letter}{n} '{f'&{letter}{n - 1};' * 10}'>" for n in range(1, levels + 1))
    return rdf_xml(
        f"<e:a><e:p>&{letter}{levels};</e:p></e:a>", f"<!DOCTYPE r [<!ENTITY {letter}0 '{start}'>{declared}]>"
    )


@attack("application/rdf+xml")
def entities_that_laugh(size: int) -> str:
    """A billion laughs."""
    return entities("l", 9)


@attack("application/rdf+xml")
def entities_in_other_scripts(size: int) -> str:
    """A billion laughs whose names are not ASCII."""
    return entities("é", 8)


@attack("application/rdf+xml")
def entities_just_below_the_cap(size: int) -> str:
    """The longest expansion that is let through."""
    return entities("l", 6, "lol")


@attack("application/rdf+xml")
def entity_used_often(size: int) -> str:
    """One long entity, and as many references as fit: a quadratic expansion."""
    half = size // 2
    return rdf_xml(f"<e:a><e:p>{times('&l;', half)}</e:p></e:a>", f"<!DOCTYPE r [<!ENTITY l '{'x' * half}'>]>")


@attack("application/rdf+xml")
def entities_declared_oddly(size: int) -> str:
    """Declarations that only the parser understands."""
    return rdf_xml("<e:a><e:p>&a;</e:p></e:a>", f"<!DOCTYPE r [{times('<!ENTITY % a SYSTEM>', size)}]>")


@attack("application/rdf+xml")
def very_many_entities(size: int) -> str:
    """More entities than any vocabulary has."""
    return rdf_xml(
        "<e:a/>", f"<!DOCTYPE r [{numbered('<!ENTITY e{n} {chr}x{chr}>'.replace('{chr}', chr(39)), size)}]>"
    )


@attack("application/rdf+xml")
def external_entity(size: int) -> str:
    """A file of this machine as a value."""
    return rdf_xml("<e:a><e:p>&x;</e:p></e:a>", "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>")


@attack("application/rdf+xml")
def nested_xml(size: int) -> str:
    """The depth of XML, in which the parser is quadratic."""
    return rdf_xml(times("<e:a><e:p>", size))


@attack("application/rdf+xml")
def nested_xml_below_the_cap(size: int) -> str:
    """500 levels, again and again."""
    return rdf_xml(times("<e:a><e:p>" * 240 + "</e:p></e:a>" * 240, size))


@attack("application/rdf+xml")
def xml_namespaces(size: int) -> str:
    """As many namespaces as fit on one element."""
    return rdf_xml("<e:a e:p='x'/>", more=numbered("xmlns:n{n}='b:' ", size))


@attack("application/rdf+xml")
def xml_namespaces_for_each(size: int) -> str:
    """Many namespaces around, and one more on each element."""
    return rdf_xml(
        numbered("<e:a xmlns:m{n}='c:' e:p='{n}'/>", size // 2), more=numbered("xmlns:n{n}='b:' ", size // 2)
    )


@attack("application/rdf+xml")
def xml_attributes(size: int) -> str:
    """As many attributes as fit on one element."""
    return rdf_xml(f"<e:a {numbered('e:p{n}=%x% '.replace('%', chr(39)), size)}/>")


@attack("application/rdf+xml")
def xml_literal(size: int) -> str:
    """A literal of markup, with many namespaces around it."""
    return rdf_xml(
        f"<e:a><e:p rdf:parseType='Literal'>{times('<b>x</b>', size // 2)}</e:p></e:a>",
        more=numbered("xmlns:n{n}='b:' ", size // 2),
    )


@attack("application/rdf+xml")
def xml_collections(size: int) -> str:
    """One long list."""
    return rdf_xml(f"<e:a><e:p rdf:parseType='Collection'>{times('<e:b/>', size)}</e:p></e:a>")


@attack("application/rdf+xml")
def xml_base_long(size: int) -> str:
    """A long base for very many names."""
    return rdf_xml(
        numbered("<e:a rdf:about='{n}'/>", size // 2), more=f"xml:base='http://a.example/{'x' * (size // 2)}/'"
    )


@attack("application/rdf+xml")
def xml_comments(size: int) -> str:
    """A prologue that never comes to its root."""
    return "<?xml version='1.0'?>" + times("<!-- x --><?y?>", size)


@attack("application/rdf+xml")
def xml_unclosed(size: int) -> str:
    """Tags without end, for patterns that look for one."""
    return rdf_xml(times("<a ", size))


@attack("text/turtle")
def nested_triple_terms(size: int) -> str:
    """Triple terms in triple terms, which overflow the parser's stack."""
    return "<a:a> <a:b> " + times("<<( <a:a> <a:b> ", size)


@attack("text/turtle")
def nested_triple_terms_without_blanks(size: int) -> str:
    """The same with comments and quotes between, for those who count brackets."""
    return "<a:a> <a:b> " + times("<<#>>\n(<a:a><a:b>", size)


@attack("text/turtle")
def triple_terms_in_strings(size: int) -> str:
    """What closes triple terms, in strings: the depth is deeper than it looks."""
    return "<a:a> <a:b> " + times("<<( <a:a> <a:b> ", size // 2) + times('">>"', size // 2)


@attack("text/turtle")
def reified_triples(size: int) -> str:
    """Triples in brackets as subjects of triples in brackets."""
    return times("<< ", size)


@attack("text/turtle")
def nested_annotations(size: int) -> str:
    """Annotations of annotations."""
    return "<a:a> <a:b> <a:c> " + times("{| <a:b> <a:c> ", size)


@attack("text/turtle")
def nested_brackets(size: int) -> str:
    """Blank nodes in blank nodes."""
    return "<a:a> <a:b> " + times("[ <a:b> ", size)


@attack("text/turtle")
def nested_collections(size: int) -> str:
    """Collections in collections."""
    return "<a:a> <a:b> " + times("( ", size)


@attack("text/turtle")
def long_prefix(size: int) -> str:
    """A prefix as long as half of the file, in each name."""
    return f"@prefix a: <http://a.example/{'x' * (size // 2)}/> .\n" + times("a:a a:b a:c .\n", size // 2)


@attack("text/turtle")
def very_many_prefixes(size: int) -> str:
    """A prefix of its own for each statement."""
    return numbered("@prefix p{n}: <http://{n}.example/> . p{n}:a p{n}:b p{n}:c .\n", size)


@attack("text/turtle")
def long_literal(size: int) -> str:
    """One literal as long as the file."""
    return f'{PREFIXES}a:a a:b """{"x" * size}""" .'


@attack("text/turtle")
def emoji_literals(size: int) -> str:
    """Characters that make their text four times as large in memory."""
    return PREFIXES + numbered(f'a:a a:b "{{n}}\N{SUN WITH FACE}{"x" * 5_000}" .\n', size)


@attack("text/turtle")
def unclosed_literal(size: int) -> str:
    """A literal that never ends, with all quotes that could end it."""
    return f"{PREFIXES}a:a a:b '''" + times('""" \'\' ', size)


@attack("text/turtle")
def object_lists(size: int) -> str:
    """A subject with as many objects as fit."""
    return f"{PREFIXES}a:a a:b " + ",".join(items("a:c{n}", size)) + " ."


@attack("text/turtle")
def blank_node_fan(size: int) -> str:
    """Very many blank nodes that share everything."""
    return PREFIXES + numbered("_:b{n} a:b _:b1 . _:b1 a:b _:b{n} .\n", size)


@attack("text/turtle")
def relative_iris(size: int) -> str:
    """Names that go up and down from a long base."""
    return f"@base <http://a.example/{'a/' * 900}> .\n" + numbered("<../../{n}> <#p> <./../x> .\n", size)


@attack("text/turtle")
def links_in_rdf(size: int) -> str:
    """More links than any document needs, each to a host of its own."""
    return numbered("<http://s{n}.example/> <http://v.example/p> <http://o{n}.example/> .\n", size)


@attack("application/trig")
def graphs_in_trig(size: int) -> str:
    """A graph of its own for each statement."""
    return PREFIXES + numbered("a:g{n} {{ a:a a:b a:c }}\n", size)


@attack("text/n3")
def nested_formulas(size: int) -> str:
    """Formulas in formulas."""
    return PREFIXES + times("{ a:a a:b ", size)


@attack("text/n3")
def long_paths(size: int) -> str:
    """Paths of N3 that are as long as the file."""
    return f"{PREFIXES}a:a a:b " + "!".join(items("a:c{n}", size)) + " ."


@attack("application/n-quads")
def broken_lines(size: int) -> str:
    """An error in each line."""
    return times("<http://a.example/s> <p o .\n", size)


@attack("application/n-quads")
def tiny_statements(size: int) -> str:
    """As many statements as fit."""
    return numbered("_:a{n} <a:> _:b .\n", size)


@attack("application/n-triples")
def one_line(size: int) -> str:
    """A line that never ends."""
    return "<http://a.example/s> <http://a.example/p> " + times("_:a ", size)


@attack("application/n-triples")
def escapes(size: int) -> str:
    """Escapes of every kind, half of them no characters."""
    return numbered('<a:\\u0041{n}> <a:b> "\\uD800\\U0010FFFF\\u0000\\\\\\"" .\n', size)


@attack("application/ld+json")
def jsonld_file_cut(size: int) -> str:
    """A file that stops half-way, whose last complete node is looked for."""
    return (
        '{"@context":{"@vocab":"http://v.example/"},"@graph":['
        + ",".join(items('{{"@id":"i{n}","p":[1,{{}}]}}', size))
        + ',{"@id":"'
    )


@attack("application/ld+json")
def jsonld_file_of_quotes(size: int) -> str:
    """A file of quotation marks and brackets."""
    return '[{"' + times('{["\\', size)


@attack("application/ld+json")
def jsonld_file_of_colons(size: int) -> str:
    """A file in which @graph seems to begin everywhere."""
    return "{" + times('"@graph"   :   [', size)


@attack("application/xml")
def sitemap_entities(size: int) -> str:
    """A billion laughs in a sitemap."""
    declared = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    return f"<!DOCTYPE u [<!ENTITY l0 'lol'>{declared}]><urlset><url><loc>&l9;</loc></url></urlset>"


@attack("application/xml")
def sitemap_entries(size: int) -> str:
    """More entries than are kept."""
    return "<urlset>" + numbered("<url><loc>http://sitemap.example/p{n}</loc></url>", size) + "</urlset>"


@attack("application/xml")
def sitemap_depth(size: int) -> str:
    """A sitemap that nests."""
    return times("<urlset><url><loc>", size)


@attack("application/xml")
def sitemap_long_entry(size: int) -> str:
    """One address as long as the sitemap."""
    return f"<urlset><url><loc>http://a.example/{'x' * size}</loc></url></urlset>"


@attack("application/xml")
def sitemap_packed(size: int) -> bytes:
    """A sitemap that unpacks to a thousand times its size."""
    return gzip.compress(b"<urlset>" + b"<url><loc>http://a.example/</loc></url>" * (size // 2), mtime=0)


@attack("application/rss+xml")
def feed_depth(size: int) -> str:
    """A feed of nested items."""
    return "<rss><channel>" + times("<item><link>http://a.example/", size)


@attack("application/atom+xml")
def feed_links(size: int) -> str:
    """A feed of nothing but links."""
    return (
        "<feed xmlns='http://www.w3.org/2005/Atom'>"
        + numbered("<entry><link href='/e{n}'/></entry>", size)
        + "</feed>"
    )


@attack("text/html", "Content-Encoding: gzip")
def gzip_bomb(size: int) -> bytes:
    """A page that unpacks to a thousand times its size."""
    return gzip.compress(b"<p itemscope>" + b" " * min(size * 100, 60_000_000), mtime=0)


@attack("text/html", "Content-Encoding: gzip")
def gzip_members(size: int) -> bytes:
    """Very many packed pieces, one after the other."""
    return gzip.compress(b"<b>", mtime=0) * (size // 23)


@attack("text/html", "Content-Encoding: deflate, gzip")
def packed_twice(size: int) -> bytes:
    """A bomb in a bomb."""
    return gzip.compress(zlib.compress(b" " * min(size * 100, 60_000_000), 9), mtime=0)


@attack("text/html", "Content-Encoding: zstd")
def zstd_garbage(size: int) -> bytes:
    """The beginning of a zstd frame that wants a huge window."""
    return b"\x28\xb5\x2f\xfd\x00\xff" + b"\xff" * min(size, 1_000)


@attack("application/gzip")
def packed_rdf(size: int) -> bytes:
    """RDF that unpacks to very many statements."""
    return gzip.compress(
        b"<http://a.example/s> <http://a.example/p> <http://a.example/o> .\n" * (size // 10), mtime=0
    )


@attack("application/x-bzip2")
def bzip2_bomb(size: int) -> bytes:
    """A few bytes of bzip2 that unpack to blanks without end."""
    return bz2.compress(b" " * min(size * 100, 50_000_000))


@attack("application/zip")
def zip_of_files(size: int) -> bytes:
    """An archive of more files than are read, with names that lead elsewhere."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for n in range(min(3_000, size // 130)):
            archive.writestr(f"../../{n}.ttl", b"<a:a> <a:b> <a:c> .")
    return buffer.getvalue()


@attack("text/html")
def zip_as_page(size: int) -> bytes:
    """An archive that is declared to be a page."""
    return zip_of_files(size)


@attack("text/html")
def pdf_as_page(size: int) -> bytes:
    """A document of another kind that is declared to be a page."""
    return b"%PDF-1.7\n" + bytes(range(256)) * (size // 256)


@attack("text/html")
def rdf_as_page(size: int) -> str:
    """Turtle that is declared to be a page."""
    return PREFIXES + numbered("a:s{n} a:p a:o .\n", size)


@attack("text/turtle")
def page_as_rdf(size: int) -> str:
    """A page that is declared to be Turtle."""
    return "<!doctype html><html><body>" + numbered(
        "<p itemscope><b itemprop=a>{n}</b><a href=/{n}>x</a></p>", size
    )


@attack("application/json")
def json_as_nothing(size: int) -> str:
    """JSON that is no JSON-LD, until one looks closely."""
    return json.dumps({"a": "x" * 3_000, "@context": {"@vocab": "http://v.example/"}, "b": names(size)})


@attack("text/html; charset=utf-16le")
def charset_lie(size: int) -> str:
    """ASCII that is declared to be UTF-16."""
    return times("<p itemscope><b itemprop=a>x</b>", size)


@attack("text/html")
def utf_16_broken(size: int) -> bytes:
    """UTF-16 of halves of pairs, with a mark that says so."""
    return b"\xff\xfe" + b"<\x00p\x00>\x00\x00\xd8" * (size // 8)


@attack("text/html; charset=punycode")
def charset_of_python(size: int) -> str:
    """An encoding that Python knows, browsers do not, and that takes hours."""
    return times("a-", size)


@attack("application/rdf+xml; charset=iso-2022-jp")
def stateful_charset(size: int) -> bytes:
    """An encoding with states, in all of them."""
    return b"<?xml version='1.0' encoding='iso-2022-jp'?>" + b"\x1b$B\x1b(J\xff" * (size // 7)


@attack("text/html")
def invalid_utf_8(size: int) -> bytes:
    """Bytes that are no characters, in names, values and links."""
    return (
        b"<p itemscope itemtype='http://v.example/\xff'><b itemprop='\xc3('>\xed\xa0\x80<a href='/\xff\x00'>x</a>"
        * (size // 100)
    )


@attack("application/octet-stream")
def random_bytes(size: int) -> bytes:
    """Bytes without any sense, and the same on each machine."""
    return bytes((n * n // 7 + n // 3) % 256 for n in range(min(size, 300_000)))


@attack("text/html")
def nothing(size: int) -> bytes:
    """An answer without a body."""
    return b""
