"""Everything about an address, once."""
