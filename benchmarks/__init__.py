"""Long runs that measure the product; every figure stands beside its baseline from the same run."""
