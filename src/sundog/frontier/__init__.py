"""The array frontier: millions of candidates, hundreds of thousands of arms, no Python object for any.

A *candidate* is a URL that may be fetched, known by a dense integer id. An *arm* is a queue of
candidates that a strategy can choose: a host, or a page template of a host. A *host* is what rests.
"""
