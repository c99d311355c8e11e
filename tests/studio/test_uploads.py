"""Files from the browser: bounded, and kept in one folder."""

from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from unrender import UnrenderError
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.uploads import LARGEST, Uploads, inside, shown
from unrender.studio.server import Studio

from .conftest import finish


def test_a_file_that_is_too_large_is_refused_and_not_kept(client: TestClient, tmp_path: Path) -> None:
    def chunks() -> object:
        for _ in range(LARGEST // (1 << 20) + 1):
            yield bytes(1 << 20)

    before = set(tmp_path.iterdir())
    reply = client.post("/api/pictures", params={"name": "big.png"}, content=chunks())
    assert reply.status_code == 400
    assert "too large" in reply.json()["detail"]
    assert set(tmp_path.iterdir()) == before


def files(folder: Path) -> set[Path]:
    """What was uploaded."""
    return {path for path in folder.iterdir() if not path.name.startswith("test.brain")}


def test_what_was_uploaded_is_listed_and_can_be_removed(
    client: TestClient, studio: Studio, ship: Path, tmp_path: Path
) -> None:
    id = client.post("/api/see", params={"name": "ship.png"}, content=ship.read_bytes()).json()["id"]
    assert client.get("/api/pictures").json() == [{"id": id, "name": "ship.png", "state": "has a question"}]
    assert len(files(tmp_path)) == 1
    assert client.delete(f"/api/pictures/{id}").json() == {"told": "ship.png is removed."}
    assert client.get("/api/pictures").json() == []
    assert files(tmp_path) == set()
    assert client.delete(f"/api/pictures/{id}").status_code == 400
    assert client.post("/api/answer", json={"picture": id, "name": "ship"}).status_code == 400


@pytest.mark.parametrize("path", ["/api/pictures", "/api/see"])
@pytest.mark.parametrize(("name", "content"), [("a.png", b"no picture"), ("a.mp4", b"no video"), ("a", b"")])
def test_what_cannot_be_seen_is_not_kept(
    client: TestClient, studio: Studio, tmp_path: Path, path: str, name: str, content: bytes
) -> None:
    reply = client.post(path, params={"name": name}, content=content)
    assert reply.status_code == 400
    assert f'"{name}"' in reply.json()["detail"]
    assert files(tmp_path) == set()
    assert not studio.desk.pictures


def upload(uploads: Uploads, desk: Desk, content: bytes) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(content), 100):
            yield content[start : start + 100]

    finish(uploads.receive(chunks(), desk, "ship.png"))


def test_a_full_desk_takes_no_more_until_something_is_removed(desk: Desk, ship: Path, tmp_path: Path) -> None:
    content = ship.read_bytes()
    by_size = Uploads(tmp_path, quota=int(2.5 * len(content)))
    by_number = Uploads(tmp_path, most=2)
    for uploads in (by_size, by_number):
        for _ in range(2):
            upload(uploads, desk, content)
        with pytest.raises(UnrenderError, match=r"^The desk is full: .* remove some pictures first\.$"):
            upload(uploads, desk, content)
        assert len(files(tmp_path)) == len(desk.pictures) == 2
        desk.remove(next(iter(desk.pictures.values())))
        upload(uploads, desk, content)
        for picture in list(desk.pictures.values()):
            desk.remove(picture)
    assert files(tmp_path) == set()


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
