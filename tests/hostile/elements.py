"""HTML itself: trees, attributes, texts, links, metas."""

from __future__ import annotations

from tests.hostile.corpus import attack, items, names, numbered, times


@attack()
def nested_div(size: int) -> str:
    """The depth of the tree."""
    return times("<div>", size)


@attack()
def nested_formatting(size: int) -> str:
    """The adoption agency: formatting elements that are opened again in each block."""
    return times("<b><i><u><a href=x><p>", size)


@attack()
def formatting_with_attributes(size: int) -> str:
    """Noah's ark: different formatting elements, all opened again in each paragraph."""
    return numbered("<b id=i{n}>", size // 2) + times("<p>x", size // 2)


@attack()
def nested_tables(size: int) -> str:
    """Foster parenting in tables in tables."""
    return times("<table><tr><td>x<table>y", size)


@attack()
def text_in_tables(size: int) -> str:
    """Foster parenting of many pieces of text."""
    return "<table>" + times("x<tr>y", size)


@attack()
def select_in_select(size: int) -> str:
    """Parsing modes of forms that end each other."""
    return times("<select><option><select><optgroup>", size)


@attack()
def misnested_svg(size: int) -> str:
    """Foreign content, left and entered again."""
    return times("<svg><foreignObject><p><math><mi><table>", size)


@attack()
def tiny_elements(size: int) -> str:
    """Elements beyond the cap of those that are read."""
    return "<p itemscope property=dc:title class=h-card>" + times("<i>", size)


@attack()
def tiny_items(size: int) -> str:
    """The most items that a page can have, in three syntaxes."""
    return times("<p itemscope class=h-card typeof=a:a>", size)


@attack()
def one_attribute(size: int) -> str:
    """One attribute as long as the page."""
    return f"<p itemscope itemtype='http://v.example/{'x' * size}'><b itemprop=a>y"


@attack()
def many_attributes(size: int) -> str:
    """An element with nothing but attributes."""
    return f"<p itemscope {numbered(' a{n}', size)}><b itemprop=a>y"


@attack()
def repeated_attributes(size: int) -> str:
    """The same attribute again and again: the first one counts."""
    return f"<p {times(' itemprop=a', size)}>"


@attack()
def xmlns(size: int) -> str:
    """A prefix for each attribute of one element."""
    return f"<html {numbered('xmlns:a{n}=http://{n}.example/ ', size)}><p property=a1:b>x"


@attack()
def xmlns_inherited(size: int) -> str:
    """Many prefixes, and many elements inside that add one more."""
    return f"<div {numbered('xmlns:a{n}=b: ', size // 2)}>" + numbered(
        "<p xmlns:b{n}=c: property=b{n}:x>y</p>", size // 2
    )


@attack()
def xmlns_nested(size: int) -> str:
    """Prefixes that each of 500 levels adds to."""
    level = size // 500
    return "".join(f"<div {numbered(f'xmlns:l{deep}n{{n}}=b: ', level)}property=dc:title>" for deep in range(500))


@attack()
def xmlns_in_xml_literals(size: int) -> str:
    """Prefixes that each outermost element of an XML literal repeats."""
    return f"<div {numbered('xmlns:a{n}=b: ', size // 2)}><p property=dc:title datatype=rdf:XMLLiteral>" + times(
        "<b>x</b>", size // 2
    )


@attack()
def unclosed_comment(size: int) -> str:
    """A comment that never ends, and looks like many."""
    return "<p itemscope><b itemprop=a>x</b>" + times("<!-- -", size)


@attack()
def unclosed_comment_in_script(size: int) -> str:
    """Script data in all its escaped states."""
    return "<script type=application/ld+json>" + times("<!--<script", size)


@attack()
def unclosed_cdata(size: int) -> str:
    """CDATA sections in and out of foreign content."""
    return "<svg>" + times("<![CDATA[ ]] > <", size)


@attack()
def unclosed_tag(size: int) -> str:
    """A tag that never ends."""
    return "<p " + times("a=' ", size)


@attack()
def angle_brackets(size: int) -> str:
    """Beginnings of tags."""
    return times("<", size)


@attack()
def ampersands(size: int) -> str:
    """References to characters, half of them broken."""
    return times("&amp;&ampx&#0;&#xD800;&#99999999;&notit;&CounterClockwiseContourIntegral;", size)


@attack()
def plaintext(size: int) -> str:
    """Text to the end of the page, in an item."""
    return "<p itemscope><b itemprop=a><plaintext>" + times("x <b>", size)


@attack()
def templates(size: int) -> str:
    """Templates in templates, which are emptied one by one."""
    return times("<template>", size)


@attack()
def templates_beside(size: int) -> str:
    """Templates one after the other."""
    return times("<template><p itemscope></template>", size)


@attack()
def frames(size: int) -> str:
    """Framesets with frames."""
    return "<frameset>" + numbered("<frame src=/f{n}>", size)


@attack()
def links_beside(size: int) -> str:
    """More links than are kept."""
    return numbered("<a href=/l{n}>x</a>", size)


@attack()
def links_with_long_anchors(size: int) -> str:
    """Links with texts that must be shortened."""
    return numbered(f"<a href=/l{{n}}>{'word ' * 300}</a>", size)


@attack()
def links_around_links(size: int) -> str:
    """Blocks in links: the text of each is that of all inside."""
    return times("<a href=x><object>word ", size)


@attack()
def areas_around_text(size: int) -> str:
    """Elements that count as links and may nest, around a long text."""
    return "<iframe src=x></iframe><svg>" + times("<a xlink:href=x>", 500 * 16) + times("word ", size)


@attack()
def links_with_images(size: int) -> str:
    """Links without text, of which the images are looked for."""
    return numbered("<a href=/l{n}><i></i><b></b></a>", size)


@attack()
def tables_of_links(size: int) -> str:
    """Rows and rows of links with classes and ids."""
    return "<table>" + numbered("<tr id=r{n} class='a b c{n}'><td class=x{n}><a href=/t{n} id=a{n}>l{n}</a>", size)


@attack()
def link_with_long_url(size: int) -> str:
    """A URL as long as the page, with dots to remove."""
    return f"<a href='/{times('../a/', size)}'>x</a>"


@attack()
def links_with_dots(size: int) -> str:
    """Paths that go up and down."""
    return numbered(f"<a href='{'../a/' * 300}{{n}}'>x</a>", size)


@attack()
def links_with_odd_urls(size: int) -> str:
    """URLs of which each needs the full standard: ports, escapes, brackets, other scripts."""
    return numbered("<a href='//EXÄMPLE.example:80/%7e[{n}]|^`{{}}\\\\x?a=[b]&c=%zz#d#e'>é</a>", size)


@attack()
def links_with_sessions(size: int) -> str:
    """URLs that lose parts of their path and query, again and again."""
    return numbered(
        "<a href='/a;jsessionid=1;sid=3/(S(0123456789abcdefghijklmn))/{n}?utm_a=1&sid=0123456789abcdef'>x</a>",
        size,
    )


@attack()
def links_to_hosts(size: int) -> str:
    """Each link leads to a host of its own."""
    return numbered("<a href=http://h{n}.example/>x</a>", size)


@attack()
def base_games(size: int) -> str:
    """Many bases, the first of them long and full of dots."""
    return f"<base href='/{'../b/' * 400}'>" + numbered("<base href=/b{n}/><a href={n}>x</a>", size)


@attack()
def canonical_games(size: int) -> str:
    """Canonical URLs of all kinds, of this page and of others."""
    return "<link rel=canonical href=http://good0.example/><meta name=robots content=noindex,nofollow>" + numbered(
        "<link rel='canonical alternate' href='http://good{n}.example/p1'>", size
    )


@attack()
def refreshes(size: int) -> str:
    """Metas that lead elsewhere, with blanks before their URL."""
    return numbered(f"<meta http-equiv=refresh content='0{' ' * 500};{' ' * 500}url{' ' * 500}=/r{{n}}'>", size)


@attack()
def words_in_rel(size: int) -> str:
    """Link types as long as the page."""
    return f"<a href=x rel='{names(size)}'>x</a>"


@attack()
def rels_with_many_words(size: int) -> str:
    """Link types on many links."""
    return numbered(f"<a href=/l{{n}} rel='{names(2_000)}'>x</a>", size)


@attack()
def one_class(size: int) -> str:
    """A class attribute with as many names as fit."""
    return f"<p class='h-card {names(size, 'p-')}'>x"


@attack()
def distinct_classes(size: int) -> str:
    """A class attribute of its own for each element: nothing can be remembered."""
    return "<div class=h-card>" + numbered("<b class='p-a u-{n}-x n{n}'>y</b>", size)


@attack()
def distinct_ids(size: int) -> str:
    """Names of elements in tag paths that never repeat."""
    return numbered("<div id=a{n} class='b{n} c{n}'><a href=/{n}>x</a></div>", size)


@attack()
def opengraph_names(size: int) -> str:
    """Each name in one property repeats the content."""
    return f"<meta property='{names(size // 2, 'og:')}' content='{times('word ', size // 2)}'>"


@attack()
def metas(size: int) -> str:
    """Metas of all vocabularies, without end."""
    return numbered("<meta property=og:a{n} name='twitter:b{n} dc.c{n}' content=x>", size)


@attack()
def robots_metas(size: int) -> str:
    """Words for robots."""
    return f"<meta name=robots content='{times('a:b,', size)}'>"


@attack()
def blank_page(size: int) -> str:
    """White space of all kinds."""
    return times(" \n\t\r\f\u00a0\u2003", size)


@attack()
def marks_of_the_text_around_links(size: int) -> str:
    """The character that stands for links inside the extractor, and others like it."""
    return times("\0\ufffd\ufffe<a href=x>\0</a>", size)


@attack()
def items_of_all_kinds(size: int) -> str:
    """Every syntax at once: the time of a page is the sum of all."""
    return (
        '<script type="application/ld+json">{"@context":"https://schema.org/","@graph":['
        + ",".join(items('{{"@type":"Thing","name":"{n}"}}', size // 4))
        + "]}</script>"
        + numbered("<p itemscope itemtype=http://schema.org/Thing><b itemprop=name>{n}</b>", size // 4)
        + numbered("<p vocab=http://schema.org/ typeof=Thing><b property=name>{n}</b>", size // 4)
        + numbered("<p class=h-card><b class=p-name>{n}</b><a href=/{n}>x</a>", size // 4)
    )
