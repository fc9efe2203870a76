"""sundog.web.watch"""
