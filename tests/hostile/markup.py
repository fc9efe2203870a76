"""Microdata, RDFa and microformats in pages."""

from __future__ import annotations

from tests.hostile.corpus import attack, items, names, numbered, times


@attack()
def itemprop_names(size: int) -> str:
    """Each name in one itemprop repeats the text."""
    return f"<p itemscope itemtype=http://v.example/T><b itemprop='{names(size // 2)}'>{times('word ', size // 2)}"


@attack()
def nested_itemprops(size: int) -> str:
    """500 properties around one text: each has all of it."""
    return "<div itemscope>" + "<div itemprop=a>" * 500 + times("word ", size)


@attack()
def nested_items(size: int) -> str:
    """Items that are properties of items."""
    return times("<div itemscope itemprop=a>", size)


@attack()
def itemref_cycle(size: int) -> str:
    """Each item refers to the next one, the last to the first."""
    found = items("<p id=i{n} itemscope itemprop=p itemref=", size * 3 // 4)
    return "<p itemscope itemref=i0></p>" + "".join(
        f"{each}i{(n + 1) % len(found)}></p>" for n, each in enumerate(found)
    )


@attack()
def itemref_fan(size: int) -> str:
    """Each item refers to all others."""
    many = int((size / 9) ** 0.5)
    every = " ".join(f"i{n}" for n in range(many))
    return "".join(f"<p id=i{n} itemscope itemprop=p itemref='{every}'></p>" for n in range(many))


@attack()
def itemref_to_everything(size: int) -> str:
    """Many items share a part of the page that has many properties."""
    return (
        numbered("<p itemscope itemref=all>{n}</p>", size // 2)
        + "<div id=all>"
        + times("<b itemprop=a>x</b>", size // 2)
    )


@attack()
def itemref_to_around(size: int) -> str:
    """Items refer to what they are in."""
    return "<div id=all itemscope>" + times("<p itemprop=a itemscope itemref=all>", size)


@attack()
def items_in_two_vocabularies(size: int) -> str:
    """An item without type is read again in each vocabulary that refers to it."""
    return (
        numbered("<p itemscope itemtype=http://v{n}.example/T itemref=x></p>", size // 2)
        + "<div id=x itemprop=a itemscope>"
        + numbered("<b itemprop=p{n}>y</b>", size // 2)
    )


@attack()
def item_types(size: int) -> str:
    """An item of very many types."""
    return f"<p itemscope itemtype='{names(size, 'http://v.example/')}'><b itemprop=a>x"


@attack()
def reverse_items(size: int) -> str:
    """Items that name what they are properties of, both ways."""
    return "<div itemscope>" + times("<p itemscope itemprop=a itemprop-reverse='a b c'>", size)


@attack()
def lost_items(size: int) -> str:
    """Items in no other item."""
    return times("<p itemscope itemprop=a><b itemprop=c>x</b></p>", size)


@attack()
def languages_far_above(size: int) -> str:
    """Each value looks for its language at the top of a deep tree."""
    return "<div lang=en>" + "<div>" * 490 + "<p itemscope>" + times("<b itemprop=a>x</b>", size)


@attack()
def property_names(size: int) -> str:
    """Each name in one RDFa property repeats the text."""
    return f"<p vocab=http://v.example/ property='{names(size // 2)}'>{times('word ', size // 2)}"


@attack()
def nested_properties(size: int) -> str:
    """500 properties around one text."""
    return "<div property=dc:title>" * 500 + times("word ", size)


@attack()
def nested_html_literals(size: int) -> str:
    """Literals of markup inside literals of markup."""
    return (
        "<div property=dc:title datatype=rdf:HTML>" * 250
        + "<p property=dc:a datatype=rdf:XMLLiteral>" * 200
        + times("<b>x</b>", size)
    )


@attack()
def rel_and_children(size: int) -> str:
    """Each relation of an element holds for each child that names something."""
    return f"<p rel='{names(size // 2, 'foaf:')}'>" + times("<a href=x></a>", size // 2)


@attack()
def nested_rel(size: int) -> str:
    """Relations that wait for an object, at each level: whoever names one is looked for inside all of them."""
    return times("<div rel=foaf:knows>", size // 2) + times("<a href=x></a>", size // 2)


@attack()
def rel_in_lists(size: int) -> str:
    """The same relations, kept in lists until the end."""
    return f"<p inlist rel='{names(size // 2, 'foaf:')}'>" + times("<a href=x></a>", size // 2)


@attack()
def nested_types(size: int) -> str:
    """A chain of subjects as deep as the tree."""
    return times("<p typeof=foaf:Agent property=foaf:knows rel=foaf:a rev=foaf:b inlist>", size)


@attack()
def prefix_fan(size: int) -> str:
    """As many prefixes as fit, then a name for each."""
    return f"<div prefix='{' '.join(items('a{n}: http://{n}.example/', size // 2))}'>" + numbered(
        "<b property=a{n}:x>y</b>", size // 2
    )


@attack()
def prefixes_at_each_level(size: int) -> str:
    """Prefixes are copied for each element that adds one."""
    return f"<div prefix='{' '.join(items('a{n}: b:', size // 2))}'>" + numbered(
        "<b prefix='b{n}: c:' property=b{n}:x>y</b>", size // 2
    )


@attack()
def vocabularies(size: int) -> str:
    """A vocabulary of its own for each element: nothing can be remembered."""
    return numbered("<b vocab=http://v{n}.example/ property='a b c'>y</b>", size)


@attack()
def long_vocabulary(size: int) -> str:
    """A vocabulary that makes every name long."""
    return f"<div vocab='http://v.example/{'x' * (size // 2)}/'>" + times("<b property=a>y</b>", size // 2)


@attack()
def one_name_in_many_vocabularies(size: int) -> str:
    """The same long property in changing vocabularies."""
    some = names(5_000)
    return numbered(f"<b vocab=http://v{{n}}.example/ property='{some}'>y</b>", size)


@attack()
def copied_patterns(size: int) -> str:
    """A pattern with many properties, copied very often."""
    return (
        f"<div resource='#p' typeof=rdfa:Pattern>{numbered('<b property=dc:a{n}>x</b>', size // 2)}</div>"
        + numbered("<div about='#{n}'><link property=rdfa:copy href='#p'></div>", size // 2)
    )


@attack()
def patterns_in_circles(size: int) -> str:
    """Patterns that copy the next pattern, and subjects that copy them all."""
    found = items("<div resource='#p{n}' typeof=rdfa:Pattern><b property=dc:a>{n}</b>", size // 2)
    return "".join(
        f"{each}<link property=rdfa:copy href='#p{(n + 1) % len(found)}'></div>" for n, each in enumerate(found)
    ) + numbered("<div about='#{n}'><link property=rdfa:copy href='#p{n}'></div>", size // 4)


@attack()
def rdfa_lists(size: int) -> str:
    """One list of everything."""
    return "<div vocab=http://v.example/>" + times("<b inlist property=a>x</b>", size)


@attack()
def typed_links(size: int) -> str:
    """Relations with a colon on a page that has RDFa."""
    return "<p typeof=foaf:Agent>" + numbered("<link rel='a:b{n} license' href=x>", size)


@attack()
def nested_cards(size: int) -> str:
    """Items in items, each the author of the one around it."""
    return times("<div class='p-author h-card'>", size)


@attack()
def implied_properties(size: int) -> str:
    """Names, photos and URLs that must be looked for in each of nested items."""
    return times("<div class=h-card><a><img><object>", size)


@attack()
def implied_names(size: int) -> str:
    """Each of many items has all the text below it as its name."""
    return times("<div class=h-entry>", 400 * 19) + times("word ", size)


@attack()
def nested_content(size: int) -> str:
    """Properties of all four kinds around one text."""
    return "<div class=h-entry>" + "<div class='p-a u-b dt-c e-content'>" * 120 + times("word ", size)


@attack()
def doubtful_roots(size: int) -> str:
    """Roots that wait for evidence, which is at the very end."""
    return times("<p class=h-box>", size) + "<b class=p-name>x"


@attack()
def value_classes(size: int) -> str:
    """Values in pieces, nested in properties that look for them."""
    return "<div class=h-event>" + times("<div class=dt-start><b class=value>12:00</b>", size)


@attack()
def times_without_date(size: int) -> str:
    """Times that wait for a date, and dates that come late."""
    return "<div class=h-event>" + times("<b class=dt-start>12:00</b>", size) + "<b class=dt-end>2020-01-01</b>"


@attack()
def images_in_names(size: int) -> str:
    """Texts with images, whose URLs are resolved for each item around them."""
    return times("<div class='h-entry p-name'>", 300 * 28) + times("<img src=x>", size)


@attack()
def includes(size: int) -> str:
    """Classic items that take in large parts of the page."""
    return f"<div id=all>{times('<b class=fn>x</b>', size // 2)}</div>" + times(
        "<div class=vcard><a class=include href=#all></a></div>", size // 2
    )


@attack()
def includes_in_includes(size: int) -> str:
    """Classic items that include each other."""
    return numbered(
        "<div id=v{n} class=vcard><a class=include href=#v{n}></a><a class=include href=#v1></a>", size
    )


@attack()
def table_headers(size: int) -> str:
    """Cells that name headers, which are looked through for properties."""
    return f"<table><tr><th id=h>{times('<i></i>', size // 2)}</th></tr><tr class=vcard>" + times(
        "<td headers='h h h'><b class=fn>x</b></td>", size // 2
    )


@attack()
def classic_rels(size: int) -> str:
    """Link relations as properties of classic items."""
    return "<div class=hentry>" + numbered("<a rel='tag bookmark' href=/tag/{n}>x</a>", size)
