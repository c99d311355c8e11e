"""Starting: what a command costs in a new process, the first picture after an installation, and installing.

    python benchmarks/start.py [--seed 0] [--quick] [--out out/start] [--rounds 7] [--rows commands,torch]

A command is compared with a program that only imports numpy, scipy.ndimage and PIL.Image; both are run in
turn, and of several rounds the best of each counts, because other programs only ever slow it down. The row
`first` begins without compiled loops. `install` and `demo`, which have to be named, begin with a new
environment and a copy of the files that git knows; they take minutes and download what is needed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image
from report import Line, Table, parsed_with_rows, parser, publish, run

from unrender.errors import UnrenderError
from unrender.worlds.asteroids import Asteroids

ROWS = ("commands", "torch", "first", "install", "demo")
NAMED = ("install", "demo")  # rows that are measured only if they are named
ROUNDS = 7
PROJECT = Path(__file__).parents[1]
BASE = ("-c", "import numpy, scipy.ndimage, PIL.Image")
TAUGHT = "taught.brain"  # a name that no command takes by itself
COMMANDS: dict[str, tuple[str, ...]] = {
    "see": ("see", "picture.png"),
    "ask": ("ask", "picture.png", "how many circles are there?"),
    "describe": ("describe", "picture.png"),
    "edit": ("edit", "picture.png", "*.1.red=1", "-o", "edited.png"),
    "see, with a brain file": ("see", "picture.png", "-b", TAUGHT),
}
TIMES, GATE = 3.0, 4.0  # as long as the imports
FIRST, INSTALL, DEMO = 15.0, 60.0, 100.0  # s
LARGE = 1.2  # GB of a whole environment
TORCH = """
import sys
import unrender
with unrender.open("torch.brain") as brain:
    scene = brain.see("picture.png")
    brain.teach(scene, "thing")
    scene = brain.see("picture.png")
    scene.ask("how many things are there?")
    scene.edit("thing.1.x+=1")
    scene.save("scene.svg")
print("torch" in sys.modules)
"""


@dataclass(frozen=True)
class Cost:
    """Of one program: seconds by the clock, and of the processor."""

    seconds: float
    cpu: float


def main() -> None:
    made = parser(__doc__, "start")
    made.add_argument("--rounds", type=int, default=ROUNDS)
    options = parsed_with_rows(made, ROWS, ("commands",))
    rounds, names = (1, ["see"]) if options.quick else (options.rounds, list(COMMANDS))
    rows = [row for row in options.rows if len(options.rows) < len(ROWS) or row not in NAMED]
    measures: dict[str, Callable[[Path], list[Line]]] = {
        "commands": lambda folder: command_lines(measured(folder, names, rounds)),
        "torch": lambda folder: [torch_line(ended(TORCH, folder))],
        "first": lambda folder: [first_line(first_picture(folder))],
        "install": lambda folder: list(install_lines(*installed(folder))),
        "demo": lambda folder: [demo_line(told(folder))],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        rng = np.random.default_rng(options.seed)
        world = Asteroids(84, 84, ships=(1, 1), asteroids=(1, 2), loose=(2, 2))
        Image.fromarray(world.sample(rng).image).save(folder / "picture.png")
        lines = [line for row in rows for line in measures[row](folder)]
    publish(
        options.out,
        "Starting",
        "Commands in a new process look at a picture of 84x84 pixels; the loops are compiled. They are "
        f"compared with `import {BASE[1].removeprefix('import ')}` in the same run, the best of {rounds}.",
        Table(lines),
    )


def measured(folder: Path, names: Sequence[str], rounds: int) -> dict[str, Cost]:
    """The best cost of the imports ("") and of these commands, run in turn."""
    unrender = ("-m", "unrender.cli")
    programs = {"": BASE} | {name: (*unrender, *COMMANDS[name]) for name in names}
    cost((*unrender, "teach", "picture.png", "thing", "-b", TAUGHT), folder)  # compiles what is not yet
    found: dict[str, list[Cost]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, words in programs.items():
            found[name].append(cost(words, folder))
    return {
        name: Cost(min(one.seconds for one in own), min(one.cpu for one in own))
        for name, own in found.items()
    }


def cost(words: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Cost:
    """Run Python with these words in a folder."""
    begin, before = time.perf_counter(), os.times()
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"UNRENDER_BRAIN": "", "PYTHONDONTWRITEBYTECODE": ""} | (environment or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    seconds, after = time.perf_counter() - begin, os.times()
    if done.returncode:
        raise UnrenderError(f"{' '.join(words)} failed: {done.stderr.strip()[-500:]}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return Cost(seconds, used)


def command_lines(costs: Mapping[str, Cost]) -> list[Line]:
    """Each command against the imports."""
    base = costs[""]

    def line(name: str, own: Cost) -> Line:
        times = own.seconds / base.seconds
        more = {"seconds": f"{own.seconds:.2f}", "of the processor": f"{own.cpu / base.cpu:.1f} times"}
        goal = f"≤ {TIMES:g} times the imports (at most {GATE:g})"
        return Line(f"unrender {name}", goal, f"{times:.1f} times", times <= TIMES, more)

    own = [line(name, one) for name, one in costs.items() if name]
    return [Line("the imports", measured="1", more={"seconds": f"{base.seconds:.2f}"}), *own]


def ended(program: str, folder: Path) -> str:
    """The last line that a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[-1]


def torch_line(said: str) -> Line:
    loaded = {"True": "yes", "False": "no"}[said]
    return Line("torch imported after see, teach, ask, edit, save", "no", loaded, loaded == "no")


def first_picture(folder: Path) -> Cost:
    """The first `unrender see` where no compiled loops are kept."""
    empty = {"NUMBA_CACHE_DIR": str(folder / "loops")}
    return cost(("-m", "unrender.cli", "see", "picture.png"), folder, empty)


def first_line(own: Cost) -> Line:
    goal = f"≤ {FIRST:g} s"
    return Line("first picture after an installation", goal, f"{own.seconds:.0f} s", own.seconds <= FIRST)


def installed(folder: Path) -> tuple[float, float, list[tuple[str, float]]]:
    """Seconds and GB of `pip install .` into a new environment, and its largest packages (name, GB)."""
    place = folder / "environment"
    venv.create(place, with_pip=True)
    pip = [str(place / "bin" / "pip"), "install", "--quiet", "--no-cache-dir", str(copied(folder))]
    begin = time.perf_counter()
    subprocess.run(pip, check=True, stdout=sys.stderr)
    seconds = time.perf_counter() - begin
    (packages,) = place.glob("lib/*/site-packages")
    largest = sorted(((path.name, size(path)) for path in packages.iterdir()), key=lambda one: -one[1])
    return seconds, size(place), largest[:8]


def size(path: Path) -> float:
    """GB of a file, or of all files in a folder."""
    return sum(one.lstat().st_size for one in (path, *path.rglob("*")) if not one.is_dir()) / 1e9


def install_lines(seconds: float, whole: float, largest: Sequence[tuple[str, float]]) -> Iterator[Line]:
    most = ", ".join(f"{name} {1000 * own:.0f}" for name, own in largest)
    yield Line("pip install .", f"≤ {INSTALL:g} s", f"{seconds:.0f} s", seconds <= INSTALL)
    yield Line("the environment", f"≤ {LARGE:g} GB", f"{whole:.2f} GB ({most} MB)", whole <= LARGE)


def copied(folder: Path) -> Path:
    """A copy of the files that git knows."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True)
    place = folder / "project"
    shutil.rmtree(place, ignore_errors=True)
    for name in filter(None, names.stdout.split("\0")):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, place / name)
    return place


def told(folder: Path) -> float:
    """Seconds of `make demo` in a copy of the project."""
    begin = time.perf_counter()
    subprocess.run(["make", "demo"], cwd=copied(folder), check=True, stdout=sys.stderr)
    return time.perf_counter() - begin


def demo_line(seconds: float) -> Line:
    return Line("make demo, from nothing", f"≤ {DEMO:g} s", f"{seconds:.0f} s", seconds <= DEMO)


if __name__ == "__main__":
    run(main)
