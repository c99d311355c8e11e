"""Variants that a person allows: an object may come mirrored or stretched, though no example shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unrender.capsules.network import Network
from unrender.capsules.semantic import SemanticCapsule
from unrender.capsules.variants.mirror import mirror_route
from unrender.capsules.variants.variants import MIRRORED, STRETCH
from unrender.errors import UnrenderError, nearest

ALLOWED = (MIRRORED, STRETCH)


def allow(network: Network, symbol: str, names: Sequence[str]) -> Network:
    """The network in which a symbol may show these variants too."""
    capsule = network.capsule(symbol)
    if not names:
        raise UnrenderError(f'Say what [{symbol}] may be: "{MIRRORED}" or "{STRETCH}".')
    for name in names:
        if name not in ALLOWED:
            raise UnrenderError(
                f'What may be allowed is "{MIRRORED}" or "{STRETCH}", not {name!r}.{nearest(name, ALLOWED)}'
            )
        if name in capsule.names:
            raise UnrenderError(
                f'"{name}" is an attribute of [{symbol}] that was taught; it cannot be allowed.'
            )
    first, *others = capsule.routes
    if first.given is not None:
        raise UnrenderError(f"[{symbol}] comes from a grammar, which says itself what varies.")
    if MIRRORED in names and mirror_route(first) is None:
        raise UnrenderError(f"A part of [{symbol}] cannot be turned over, so no mirror image can be allowed.")
    if STRETCH in names and len(first.parts) < 2:
        raise UnrenderError(f"[{symbol}] is one part alone, known by its proportions.")
    both = tuple(name for name in ALLOWED if name in (*first.allows, *names))
    capsules = {**network.capsules, symbol: SemanticCapsule(symbol, (replace(first, allows=both), *others))}
    return Network(capsules)
