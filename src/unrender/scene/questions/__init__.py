"""Questions about a scene: English words, a small program over the scene graph, an answer with its steps."""
