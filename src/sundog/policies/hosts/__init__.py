"""Choosing among hosts, or among page templates of hosts: an estimator orders the pages of an arm, a strategy
ranks the arms."""
