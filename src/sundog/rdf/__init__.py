"""sundog.rdf"""
