"""What `sundog` does where links carry scores: its index of hosts, mixed with estimators of scored graphs."""
