"""The trained weights that ship with the package, and the files they are kept in."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from unrender.errors import UnrenderError
from unrender.learning.primitives.network import Encoder
from unrender.learning.primitives.weights import Card, load_card, load_encoder, save_encoder, trained
from unrender.perception.encoder.session import WEIGHTS

NAMES = ["circle", "square", "triangle"]
CARD = Card("circle", steps=3, samples=12, seconds=0.5, seed=9, scores={"recall": 0.25})


def a_network(seed: int = 1, channels: int = 10) -> Encoder:
    """A network with weights that half precision can hold, as if trained for a while."""
    torch.manual_seed(seed)
    encoder = Encoder(channels)
    encoder(torch.randn(4, 3, 32, 32))  # moves the running means of the batch normalisation
    encoder.load_state_dict({key: value.half().float() for key, value in encoder.state_dict().items()})
    return encoder.eval()


def test_weights_of_every_primitive_ship_with_the_package() -> None:
    assert set(NAMES) <= set(trained())
    for name in NAMES:
        assert {path.suffix for path in WEIGHTS.glob(f"{name}.*")} == {".json", ".onnx", ".safetensors"}


def test_all_weights_together_are_no_larger_than_5_megabytes() -> None:
    assert sum(path.stat().st_size for path in WEIGHTS.iterdir()) <= 5_000_000


@pytest.mark.parametrize("name", NAMES)
def test_all_that_ships_has_a_card_that_says_how_it_was_trained(name: str) -> None:
    card = Card(**load_card(name))
    assert card.primitive == name
    assert card.steps > 0
    assert card.samples >= card.steps
    assert card.seconds > 0
    assert "synthesised" in card.note


@pytest.mark.parametrize("channels", [10, 12])
@torch.no_grad()
def test_saving_and_loading_gives_the_same_outputs(channels: int, tmp_path: Path) -> None:
    encoder = a_network(channels=channels)
    path = save_encoder(encoder, CARD, tmp_path / "new")
    assert path == tmp_path / "new" / "circle.safetensors"
    loaded = load_encoder("circle", tmp_path / "new")
    pictures = torch.randn(2, 3, 48, 40, generator=torch.Generator().manual_seed(3))
    expected = encoder(pictures)
    assert expected.shape[1] == channels
    assert expected.std() > 0.01
    assert torch.allclose(loaded(pictures), expected, atol=1e-4)
    assert Card(**load_card("circle", tmp_path / "new")) == CARD
    assert trained(tmp_path / "new") == ["circle"]


def test_saving_twice_gives_the_same_bytes_and_touches_no_other_file(tmp_path: Path) -> None:
    first = save_encoder(a_network(), CARD, tmp_path / "a").read_bytes()
    other = tmp_path / "b" / "square.safetensors"
    other.parent.mkdir()
    other.write_bytes(b"of another")
    assert save_encoder(a_network(), CARD, tmp_path / "b").read_bytes() == first
    assert save_encoder(a_network(2), CARD, tmp_path / "b").read_bytes() != first
    assert other.read_bytes() == b"of another"
    assert len(list(other.parent.iterdir())) == 3


def test_a_primitive_without_weights_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(
        UnrenderError, match=r'\[circle\] has no trained weights; run "unrender train circle"'
    ):
        load_encoder("circle", tmp_path)
    with pytest.raises(UnrenderError, match=r'\[circle\] has no readable card; run "unrender train circle"'):
        load_card("circle", tmp_path)


@pytest.mark.parametrize(
    "damage", ["empty", "cut off", "other bytes", "other tensors", "other sizes", "folder"]
)
def test_a_damaged_file_is_an_error_of_one_sentence(damage: str, tmp_path: Path) -> None:
    path = save_encoder(a_network(), CARD, tmp_path)
    content = path.read_bytes()
    if damage == "other tensors":
        save_file({"something": torch.zeros(3)}, path)
    elif damage == "other sizes":
        state = {key: value.contiguous() for key, value in Encoder(10, width=16).state_dict().items()}
        save_file(state, path)
    elif damage == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes({"empty": b"", "cut off": content[:-100], "other bytes": b"\xff" * 4000}[damage])
    with pytest.raises(
        UnrenderError, match=r'^The weights in ".*" are damaged; run "unrender train circle"\.$'
    ):
        load_encoder("circle", tmp_path)


def test_a_card_is_plain_json(tmp_path: Path) -> None:
    save_encoder(a_network(), CARD, tmp_path)
    card = json.loads((tmp_path / "circle.json").read_text())
    assert card["scores"] == {"recall": 0.25}
    assert card["seed"] == 9


OUTSIDE = """
import sys
sys.path.insert(0, sys.argv[1])
from unrender_heart import heart
from unrender.perception.encoder.session import home, weights_of
assert home(heart).samefile(sys.argv[1])
print(weights_of(heart).name, "torch" in sys.modules)
from unrender.learning.primitives.weights import trained
print(*trained())
"""


def test_the_weights_of_another_packages_primitive_lie_beside_it() -> None:
    folder = Path(__file__).parents[3] / "examples" / "heart"
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE, str(folder)], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.splitlines() == ["heart.onnx False", "arc circle curve edge heart square triangle"], (
        done.stderr
    )
