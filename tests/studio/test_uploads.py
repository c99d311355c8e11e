"""Files from the browser: bounded, and kept in one folder."""

from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from unrender import UnrenderError
from unrender.studio.server import Studio
from unrender.studio.uploads import LARGEST, inside, shown


def test_a_file_that_is_too_large_is_refused_and_not_kept(client: TestClient, tmp_path: Path) -> None:
    def chunks() -> object:
        for _ in range(LARGEST // (1 << 20) + 1):
            yield bytes(1 << 20)

    before = set(tmp_path.iterdir())
    reply = client.post("/api/pictures", params={"name": "big.png"}, content=chunks())
    assert reply.status_code == 400
    assert "too large" in reply.json()["detail"]
    assert set(tmp_path.iterdir()) == before


def test_a_picture_that_is_too_long_and_thin_is_refused(client: TestClient, tmp_path: Path) -> None:
    path = tmp_path / "wide.png"
    Image.fromarray(np.zeros((20, 5000), np.uint8)).save(path)
    reply = client.post("/api/see", params={"name": "wide.png"}, content=path.read_bytes())
    assert reply.status_code == 400
    assert reply.json()["detail"].startswith('"wide.png" has 5000x20 pixels; scaled down to')


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\windows\\win.ini", "win.ini"),
        ("a\0b\n.png", "ab.png"),
        ("", "picture"),
        ("<b>.png", "<b>.png"),
    ],
)
def test_a_name_loses_its_folders_and_what_cannot_be_shown(name: str, kept: str) -> None:
    assert shown(name) == kept


def test_an_upload_stays_in_its_folder(
    client: TestClient, studio: Studio, ship: Path, tmp_path: Path
) -> None:
    reply = client.post("/api/pictures", params={"name": "../../x.png"}, content=ship.read_bytes())
    picture = studio.desk.picture(reply.json()["id"])
    assert picture.path.parent == tmp_path
    assert picture.name == "x.png"


@pytest.mark.parametrize("name", ["../a.brain", "/etc/a.brain", "a/b.brain", "..", "", "a\\b", "a\0"])
def test_a_brain_outside_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnrenderError):
        inside(tmp_path, name)


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "way.brain").symlink_to(tmp_path / "secret.brain")
    with pytest.raises(UnrenderError, match="outside the folder"):
        inside(tmp_path / "home", "way.brain")
    assert inside(tmp_path / "home", "other.brain") == tmp_path / "home" / "other.brain"
