"""Elements of the page that need JavaScript of their own, each beside its file."""
