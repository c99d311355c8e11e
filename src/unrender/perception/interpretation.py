"""An interpretation: shapes, their depth order and the background that together explain a picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.perception.budget import Budget
from unrender.perception.depth import DepthOrder, Pixels, Placed, distinct, overlapping
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import Mask
from unrender.perception.image.residual import wrong_pixels
from unrender.perception.objective import pixel_bits, weighed, window_bits
from unrender.perception.refine.pixels import FAR, Pass, refine
from unrender.perception.refine.stage import Stage
from unrender.perception.refine.thin import is_thin, rewidened
from unrender.primitives.jit import compiled
from unrender.render.composite import composite, layers, paint_at
from unrender.render.coverage import Floats
from unrender.render.shape import ANGLE, A, B, Shape, Window, area, grown, overlaps, union

FROM_AFAR = Pass(3, 0.8, FAR)  # of a new shape, whose edges may be off by most of a pixel
NEAR, AGAIN = Pass(10), Pass(3)  # of a new shape after that, and of one that is there
DOUBTED = 60.0  # bits of pixels that look wrong where a shape is, from which on they may be its fault
MIXED = 2  # px beside something else whose colour may be mixed with that
SPARSE = 4  # times as long as a pixel of a window takes one that is looked up
SPECK = 4  # px: fewer that are wrong together are noise
TEXTURED = 6  # numbers of a texture that take as long as everything else about a pixel


Elsewhere = Callable[[Window], NDArray[np.bool_]]
"""bool (h, w): which pixels of a window show something else, whether it is told already or not."""

Refinement = Callable[[Shape, Stage, ImageModel], Shape]


def _again(shape: Shape, stage: Stage, model: ImageModel) -> Shape:
    return refine(shape, stage, model, AGAIN)


def _at_first(shape: Shape, stage: Stage, model: ImageModel) -> Shape:
    return refine(shape, stage, model, NEAR)


@dataclass(frozen=True, eq=False)
class Move:
    """A change: shapes to add, and shapes that they replace."""

    add: Sequence[Placed] = ()
    remove: Sequence[Placed] = ()
    bonus: float = 0.0  # bits that it saves besides, by what the added shapes have in common with others
    elsewhere: Elsewhere | None = None  # pixels that show something else, which may hide the added shapes


@dataclass(eq=False)
class Interpretation:
    """The state of seeing. `shapes` are back to front."""

    model: ImageModel
    budget: Budget = field(default_factory=lambda: Budget(math.inf))
    shapes: list[Placed] = field(default_factory=list)
    changes: list[Window] = field(default_factory=list)  # where moves were made, the first one first
    settled: dict[Shape, int] = field(default_factory=dict)  # after how many changes shapes were refined
    known: WeakKeyDictionary[Move, tuple[Window, dict[bool, float]]] = field(
        default_factory=WeakKeyDictionary
    )  # where moves change bits, and what they gain as all is now: of what is visible, or of everything
    depth: DepthOrder = field(init=False)
    canvas: Floats = field(init=False)  # (H, W, 3)
    roughness: Floats = field(init=False)  # (H, W): of edges, as `composite` has it
    bits: Floats = field(init=False)  # (H, W)
    _wrong: Mask | None = field(init=False, default=None)  # as long as nothing is drawn anew

    def __post_init__(self) -> None:
        tall, wide = self.model.size
        self.depth = DepthOrder(self.model)
        self.canvas = np.empty((tall, wide, 3), np.float32)
        self.roughness, self.bits = np.empty((2, tall, wide), np.float32)
        self.redraw()

    @property
    def length(self) -> float:
        """Bits of the pixels and of the shapes."""
        return float(self.bits.sum()) + sum(placed.bits for placed in self.shapes)

    @property
    def wrong(self) -> Mask:
        """bool (H, W): pixels that nothing explains, but no specks."""
        if self._wrong is None:
            self._wrong = wrong_pixels(self.bits, self.model.wrong, 1 if self.model.aliased else SPECK)
        return self._wrong

    def _drawn(self, window: Window, shapes: Sequence[Placed]) -> tuple[Floats, Floats, Floats]:
        """Canvas, roughness and bits of a window with these shapes."""
        model = self.model
        top, bottom, left, right = around = grown(window, model.reach, *model.size)
        canvas = model.background[top:bottom, left:right].copy()
        roughness = np.zeros(canvas.shape[:2], np.float32)
        for placed in overlapping(shapes, around):
            composite(canvas, roughness, (top, left), layers(placed.shape, placed.patch), model.aliased)
        bits = window_bits(model, around, canvas, roughness, window)
        own = (slice(window[0] - top, window[1] - top), slice(window[2] - left, window[3] - left))
        return canvas[own], roughness[own], bits

    def drawn(self, window: Window, shapes: Sequence[Placed]) -> Floats:
        """Bits (h, w) of the pixels of a window, if these were the shapes."""
        return self._drawn(window, shapes)[2]

    def redraw(self, windows: Sequence[Window] | None = None) -> None:
        """Draw all shapes anew, everywhere or in some windows."""
        self._wrong = None
        whole = (0, self.model.size[0], 0, self.model.size[1])
        if windows is None or sum(area(window) for window in windows) >= area(whole):
            self.known.clear()
            windows = (whole,)
        for window in windows:
            top, bottom, left, right = window
            self.budget.draw(area(window))
            canvas, roughness, bits = self._drawn(window, self.shapes)
            self.canvas[top:bottom, left:right] = canvas
            self.roughness[top:bottom, left:right] = roughness
            self.bits[top:bottom, left:right] = bits
        changed = [
            move for move, (own, _) in self.known.items() if any(overlaps(own, each) for each in windows)
        ]
        for move in changed:
            del self.known[move]

    def after(self, move: Move, among: Sequence[Placed] | None = None) -> list[Placed]:
        """The shapes after a move, back to front; of all, or among some of them."""
        shapes = [placed for placed in (self.shapes if among is None else among) if placed not in move.remove]
        for placed in move.add:
            shapes = self.depth.insert(placed, shapes)
        return shapes

    def current(self, move: Move) -> Move | None:
        """The same move among the shapes as they are now, refined or not; None if one that it removes is
        gone."""
        if not move.remove:
            return move
        now = {placed.key: placed for placed in self.shapes}
        if any(placed.key not in now for placed in move.remove):
            return None
        remove = tuple(now[placed.key] for placed in move.remove)
        return move if remove == tuple(move.remove) else replace(move, remove=remove)

    def gain(self, move: Move, visible: bool = False) -> float:
        """By how many bits a move makes the whole shorter. visible: where nothing else shows, nor beside it,
        as if what does were told already."""
        visible = visible and move.elsewhere is not None
        if move not in self.known:
            self.known[move] = self._window(move), {}
        window, known = self.known[move]
        if visible not in known:
            known[visible] = self._gain(move, window, visible)
        return known[visible]

    def _gain(self, move: Move, window: Window, visible: bool) -> float:
        if window[0] >= window[1] or window[2] >= window[3]:
            return -np.inf
        top, bottom, left, right = window
        pixels = (bottom - top) * (right - left)
        around = grown(window, self.model.reach, *self.model.size)
        near = overlapping(self.shapes, around)
        told = sum(placed.bits for placed in move.remove) - sum(placed.bits for placed in move.add)
        changed = [placed.pixels for placed in (*move.add, *move.remove)]
        count = sum(len(rows) for rows, _ in changed)
        if self.model.reach == 0 and SPARSE * count < pixels:
            self.budget.draw(SPARSE * count)
            rows, columns = changed[0] if len(changed) == 1 else distinct(changed, self.model.size)
            saved = self.bits[rows, columns] - self._bits_at(rows, columns, self.after(move, near))[0]
            if visible and move.elsewhere:
                saved[_beside(move.elsewhere(window))[rows - top, columns - left]] = 0
        else:
            self.budget.draw(pixels * (1 + len(self.model.texture) // TEXTURED))
            saved = self.bits[top:bottom, left:right] - self._drawn(window, self.after(move, near))[2]
            if visible and move.elsewhere:
                saved[_beside(move.elsewhere(window))] = 0
        return float(saved.sum()) + told + move.bonus

    def _bits_at(self, rows: Pixels, columns: Pixels, shapes: Sequence[Placed]) -> Floats:
        """(1, N): bits of some pixels (N,) with these shapes, where those beside them say nothing of them."""
        model = self.model
        canvas, roughness = model.background[rows, columns], np.zeros(len(rows), np.float32)
        for placed in shapes:
            for (top, _, left, _), alpha, colour in layers(placed.shape, placed.patch):
                paint_at(canvas, roughness, rows, columns, alpha, top, left, colour, model.aliased)
        off, bits = (model.image[rows, columns] - canvas)[None], np.empty((1, len(rows)), np.float32)
        variance = model.variance[rows, columns][None] if model.variance.size else model.variance
        pixel_bits(
            off, roughness[None], model.fresh, model.edge_error, model.alike, model.cap, variance,
            model.chroma_weight, model.share, model.aliased, bits,
        )  # fmt: skip
        return bits

    def most(self, move: Move) -> float:
        """Bits that no move of these shapes can save more than: all that is wrong where they paint."""
        gone = self._painted(move.remove) + sum(placed.bits for placed in move.remove)
        return self._painted(move.add) + gone - sum(placed.bits for placed in move.add) + move.bonus

    def promise(self, move: Move) -> float:
        """The bits of the pixels that are painted by what a move adds and were not by what it removes: what
        it saves if all of it is right. Where something else shows nothing is promised."""
        painted = self._painted(move.add, move.elsewhere) - self._painted(move.remove, move.elsewhere)
        return max(painted, 0.0)

    def _painted(self, several: Sequence[Placed], elsewhere: Elsewhere | None = None) -> float:
        """Bits of the pixels that shapes paint."""
        total = 0.0
        for placed in several:
            for window, alpha, _ in layers(placed.shape, placed.patch):
                top, bottom, left, right = window
                if elsewhere is not None:
                    alpha = np.where(elsewhere(window), np.float32(0), alpha)
                total += weighed(alpha, np.ascontiguousarray(self.bits[top:bottom, left:right]))
        return total

    def apply(self, move: Move) -> None:
        """Make a move."""
        self.shapes = self.after(move)
        window = self._window(move)
        self.redraw([window])
        self.changes.append(window)

    def _window(self, move: Move) -> Window:
        """Where a move changes bits, which may be beside what it paints."""
        window = union([placed.patch.window for placed in (*move.add, *move.remove)])
        return grown(window, self.model.reach, *self.model.size)

    def refined(
        self,
        shape: Shape,
        without: Sequence[Placed] = (),
        elsewhere: Elsewhere | None = None,
        within: Window | None = None,
    ) -> Shape:
        """A further shape, refined among those that are there, whatever is elsewhere. within: the part of the
        picture to which its form is fitted, if not to all of it."""
        placed = Placed.of(shape, self.model)
        shapes = self.depth.insert(placed, [other for other in self.shapes if other not in without])
        stage = self.stage(shapes, shapes.index(placed))
        if elsewhere is not None:
            stage = replace(stage, shows=np.where(elsewhere(stage.window), 0, stage.shows))
        if within is not None and self.model.aliased:
            within = None
        near = refine(shape, stage, self.model, FROM_AFAR, NEAR, within=within)
        turned = near.primitive.symmetry.nearly_alike(*near.pose[[A, B]].tolist())
        several = [near, *(refine(_turned(near, by), stage, self.model, NEAR) for by in turned)]
        if _may_be_mitred(near):
            several += [replace(each, mitre=not each.mitre) for each in several]
        if len(several) > 1:
            moves = [Move([Placed.of(each, self.model)], without) for each in several]
            near = several[max(range(len(several)), key=lambda n: self.gain(moves[n]))]
        self.settled[near] = len(self.changes)
        return near

    def refine_changed(self, added: Sequence[Placed], saved: float) -> None:
        """Refine shapes that were added, unless they were refined among the others as they are and nothing
        looks wrong beside them, and those that touch them: if much was saved, for they were refined beside
        what was not understood, or if something looks wrong beside them.

        saved: bits, by what was added.
        """
        new = {placed.key for placed in added}
        near = {
            other
            for placed in self.shapes
            if placed.key in new
            for other in overlapping(self.shapes, grown(placed.patch.window, 1, *self.model.size))
            if other.key not in new and other.touches(placed)
        }
        wanted = [
            not self._is_settled(placed) or self._looks_doubtful(placed)
            if placed.key in new
            else placed in near and (saved > DOUBTED or self._looks_doubtful(placed))
            for placed in self.shapes
        ]
        self._refine([n for n, own in enumerate(wanted) if own])

    def settle(self) -> None:
        """Refine every shape around which others have come or gone since it was refined: what hid its edge
        by then may have been taken for it; then the widths of thin strokes."""
        self._refine([n for n, placed in enumerate(self.shapes) if not self._is_settled(placed)])
        if not self.model.aliased:
            self._refine([n for n, placed in enumerate(self.shapes) if is_thin(placed.shape)], rewidened)

    def _refine(self, which: Sequence[int], how: Refinement | None = None) -> None:
        """Refine some shapes, by index, among the others; those that never were until they have
        converged."""
        changed: list[Window] = []
        for n in which:
            if self.budget.spent:
                break
            placed, stage = self.shapes[n], self.stage(self.shapes, n)
            self.budget.draw(2 * stage.shows.size)  # on its stage, and to compare it
            new = placed.shape not in self.settled
            own = how or (_at_first if new else _again)
            several = [own(placed.shape, stage, self.model)]
            if how is None and new and _may_be_mitred(several[0]):
                several.append(replace(several[0], mitre=not several[0].mitre))
            for least, shape in enumerate(several):  # bits: corners are told otherwise only if that shows
                moved = self.shapes[n].moved(shape, self.model)
                if self._is_better(n, moved, least):
                    changed.append(self._window(Move((moved,), (self.shapes[n],))))
                    self.shapes[n] = moved
            self.settled[self.shapes[n].shape] = len(self.changes)
        self.redraw(changed)

    def _is_better(self, n: int, moved: Placed, least: float = 0.0) -> bool:
        """Whether the n-th shape in another pose makes the whole no longer, or shorter by so many bits: a
        descent weighs pixels that are far off otherwise than bits do."""
        placed, shapes = self.shapes[n], [*self.shapes]
        window = grown(union([placed.patch.window, moved.patch.window]), self.model.reach, *self.model.size)
        pixels = distinct([placed.pixels, moved.pixels], self.model.size)
        if not len(pixels[0]):
            return True

        def bits() -> float:
            near = overlapping(shapes, window)
            seen = self.drawn(window, near) if self.model.reach else self._bits_at(*pixels, near)
            return float(seen.sum())

        before = bits() + placed.bits
        shapes[n] = moved
        return bits() + moved.bits <= before - least

    def _is_settled(self, placed: Placed) -> bool:
        """Whether nothing but a shape itself has changed where it is since it was refined."""
        since = self.settled.get(placed.shape)
        changes = [] if since is None else self.changes[since:]
        return since is not None and sum(overlaps(each, placed.patch.window) for each in changes) <= 1

    def _looks_doubtful(self, placed: Placed) -> bool:
        """Whether the pixels that look wrong where a shape is may be its fault."""
        top, bottom, left, right = placed.patch.window
        bits = self.bits[top:bottom, left:right]
        return float(bits[bits > self.model.wrong].sum()) > DOUBTED

    def calibrate(self) -> None:
        """Estimate the model of the image anew, now that it is known what is a shape: the background from
        the pixels that no shape covers, the renderer's own error from the edges that are explained."""
        tall, wide = self.model.size
        covered = np.zeros((tall, wide), np.bool_)
        for placed in self.shapes:
            for (top, bottom, left, right), alpha, _ in layers(placed.shape, placed.patch):
                covered[top:bottom, left:right] |= alpha > 0
        before, self.model = self.model, self.model.without(covered)
        if self.model is not before:
            self.redraw()
        self.model = self.model.with_edges(self.canvas, self.roughness)
        self.model = self.model.with_ringing(self.canvas, self.roughness)
        if self.model is not before:
            self.redraw()
            self.depth = DepthOrder(self.model)

    def reorder(self) -> bool:
        """Take the depth order that agrees best with every two shapes, if that is shorter; whether it is."""
        before, bits = self.shapes, float(self.bits.sum())
        shapes = self.depth.sorted(before)
        if shapes == before:
            return False
        self.shapes = shapes
        self.redraw()
        if float(self.bits.sum()) < bits - 1:
            return True
        self.shapes = before
        self.redraw()
        return False

    def arrange(self) -> None:
        """Shapes that do not hide one another in the order of their sizes, the largest first, so that the
        same drawing is always told in the same order."""
        before, bits = self.shapes, float(self.bits.sum())
        by_size = sorted(before, key=lambda placed: -area(placed.painted))
        self.shapes = self.depth.sorted(by_size)
        self.redraw()
        if float(self.bits.sum()) > bits + 1:
            self.shapes = before
            self.redraw()

    def prune(self) -> None:
        """Remove what the whole is shorter without, the least needed first."""
        without = {placed: Move((), (placed,)) for placed in self.shapes}
        while without:
            least = max(self.shapes, key=lambda placed: self.gain(without[placed]))
            if self.gain(without[least]) <= 0:
                return
            self.apply(without.pop(least))

    def stage(self, shapes: Sequence[Placed], index: int) -> Stage:
        """What one of several shapes is refined against: its surroundings, with the others as they are."""
        top, bottom, left, right = window = grown(shapes[index].patch.window, 3, *self.model.size)
        behind = self.model.background[top:bottom, left:right].copy()
        roughness = np.zeros(behind.shape[:2], np.float32)
        for other in overlapping(shapes[:index], window):
            composite(behind, roughness, (top, left), layers(other.shape, other.patch), self.model.aliased)
        image = self.model.image[top:bottom, left:right].copy()
        shows = np.ones(behind.shape[:2], np.float32)
        for other in reversed(overlapping(shapes[index + 1 :], window)):
            for (row, _, column, _), alpha, colour in reversed(layers(other.shape, other.patch)):
                _take_off(image, shows, alpha, row - top, column - left, colour, self.model.aliased)
        variance = np.ascontiguousarray(self.model.variance[top:bottom, left:right])
        return Stage(window, image, behind, shows, variance, self.budget)


def _may_be_mitred(shape: Shape) -> bool:
    """Whether it has a stroke with corners, which may be round or pointed."""
    return shape.stroke is not None and shape.primitive.mitred is not None


def _turned(shape: Shape, degrees: float) -> Shape:
    """A shape turned about its centre."""
    pose = shape.pose.copy()
    pose[ANGLE] += math.radians(degrees)
    return replace(shape, pose=pose)


def _beside(elsewhere: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The pixels of a mask (h, w) and those beside them."""
    found: NDArray[np.bool_] = ndimage.binary_dilation(elsewhere, iterations=MIXED)
    return found


@compiled
def _take_off(
    image: Floats,
    shows: Floats,
    alpha: Floats,
    top: int,
    left: int,
    colour: NDArray[np.float64],
    aliased: bool,
) -> None:
    """Take what a layer in front adds out of the image; the frontmost first."""
    for i in range(max(top, 0), min(top + alpha.shape[0], image.shape[0])):
        for j in range(max(left, 0), min(left + alpha.shape[1], image.shape[1])):
            share = alpha[i - top, j - left]
            if aliased:
                share = np.float32(share > 0.5)
            if share:
                for c in range(3):
                    image[i, j, c] -= shows[i, j] * share * np.float32(colour[c])
                shows[i, j] *= 1 - share
