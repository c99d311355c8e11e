"""The trained capsules that ship with the package, and the files they are kept in."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from unrender.capsules.encoder import Encoder
from unrender.capsules.library import (
    WEIGHTS,
    Card,
    load_capsule,
    load_card,
    save_capsule,
    shipped,
    trained,
)
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.errors import UnrenderError
from unrender.graphics.registry import find, primitives

NAMES = ["circle", "square", "triangle"]
CARD = Card("circle", steps=3, samples=12, seconds=0.5, seed=9, scores={"recall": 0.25})


def a_capsule(seed: int = 1) -> PrimitiveCapsule:
    """A capsule with weights that half precision can hold, as if trained for a while."""
    torch.manual_seed(seed)
    encoder = Encoder()
    encoder(torch.randn(4, 3, 32, 32))  # moves the running means of the batch normalisation
    encoder.load_state_dict({key: value.half().float() for key, value in encoder.state_dict().items()})
    return PrimitiveCapsule(find("circle"), encoder.eval())


def test_a_capsule_of_every_primitive_ships_with_the_package() -> None:
    assert set(NAMES) <= set(trained())
    assert [capsule.primitive.name for capsule in shipped()] == trained()
    assert set(trained()) <= set(primitives())


def test_all_weights_together_are_no_larger_than_5_megabytes() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.glob("*.safetensors")) <= 5_000_000


@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_capsule_has_a_card_that_says_how_it_was_trained(name: str) -> None:
    card = Card(**load_card(name))
    assert card.primitive == name
    assert card.steps > 0
    assert card.samples >= card.steps
    assert card.seconds > 0
    assert "synthesised" in card.note


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_a_shipped_capsule_is_confident_about_its_own_shape_only_where_it_is(name: str) -> None:
    from unrender.capsules.encoder import normalise

    primitive = find(name)
    attributes = torch.tensor([[30.0, 22.0, 12.0, 12.0, 10.0, 1.0, 1.0, 1.0, 1.0, 0.0]])
    capsule = load_capsule(name)
    picture = 0.1 + 0.8 * capsule.decode(attributes, 64, 64)[:, None].expand(-1, 3, -1, -1)
    assert capsule.primitive == primitive
    heat = capsule.encoder(normalise(picture))[0, 0].sigmoid()
    row, column = divmod(int(heat.argmax()), heat.shape[1])
    assert heat.max() > 0.5
    assert abs((column + 0.5) * 4 - 30) < 4
    assert abs((row + 0.5) * 4 - 22) < 4
    assert (heat < 0.3).float().mean() > 0.9


@torch.no_grad()
def test_saving_and_loading_gives_the_same_outputs(tmp_path: Path) -> None:
    capsule = a_capsule()
    path = save_capsule(capsule, CARD, tmp_path / "new")
    assert path == tmp_path / "new" / "circle.safetensors"
    loaded = load_capsule("circle", tmp_path / "new")
    pictures = torch.randn(2, 3, 48, 40, generator=torch.Generator().manual_seed(3))
    expected = capsule.encoder(pictures)
    assert expected.std() > 0.01
    assert torch.allclose(loaded.encoder(pictures), expected, atol=1e-4)
    assert Card(**load_card("circle", tmp_path / "new")) == CARD
    assert trained(tmp_path / "new") == ["circle"]


def test_saving_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    first = save_capsule(a_capsule(), CARD, tmp_path / "a").read_bytes()
    assert save_capsule(a_capsule(), CARD, tmp_path / "b").read_bytes() == first
    assert save_capsule(a_capsule(2), CARD, tmp_path / "b").read_bytes() != first


def test_a_primitive_without_weights_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(
        UnrenderError, match=r'\[circle\] has no trained weights; run "unrender train circle"'
    ):
        load_capsule("circle", tmp_path)


@pytest.mark.parametrize(
    "damage", ["empty", "cut off", "other bytes", "other tensors", "other sizes", "folder"]
)
def test_a_damaged_file_is_an_error_of_one_sentence(damage: str, tmp_path: Path) -> None:
    path = save_capsule(a_capsule(), CARD, tmp_path)
    content = path.read_bytes()
    if damage == "other tensors":
        save_file({"something": torch.zeros(3)}, path)
    elif damage == "other sizes":
        state = {key: value.contiguous() for key, value in Encoder(width=16).state_dict().items()}
        save_file(state, path)
    elif damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes({"empty": b"", "cut off": content[:-100], "other bytes": b"\xff" * 4000}[damage])
    with pytest.raises(
        UnrenderError, match=r'^The weights in ".*" are damaged; run "unrender train circle"\.$'
    ):
        load_capsule("circle", tmp_path)


def test_a_card_is_plain_json(tmp_path: Path) -> None:
    save_capsule(a_capsule(), CARD, tmp_path)
    card = json.loads((tmp_path / "circle.json").read_text())
    assert card["scores"] == {"recall": 0.25}
    assert card["seed"] == 9


OUTSIDE = """
import sys
sys.path.insert(0, sys.argv[1])
import unrender_heart
from unrender.capsules.library import home, shipped, trained
assert home("heart").samefile(sys.argv[1]) and home("circle") != home("heart")
assert trained() == ["circle", "heart", "square", "triangle"]
print(len(shipped()))
"""


def test_the_weights_of_another_packages_primitive_lie_beside_it() -> None:
    folder = Path(__file__).parents[2] / "examples" / "heart"
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE, str(folder)], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "4\n", "")
