"""Films as files: what other programs show is the film."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import sync_playwright
from rlottie_python import LottieAnimation
from skimage.metrics import structural_similarity

import unrender
from tests.film.drawings import Frame, behind_post, frame
from unrender.errors import UnrenderError
from unrender.film.film import Film

SHOTS = behind_post()


@pytest.fixture(scope="module")
def film(brain: unrender.Brain) -> Film:
    return brain.watch(SHOTS)


def alike(one: Frame, other: Frame) -> float:
    return float(structural_similarity(one, other, channel_axis=2))


def test_a_film_drawn_again_looks_like_the_film(film: Film) -> None:
    assert min(alike(scene.image, shot) for scene, shot in zip(film.scenes, SHOTS, strict=True)) > 0.99


def test_another_player_plays_the_lottie_file_as_the_film(film: Film, tmp_path: Path) -> None:
    film.save(tmp_path / "film.lottie.json")
    player = LottieAnimation.from_file(str(tmp_path / "film.lottie.json"))
    assert player.lottie_animation_get_framerate() == 25
    for t, shot in enumerate(SHOTS):
        shown = player.render_pillow_frame(frame_num=t, width=96, height=64).convert("RGB")
        assert alike(np.asarray(shown), shot) > 0.98, t


def test_a_browser_plays_the_animated_svg_as_the_film(film: Film, tmp_path: Path) -> None:
    film.save(tmp_path / "film.svg")
    with sync_playwright() as playwright:
        found = shutil.which("chromium") or shutil.which("chromium-browser")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 96, "height": 64})
        page.goto((tmp_path / "film.svg").as_uri())
        for t in (0, 7, 14, 22, 29):
            page.evaluate(
                "t => { const svg = document.documentElement; svg.pauseAnimations(); svg.setCurrentTime(t) }",
                (t + 0.001) / 25,
            )
            page.screenshot(path=tmp_path / "shot.png")
            with Image.open(tmp_path / "shot.png") as shown:
                assert alike(np.asarray(shown.convert("RGB")), SHOTS[t]) > 0.98, t
        browser.close()


def test_gif_and_mp4_are_as_long_as_the_film_and_look_like_it(film: Film, tmp_path: Path) -> None:
    film.save(tmp_path / "film.gif")
    film.save(tmp_path / "film.mp4")
    with Image.open(tmp_path / "film.gif") as image:
        assert image.info["duration"] == 40
        image.seek(14)
        assert alike(np.asarray(image.convert("RGB")), SHOTS[14]) > 0.95
    with av.open(str(tmp_path / "film.mp4")) as container:
        shown = [each.to_ndarray(format="rgb24") for each in container.decode(video=0)]
    assert len(shown) == 30
    assert alike(shown[14], SHOTS[14]) > 0.95


def test_the_animation_player_of_godot_moves_the_node_of_the_disc(film: Film, tmp_path: Path) -> None:
    film.save(tmp_path / "film.tscn")
    text = (tmp_path / "film.tscn").read_text()
    assert '[node name="circle-1" type="Node2D" parent="."]' in text
    assert 'path = NodePath("circle-1:position")' in text
    assert 'path = NodePath("circle-1:visible")' in text  # while it is behind the post
    assert "length = 1.2" in text
    assert text.index("[sub_resource") < text.index("[node")
    assert '[node name="AnimationPlayer" type="AnimationPlayer" parent="."]' in text


def test_a_film_can_be_read_again_from_json(film: Film, tmp_path: Path) -> None:
    film.save(tmp_path / "film.json")
    again = Film.load(tmp_path / "film.json")
    assert (again.fps, again.times) == (film.fps, film.times)
    assert [(t.number, t.symbol, t.first, t.last) for t in again.tracks] == [
        (t.number, t.symbol, t.first, t.last) for t in film.tracks
    ]
    kinds = {
        track["symbol"]: track["motion"]["kind"]
        for track in json.loads((tmp_path / "film.json").read_text())["tracks"]
    }
    assert kinds == {"square": "resting", "circle": "uniform"}


def test_a_film_of_odd_sides_and_colours_that_change_can_be_saved(
    brain: unrender.Brain, tmp_path: Path
) -> None:
    shots = [frame([("circle", 30, 30, 20, 20, f"#{40 + 20 * t:02x}8060")], (71, 61)) for t in range(8)]
    film = brain.watch(shots)
    film.save(tmp_path / "film.mp4")
    film.save(tmp_path / "film.lottie.json")
    player = LottieAnimation.from_file(str(tmp_path / "film.lottie.json"))
    shown = np.asarray(player.render_pillow_frame(frame_num=6, width=71, height=61).convert("RGB"))
    assert np.allclose(shown[30, 30], shots[6][30, 30], atol=6)


def test_a_name_without_a_known_suffix_is_one_sentence(film: Film, tmp_path: Path) -> None:
    with pytest.raises(UnrenderError, match=r"\.lottie\.json"):
        film.save(tmp_path / "film.txt")
