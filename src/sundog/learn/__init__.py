"""Online learners over hashed binary features, each a pair of kernels: ``predict`` and ``learn``."""
