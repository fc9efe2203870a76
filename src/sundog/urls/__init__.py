"""URLs and IRIs. ``identity``, ``hosts``, ``iris``, ``references`` and ``revisits`` are plain Python; ``shapes``
and ``tokens`` are kernels over bytes."""
