"""Who may ask, and for what: everything that is checked before a request reaches the application."""
