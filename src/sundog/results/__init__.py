"""sundog.results"""
