"""Pages of the Web: read, judged, and what is kept of them."""
