"""curve: a cubic Bézier stroke, its four control points in the box that it fills."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unrender.primitives.chains import is_cubic
from unrender.primitives.handles import Handles
from unrender.primitives.jit import compiled
from unrender.primitives.path import framed, placed
from unrender.primitives.polycurve import Indices
from unrender.primitives.polycurve_field import distance
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.primitives.vector import Path

BENT = 0.8  # of half the way between its ends: how far handles of the curves that γ is trained on lie off it
AT = np.array([[0.0], [1 / 3], [2 / 3], [1.0]])  # where on a curve its handles lie
BERNSTEIN = np.hstack([(1 - AT) ** 3, 3 * AT * (1 - AT) ** 2, 3 * AT**2 * (1 - AT), AT**3])
EXAMPLE = (-1.0, 1.0, -0.4, -3.4, 0.4, 3.4, 1.0, -1.0)  # an S, what is drawn if no form is told


@compiled
def chain(control: Doubles) -> Doubles:
    """Four control points x, y, x, y, ... as the form of a polycurve: one cubic piece, and its end. Without
    any it is a point in the middle."""
    form = np.zeros(10)
    form[0], form[7] = 2.0, 8.0  # CUBIC, and ENDS behind it
    if len(control) >= 8:
        form[1:7] = control[:6]
        form[8:] = control[6:8]
    return form


def field(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """From the nearest point of the curve."""
    no, none = np.empty((0, 0), np.int64), np.empty((0, 0))
    for i in range(x.shape[0]):
        distance(chain(own[i]), a[i], b[i], x[i], y[i], signed[i], nx[i], ny[i], no, none)


def pulls(
    x: Doubles,
    y: Doubles,
    a: Doubles,
    b: Doubles,
    own: Doubles,
    signed: Doubles,
    nx: Doubles,
    ny: Doubles,
    which: Indices,
    pull: Doubles,
) -> None:
    """Every control point moves the nearest point by its own weight."""
    for i in range(x.shape[0]):
        distance(chain(own[i]), a[i], b[i], x[i], y[i], signed[i], nx[i], ny[i], which[i], pull[i])
        which[i] -= 1 + (which[i] > 6)  # the codes of both nodes are no numbers of a curve


def canonical(pose: Doubles, form: Doubles) -> tuple[Doubles, Doubles]:
    """Not turned, in the box that it fills, read from its end on the left, or of two below one another from
    the upper one."""
    if not len(form):
        return pose, form
    told, line = framed(placed(pose, chain(form)), float(pose[5]))
    control = np.concatenate([line[1:7], line[8:]]).reshape(4, 2)
    if tuple(control[0].round(6)) > tuple(control[3].round(6)):
        control = control[::-1]
    return told, control.ravel()


def outline(a: float, b: float, own: Sequence[float]) -> Path:
    """The curve itself."""
    x, y, *rest = (float(value) for value in own)
    return ("M", (x, y)), ("C", tuple(rest))


def points_of(pose: Doubles, form: Doubles) -> Doubles:
    """(4, 2) px: both ends, and the curve at a third and two thirds of its parameter."""
    line = placed(pose, chain(form))
    points: Doubles = BERNSTEIN @ np.concatenate([line[1:7], line[8:]]).reshape(4, 2)
    return points


def through(points: Doubles, width: float) -> tuple[Doubles, Doubles]:
    """The pose and the form of the curve through handles (4, 2)."""
    control = np.linalg.solve(BERNSTEIN, points)
    return canonical(np.array([0.0, 0.0, 1.0, 1.0, 0.0, width / 2]), control.ravel())


def drawn(shares: Doubles) -> Doubles:
    """Curves bent to one side or to both."""
    along, off = 0.3 * (shares[:2] - 0.5), BENT * (2 * shares[2:] - 1)
    return np.array([[-1, 0], [-1 / 3 + along[0], off[0]], [1 / 3 + along[1], off[1]], [1, 0]])


curve = register(
    Primitive(
        "curve",
        field,
        Symmetry(),
        closed=False,
        stretches=False,
        formed=True,
        canonical=canonical,
        pulls=pulls,
        outline=outline,
        example=EXAMPLE,
        is_form=is_cubic,
        handles=Handles(4, points_of, through, drawn),
    )
)
