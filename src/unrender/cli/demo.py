"""unrender demo: the results of the paper, told again, with a report to read."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.output import make_folder, save_picture, write_text, writing
from unrender.cli.console import console

if TYPE_CHECKING:
    from rich.console import Console

    from unrender.cli.story.images import Pixels
    from unrender.cli.story.mechanics import Chapter
    from unrender.cli.story.tell import Plan
    from unrender.cli.story.timeline import Moment, Timeline

FOLDER = Path("out/demo")


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write to.")] = FOLDER,
) -> None:
    """Tell the paper's results again: two brains learn ships, asteroids and belts from a few words; then a
    film, the world found in it, and what would happen.

    Writes report.html, which opens from disk, both networks, both brains, the pictures that were shown, and
    the films.
    """
    tell(make_folder(output))


def tell(folder: Path, plan: Plan | None = None) -> list[Timeline]:
    """Run both timelines, print them as they happen, and write everything into a folder."""
    import unrender
    from unrender.cli.story.page import page
    from unrender.cli.story.tell import Plan, first, second
    from unrender.cli.story.timeline import Sight

    start, screen, sight, timelines = time.perf_counter(), console(), Sight(), []
    for number, run in enumerate((first, second), 1):
        path = folder / f"timeline-{number}.brain"
        for old in folder.glob(path.name + "*"):  # of an earlier demo
            old.unlink()
        brain = unrender.open(path)
        screen.print(f"\nTimeline {number}", style="bold")
        said = Said(screen)
        timelines.append(run(brain, sight, plan or Plan(), said))
        said.finish()
    chapter = film(folder, screen)
    drawn = gallery(folder)
    seconds = time.perf_counter() - start
    write_text(page(timelines, chapter, drawn, seconds), folder / "report.html")
    pictures(folder, timelines)
    for timeline in timelines:
        timeline.brain.close()
    screen.print(f"\n{time.perf_counter() - start:.0f} seconds. Open ", end="")
    screen.print(str(folder / "report.html"), style="bold", soft_wrap=True)
    screen.print(f"Be the oracle yourself: unrender learn {folder / 'pictures'}", soft_wrap=True)
    return timelines


def film(folder: Path, screen: Console) -> Chapter:
    """Watch a film, find its world, and write what follows and what would be otherwise."""
    import unrender
    from unrender.cli.story.mechanics import watched

    screen.print("\nA film, and why it moves", style="bold")
    with unrender.open() as brain:
        chapter = watched(brain)
    screen.print(f"    {chapter.told}", soft_wrap=not screen.is_terminal)
    screen.print(f"    The next second is off by {chapter.ahead_off:.1f} px at its end, ", end="")
    screen.print(f"the film without the {chapter.removed} by {chapter.without_off:.1f} px.")
    with writing(goal := folder / "film"):
        for name, made in (("film", chapter.film), ("ahead", chapter.ahead), ("without", chapter.without)):
            made.save(goal.with_name(f"{name}.svg"))
        chapter.world.save(goal.with_name("world.tscn"))
    return chapter


class Said:
    """The story on the terminal: the first picture of every step in full, of the others how they went."""

    def __init__(self, screen: Console) -> None:
        self.screen = screen
        self.title = ""
        self.others: list[Moment] = []

    def __call__(self, title: str, moment: Moment) -> None:
        if title == self.title:
            self.others.append(moment)
            return
        self.finish()
        self.title = title
        self.screen.print(f"  {title}", style="bold cyan")
        if not moment.asked:
            self.others.append(moment)
        for asked in moment.asked:
            self.screen.print(f"    {asked.question}", soft_wrap=not self.screen.is_terminal)
            self.screen.print(f"    {asked.question.cause.value}? ", style="dim", end="")
            self.screen.print(f"{asked.word} ({asked.cause.value})", style="bold", end="")
            self.screen.print(f". {asked.told}", soft_wrap=not self.screen.is_terminal)

    def finish(self) -> None:
        """The end of a step."""
        if self.others:
            known, count = sum(one.understood for one in self.others), len(self.others)
            asked = sum(len(one.asked) for one in self.others)
            told = f", {asked} {'question' if asked == 1 else 'questions'} answered" if asked else ""
            self.screen.print(f"    Then {known} of {count} understood at once{told}.")
        self.others = []


def pictures(folder: Path, timelines: list[Timeline]) -> None:
    """Write both networks, and the pictures in the order in which they were shown."""
    from unrender.exports.capsules import capsule_graph, capsule_graph_svg

    for number, timeline in enumerate(timelines, 1):
        write_text(capsule_graph_svg(timeline.brain), folder / f"network-{number}.svg")
        with writing(path := folder / f"network-{number}.png"):
            capsule_graph(timeline.brain).savefig(path, dpi=150)
    shown = make_folder(folder / "pictures")
    for old in shown.glob("*.png"):
        old.unlink()
    for number, moment in enumerate(timelines[0].moments, 1):
        axioms = moment.picture.scene.axioms
        name = axioms[0].symbol if len(axioms) == 1 else "belt"
        save_picture(moment.picture.image, shown / f"{number:02d}-{name}.png")


def gallery(folder: Path) -> list[tuple[Pixels, str]]:
    """What is drawn and seen without any lesson, written and returned with captions."""
    from unrender.cli.gallery import grammar_text, house, primitives, seen, world

    compared, count = seen(world()[0])
    shown = {
        "house": (house(), "symbols of a grammar produce their parts, and these their pixels"),
        "primitives": (primitives(), "all primitives: filled, outlined, stretched and turned"),
        "seen": (compared, f"a world, the {count} primitives seen in it drawn again, and the difference"),
    }
    write_text(grammar_text(), folder / "house.grammar")
    for name, (image, _) in shown.items():
        save_picture(image, folder / f"{name}.png")
    return list(shown.values())
