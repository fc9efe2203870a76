"""Tells people and programs that a crawl has ended or needs attention: by e-mail, by webhook."""
