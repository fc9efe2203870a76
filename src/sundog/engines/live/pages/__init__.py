"""sundog.engines.live.pages"""
