"""benchmarks.live"""
