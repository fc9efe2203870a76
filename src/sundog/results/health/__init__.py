"""What broke, where, since when, and why: every host and template compared with its own past, round by round."""
