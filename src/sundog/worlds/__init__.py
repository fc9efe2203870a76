"""Where outcomes come from: static graphs on disk, and synthetic webs that are written as such."""
