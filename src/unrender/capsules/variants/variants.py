"""Variants: routes that nobody has taught but that follow from what was: mirror images, other proportions.

They are found and drawn like all others and never stored. A whole that has variants tells which one it is by
attributes: `mirrored` 0 or 1, `stretch` as how many times as long as its first example it is. Examples tell
that there are any, or a person, who has none to show.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from unrender.capsules.route import Route
from unrender.capsules.semantic import SemanticCapsule
from unrender.capsules.variants.mirror import is_mirror_image, mirror_route
from unrender.capsules.variants.proportion import LEAST, MOST, Proportion, find_proportion, usual_proportion
from unrender.errors import UnrenderError
from unrender.scene import Observation

MIRRORED, STRETCH = "mirrored", "stretch"


@dataclass(frozen=True, eq=False)
class Variants:
    """The variants of one capsule."""

    capsule: SemanticCapsule
    proportion: Proportion | None
    images: Mapping[
        str, float
    ]  # 0 or 1 for every route that was taught, if mirror images are known; or nothing

    @cached_property
    def routes(self) -> dict[str, Route]:
        """The routes that were not taught, by their names."""
        made = [] if self.proportion is None else self.proportion.routes()
        if self.images:
            taught = [route for route in self.capsule.routes if self.images[route.name] == 0.0]
            whole_ = [*taught, *made] if len(taught) == len(self.images) else made
            made += [other for route in whole_ if (other := mirror_route(route)) is not None]
        return {route.name: route for route in made}

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes by which they are told."""
        return (*((MIRRORED,) if self.images else ()), *((STRETCH,) if self.proportion is not None else ()))

    def told(self, node: Observation) -> dict[str, float]:
        """The attributes of a whole that was seen."""
        name, found = node.route or "", {}
        if self.images and MIRRORED not in self.capsule.names:  # which may have been taught otherwise
            found[MIRRORED] = self.images.get(name, 1.0 if name.endswith("~mirrored") else 0.0)
        if self.proportion is not None and STRETCH not in self.capsule.names:
            follows = name in self.proportion.stretches or name in self.routes
            found[STRETCH] = self.proportion.read(node.size) if follows else 1.0
        return found

    def route(self, given: Mapping[str, object]) -> Route:
        """The route that has these attributes."""
        stretch = self._number(given.get(STRETCH, 1.0), STRETCH, LEAST, MOST)
        over = self._number(given.get(MIRRORED, 0.0), MIRRORED, 0.0, 1.0) > 0.5
        route = self.capsule.routes[0]
        if self.proportion is not None:
            route = self.proportion.route if stretch == 1.0 else self.proportion.example(stretch)
        if over == (self.images.get(route.name, 0.0) > 0.5):
            return route
        twin = [own for own in self.capsule.routes if self.images[own.name] == 1.0]
        made = twin[0] if twin and route.name in self.images else mirror_route(route)
        if made is None:
            raise UnrenderError(f"A part of [{self.capsule.symbol}] cannot be drawn as its mirror image.")
        return made

    def _number(self, value: object, name: str, low: float, high: float) -> float:
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            number = low - 1
        if not low <= number <= high:
            raise UnrenderError(
                f'"{name}" of [{self.capsule.symbol}] must lie between {low:g} and {high:g}, not {value!r}.'
            )
        return number


_KNOWN: WeakKeyDictionary[SemanticCapsule, Variants] = WeakKeyDictionary()


def variants(capsule: SemanticCapsule) -> Variants:
    """What follows from the examples of a capsule."""
    if capsule not in _KNOWN:
        allowed = {name for route in capsule.routes for name in route.allows}
        proportion = find_proportion(capsule.routes)
        if proportion is None and STRETCH in allowed:
            proportion = usual_proportion(capsule.routes[0])
        _KNOWN[capsule] = Variants(capsule, proportion, _images(capsule, MIRRORED in allowed))
    return _KNOWN[capsule]


def _images(capsule: SemanticCapsule, allowed: bool) -> dict[str, float]:
    """Which routes are mirror images of those before them; nothing if none is, and none is allowed."""
    routes = [route for route in capsule.routes if route.given is None]
    found = {route.name: 0.0 for route in capsule.routes}
    for i, route in enumerate(routes):
        if any(found[other.name] == 0.0 and is_mirror_image(other, route) for other in routes[:i]):
            found[route.name] = 1.0
    return found if allowed or any(found.values()) else {}
