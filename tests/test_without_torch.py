"""Seeing, teaching, asking, editing and saving, where torch is not installed."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from pathlib import Path


class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "onnx"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, Refuse())
import numpy as np
import unrender

folder = Path(sys.argv[1])
image = np.full((96, 96, 3), 20, np.uint8)
image[50:80, 30:70] = (200, 40, 40)
image[20:40, 40:60] = (40, 200, 40)
with unrender.open(folder / "my.brain") as brain:
    scene = brain.see(image)
    print(len(scene.primitives), [own.symbol for own in scene.primitives])
    brain.teach(scene, "tower")
    scene = brain.see(image)
    tower, = scene.axioms
    brain.teach_attribute(scene, tower, "tall", value=1.0)
    print(tower.symbol, scene.ask("how many towers are there?").value)
    scene.edit("tower.1.x+=10")
    print(brain.draw("tower").shape[2])
    scene.save(folder / "scene.svg")
    scene.save(folder / "scene.json")
print([own.symbol for own in brain.see(image, proposals=["encoder"]).primitives])
print("torch" in sys.modules)
"""


def test_what_is_done_with_pictures_needs_no_torch(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.splitlines() == [
        "2 ['square', 'square']",
        "tower 1",
        "3",
        "['square', 'square']",
        "False",
    ], done.stderr
    assert (tmp_path / "scene.svg").stat().st_size > 100


TRAIN = PROGRAM.partition("import numpy")[0] + "from unrender.cli import main; main(['train', 'circle'])"


def test_training_says_what_it_needs(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRAIN], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2
    assert done.stderr == 'unrender: Training needs the package torch: pip install "unrender[train]".\n'
