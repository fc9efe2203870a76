"""RDF as all parts of the package write it: terms as text, namespaces and prefixes, which SPARQL may run."""
