"""Hosts whose scripts only count visitors. Tag managers are not among them: they write data into pages."""

from __future__ import annotations

from typing import Final

TRACKERS: Final = frozenset(
    """google-analytics.com doubleclick.net googlesyndication.com googleadservices.com adservice.google.com
    connect.facebook.net hotjar.com hotjar.io clarity.ms mouseflow.com fullstory.com segment.io segment.com
    mixpanel.com amplitude.com heapanalytics.com newrelic.com nr-data.net sentry.io bugsnag.com datadoghq.com
    scorecardresearch.com quantserve.com chartbeat.com chartbeat.net criteo.com criteo.net taboola.com
    outbrain.com adnxs.com rubiconproject.com pubmatic.com amazon-adsystem.com bat.bing.com snap.licdn.com
    analytics.tiktok.com static.ads-twitter.com matomo.cloud plausible.io cloudflareinsights.com
    optimizely.com crazyegg.com intercom.io drift.com zopim.com mc.yandex.ru""".split()
)


def is_tracker(hostname: str) -> bool:
    """
    >>> is_tracker("www.google-analytics.com"), is_tracker("www.googletagmanager.com"), is_tracker("a.example")
    (True, False, False)
    """
    labels = hostname.lower().split(".")
    return any(".".join(labels[at:]) in TRACKERS for at in range(len(labels) - 1))
