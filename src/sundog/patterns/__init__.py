"""A crawler is four queries: data, link, stop and result patterns over pages and the crawl graph.

``runner`` is the side of the crawl; ``child`` is the process in which queries run, and loads neither spec nor
kernels: this package imports nothing by itself.
"""
