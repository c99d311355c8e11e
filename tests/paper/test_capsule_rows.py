"""Sections "Neural-Symbolic Capsules" to "Connecting Capsules": from pixels to a scene graph."""

import contextlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Brain, Observation, Scene
from unrender.cli import main

LOOKS = {"red": 0.9, "green": 0.5, "blue": 0.1, "filled": 1.0, "thickness": 0.0}
LAMP = """
[lamp] -> [circle] [square]
    [circle] y = -0.285 * height, height = 0.43 * height, width = 0.43 * height
    [square] y = 0.215 * height, height = 0.57 * height, width = 0.4 * width, red = 0.2
"""


def lamp(x: float = 60.0, y: float = 60.0, scale: float = 1.0) -> list[Observation]:
    """A round head on a post."""
    return [
        Observation("circle", (x, y - 20 * scale), (30 * scale, 30 * scale), 0.0, dict(LOOKS)),
        Observation("square", (x, y + 15 * scale), (12 * scale, 40 * scale), 0.0, LOOKS | {"red": 0.2}),
    ]


def scene_of(*shapes: Observation) -> Scene:
    return Scene(160, 120, [replace(own, depth=i) for i, own in enumerate(shapes)], (10, 10, 30))


def picture(*shapes: Observation) -> np.ndarray:
    return scene_of(*shapes).image


@pytest.fixture
def brain() -> Brain:
    """Knows a lamp."""
    brain = unrender.open()
    brain.teach(scene_of(*lamp()), "lamp")
    return brain


@pytest.mark.paper("Introduction")
def test_a_picture_is_told_as_a_scene_graph_that_draws_it_again() -> None:
    shown = picture(*lamp())
    scene = unrender.open().see(shown)
    assert sorted(axiom.symbol for axiom in scene.axioms) == ["circle", "square"]
    assert np.abs(scene.image.astype(float) - shown).mean() < 0.5


@pytest.mark.paper("Neural-Symbolic Capsules", "Terminal Symbols → Primitive Capsules")
def test_gamma_alone_finds_the_primitives_of_a_picture() -> None:
    scene = unrender.open().see(picture(*lamp()), proposals=["encoder"])
    assert sorted(axiom.symbol for axiom in scene.axioms) == ["circle", "square"]


@pytest.mark.paper(
    "Non-Terminal Symbols → Semantic Capsules",
    "Routing-By-Agreement",
    "fig:reverseNode",
    "fig:CapsuleBlockDiagram",
)
def test_wholes_are_found_among_primitives_wherever_they_stand(brain: Brain) -> None:
    scene = brain.see(picture(*lamp(40.0, 60.0), *lamp(120.0, 64.0, 0.8)))
    assert [axiom.symbol for axiom in scene.axioms] == ["lamp", "lamp"]
    assert sorted(round(axiom.position[0]) for axiom in scene.axioms) == [40, 120]


@pytest.mark.paper("Rules → Routes")
def test_a_rule_that_is_written_becomes_a_route_and_so_does_one_that_is_shown(brain: Brain) -> None:
    other = unrender.open()
    other.learn_grammar(LAMP)
    for knows in (brain, other):
        shown = knows.draw("lamp", canvas=(160, 120), position=(80, 60), size=(30, 70), red=0.9)
        assert [axiom.symbol for axiom in knows.see(shown).axioms] == ["lamp"]


@pytest.mark.paper("Connecting Capsules: observation table Λ")
def test_the_table_holds_all_occurrences_for_all_capsules(brain: Brain) -> None:
    scene = brain.understand(scene_of(*lamp(40.0), *lamp(120.0)))
    assert len(scene.observations) == 6


@pytest.mark.paper("Connecting Capsules: observed parse-trees")
def test_the_tops_of_the_trees_are_the_observed_axioms(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    scene = scene_of(*lamp())
    scene.save(tmp_path / "lamp.png")
    with contextlib.chdir(tmp_path), pytest.raises(SystemExit):
        main(["see", "lamp.png"])
    told = capsys.readouterr().out
    assert "circle" in told
    assert "square" in told


@pytest.mark.paper("eq:Inv")
def test_the_pose_of_a_primitive_is_the_one_whose_pixels_come_nearest() -> None:
    shape = Observation("square", (60.3, 55.7), (40.4, 22.2), 12.5, dict(LOOKS))
    (seen,) = unrender.open().see(picture(shape)).axioms
    assert seen.position == pytest.approx(shape.position, abs=0.02)
    assert seen.size == pytest.approx(shape.size, abs=0.05)
    assert seen.rotation == pytest.approx(shape.rotation, abs=0.1)


@pytest.mark.paper("eq:CapsuleInternals0")
def test_attributes_of_a_whole_come_from_parts_and_those_of_parts_from_pixels(brain: Brain) -> None:
    (seen,) = brain.see(picture(*lamp(80.0, 60.0, 1.2)), proposals=["encoder"]).axioms
    assert seen.symbol == "lamp"
    assert seen.position == pytest.approx((80.0, 60.0), abs=0.5)
    assert seen.size == pytest.approx((36.0, 84.0), abs=0.5)


@pytest.mark.paper("eq:CapsuleInternals1")
def test_a_whole_says_what_parts_and_pixels_are_expected(brain: Brain) -> None:
    brain.learn_grammar("[post] -> [square] [triangle]\n    [triangle] y = -height, height = 0.5 * height")
    for symbol in ("lamp", "post"):
        image = brain.draw(symbol, position=(80, 60), size=(30, 60), canvas=(160, 120))
        assert image.any(axis=-1).sum() > 400


@pytest.mark.paper("eq:CapsuleInternals2")
def test_a_whole_is_as_sure_as_its_parts_agree(brain: Brain) -> None:
    head, post = lamp(80.0)
    good = brain.see(picture(head, post)).axioms[-1]
    bent = brain.see(picture(head, replace(post, position=(83.0, 75.0)))).axioms[-1]
    assert (good.symbol, bent.symbol) == ("lamp", "lamp")
    assert bent.p < good.p
    assert good.p == pytest.approx(1.0, abs=0.05)


@pytest.mark.paper("eq:CapsuleInternals3", "eq:CapsuleInternals4")
def test_of_several_routes_the_most_likely_one_speaks_for_the_capsule(brain: Brain) -> None:
    head, post = lamp()
    wide = replace(post, size=(22.0, 40.0))
    assert brain.teach(scene_of(head, wide), "lamp") == "lamp/2"
    routes = [brain.understand(scene_of(head, own)).axioms[0].route for own in (post, wide)]
    assert routes == ["lamp/1", "lamp/2"]


@pytest.mark.paper("eq:SemantsicAgreementFunction")
def test_a_square_agrees_with_itself_a_quarter_turn_further(brain: Brain) -> None:
    head, post = lamp()
    turned = replace(post, size=post.size[::-1], rotation=90.0)
    plain, other = (brain.understand(scene_of(head, own)).axioms[0] for own in (post, turned))
    assert other.symbol == "lamp"
    assert other.p == pytest.approx(plain.p)
    assert brain.see(picture(head, turned)).axioms[0].symbol == "lamp"


@pytest.mark.paper("eq:memoryTrainingSet")
def test_what_was_shown_and_how_sure_its_parts_were_is_kept_for_good(tmp_path: Path) -> None:
    with unrender.open(tmp_path / "my.brain") as brain:
        brain.teach(brain.see(picture(*lamp())), "lamp")
        brain.see(picture(*lamp(90.0)), remember=True)
    with unrender.open(tmp_path / "my.brain") as brain:
        (route,) = brain.symbols["lamp"]
        assert len(route.memory) == 1
        assert route.past is not None
        assert route.past.counts == (1, 1)


@pytest.mark.paper("eq:Gamma1")
def test_a_whole_looks_like_the_mean_of_its_parts_weighted_by_size(brain: Brain) -> None:
    (seen,) = brain.understand(scene_of(*lamp())).axioms
    large, small = np.hypot(30, 30), np.hypot(12, 40)
    assert seen.attributes["red"] == pytest.approx((0.9 * large + 0.2 * small) / (large + small))


@pytest.mark.paper("γ^size", "eq:Gamma3")
def test_a_whole_is_the_box_around_its_turned_parts() -> None:
    brain = unrender.open()
    brain.teach(scene_of(*lamp()), "lamp")
    scene = brain.understand(scene_of(*lamp(80.0, 60.0)))
    scene.edit("lamp.1.rotation=40")
    (seen,) = brain.understand(scene).axioms
    assert seen.position == pytest.approx((80.0, 60.0), abs=0.1)
    assert seen.size == pytest.approx((30.0, 70.0), abs=0.1)
    assert seen.rotation == pytest.approx(40.0, abs=0.1)


@pytest.mark.paper("Conclusion and Outlook")
def test_every_object_and_part_has_a_mask(brain: Brain) -> None:
    (seen,) = brain.understand(scene_of(*lamp())).axioms
    assert seen.mask.sum() == pytest.approx(np.pi * 15**2 + 12 * 35, rel=0.1)
    assert sum(part.mask.sum() for part in seen.parts) == seen.mask.sum()


@pytest.mark.paper("Lexical Interpretation")
def test_attributes_are_said_by_their_role() -> None:
    text = LAMP.replace("[circle] y =", "[circle] rotation = 0, red = 1 - blink, y =")
    brain = unrender.open()
    brain.learn_grammar("attribute blink: verb default 0.9\n[lamp] has blink\n" + text)
    head, post = brain.understand(scene_of(*lamp())).primitives
    post = replace(post, size=(20.0, 40.0))
    question = brain.ask_about(scene := brain.understand(scene_of(head, post)), scene.primitives)
    assert "that is blinking strongly" in str(question)
