"""When a page is worth another visit, how often pages change, and whom to believe. No I/O, no clock."""
