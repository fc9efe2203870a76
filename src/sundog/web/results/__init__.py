"""sundog.web.results"""
