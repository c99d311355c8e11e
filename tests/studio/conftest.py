"""A studio without its page, and a client that talks to it as a program would."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from unrender.studio.desk.desk import Desk
from unrender.studio.server import Studio
from unrender.studio.server.application import service
from unrender.studio.server.guard import Guard
from unrender.worlds.asteroids import Asteroids


def finish(errand: Coroutine[object, object, object]) -> None:
    """Run to its end in a thread of its own: a browser's tests may leave an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, errand).result()


@pytest.fixture(scope="session")
def ship(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture of one ship alone."""
    world = Asteroids(96, 96, ships=(1, 1), asteroids=(0, 0), loose=(0, 0), part=(19.0, 21.0))
    path = tmp_path_factory.mktemp("ship") / "ship.png"
    Image.fromarray(np.asarray(world.sample(np.random.default_rng(3)).image)).save(path)
    return path


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "test.brain")
    yield made
    made.close()


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = Studio(tmp_path / "test.brain", port=0)
    yield made
    made.close()


@pytest.fixture
def stranger(studio: Studio, tmp_path: Path) -> TestClient:
    """Somebody on the same machine who has not been told the token."""
    return TestClient(Guard(service(studio, tmp_path), studio.token), base_url=studio.address)


@pytest.fixture
def client(studio: Studio, stranger: TestClient) -> TestClient:
    """A program that shows the token."""
    stranger.headers["Authorization"] = f"Bearer {studio.token}"
    return stranger
