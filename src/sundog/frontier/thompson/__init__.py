"""Thompson sampling over hundreds of thousands of arms; ``sampling`` is what others use."""
