"""The page of all results: a section for each benchmark, as its script wrote it, with its plots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

HEAD = """# Results

Measured by the scripts in `benchmarks`. `unrender bench` runs all of them and writes this page;
`unrender bench NAME` runs one and replaces its section. A goal that was missed says FAIL.
[How to measure again](howto/benchmarks.md).
"""
MARK = "<!-- benchmark: {} -->"
MARKED = re.compile(rf"^{MARK.format('([^ ]+)')}$", re.MULTILINE)
PLOT = re.compile(r"!\[([^\]]*)\]\(([^)/]+\.png)\)")
WIDTH = 1100  # px at most, of a plot


@dataclass(frozen=True)
class Note:
    """How a section came about."""

    command: str
    commit: str
    machine: str
    seconds: float = 0.0

    def __str__(self) -> str:
        today = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        took = f"{self.seconds:.0f} s" if self.seconds < 120 else f"{self.seconds / 60:.0f} min"
        return f"*{today}, `{self.command}`, {self.commit}, {took}. {self.machine}.*"


def put(page: Path, name: str, folder: Path, note: Note) -> None:
    """Replace the section of one benchmark by what it wrote into a folder; plots go beside the page."""
    plots = page.with_suffix("")
    for old in plots.glob(f"{name}-*.png"):
        old.unlink()

    def copied(found: re.Match[str]) -> str:
        says, file = found.groups()
        if not (folder / file).is_file():
            return f"*{says}: not drawn*"
        _copy(folder / file, plots / f"{name}-{file}")
        return f"![{says}]({plots.name}/{name}-{file})"

    text = PLOT.sub(copied, (folder / "results.md").read_text(encoding="utf-8"))
    write(page, {**sections(page), name: f"{text.strip()}\n\n{note}\n"})


def sections(page: Path) -> dict[str, str]:
    """The text of every section of a page, by the name of its benchmark."""
    if not page.is_file():
        return {}
    _, *parts = MARKED.split(page.read_text(encoding="utf-8"))
    return {name: text.strip() + "\n" for name, text in zip(parts[::2], parts[1::2], strict=True)}


def write(page: Path, texts: Mapping[str, str]) -> None:
    """The whole page, sections by name, with the count of goals at its head."""
    counts = [
        f"| {name} | {text.count('| pass |')} | {text.count('| FAIL |')} |"
        for name, text in sorted(texts.items())
    ]
    overview = "\n".join(["| benchmark | goals reached | missed |", "| --- | --- | --- |", *counts]) + "\n"
    pieces = [HEAD, *([overview] if texts else [])]
    pieces += [f"{MARK.format(name)}\n\n{text}" for name, text in sorted(texts.items())]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join(pieces), encoding="utf-8")


def _copy(path: Path, to: Path) -> None:
    """A plot, small enough to be kept with the code."""
    from PIL import Image

    to.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(path) as opened:
        plot = opened.convert("RGB")
    plot.thumbnail((WIDTH, 4 * WIDTH))
    plot.quantize(256).save(to, optimize=True)
