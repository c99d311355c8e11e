"""Questions whose answer is measured: by how much, which share, on average, how far, and where to another."""

from __future__ import annotations

import math

import numpy as np

from unrender.errors import UnrenderError
from unrender.scene.language.colours import colour
from unrender.scene.language.relations import relation
from unrender.scene.outline import Outline, gap
from unrender.scene.questions import program as ask
from unrender.scene.questions.answer import Value
from unrender.scene.questions.choosing import Choosing
from unrender.scene.questions.measures import told, value, within
from unrender.scene.questions.predicates import LENGTHS

PLACES = ("higher", "lower", "further left", "further right")  # comparatives of where something is, in px
Measured = ask.Mean | ask.HowMuch | ask.Share | ask.Background | ask.HowTo | ask.Distance


def measured(choosing: Choosing, program: Measured) -> tuple[Value, str]:
    """What a program says about the scene."""
    match program:
        case ask.Mean():
            return _mean(choosing, program)
        case ask.HowMuch():
            return _how_much(choosing, program)
        case ask.Share():
            return _share(choosing, program)
        case ask.Background():
            return _background(choosing)
        case ask.HowTo(subject, other):
            word = relation(choosing.only(subject), choosing.only(other))
            return word, f"{word} it"
        case ask.Distance():
            return _distance(choosing, program)


def _mean(choosing: Choosing, program: ask.Mean) -> tuple[Value, str]:
    nodes = choosing.referents(program.subject)
    amounts = [own for node in nodes if isinstance(own := value(node, program.name), int | float)]
    if len(amounts) != len(nodes):
        raise UnrenderError(
            f"The {program.name} is no single number that has a sum; ask for width, height or area."
        )
    found = sum(amounts) / (1 if program.total else len(amounts))
    return found, told(found, program.name)


def _how_much(choosing: Choosing, program: ask.HowMuch) -> tuple[Value, str]:
    by, sign = choosing.reading.measure(program.word)
    if program.word not in (*LENGTHS, *PLACES):
        raise UnrenderError(f'Say how: wider, taller or longer; "{program.word}" has no single number.')
    more = sign * (by(choosing.only(program.one)) - by(choosing.only(program.other)))
    if more < 0:
        raise UnrenderError(f"It is not {program.word}, but the opposite, by {-more:.1f} px.")
    return more, f"{more:.1f} px"


def _share(choosing: Choosing, program: ask.Share) -> tuple[Value, str]:
    nodes = choosing.referents(program.subject)
    part = len(choosing.filtered(nodes, program.filters))
    if program.asked == "fraction":
        return part / len(nodes), f"{part} of {len(nodes)}"
    if program.asked == "percentage":
        percent = 100 * part / len(nodes)
        return percent, f"{percent:g} %, {part} of {len(nodes)}"
    so = within(2 * part, program.asked, len(nodes))
    return so, f"{'yes' if so else 'no'}, {part} of {len(nodes)}"


def _background(choosing: Choosing) -> tuple[Value, str]:
    """The one colour where nothing is."""
    shades = np.unique(choosing.scene.background.reshape(-1, 3), axis=0)
    if len(shades) > 1:
        raise UnrenderError("The background has more than one colour.")
    red, green, blue = (float(own) / 255 for own in shades[0])
    shade = colour(red, green, blue)
    return shade, shade


def _distance(choosing: Choosing, program: ask.Distance) -> tuple[Value, str]:
    """Pixels between the edges of two objects; those between their middles are told beside."""
    if program.other is None:
        nodes = choosing.referents(program.subject)
    else:
        nodes = [choosing.only(program.subject), choosing.only(program.other)]
    if len(nodes) != 2:
        raise UnrenderError(f"A distance lies between two objects, not {len(nodes)}; say which two.")
    here, there = map(Outline.of, nodes)
    pixels, middles = max(0.0, gap(here, there)), math.dist(here.centre, there.centre)
    return pixels, f"{pixels:.1f} px between their edges, {middles:.1f} px between their middles"
