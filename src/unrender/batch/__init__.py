"""Many pictures: where they come from, who looks at them, and where what was seen goes."""
