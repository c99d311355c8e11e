"""For all tests: hypothesis repeats exactly, programs can be interrupted, and two small films."""

import os
import signal
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from PIL import Image, ImageDraw

# A machine with other work on it draws examples slowly, which says nothing about the code.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")

# Programs that tests start import what everybody's do: compiled once, whatever the shell around us says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

if threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job has it ignored


LONGEST = "test_readme.py"  # a minute and a half, of which nothing can be done beside one another


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest comes first, or one worker would be at it when the other has nothing left to do."""
    items.sort(key=lambda item: item.path.name != LONGEST)


@pytest.fixture(scope="session")
def falling(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of two balls, one of which falls and bounces beside the other."""
    frames = []
    for t in range(20):
        y = 12 + 0.35 * t * t if t <= 14 else 12 + 0.35 * (2 * 14.2 - t) ** 2
        image = Image.new("RGB", (96 * 8, 96 * 8), "#181c28")
        pen = ImageDraw.Draw(image)
        for x, middle, colour in ((26 + 2 * t, y, "#e05030"), (20, 70, "#40c070")):
            pen.ellipse([8 * v for v in (x - 8, middle - 8, x + 8, middle + 8)], fill=colour)
        frames.append(image.resize((96, 96), Image.Resampling.BOX))
    path = tmp_path_factory.mktemp("film") / "falling.gif"
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=40, loop=0)
    return path


@pytest.fixture(scope="session")
def robots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of a robot that waves, and a picture of it at rest beside it."""
    from unrender.worlds.characters import Characters

    folder, world = tmp_path_factory.mktemp("robot"), Characters(120, 120, size=(1.0, 1.3))
    shots = world.film(np.random.default_rng(11), ["wave"], 26, 0.0)
    first, *others = (Image.fromarray(shot.image) for shot in shots)
    first.save(folder / "wave.gif", save_all=True, append_images=others, duration=40, loop=0)
    (rest,) = world.film(np.random.default_rng(1), ["rest"], 1)
    Image.fromarray(rest.image).save(folder / "robot.png")
    return folder
