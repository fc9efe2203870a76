"""A small web whose sites are built by scripts, in the ways in which real ones are; and some that attack.

``python -m examples.script_web --port 8090`` serves all its hosts from one port.
"""
