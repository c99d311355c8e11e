"""The world of line drawings: repeatable pictures of strokes whose truth is true."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import unrender
from unrender import Scene, UnrenderError
from unrender.cli.app import app
from unrender.worlds import Drawings
from unrender.worlds.sketches import SKETCHES

WORLD = Drawings()


def scene(seed: int, world: Drawings = WORLD) -> Scene:
    return world.sample(np.random.default_rng(seed)).scene


def test_the_same_seed_gives_the_same_picture_and_another_seed_another() -> None:
    one, same, other = (json.dumps(scene(seed).to_dict()) for seed in (3, 3, 4))
    assert one == same
    assert one != other


def test_the_picture_survives_json() -> None:
    picture = WORLD.sample(np.random.default_rng(8))
    again = Scene.from_dict(json.loads(json.dumps(picture.scene.to_dict())))
    assert np.array_equal(again.image, picture.image)


def test_drawings_are_strokes_of_one_colour_and_do_not_cover_one_another() -> None:
    for seed in range(6):
        made = scene(seed)
        names = {axiom.symbol for axiom in made.axioms}
        assert names <= {*SKETCHES, "edge"}
        painted = sum(axiom.full_mask.astype(int) for axiom in made.axioms)
        assert painted.max() == 1
        for axiom in made.axioms:
            assert axiom.full_mask.any()
            colours = {
                tuple(leaf.attributes[name] for name in ("red", "green", "blue")) for leaf in axiom.primitives
            }
            assert len(colours) == 1


def test_every_primitive_of_strokes_occurs_and_some_lines_are_dashed() -> None:
    leaves = [leaf for seed in range(12) for leaf in scene(seed).primitives]
    assert {leaf.symbol for leaf in leaves} == {"edge", "arc", "curve", "path", "circle", "square"}
    dashes = [leaf.attributes["dash"] for leaf in leaves if "dash" in leaf.attributes]
    assert dashes
    assert all(0 < dash < 1 for dash in dashes)


@pytest.mark.parametrize("name", sorted(SKETCHES))
def test_an_icon_fills_its_picture_and_is_turned_as_a_whole(name: str) -> None:
    picture = Drawings(96, 96, cells=1, dark=0.0).icon(np.random.default_rng(1), name)
    rows, columns = np.nonzero(picture.image.min(2) < 128)
    assert max(np.ptp(rows), np.ptp(columns)) > 45
    assert min(rows.min(), columns.min(), 95 - rows.max(), 95 - columns.max()) >= 2
    (axiom,) = picture.scene.axioms
    assert (axiom.symbol, len(axiom.parts)) == (name, len(SKETCHES[name]))


def test_what_is_seen_of_a_drawing_is_what_was_drawn() -> None:
    world = Drawings(128, 128, cells=1, dark=0.0, stroke=(4.0, 4.0))
    for name in ("lens", "mail", "clock"):
        picture = world.icon(np.random.default_rng(2), name)
        seen = unrender.open(":memory:").see(picture.image)
        told = sorted(leaf.symbol for leaf in picture.scene.primitives)
        assert sorted(leaf.symbol for leaf in seen.primitives) == told


def test_networks_of_strokes_find_lines_in_noise_by_themselves() -> None:
    rng = np.random.default_rng([77, 0])
    clean = Drawings(96, 96, cells=1, stroke=(3.0, 4.0)).icon(rng, "lens").image.astype(float)
    image = (clean + rng.normal(0, 15, clean.shape)).clip(0, 255).astype(np.uint8)
    seen = unrender.open(":memory:").see(image, proposals=["encoder"])
    assert {"circle", "edge"} <= {leaf.symbol for leaf in seen.primitives}


def test_a_world_that_cannot_be_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnrenderError, match="no room for 9 drawings"):
        Drawings(96, 96, cells=9)
    with pytest.raises(UnrenderError, match="sides of 48"):
        Drawings(20, 96)
    with pytest.raises(UnrenderError, match='no drawing called "hose"'):
        WORLD.icon(np.random.default_rng(0), "hose")


def test_the_command_writes_pictures_and_their_truth(tmp_path: Path) -> None:
    result = CliRunner().invoke(
        app, ["world", "drawings", "-n", "2", "-o", str(tmp_path), "--size", "96", "--cells", "1"]
    )
    assert result.exit_code == 0, result.output
    truth = json.loads((tmp_path / "drawings-00001.json").read_text())
    assert truth["width"] == 96
    assert (tmp_path / "drawings-00001.png").exists()
