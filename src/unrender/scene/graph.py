"""The scene graph: what `see` returns and what a world knows to be true."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.scene import pixels, reading
from unrender.scene.edit.propagate import (
    Moment,
    Produce,
    Values,
    carry_down,
    check_values,
    keep_one_colour,
    values_of,
)
from unrender.scene.observation import Observation, short
from unrender.scene.residual import Residual
from unrender.scene.tracking.tracks import Tracks

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from supervision import Detections

    from unrender.agent.question import Question
    from unrender.scene.edit.commands import Edited
    from unrender.scene.questions.answer import Answer


KINDS = 3  # of objects that `repr` tells
UNDONE = 100  # edits that can be taken back


class Scene:
    """Observed parse-trees on a canvas. `axioms` are their tops, back to front.

    >>> from unrender import Observation, Scene
    >>> looks = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
    >>> scene = Scene(40, 30, [Observation("circle", (20, 15), (10, 10), 0.0, looks)])
    >>> scene
    <Scene 40x30 px, 1 object: 1 circle>
    >>> scene.image.shape
    (30, 40, 3)
    >>> scene.ask("what colour is the circle?").value
    'red'
    >>> scene.edit("circle.1.x+=5", "circle.1.colour=blue")
    ['circle.1']
    >>> scene.image[15, 25].tolist()
    [0, 0, 255]
    >>> Scene.from_dict(scene.to_dict()).describe() == scene.describe()
    True
    """

    def __init__(
        self,
        width: int,
        height: int,
        axioms: list[Observation],
        background: NDArray[np.uint8] | tuple[int, int, int] = (0, 0, 0),
    ) -> None:
        self.width = width
        self.height = height
        self.axioms = axioms
        self.background: NDArray[np.uint8] = np.empty((height, width, 3), np.uint8)
        try:
            self.background[:] = background
        except (TypeError, ValueError, OverflowError):
            raise UnrenderError(
                f"The background must be one colour or an array of {height}x{width}x3."
            ) from None
        for node in self.observations:
            node.scene = self
        self.picture: NDArray[np.uint8] | None = None  # what was seen, where it was kept
        self.scale = 1.0  # pixels here for one of the original: less than 1 if it was too large to be seen
        self.residual = Residual.none(width, height)  # what no shape explains
        self.edited = False  # whether it was changed since it was seen
        self.complete = True  # False if time was up before all of it was read
        self.remembered = False  # whether a brain has added the p of its parts to what it remembers
        self.look = object()  # the same in all readings of one picture, however often it is understood anew
        self.produce: Produce | None = None  # g: the parts of a node; a brain gives it to what it sees
        self.tracks: Tracks | None = None  # what the next frame of a video needs to know of the frames so far
        self.wonder: Callable[[Scene], Question | None] | None = None  # what to ask; a brain gives it too
        self.nouns: frozenset[str] = frozenset()  # symbols that the brain knows, seen here or not
        self.verbs: frozenset[str] = frozenset()  # attributes that it was told are verbs
        self.settled: set[frozenset[int]] = set()  # groups, by the depths of their leaves, not to ask about
        self._question: Question | None = None
        self._pixels: pixels.Pixels | None = None
        self._moments: deque[Moment] = deque(maxlen=UNDONE)
        self._drawn = self._values()

    @property
    def question(self) -> Question | None:
        """What the brain that saw this scene wants to know about it; None if it understands all of it."""
        if self._question is None and self.wonder is not None:
            self._question = self.wonder(self)
            self.wonder = None
        return self._question

    def put(self, question: Question) -> None:
        """Put another question in the place of the scene's own."""
        self._question, self.wonder = question, None

    @property
    def observations(self) -> list[Observation]:
        """Every node of every tree, primitives included."""
        return [node for axiom in self.axioms for node in axiom.walk()]

    @property
    def primitives(self) -> list[Observation]:
        """The leaves of all trees in painting order, back to front."""
        leaves = [leaf for axiom in self.axioms for leaf in axiom.primitives]
        return sorted(leaves, key=lambda leaf: leaf.depth if leaf.depth is not None else 0)

    @property
    def image(self) -> NDArray[np.uint8]:
        """uint8 HxWx3: the scene drawn again from the graph."""
        return self._draw().image

    def visible_mask(self, node: Observation) -> NDArray[np.bool_]:
        """bool HxW: the pixels in which `node` shows."""
        return self._draw().mask(node.primitives, amodal=False)

    def full_mask(self, *nodes: Observation) -> NDArray[np.bool_]:
        """bool HxW: the pixels of a node, or of several together, with nothing in front of them."""
        return self._draw().mask([leaf for node in nodes for leaf in node.primitives], amodal=True)

    def describe(self) -> str:
        """The whole scene in a few English sentences."""
        from unrender.scene.language.describe import describe

        self._carry_edits()
        return describe(self, self.verbs)

    def ask(self, question: str, known: Iterable[str] = ()) -> Answer:
        """Answer an English question: how many, is there, which, what colour, where, is it larger, ...

        "how many asteroids are left of the ship?", "what colour is the largest circle?", "is there a ship
        near an asteroid?" The answer is found step by step on the graph: `answer.steps` shows how.
        known: nouns that may be asked about beside those of the scene and of the brain that saw it.
        """
        from unrender.scene.questions.parse import answer

        self._carry_edits()
        return answer(self, question, known)

    def edit(self, *edits: str) -> Edited:
        """Change the scene; the names of what was changed, which as a text tell what was done.

        In English, "make the largest ship blue", "move the left circle up a bit", or by names:
        "ship.1.red=1", "asteroid.*.rotation+=30", "circle.2.position=20,30", "remove triangle.2". What is
        changed at the top of a tree is carried down. One wrong edit, and nothing is changed. "undo" takes
        the last call back.
        """
        from unrender.scene.edit.commands import Edited, apply

        if [edit.strip().lower() for edit in edits if isinstance(edit, str)] == ["undo"]:
            self.undo()
            return Edited((), ["Took the last edit back"])
        self._carry_edits()
        self.edited = True
        before = Moment.of(self.axioms)
        done = apply(self, edits, self._carry_edits)
        self._moments.append(before)
        return done

    def undo(self) -> None:
        """Take back what the last call of `edit` changed, and what was changed by hand since."""
        if not self._moments:
            raise UnrenderError("There is no edit to take back.")
        self._moments.pop().restore(self.axioms)
        self._drawn, self._pixels = self._values(), None

    def take_as_seen(self) -> None:
        """Take the graph as it is now for what was seen: what was changed by hand until now is no edit."""
        self._drawn, self._pixels = self._values(), None

    def _values(self) -> dict[int, Values]:
        return {id(node): values_of(node) for node in self.observations}

    def _carry_edits(self) -> None:
        """Bring everything below a node that was changed by hand up to date with it."""
        if self._drawn != self._values():
            self.edited = True
            for node in self.observations:
                check_values(node)
                if id(node) in self._drawn:
                    keep_one_colour(node, self._drawn[id(node)])
            carry_down(self.axioms, self._drawn, self.produce)
            self._drawn, self._pixels = self._values(), None

    def _draw(self) -> pixels.Pixels:
        """The picture as the graph is now; what was edited at the top shows below."""
        self._carry_edits()
        if self._pixels is None:
            self._pixels = pixels.Pixels(self.primitives, self.background)
        return self._pixels

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; `Scene.from_dict` gives the same scene back without loss."""
        self._carry_edits()
        flat = self.background.reshape(-1, 3)
        colour: Any
        if len(flat) == 0 or (flat == flat[0]).all():
            colour = [int(c) for c in flat[0]] if len(flat) else [0, 0, 0]
        else:
            colour = reading.png(self.background)
        return {
            "width": self.width,
            "height": self.height,
            "background": colour,
            "scale": self.scale,
            "complete": self.complete,
            "residual": self.residual.to_dict(),
            "axioms": [axiom.to_dict() for axiom in self.axioms],
            "tracks": None if self.tracks is None else self.tracks.to_dict(),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file; its suffix says which kind: .svg, .json, .tscn (Godot 4), .png or .coco.json."""
        from unrender.exports.save import save

        self._carry_edits()
        save(self, path)

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per observation, all with the same keys."""
        from unrender.exports.rows import rows

        self._carry_edits()
        return rows(self)

    def to_dataframe(self) -> DataFrame:
        """A `pandas.DataFrame` with one row per observation; needs `unrender[pandas]`."""
        from unrender.exports.rows import dataframe

        self._carry_edits()
        return dataframe(self)

    def to_supervision(self) -> Detections:
        """A `supervision.Detections` with one entry per observation; needs `unrender[supervision]`."""
        from unrender.exports.detections import detections

        self._carry_edits()
        return detections(self)

    def plot(self) -> Figure:
        """A matplotlib figure: the input where it was kept, redrawn, parts, tree."""
        from unrender.exports.figure import plot

        return plot(self)

    def __repr__(self) -> str:
        kinds = Counter(short(axiom.symbol) for axiom in self.axioms).most_common()
        told = ", ".join(f"{count} {name}" for name, count in kinds[:KINDS])
        more = ", ..." * (len(kinds) > KINDS)
        objects = f"{len(self.axioms)} object{'s' * (len(self.axioms) != 1)}"
        return f"<Scene {self.width}x{self.height} px, {objects}{': ' * bool(kinds)}{told}{more}>"

    def _repr_html_(self) -> str:
        """For notebooks: the picture, what was seen in it, and the tree."""
        from unrender.exports.html import scene_html

        with suppress(UnrenderError):  # a value that cannot be drawn is told in the place of the drawing
            self._carry_edits()
        return scene_html(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Scene:
        """The scene that `to_dict` wrote."""
        with reading.reading("This is not a scene graph"):
            width, height = reading.sides(data)
            axioms = [Observation.from_dict(axiom) for axiom in data["axioms"]]
            scene = cls(width, height, axioms, reading.background(data["background"], width, height))
            scene.scale, scene.complete = reading.scale(data), bool(data.get("complete", True))
            scene.residual = Residual.from_dict(data.get("residual"), width, height)
            tracks = data.get("tracks")
        scene.tracks = None if tracks is None else Tracks.from_dict(tracks)
        return scene

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scene:
        """The scene that `save("scene.json")` wrote."""
        return cls.from_dict(reading.load(path))
