"""Long runs that measure Sundog; every figure has a baseline from the same run."""
