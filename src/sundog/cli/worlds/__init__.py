"""Commands that make worlds, and simulate crawls of them."""
