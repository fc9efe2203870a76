"""sundog.web.new"""
