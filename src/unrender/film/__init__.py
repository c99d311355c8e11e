"""Films: video in; tracks, motion, verbs and simulation out. Read `film.py` first."""
