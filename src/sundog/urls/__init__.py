"""Everything about an address, once. Plain Python: identity, hosts, iris, references, revisits. Kernels over
bytes: shapes, tokens."""
