"""Small files of native RDF with every construct of their syntaxes, by content type: what the fuzzer mutates."""

from __future__ import annotations

import bz2
import gzip

TURTLE = b"""@base <http://a.example/dir/> . PREFIX v: <http://v.example/>
# a comment
<x> a v:Thing , <#Other> ; v:p [ v:q ( 1 2.5 -3e4 true "a" [] ) ; v:r _:b ] .
_:b v:says "hello\\n\\u00e9"@en-GB , '''long "text"
over lines''' , "2020-01-01"^^<http://www.w3.org/2001/XMLSchema#date> ; v:p v:x%20y .
<< <s> v:p <o> >> v:since 2001 . <s> v:p <<( <s> v:p "o" )>> {| v:source <d> |} .
"""
GRAPHS = b"""
<graph> { <s> v:p <o> . _:g v:q () } GRAPH v:two { v:a v:b "c" } { v:d v:e v:f }
"""
TRIG = TURTLE + GRAPHS
LINES = b"""<http://a.example/s> <http://v.example/p> "x\\t\\"y\\"\\U0001F31E"@en . # a comment
_:a <http://v.example/p> _:b <http://a.example/g> .
<http://a.example/s> <http://v.example/n> "1"^^<http://www.w3.org/2001/XMLSchema#integer> _:g .
<http://a.example/s> <http://v.example/p> <<( <http://a.example/s> <http://v.example/p> "o" )>> .
"""
N3 = b"""@prefix v: <http://v.example/> .
{ ?x v:p ?y } => { ?y v:q ?x } . <a> = <b> ; v:r is v:p of <c> ; ^v:s <d> .
"""
RDF_XML = b"""<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE rdf:RDF [ <!ENTITY v "http://v.example/"> <!ENTITY w '&v;w'> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:v="&v;" xml:base="http://a.example/dir/">
<!-- a comment --><v:Thing rdf:about="x y" v:name="n &amp; m" xml:lang="en"><v:p rdf:resource="&w;"/>
<v:q rdf:parseType="Resource"><v:r rdf:datatype="&v;t">1</v:r></v:q><rdf:li>one</rdf:li><rdf:li rdf:nodeID="b"/>
<v:l rdf:parseType="Collection"><rdf:Description rdf:ID="i"/><rdf:Bag/></v:l>
<v:m rdf:parseType="Literal"><b xmlns="http://x.example/">bold</b> <![CDATA[<i>]]></v:m></v:Thing></rdf:RDF>
"""
JSON_LD = b"""{"@context": [{"@vocab": "http://v.example/", "v": "http://v.example/", "@base": "http://a.example/d/",
"knows": {"@id": "v:knows", "@type": "@id", "@container": "@set"}, "back": {"@reverse": "v:of"},
"names": {"@id": "v:name", "@container": "@language"}, "l": {"@container": "@list"}, "j": {"@type": "@json"},
"inner": {"@id": "v:in", "@context": {"@propagate": false, "k": null}}}, "http://c.example/context.jsonld"],
"@graph": [{"@id": "#x", "@type": ["Thing", "v:Other"],
"knows": ["y", "_:b"], "back": {"@id": "z"}, "j": {"a": [1]},
"names": {"en": "n", "de": ["m", null]}, "l": [1, 2.5, true, {"@value": "x", "@language": "en"}],
"inner": {"k": {"@list": [[1], []]}}, "@included": [{"@id": "w", "@graph": {"p": "q"}}], "@index": "i"}]}
"""

SAMPLES = [
    ("text/turtle", TURTLE),
    ("application/trig", TRIG),
    ("application/n-triples", LINES),
    ("application/n-quads", LINES),
    ("text/n3", N3),
    ("application/rdf+xml", RDF_XML),
    ("application/ld+json", JSON_LD),
    ("application/gzip", gzip.compress(LINES, mtime=0)),
    ("application/bzip2", bz2.compress(TRIG)),
]
