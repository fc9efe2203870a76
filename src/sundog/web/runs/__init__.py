"""sundog.web.runs"""
