"""Objects: what one example, or a few, change in the network."""
