"""The local site: many crawls, begun, watched and read in a browser. docs/web.md describes it."""
