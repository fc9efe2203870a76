"""A template for packages that add to Sundog."""
