"""Looking at a folder of pictures while being killed: `unrender see FOLDER -o FILE.jsonl`, which goes on."""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from kill_tasks import full, held
from PIL import Image

import unrender
from unrender.cli import main

SIDE = 40  # px: pictures that are quickly seen


@dataclass(frozen=True)
class Batch:
    """The pictures lie beside the brain, and so does the file of what was seen, a line for each."""

    name: str
    jobs: int
    steps: int  # pictures
    writes: bool = False  # to the brain file

    def make(self, path: Path) -> None:
        full(path)
        pictures, brain = path.with_suffix(".pictures"), unrender.open()
        pictures.mkdir()
        for i in range(self.steps):
            image = brain.draw("square", size=(20, 12), rotation=5 * i, red=1.0, canvas=(SIDE, SIDE))
            Image.fromarray(image).save(pictures / f"{i:02d}.png")

    def run(self, path: Path, begin: int, confirm: int) -> None:
        """The command itself: it prints a line for each picture once that is safe in the file."""
        os.dup2(confirm, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        words = ["see", path.with_suffix(".pictures"), "-o", path.with_suffix(".jsonl"), "-b", path, "--json"]
        try:
            main([str(word) for word in [*words, "--jobs", self.jobs]])
        except SystemExit as ended:
            if ended.code:
                raise

    def rehearse(self, path: Path) -> tuple[list[object], float]:
        """What is held before the first and after every picture, and the seconds of one of them."""
        self.make(path)
        unrender.open().see(path.with_suffix(".pictures") / "00.png")  # loads what the processes need
        begin = time.monotonic()
        child = os.fork()
        if child == 0:
            self.run(path, 0, os.open(os.devnull, os.O_WRONLY))
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise RuntimeError("The pictures could not be seen.")
        seconds = time.monotonic() - begin
        seen, known = self.look(path)
        return [(seen[:n], known) for n in range(self.steps + 1)], seconds / self.steps

    def look(self, path: Path) -> tuple[list[str], object]:
        """What was seen, each picture as often as it stands there, and all that the brain file holds."""
        file = path.with_suffix(".jsonl")
        lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
        # A line may be torn by a kill: whoever goes on leaves it out.
        seen = [json.loads(line) for line in lines if line.endswith(b"\n")]
        return [f"{Path(line['image']).name}: {line['axioms']}" for line in seen], held(path)


BATCHES = (
    Batch("looks at pictures", 1, 12),
    Batch("looks at pictures with two processes", 2, 12),
)
