"""HTTP for a crawl: one page at a time, with a bound on everything that a server can do to us.

``fetcher`` makes requests, ``values`` has what comes of them, ``polite`` adds ``robots`` and ``pace``,
``sitemaps`` reads lists of pages. ``pace``, ``robots`` and ``sitemaps`` do not load aiohttp.
"""
