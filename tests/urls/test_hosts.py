"""Hosts of URLs: one answer in Python, in the views of a crawl's database and in kernels."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sundog.frontier.catalog import Catalog
from sundog.store.database import VIEWS
from sundog.urls.hosts import host_of, origin_of, registered_domain, split_host, without_port
from sundog.urls.identity import identity

NAMES = st.text("abcxyz019.-", min_size=1, max_size=12)
HOSTS = st.one_of(NAMES, st.just("[2001:db8::1]"), st.just("xn--bcher-kva.example"))
PORTS = st.sampled_from(["", ":80", ":8443"])
USERS = st.sampled_from(["", "", "me@", "me:secret@"])
REST = st.one_of(st.just(""), st.from_regex(r"[/?#][a-z@:/?#%é]{0,12}", fullmatch=True))
URLS = st.builds(
    lambda *parts: "".join(parts), st.sampled_from(["http://", "https://"]), USERS, HOSTS, PORTS, REST
)


@settings(deadline=None)
@given(URLS)
@example("http://a.example?next=http://b.example/")
@example("http://a.example#me@b.example")
def test_python_the_database_and_kernels_agree(url: str) -> None:
    with closing(sqlite3.connect(":memory:")) as database:
        view = VIEWS[VIEWS.index("CREATE VIEW hosts_of_urls") : VIEWS.index("CREATE VIEW pages")]
        database.executescript(f"CREATE TABLE urls(id INTEGER, url TEXT); {view}")
        database.execute("INSERT INTO urls VALUES (0, ?)", (url,))
        ((found,),) = database.execute("SELECT host FROM hosts_of_urls").fetchall()
    catalog = Catalog()
    catalog.add([url])
    assert host_of(url) == found == catalog.host_name(0)


@given(URLS)
@example("http://a.example?x/y")
def test_a_url_is_its_origin_and_the_rest(url: str) -> None:
    host, rest = split_host(url)
    assert origin_of(url) + rest == url
    assert origin_of(url).endswith(host)
    assert host.startswith(without_port(host))


@given(URLS)
def test_a_page_is_at_the_host_of_its_one_name(url: str) -> None:
    name = identity(url)
    if name is not None:
        assert host_of(name).rpartition("@")[2] == host_of(name)
        assert split_host(name)[1].startswith("/")


@pytest.mark.parametrize("text", ["", "/x", "a.example/x", "mailto:me@a.example", "x?http://a.example/"])
def test_what_is_no_url_has_no_host(text: str) -> None:
    assert (host_of(text), origin_of(text)) == ("", "")


def test_ports_play_no_part_in_domains() -> None:
    assert registered_domain("www.shop.co.uk:8443") == "shop.co.uk"
    assert registered_domain("[::1]:80") == "[::1]"


def test_the_list_of_suffixes_is_loaded_when_it_is_needed() -> None:
    program = "import sys, sundog.urls.hosts; print('tldextract' in sys.modules, 'requests' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
