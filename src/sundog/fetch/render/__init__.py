"""Pages as a browser shows them: a pool of browsers that have no network of their own, and what answers them.

The extra ``render`` has Playwright; Chromium is the system's. Nothing here is imported before a page is rendered.
"""
