"""The local site: many crawls, begun, watched and read in a browser. docs/web.md describes it."""

# How it is started unless the user asks for something else; the command line reads them before it loads the site.
DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765
DEFAULT_AT_ONCE = 4  # crawls
DEFAULT_QUERY_SECONDS = 1.0  # for a SPARQL query
