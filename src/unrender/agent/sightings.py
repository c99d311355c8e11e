"""What a brain remembers of the scenes that it has seen while it is open.

What was grouped there is known again when it comes again. Whether anybody asked about it makes no difference.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from unrender.scene import Observation, Scene

if TYPE_CHECKING:
    from unrender.capsules.route import Route
    from unrender.primitives.symmetry import Symmetry

MOST = 50  # scenes that are remembered
GROUPS = 4  # of each, those that stand out most


@dataclass(frozen=True, eq=False)
class Look:
    """One look at a picture: what was there, as it was then."""

    look: object  # of the scene
    axioms: tuple[Observation, ...]
    turnings: Mapping[str, Symmetry]  # of the symbols in it

    @cached_property
    def glimpses(self) -> tuple[Route, ...]:
        """Its groups, as routes without a name; found when they are first needed."""
        from unrender.agent.grouping import glimpse, groups

        found = groups(self.axioms)[:GROUPS]
        routes = (glimpse(group, i + 1, self.turnings) for i, group in enumerate(found))
        return tuple(route for route in routes if route is not None)


@dataclass
class Looks:
    """The latest looks of a brain, the oldest first."""

    known: deque[Look] = field(default_factory=lambda: deque(maxlen=MOST))

    def remember(self, scene: Scene, turnings: Mapping[str, Symmetry]) -> None:
        """Keep what is in a scene; one that is understood anew was looked at before."""
        if all(one.look is not scene.look for one in tuple(self.known)):  # others may be seeing beside us
            symbols = {axiom.symbol for axiom in scene.axioms}
            own = {name: turning for name, turning in turnings.items() if name in symbols}
            self.known.append(Look(scene.look, tuple(map(_copied, scene.axioms)), own))

    def before(self, scene: Scene) -> tuple[Route, ...]:
        """The groups of all scenes that were seen before this one."""
        found: list[Route] = []
        for one in tuple(self.known):
            if one.look is scene.look:
                break
            found += one.glimpses
        return tuple(found)


def _copied(node: Observation) -> Observation:
    """A tree that later edits do not reach, and that keeps no scene alive."""
    return replace(
        node,
        attributes=dict(node.attributes),
        parts=[_copied(part) for part in node.parts],
        hidden=[replace(part, scene=None) for part in node.hidden],
        rivals=[],
        scene=None,
    )
