"""Odd addresses: a corpus of real links (one of each kind that pages of 118 sites have) and of well-known odd
forms, and more of them by Hypothesis."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import strategies as st

CORPUS: list[str] = [
    json.loads(line)
    for line in (Path(__file__).parent / "odd_urls.jsonl").read_text(encoding="ascii").splitlines()
]

# Every code point has its place: all of ASCII often, those that parsers treat in their own way, and any other.
odd_characters = (
    st.characters(max_codepoint=0x7F)
    | st.sampled_from(
        "[]{}|^`\"<>\\ %#?/;:@&=+$,'()*!~._-\t\r\n\x00\x7f\x80\x9f\u00ad\u200b\u202e\ufeff\ufffe\uffff"
    )
    | st.characters()  # also lone surrogates
)
odd_words = st.sampled_from(
    ". .. ... / // ; ? # ## & && = %2e %2E%2e %2F %5C %00 %0D%0A %41 %7e %c3%a9 %E9 %zz % %% %4 %% [x] [] {a} é "
    "日本 😀 e\u0301 index.html ;jsessionid=1 sid=0123456789abcdef utm_a=1 a:b @me http://b.example/ ~ *".split()
)
odd_parts = st.lists(odd_words | st.text(odd_characters, max_size=4), max_size=8).map("".join)
odd_hosts = st.sampled_from(
    "a.example A.Example a.example. a.example:80 a.example:8080 a_b.example xn--mnchen-3ya.example "
    "münchen.example faß.example 日本語.example ａ.example a。example a%2Eexample -a.example 1.2.3.4 0x08080808 "
    "[2606:4700:4700::1111] [2606:4700:4700::1111]:8080 me@a.example me:pw@a.example a..example xn--a.example "
    "a.example:99999 [::1] 127.0.0.1 a^b.example".split()
)
odd_urls = st.builds("http://{}/{}".format, odd_hosts, odd_parts)
odd_references = odd_urls | odd_parts.map("/".__add__) | odd_parts.map("?".__add__) | odd_parts
