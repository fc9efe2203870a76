"""A crawler is four queries: data, link, stop and result patterns over pages and the crawl graph.

``runner`` is the side of the crawl; ``page_child`` and its like are the processes in which queries run, and load
neither spec nor kernels: this package imports nothing by itself.
"""
