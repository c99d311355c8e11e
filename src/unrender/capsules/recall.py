"""From permanent memory to a capsule network and back. Nothing that is loaded can run code."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from unrender.capsules.decoder import Decoder
from unrender.capsules.experience import Entry
from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.network import Network
from unrender.capsules.poses import Floats
from unrender.capsules.route import Given, Route
from unrender.capsules.semantic import SemanticCapsule
from unrender.capsules.validation import check_all, check_decoder, check_route
from unrender.errors import UnrenderError
from unrender.grammar.grammar import Grammar
from unrender.memory import RouteRecord, Snapshot
from unrender.memory.weights import pack, unpack
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

PLAIN = "plain"
NOTICER = "noticer."  # before the names of γ_new's tensors
SMALLEST = 1e-3  # px


@dataclass(frozen=True)
class PlainDecoder:
    """g of the paper's plain regime: from all of α_Ω to all of the α_λ, on the canvas and without a frame.

    Both are written (x, y, w, h, cos, sin, attributes): pixels, the rotation as a direction.
    """

    parts: tuple[str, ...]
    names: tuple[str, ...]
    has: tuple[tuple[bool, ...], ...]  # (P, S): which part has which attribute
    network: Decoder
    forms: tuple[tuple[float, ...] | None, ...]  # of each part, as in the first example

    def told(self, whole: Observation) -> Floats:
        """(6 + S,): α_Ω."""
        turn = math.radians(whole.rotation)
        style = [whole.attributes.get(name, 0.0) for name in self.names]
        return np.array([*whole.position, *whole.size, math.cos(turn), math.sin(turn), *style])

    def __call__(self, whole: Observation) -> list[Observation]:
        """The parts of a whole."""
        rows = self.network(self.told(whole)).reshape(len(self.parts), -1)
        return [self._part(j, [float(value) for value in row]) for j, row in enumerate(rows)]

    def _part(self, j: int, row: Sequence[float]) -> Observation:
        x, y, width, height, cos, sin, *style = row
        columns = zip(self.names, style, self.has[j], strict=True)
        return Observation(
            self.parts[j],
            (x, y),
            (max(width, SMALLEST), max(height, SMALLEST)),
            math.degrees(math.atan2(sin, cos)),
            {name: min(1.0, max(0.0, value)) for name, value, own in columns if own},
            form=self.forms[j],
        )

    def invert(
        self, whole: Observation, parts: Sequence[Observation], turnings: Sequence[Symmetry]
    ) -> Observation:
        """What γ says, as in the paper."""
        return whole


def plain_of(route: Route, network: Decoder) -> PlainDecoder:
    """A trained network as g of a route."""
    has = tuple(tuple(bool(own) for own in row) for row in route.has)
    forms = tuple(part.form for part in route.memory[0].parts)
    return PlainDecoder(route.parts, route.names, has, network, forms)


def record_of(route: Route) -> RouteRecord:
    """A route as it is kept."""
    given = route.given if isinstance(route.given, GivenRule) else None
    network = route.given.network if isinstance(route.given, PlainDecoder) else route.decoder
    body: dict[str, Any] = {
        "names": list(route.names),
        "turnings": [_kept(turning) for turning in route.turnings],
    }
    if route.learned:
        body["learned"] = route.learned
    if route.hinged:
        body["hinged"] = True
    if route.lent:
        body["lent"] = [list(row) for row in route.lent]
    if route.allows:
        body["allows"] = list(route.allows)
    if given is not None:
        body["rule"] = given.grammar.rules.index(given.rule)
    if isinstance(route.given, PlainDecoder):
        body["regime"] = PLAIN
    return RouteRecord(
        symbol=route.symbol,
        number=route.number,
        kind=route.kind,
        label=route.label,
        parts=route.parts,
        given=None if given is None else str(given.grammar),
        body=body,
        weights=_packed(network, route.noticer),
        observations=tuple(entry.to_dict() for entry in route.memory),
    )


def _packed(network: Decoder | None, noticer: Decoder | None) -> bytes | None:
    """g and γ_new in one blob; None if there is neither."""
    tensors = {} if network is None else network.tensors()
    if noticer is not None:
        tensors |= {f"{NOTICER}{name}": tensor for name, tensor in noticer.tensors().items()}
    return pack(tensors) if tensors else None


def _unpacked(blob: bytes | None) -> tuple[Decoder | None, Decoder | None]:
    """g and γ_new from `_packed`."""
    tensors = {} if blob is None else unpack(blob)
    noticer = {k.removeprefix(NOTICER): v for k, v in tensors.items() if k.startswith(NOTICER)}
    network = {k: v for k, v in tensors.items() if not k.startswith(NOTICER)}
    return Decoder.of(network) if network else None, Decoder.of(noticer) if noticer else None


def _kept(turning: Symmetry) -> list[Any]:
    """A symmetry as it is kept; what a quarter turn exchanges stands last, if there is anything."""
    pairs = [list(pair) for pair in turning.exchanges]
    return [turning.turns, turning.even, turning.swaps, *([pairs] if pairs else [])]


def _symmetry(first: Any, second: Any, swaps: Any = None, exchanges: Any = ()) -> Symmetry:
    """From `_kept`; in brains of the first version an order, and whether it holds for
    a stretched unit shape."""
    if swaps is None:
        return Symmetry.of_order(int(first), stretched=bool(second))
    pairs = tuple((str(one), str(other)) for one, other in exchanges)
    return Symmetry(int(first), int(second), swaps=bool(swaps), exchanges=pairs)


def route_of(record: RouteRecord, grammars: dict[str, Grammar]) -> Route:
    """A route as it was kept; `grammars` spares reading the same text again."""
    try:
        given: Given | None = None
        if record.given is not None:
            if record.given not in grammars:
                grammars[record.given] = Grammar.kept(record.given)
            grammar = grammars[record.given]
            given = GivenRule(grammar, grammar.rules[int(record.body["rule"])])
        network, noticer = _unpacked(record.weights)
        names = tuple(str(name) for name in record.body["names"])
        if isinstance(given, GivenRule) and network is None and noticer is None:
            # what primitives have been given since is inherited, as everything of the parts is
            names += tuple(name for name in given.names if name not in names)
        route = Route(
            symbol=record.symbol,
            number=record.number,
            parts=record.parts,
            names=names,
            turnings=tuple(_symmetry(*kept) for kept in record.body["turnings"]),
            memory=tuple(Entry.from_dict(entry) for entry in record.observations),
            decoder=network,
            noticer=noticer,
            given=given,
            kind=record.kind,
            label=record.label,
            lent=tuple(tuple(map(float, row)) for row in record.body.get("lent", ())),
            allows=tuple(str(name) for name in record.body.get("allows", ())),
            hinged=bool(record.body.get("hinged", False)),
            learned=int(record.body.get("learned", record.row)),  # brains did not always keep it
        )
        if network is not None and record.body.get("regime") == PLAIN:
            columns = 6 + len(route.names)
            check_decoder(network, columns, len(route.parts) * columns)
            bare = check_route(replace(route, decoder=None))
            return replace(bare, given=plain_of(bare, network))
        return check_route(route)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RecursionError):
        raise UnrenderError(
            f"The brain's route {record.symbol}/{record.number} is damaged; restore the file from a copy."
        ) from None


def network_of(snapshot: Snapshot) -> Network:
    """All that a brain file knows about wholes."""
    grammars: dict[str, Grammar] = {}
    routes: dict[str, list[Route]] = {}
    for record in snapshot.routes:
        routes.setdefault(record.symbol, []).append(route_of(record, grammars))
    check_all(routes)
    return Network({symbol: SemanticCapsule(symbol, tuple(own)) for symbol, own in routes.items()})
