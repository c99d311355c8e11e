"""The agent that asks about what it does not understand."""
