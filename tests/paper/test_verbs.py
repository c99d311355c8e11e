"""Section "Lexical Interpretation": attributes that change over time are verbs, their values phases."""

import numpy as np
import pytest

import unrender
from unrender.worlds import Characters


@pytest.mark.paper("Lexical Interpretation: verbs")
def test_an_attribute_that_changes_over_time_is_a_verb_and_its_value_the_phase() -> None:
    world = Characters(120, 120, size=(1.0, 1.2))
    brain = unrender.open()
    brain.teach(brain.see(world.film(np.random.default_rng(1), ["rest"], 1)[0].image), "robot")
    clip = brain.watch([shot.image for shot in world.film(np.random.default_rng(2), ["nod"], 24, start=0.0)])
    assert str(clip.question) == "The robot moves its circle again and again. What verb describes this?"
    assert clip.question is not None
    brain.answer(clip.question, "nod")
    shots = world.film(np.random.default_rng(3), ["nod"], 24)
    film = brain.watch([shot.image for shot in shots])
    for t, robot in film.tracks[0].observations.items():
        assert robot.verbs == ("nod",)
        off = abs(robot.attributes["nod"] - shots[t].scene.axioms[0].attributes["nod"])
        assert min(off, 1 - off) < 0.04
    assert str(brain.grammar.symbols["robot"].attribute("nod").role) == "verb"
    assert (brain.draw("robot", nod=0.5) != brain.draw("robot", nod=0.0)).any()
