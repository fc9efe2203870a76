"""sundog.frontier.thompson"""
