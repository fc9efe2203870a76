"""Policies: an estimator that scores candidates and a strategy that picks among arms, under a name."""
