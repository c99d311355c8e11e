"""Films: what moves in them, how, and why."""
