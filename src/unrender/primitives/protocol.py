"""What a primitive is: one file that says how far points lie from its outline, and what is special about it.

    def field(x, y, a, b, own, signed, nx, ny):
        '''Signed distance of points to the outline, negative inside, and its gradient.'''
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                ...

    register(Primitive("disc", field, Symmetry(turns=2, even=0, swaps=True)))

Everything else (drawing, seeing, refining, exports) follows from that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from unrender.errors import UnrenderError
from unrender.grammar.attribute import DASHES, STYLE, Attribute
from unrender.grammar.symbol import Symbol
from unrender.primitives.evidence import Doubles as Doubles
from unrender.primitives.evidence import Starts
from unrender.primitives.forms import Curve, bits_apart, laid, order
from unrender.primitives.handles import Handles
from unrender.primitives.jit import compiled
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.trace import traced
from unrender.primitives.vector import Outline, Path, closings, rings

Pose = tuple[float, float, float, float, float]
STROKE = 0.06  # of the longer side: the thickness of an open line if none is told
CAP = Attribute("cap", optional=True)  # the ends of an open line and of dashes: 0 straight, 1 round
MITRE = Attribute("mitre", optional=True)  # the corners of a stroke: 0 round, 1 pointed
IDENTITY: Pose = (0.0, 0.0, 1.0, 1.0, 0.0)

Field = Callable[..., None]
"""field(x, y, a, b, own, signed, nx, ny), a plain loop over numpy arrays (float64), which is compiled.

x, y: (N, M) points in the frame of N shapes (px). a, b: (N,) half of width and height (px).
own: (N, K) the primitive's own parameters, and behind them the numbers of its form. Written to signed, nx,
ny (N, M): the Euclidean distance to the outline in px, negative inside (never negative for an open line), and
the unit vector along which it grows.
"""


Offset = Callable[[float, float, float], tuple[float, float, float, float]]
"""offset(a, b, d) -> (x, y, a, b): the box of the outline moved outwards by d px, and how far its centre
moves."""


def widened(a: float, b: float, d: float) -> tuple[float, float, float, float]:
    """The offset of rectangles and, nearly, of ellipses."""
    return 0.0, 0.0, a + d, b + d


Canonical = Callable[[Doubles, Doubles], tuple[Doubles, Doubles]]
"""canonical(pose, form) -> (pose, form): of all that draw the same the one that is told."""


def as_it_is(pose: Doubles, form: Doubles) -> tuple[Doubles, Doubles]:
    """The canonical frame of what has no form."""
    return pose, form


@dataclass(frozen=True)
class Primitive:
    """A terminal symbol: an outline in the box (width, height), turned and moved."""

    name: str
    field: Field
    symmetry: Symmetry
    own: tuple[Attribute, ...] = ()
    held: tuple[tuple[str, tuple[float, ...]], ...] = ()  # where own parameters stay, for nothing
    likely: Callable[[float, float], float] | None = None  # bits that half sides save, being usual
    closed: bool = True  # an open line has no inside to paint
    stretches: bool = (
        True  # the outline is that of the unit box, stretched; own parameters may keep it from that
    )
    rigid: bool = False  # it keeps its proportions, so that only the mean of both sides counts
    fixed: tuple[float, ...] = ()  # a form that is the same for all of its shapes
    formed: bool = False  # each shape has a form: as many numbers as it needs, in the box from -1 to 1
    example: tuple[float, ...] = ()  # the form that is drawn if none is told
    is_form: Callable[[Sequence[float]], bool] | None = None  # whether numbers that were read are one
    canonical: Canonical = as_it_is
    starts: Starts | None = None  # what to try for a region, where moments, boxes and circles do not suffice
    slopes: Field | None = (
        None  # how the distance changes with own parameters and form, measured if not given; behind them with
        # half of width and height of what has a box that it does not stretch with
    )
    pulls: Field | None = (
        None  # field and slopes at once, of a form each of whose numbers moves a part of the outline only
    )
    mitred: Field | None = (
        None  # as `field`, but straight on beyond corners: how strokes with mitred joins end
    )

    offset: Offset = widened
    outline: Outline | None = None  # its vector form; without one it is traced
    strokelike: bool = False  # what is painted is a stroke as wide as its height, told by its centre line
    freedom: Callable[[Doubles, Doubles], int] | None = (
        None  # of a pose and a form: the numbers of the form that can be chosen, if not all
    )
    alike: Callable[[Doubles, Doubles, Doubles, Doubles], tuple[Doubles, Doubles]] | None = (
        None  # of two poses and forms: the second ones, as regular as the first
    )
    places: Callable[[Doubles], Doubles] | None = None  # (F, 2): where in the box each number of a form acts
    along_longer: bool = False  # `thickness` is a share of the longer side though it may be closed
    handles: Handles | None = None  # of a stroke: points of its line by which γ tells it
    aspects: tuple[float, float] | None = None  # width / height of the shapes that γ is trained on, if any

    @cached_property
    def compiled_field(self) -> Field:
        """`field` as machine code."""
        return compiled(self.field)

    @cached_property
    def compiled_slopes(self) -> Field | None:
        """`slopes` as machine code: slopes(x, y, a, b, own, signed, nx, ny, out) writes out (N, M, K),
        or (N, M, K + 2) of what does not stretch."""
        return None if self.slopes is None else compiled(self.slopes)

    @cached_property
    def compiled_pulls(self) -> Field | None:
        """`pulls` as machine code: pulls(x, y, a, b, own, signed, nx, ny, which, pull) also writes, for each
        point, the numbers of the form that move it and the slopes by them (N, M, L), -1 behind the last."""
        return None if self.pulls is None else compiled(self.pulls)

    @cached_property
    def compiled_mitred(self) -> Field:
        """`mitred` as machine code, or `field` of what has no corners."""
        return self.compiled_field if self.mitred is None else compiled(self.mitred)

    @property
    def parameters(self) -> int:
        """Numbers that say where it is and how it is formed: x, y, width, height, rotation and its own. A
        form says where it is, too."""
        if self.formed:
            return len(self.own)
        return (4 if self.rigid else 5) + len(self.own)

    @cached_property
    def symbol(self) -> Symbol:
        """The terminal symbol of the grammar. What is nothing but a stroke has one unless told otherwise."""
        usual = {} if self.closed else {"filled": 0.0, "thickness": STROKE}
        style = tuple(replace(each, default=usual.get(each.name, each.default)) for each in STYLE)
        own = {each.name for each in self.own}
        ends = replace(CAP, default=float(self.formed or not self.closed))
        corners = () if self.mitred is None else (MITRE,)
        optional = tuple(each for each in (ends, *DASHES, *corners) if each.name not in own)
        return Symbol(self.name, style + self.own + optional, terminal=True)

    def check_form(self, form: Sequence[float]) -> tuple[float, ...]:
        """A form as it is kept, or the example if there is none; or what is wrong with it in a sentence."""
        if self.is_form is not None and form and not self.is_form(form):
            raise UnrenderError(f"The {len(form)} numbers given as the form of a {self.name} are not one.")
        return tuple(float(number) for number in form) or self.example

    def stroke_side(self, width: float, height: float) -> float:
        """The side (px) of which `thickness` is a share: the shorter one, of an open line the longer one."""
        return max(width, height) if self.along_longer or not self.closed else min(width, height)

    def align(
        self,
        one: Sequence[float],
        other: Sequence[float],
        size: tuple[float, float] = (1.0, 1.0),
        like: tuple[float, float] = (1.0, 1.0),
    ) -> tuple[Pose, float]:
        """The pose (x, y, width, height, degrees), in the frame of a shape of this size with the form `one`,
        at which the form `other` draws the same, and the bits that are left over: 2**-bits is the window of
        their difference. Where forms are compared, nothing else is asked of them.

        like: width and height, up to a scale, at which `other` was told. Of a primitive without a form, all
        of whose shape its attributes tell, there is nothing to align.
        """
        if not self.formed or tuple(one) == tuple(other):
            return (0.0, 0.0, *size, 0.0), 0.0
        lay, apart = laid(self._curve(one, size), self._curve(other, like))
        (x, y), (wide, high) = lay.place.tolist(), (lay.sides * like).tolist()
        return (x, y, wide, high, math.degrees(lay.turn)), bits_apart(apart, max(size))

    def turning(self, form: Sequence[float], size: tuple[float, float]) -> Symmetry:
        """Its symmetry, or that of a form in a shape of this size."""
        if not self.formed:
            return self.symmetry
        return Symmetry.of_order(order(self._curve(form, size), max(size)), stretched=False)

    def _curve(self, form: Sequence[float], size: tuple[float, float]) -> Curve:
        """The outline or the centre line of a form, in px."""
        a, b = size[0] / 2, size[1] / 2
        own = [parameter.default for parameter in self.own]
        path = self.path(a, b, (*own, *form))
        return Curve.of(rings(path, a, b), closings(path))

    def encloses(self, path: Path) -> bool:
        """Whether there is anything inside an outline of it that can be painted: not in one that is open
        anywhere."""
        return self.closed and all(closings(path))

    def path(self, a: float, b: float, own: Sequence[float] = ()) -> Path:
        """The outline of a shape with half sides a, b (px), or its centre line if it is open, in the box from
        -1 to 1. own: its own parameters, and its form behind them."""
        if self.outline is not None:
            return self.outline(a, b, own)
        return traced(self.compiled_field, self.closed, a, b, (*own, *self.fixed))

    def held_at(self, name: str) -> tuple[float, ...]:
        """The values at which an own parameter stays unless it starts from another one."""
        return dict(self.held).get(name, ())

    def freed(self, pose: Doubles) -> list[bool]:
        """Which own parameters of a pose (6 + K,) are told to some precision, being held at no value."""
        own = pose[len(pose) - len(self.own) :].tolist()
        return [v not in self.held_at(each.name) for each, v in zip(self.own, own, strict=True)]

    def numbers_of(self, pose: Doubles, form: Doubles) -> int:
        """Numbers of a form that can be chosen."""
        return len(form) if self.freedom is None else self.freedom(pose, form)

    def saved_bits(self, pose: Doubles) -> float:
        """By how many bits a pose of it is shorter to say than any pose: 0 where nothing is known of it."""
        return 0.0 if self.likely is None else self.likely(float(pose[2]), float(pose[3]))
