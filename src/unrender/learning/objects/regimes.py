"""How g of a route is trained: in the frame of the whole, or all over a canvas as in the paper."""

from __future__ import annotations

from dataclasses import replace

from unrender.capsules.grammar_decoder import GivenRule
from unrender.capsules.recall import PLAIN, PlainDecoder
from unrender.capsules.route import Route
from unrender.learning.objects.attribute_encoder import fit_noticer
from unrender.learning.objects.decode import fit_decoder
from unrender.learning.objects.plain import fit_plain

FRAME = "frame"
REGIMES = {FRAME: fit_decoder, PLAIN: fit_plain}


def trained(route: Route, regime: str | None = None) -> Route:
    """The route with its g trained on all that memory holds, and then its γ_new from that g.

    regime: the one that the route had, if none is named. A g that was given stays as it is.
    """
    if isinstance(route.given, GivenRule):
        return route
    return fit_noticer(REGIMES[regime or regime_of(route)](replace(route, given=None, noticer=None)))


def regime_of(route: Route) -> str:
    """The regime by which the g of a route was trained."""
    return PLAIN if isinstance(route.given, PlainDecoder) else FRAME
