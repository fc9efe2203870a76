"""What all parts agree on about RDF: terms as text, namespaces and prefixes, which SPARQL may run."""
