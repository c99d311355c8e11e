"""Outlines of known objects: what several of their parts that touch would show if they had one colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from unrender.capsules.gamma import box_around, corners
from unrender.capsules.silhouette import leaf_parts, part_masks, silhouette
from unrender.perception.proposals.one_colour_objects import KnownOutline, Moments
from unrender.primitives.registry import primitives
from unrender.scene import Observation

if TYPE_CHECKING:
    from unrender.capsules.network import Network
    from unrender.capsules.route import Route

MOST_PARTS = 16  # of an object whose outlines are known
OWN_EDGE = 1.05  # times the area of its largest part: a group that has less looks like that part alone

_OUTLINES: WeakKeyDictionary[Route, tuple[KnownOutline, ...]] = WeakKeyDictionary()


def outlines(network: Network) -> tuple[KnownOutline, ...]:
    """Of all rigid routes: of all parts that touch, and of every two that do."""
    return tuple(own for route in network.routes if not route.loose for own in _of_route(network, route))


def _of_route(network: Network, route: Route) -> tuple[KnownOutline, ...]:
    if route in _OUTLINES:
        return _OUTLINES[route]
    whole = replace(route.memory[0].whole, position=(0.0, 0.0), rotation=0.0)
    decoded = route.decode(whole)
    parts = list(leaf_parts(network, decoded))
    found = tuple(_outlines(network, route, parts)) if 1 < len(parts) <= MOST_PARTS else ()
    if all(part.symbol in primitives() for part in decoded):  # else it depends on other routes, too
        _OUTLINES[route] = found
    return found


def _outlines(network: Network, route: Route, parts: Sequence[Observation]) -> Iterator[KnownOutline]:
    x, y, exact, wider = part_masks(parts)
    for group in sorted(map(sorted, _groups(exact) | _groups(wider) | _pairs(wider))):
        union = ndimage.binary_fill_holes(np.any([exact[n] for n in group], axis=0))
        if union.sum() <= OWN_EDGE * max(exact[n].sum() for n in group):
            continue
        chosen = [parts[n] for n in group]
        primitive = silhouette(network, route, chosen, alone=len(chosen) == len(parts))
        centre, size = box_around(np.concatenate([corners(part) for part in chosen]), np.eye(2))
        half = float(size.max()) / 2  # px that are 1 in the frame of the primitive
        moments = Moments.of(union, (x - centre[0]) / half, (y - centre[1]) / half)
        yield KnownOutline(primitive, moments, primitive.shapes, primitive.bent)


def _groups(masks: NDArray[np.bool_]) -> set[frozenset[int]]:
    """Numbers of the parts (P, h, w) that touch, directly or by others; none that stands alone."""
    labels, count = ndimage.label(masks.any(0))
    owner = [set(np.unique(labels[mask])) for mask in masks]
    several = (frozenset(n for n, own in enumerate(owner) if k in own) for k in range(1, count + 1))
    return {group for group in several if len(group) > 1}


def _pairs(masks: NDArray[np.bool_]) -> set[frozenset[int]]:
    """Every two parts (P, h, w) that touch."""
    numbers = combinations(range(len(masks)), 2)
    return {frozenset((m, n)) for m, n in numbers if (masks[m] & masks[n]).any()}
