"""Choosing among arms: hosts, or page templates of hosts. An estimator orders the pages of an arm, a strategy
ranks the arms."""
