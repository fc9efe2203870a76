"""HTTP for a crawl: one page at a time, with a bound on everything that a server can do to us.

``fetcher`` makes requests, ``values`` has what comes of them, ``robots`` and ``pace`` keep us polite,
``sitemaps`` reads lists of pages. ``pace``, ``robots`` and ``sitemaps`` do not load aiohttp.
"""
