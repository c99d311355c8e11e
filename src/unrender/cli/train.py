"""unrender train: capsules of primitives, trained from scratch."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.output import make_folder, write_text
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from unrender.learning.primitives.fit import Plan
    from unrender.learning.primitives.weights import Card

SCRATCH = Path("out/training")  # where checkpoints are kept
ALL = "all"


def train(
    name: Annotated[str, typer.Argument(metavar="NAME|all", help="A primitive, or all of them.")] = ALL,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Batches to learn from; fewer are faster and worse.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, max=2**31 - 1, help="The same seed gives the same weights.")
    ] = 0,
    begin: Annotated[
        str,
        typer.Option("--from", metavar="NAME", help="Begin with the features of another network."),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="The folder for weights, cards and loss curves.",
            show_default="where it sees from: the package's own, or beside the primitive",
        ),
    ] = None,
) -> None:
    """Train the capsule of a primitive from scratch, on pictures that its own drawing makes.

    Interrupted, it goes on from its last checkpoint when the same command is given again.
    """
    from rich.console import Console

    from unrender.perception.encoder.session import home
    from unrender.primitives.registry import find, primitives

    known = {each: own for each, own in primitives().items() if not own.formed or own.handles is not None}
    names = list(known) if name == ALL else [find(name).name]
    needs_torch()
    from unrender.learning.primitives.fit import Plan

    plan = Plan(seed=seed, begin=begin) if steps is None else Plan(steps=steps, seed=seed, begin=begin)
    folders = {each: make_folder(out or home(find(each))) for each in names}
    make_folder(SCRATCH)
    for place in (*folders.values(), SCRATCH):  # found out before the training, not after it
        if not os.access(place, os.W_OK):
            raise UnrenderError(f'Cannot write to the folder "{place}".')

    console = Console(highlight=False)
    done = Finished(SCRATCH / "all.json", plan, out)
    for each in names:
        if name == ALL and each in done.names():
            console.print(f"\\[{each}] was finished before the interruption.")
            continue
        console.print(table(train_one(console, each, plan, folders[each])))
        files = f"Wrote {each}.safetensors, {each}.onnx, {each}.json and {each}.png to {folders[each]}"
        console.print(files, markup=False, soft_wrap=True)
        if name == ALL:
            done.add(each)
    if name == ALL:
        done.forget()


def needs_torch() -> None:
    """Say what is not installed: to see, no package for training is needed."""
    for package in ("torch", "onnx"):
        try:
            import_module(package)
        except ModuleNotFoundError:
            raise UnrenderError(
                f'Training needs the package {package}: pip install "unrender[train]".'
            ) from None


def train_one(console: Console, name: str, plan: Plan, folder: Path) -> Card:
    """Train one capsule; Ctrl-C leaves its checkpoint and says how to go on."""
    from unrender.learning.primitives.fit import kept_steps
    from unrender.learning.primitives.train import train as train_capsule

    try:
        with progress(console, name, plan.steps) as show:
            return train_capsule(name, plan, folder, SCRATCH, show)
    except KeyboardInterrupt:
        kept = kept_steps(name, plan, SCRATCH)
        console.print(f"Stopped \\[{name}]; the same command goes on from step {kept} of {plan.steps}.")
        raise typer.Exit(130) from None


class Finished:
    """The capsules that an interrupted `train all` has finished already."""

    def __init__(self, path: Path, plan: Plan, out: Path | None) -> None:
        self.path = path
        self.job = {"plan": asdict(plan), "folder": None if out is None else str(out.resolve())}

    def names(self) -> list[str]:
        """Those of this very job."""
        try:
            kept = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return list(kept["names"]) if kept.get("job") == self.job else []

    def add(self, name: str) -> None:
        """Remember one more."""
        write_text(json.dumps({"job": self.job, "names": [*self.names(), name]}), self.path)

    def forget(self) -> None:
        """Everything is finished."""
        self.path.unlink(missing_ok=True)


@contextmanager
def progress(console: Console, name: str, steps: int) -> Iterator[Callable[[int, float], None]]:
    """A bar with loss and time left; where no terminal is, a line for every tenth of the way."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("\\[{task.description}]"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("loss {task.fields[loss]:.3f}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    smooth = float("nan")

    def hear(step: int, loss: float) -> None:
        nonlocal smooth
        first = smooth != smooth
        smooth = loss if first else 0.98 * smooth + 0.02 * loss
        if first:
            bar.reset(task, completed=step - 1, loss=smooth)  # so that time left counts from here
        bar.update(task, completed=step, loss=smooth)
        if not console.is_terminal and (step * 10 // steps > (step - 1) * 10 // steps):
            console.print(f"\\[{name}] step {step} of {steps}, loss {smooth:.3f}")

    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(name, total=steps, loss=smooth)
        yield hear


def table(card: Card) -> Table:
    """A card to read."""
    from rich.table import Table

    rows = Table(
        box=None, show_header=False, pad_edge=False, title=f"\\[{card.primitive}]", title_justify="left"
    )
    minutes, seconds = divmod(round(card.seconds), 60)
    rows.add_row("steps", f"{card.steps}")
    rows.add_row("pictures", f"{card.samples}")
    rows.add_row("time", f"{minutes} min {seconds} s")
    rows.add_row("seed", f"{card.seed}")
    for score, value in card.scores.items():
        rows.add_row(score, f"{value:g}")
    return rows
