"""sundog.policies.hosts"""
