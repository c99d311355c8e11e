"""The results of the paper, told again: two timelines, and a report about them."""
