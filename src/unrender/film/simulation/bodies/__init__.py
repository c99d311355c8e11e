"""What a film knows of each body: its form, and where it was in every frame.

`trajectory.py` is the type that everything else works on, `geometry.py` how far two bodies are apart.
`seen.py` makes trajectories of the tracks of a film, by `ends.py` also of boxes of which an end is hidden;
`hidden.py` takes away what bodies only seem to have behind others, `beyond.py` adds what still ones have
behind the border of the picture.
"""
