"""The desk: pictures and films that are open, the brain that looks at them, lessons, edits, history."""
