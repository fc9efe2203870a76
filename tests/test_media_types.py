"""One table of media types and endings: what must agree with it, and what must stay letter for letter."""

from __future__ import annotations

import re

import pytest

from sundog.extract.media import kind_of
from sundog.extract.rdf import FORMATS as PARSED
from sundog.fetch.fetcher import ACCEPT, ACCEPT_RDF
from sundog.fetch.link_headers import rdf_links
from sundog.media_types import (
    BYTES_TYPES,
    DATA_TYPES,
    HTML,
    NO_PAGES,
    PACKED_TYPES,
    RDF_FORMATS,
    RDF_TYPES,
    STANDARD_RDF_TYPES,
    Format,
    is_rdf_file,
)
from sundog.policies.linked import rdf_hints


def test_every_format_of_rdf_can_be_read() -> None:
    assert {each.kind for each in RDF_FORMATS} == {*PARSED, "jsonld"}


def test_what_is_asked_for_is_what_there_is() -> None:
    asked = set(re.findall(r"\w+/[\w+-]+", ACCEPT_RDF))
    assert asked == {*STANDARD_RDF_TYPES, *HTML.types}
    assert set(re.findall(r"\w+/[\w+-]+", ACCEPT)) <= asked


@pytest.mark.parametrize("each", RDF_FORMATS, ids=lambda each: each.kind)
def test_types_and_endings_give_the_kind(each: Format) -> None:
    assert {kind_of(name, "", b"") for name in each.types} == {each.kind}
    urls = [f"http://a.example/x.{ending.upper()}.GZ" for ending in each.endings]
    assert {kind_of(BYTES_TYPES[0], url, b"") for url in urls} == {each.kind}


@pytest.mark.parametrize("name", sorted(RDF_TYPES))
def test_a_content_type_of_rdf_decides(name: str) -> None:
    assert rdf_hints.by_content_type(name) == rdf_hints.YES
    assert name in DATA_TYPES


@pytest.mark.parametrize("name", [*PACKED_TYPES, *BYTES_TYPES])
def test_what_may_be_a_dump_is_not_ruled_out_by_its_type(name: str) -> None:
    """Whichever of its many names the server knows."""
    assert rdf_hints.by_content_type(name) == rdf_hints.HARD


def test_endings_by_which_simulated_crawls_decide_stay() -> None:
    """A change here changes the figures of ldcoc and ldspider."""
    assert set(rdf_hints.RDF_EXTENSIONS) == set("rdf rdfs owl ttl n3 nt nq trig trix jsonld".split())
    assert set(rdf_hints.PACKED_EXTENSIONS) == set("gz bz2 zip".split())
    assert set(rdf_hints.PAGE_EXTENSIONS) == set("html htm xhtml shtml txt".split())
    assert set(rdf_hints.OTHER_EXTENSIONS) == set(
        "jpg jpeg png gif svg ico bmp tif webp pdf ps doc docx odt xls xlsx ods ppt pptx odp tgz xz rar tar exe "
        "dmg iso jar mp3 ogg wav flac mp4 avi mov flv mpg mpeg wmv webm css js swf woff ttf eot csv".split()
    )
    assert set(rdf_hints.NOT_RULED_OUT) <= NO_PAGES


def test_files_of_rdf_whatever_the_case() -> None:
    for name in ("x.ttl", "x.RDF", "x.rdfs", "x.nq.bz2", "x.NT.GZ?download=1", "x.jsonld#it"):
        assert is_rdf_file(f"http://a.example/{name}"), name
    for name in ("x", "x.zip", "x.html", "ttl", "x.ttl/y", "x?f=ttl"):
        assert not is_rdf_file(f"http://a.example/{name}"), name


def test_json_is_no_rdf_in_link_headers() -> None:
    """Every page of WordPress names its API so."""
    api = b'<https://a.example/wp-json/wp/v2/pages/1>; rel="alternate"; title="JSON"; type="application/json"'
    assert rdf_links([(b"Link", api)]) == []
    data = b'</1.jsonld>; rel=meta; type="application/ld+json", </1.ttl>; rel=meta; type=application/x-turtle'
    assert [link.target for link in rdf_links([(b"Link", data)])] == ["/1.jsonld", "/1.ttl"]
