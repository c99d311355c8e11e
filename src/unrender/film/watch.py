"""watch: a clip becomes a film, frame by frame, each seen with what the frame before leads one to expect."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from unrender.capsules.network import Network
from unrender.capsules.see import Look, look
from unrender.film.clip import Clip, rate_of
from unrender.film.film import Film
from unrender.film.hindsight import Hindsight
from unrender.film.identity import identified
from unrender.film.persistence import reassembled
from unrender.film.retelling import as_disc, retell
from unrender.film.velocity import set_velocities
from unrender.perception.continuation import Expectation, moved
from unrender.primitives.jit import interruptible
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import Floats
from unrender.render.shape import Shape, X, Y
from unrender.scene import Observation, Scene
from unrender.scene.residual import Residual
from unrender.scene.tracking.follow import follow, numbered

REMEMBERED = 90  # frames for which what has gone out of sight is expected to come out again
MOST_HIDDEN = 40  # shapes of which that is remembered

Progress = Callable[[int, int | None], None]
"""progress(done, of): frames that were seen, of how many, if that is known."""


def watch(
    clip: Clip,
    network: Network,
    kinds: Sequence[Primitive],
    introduce: Callable[[Scene], None],
    progress: Progress | None = None,
) -> Film:
    """The film of a clip. Ctrl+C, or a KeyboardInterrupt of `progress`, ends it with what was seen by then.

    introduce: gives a scene what the brain that watches knows.
    """
    watcher = Watcher(network, kinds, clip.lossy)
    scenes: list[Scene] = []
    times: list[float | None] = []
    stopped = False
    try:
        for picture, time in clip:
            scene = watcher.see(picture.pixels)
            scene.scale = picture.scale
            introduce(scene)
            scenes.append(_light(scene, scenes[-1] if scenes else None))
            times.append(time)
            for frame, again in watcher.revised().items():
                introduce(again)
                scenes[frame] = _light(again, scenes[frame - 1] if frame else None)
            if progress is not None:
                progress(len(scenes), clip.length)
    except KeyboardInterrupt:
        if not scenes:
            raise
        stopped = True
        many = "1 frame" if len(scenes) == 1 else f"{len(scenes)} frames"
        clip.notes.append(f"Stopped after {many}.")
    fps, told = rate_of(times, clip.rate)
    return _assembled(Film(scenes, fps, times=told, notes=clip.notes, stopped=stopped), network)


def watch_again(film: Film, network: Network, understand: Callable[[Scene], Scene]) -> Film:
    """A film that was watched, as it is understood now, without another look at its pixels.

    understand: the known objects among the primitives of a scene.
    """
    scenes: list[Scene] = []
    for scene in film.scenes:
        again = understand(scene)
        if scenes:
            follow(again, scenes[-1])
        else:
            again.tracks = numbered(again)
        scenes.append(again)
    return _assembled(Film(scenes, film.fps, times=film.times, notes=film.notes), network)


def _assembled(film: Film, network: Network) -> Film:
    """Who is who over the whole film, and how fast."""
    for scene in film.scenes:
        scene.tracks = None
        for node in scene.axioms:
            if (disc := as_disc(node)) is not None:
                retell(node, disc)
    reassembled(film.scenes, network)
    identified(film)
    set_velocities(film)
    return film


@dataclass
class Watcher:
    """Sees frames one after the other."""

    network: Network
    kinds: Sequence[Primitive]
    lossy: bool = False  # whether the frames come from a file whose compression loses something
    hindsight: Hindsight = field(init=False)
    last: Look | None = None
    hidden: dict[int, tuple[Shape, Observation, int]] = field(default_factory=dict)
    # by track: shapes out of sight, their last observation, and for how many frames

    def __post_init__(self) -> None:
        self.hindsight = Hindsight(self.network)

    def see(self, pixels: Floats) -> Scene:
        """The scene of the next frame (H, W, 3), its nodes numbered as those of the frames before."""
        with interruptible():
            expected = self._expectation()
            found = look(pixels, self.network, self.kinds, expected=expected, lossy=self.lossy)
        scene = found.scene
        if self.last is None:
            scene.tracks = numbered(scene)
        else:
            before = self.last.scene
            follow(scene, before)
            self._remember(found)
        self.last = found
        self.hindsight.add(found)
        return scene

    def revised(self) -> dict[int, Scene]:
        """By their numbers, frames before this one that are told otherwise now that more is known."""
        with interruptible():
            frames = self.hindsight.revised()
        if frames:
            self.hidden.clear()  # objects have other numbers
        return {frame: self.hindsight.looks[frame - self.hindsight.first].scene for frame in frames}

    def _expectation(self) -> Expectation | None:
        if self.last is None:
            return None
        shapes = [
            _moved_on(placed.shape, nodes)
            for placed, nodes in self.last.told
            if placed in self.last.state.shapes
        ]
        if len(shapes) != len(self.last.state.shapes):
            return None
        hidden = [shape for shape, _, _ in self.hidden.values()]
        return Expectation(self.last.state, shapes, hidden, self.last.state.wrong)

    def _remember(self, found: Look) -> None:
        """Keep the shapes that have gone out of sight, moving on as they did; forget those that are back."""
        assert self.last is not None
        tall, wide = found.state.model.size
        seen = {node.track for node in found.scene.observations}
        going: dict[int, tuple[Shape, Observation, int]] = {}
        for number, (shape, node, gone) in self.hidden.items():
            if number not in seen and gone < REMEMBERED:
                going[number] = (_moved_on(shape, [node]), node, gone + 1)
        for placed, nodes in self.last.told:
            own = nodes[0].track
            if own is not None and not any(node.track in seen for node in nodes):
                going[own] = (_moved_on(_moved_on(placed.shape, nodes), nodes), nodes[0], 1)
        inside = {n: own for n, own in going.items() if _reaches(own[0], wide, tall)}
        self.hidden = dict(list(inside.items())[-MOST_HIDDEN:])


def _moved_on(shape: Shape, nodes: Sequence[Observation]) -> Shape:
    """A shape one frame on, by the motion of what it was told as."""
    known = [node for node in nodes if node.velocity is not None]
    if not known:
        return shape
    vx, vy = (float(np.mean([node.velocity[k] for node in known if node.velocity])) for k in (0, 1))
    return moved(shape, (vx, vy), known[0].spin or 0.0)


def _reaches(shape: Shape, wide: int, tall: int) -> bool:
    """Whether any of a shape may be in the picture, or not long ago was."""
    x, y, reach = float(shape.pose[X]), float(shape.pose[Y]), math.hypot(*shape.pose[X + 2 : X + 4])
    return -2 * reach < x < wide + 2 * reach and -2 * reach < y < tall + 2 * reach


def _light(scene: Scene, before: Scene | None) -> Scene:
    """A scene that shares the pixels that it has in common with the one before, so that a long film takes
    little memory."""
    if not scene.residual.mask.any():
        share = before is not None and not before.residual.mask.any()
        mask = (
            before.residual.mask
            if share and before is not None
            else np.zeros((scene.height, scene.width), bool)
        )
        scene.residual = replace(scene.residual, mask=mask)
    else:
        scene.residual = Residual(scene.residual.mask.copy(), scene.residual.share)
    if before is not None and np.array_equal(scene.background, before.background):
        scene.background = before.background
    return scene
