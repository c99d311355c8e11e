"""The machine code that comes with the package: it is that of these loops, and is used without a compiler."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from unrender.perception import warmup
from unrender.primitives import kept, shipped
from unrender.primitives.jit import compiled

HERE = pytest.mark.skipif(
    not shipped.archive().is_file(), reason=f"no code is shipped for {shipped.archive().stem}"
)
SEE = """
import unrender
from numba.core import event
from unrender.perception import warmup

with event.install_recorder("numba:compile") as compiled:
    scene = unrender.open().see("{picture}")
print(warmup.is_ready(), len(scene.axioms) > 5, [str(row[1].data["dispatcher"]) for row in compiled.buffer])
"""


@HERE
def test_every_loop_of_the_list_is_shipped_as_it_is_now() -> None:
    gone = {path.name for path in warmup._files()} - shipped.names()
    assert not gone, "python -m unrender.perception.warmup ship makes the archive anew"


@HERE
def test_a_first_picture_after_an_installation_compiles_nothing(tmp_path: Path) -> None:
    picture = Path(__file__).parents[2] / "docs" / "pictures" / "asteroids.png"
    variables = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", SEE.format(picture=picture)], env=variables, capture_output=True, text=True
    )
    assert done.stdout == "True True []\n", done.stdout + done.stderr


@HERE
def test_nobody_is_told_the_folders_of_the_machine_it_was_made_on(tmp_path: Path) -> None:
    shipped.unpack(tmp_path)
    places = [Path(shipped.__file__).parents[3], Path(sys.prefix), Path.home()]
    for file in tmp_path.glob("*.code"):
        assert not any(str(place).encode() in file.read_bytes() for place in places), file.name


@HERE
def test_what_is_kept_already_stays_and_an_archive_is_unpacked_once(tmp_path: Path) -> None:
    first = min(shipped.names())
    (tmp_path / first).write_bytes(b"compiled here")
    shipped.unpack(tmp_path)
    assert (tmp_path / first).read_bytes() == b"compiled here"
    (tmp_path / first).unlink()
    shipped.unpack(tmp_path)
    assert not (tmp_path / first).exists()


@pytest.mark.parametrize("content", [None, b"", b"no archive"])
def test_without_an_archive_everything_is_compiled(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    if content is not None:
        shipped.FOLDER.mkdir()
        shipped.archive().write_bytes(content)
    shipped.unpack(tmp_path)
    assert not list(tmp_path.glob("*.code"))


@HERE
def test_code_of_another_numba_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped.numba, "__version__", "0.1")
    shipped.unpack(tmp_path)
    assert not list(tmp_path.glob("*.code"))


def test_what_was_shipped_is_called_and_compiled_where_it_is_a_part_of_another_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "folder", lambda: tmp_path / "kept")
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    (tmp_path / "kept").mkdir()
    assert compiled(_twice)(3) == 6
    shipped.pack((tmp_path / "kept").glob("*.code"))
    for file in (tmp_path / "kept").iterdir():
        file.unlink()
    shipped.unpack(tmp_path / "kept")
    twice: Any = compiled(_twice)
    assert twice(3) == 6
    assert not twice.stats.cache_misses

    def more(x: int) -> int:
        return int(twice(x)) + x

    assert compiled(more)(3) == 9
    assert sum(twice.stats.cache_misses.values()) == 1
    assert (twice(3), twice(0.5)) == (6, 1.0)


def _twice(x: float) -> float:
    return 2 * x
