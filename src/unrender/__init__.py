"""unrender turns a picture back into the scene it was drawn from, and draws that scene again.

>>> import unrender
>>> brain = unrender.open()
>>> picture = brain.draw("triangle", position=(30, 40), size=(40, 40), red=1)
>>> scene = brain.see(picture)
>>> print(scene.describe())
There is a triangle in the middle of the picture. It is red and filled.
"""

from typing import TYPE_CHECKING

from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.agent.causes import Cause
    from unrender.agent.loop import attend
    from unrender.agent.question import Answer, Question
    from unrender.brain import Brain, open
    from unrender.film.film import Film
    from unrender.grammar.grammar import Grammar
    from unrender.scene import Observation, Scene

__all__ = [
    "Answer",
    "Brain",
    "Cause",
    "Film",
    "Grammar",
    "Observation",
    "Question",
    "Scene",
    "UnrenderError",
    "attend",
    "open",
]
__version__ = "0.1.0"

_HOMES = {
    "Answer": "unrender.agent.question",
    "Cause": "unrender.agent.causes",
    "Question": "unrender.agent.question",
    "attend": "unrender.agent.loop",
    "Brain": "unrender.brain",
    "Film": "unrender.film.film",
    "Grammar": "unrender.grammar.grammar",
    "Observation": "unrender.scene",
    "Scene": "unrender.scene",
    "open": "unrender.brain",
}


def __getattr__(name: str) -> object:
    """Import a public name, and what it needs, when it is first asked for: `import unrender` stays fast."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
