"""The agent over a life: how much it asks, what it knows in the end, and how it decides by itself.

    python benchmarks/lifelong.py --seed 1

300 pictures of asteroid worlds, drawn by an independent rasteriser, in which new words come up one after the
other; the world's ground truth is the oracle. Writes a table and the curves into out/lifelong.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from lifelong_worlds import Life, Tally, drawn, noted
from matplotlib.figure import Figure
from oneshot_table import Line, markdown, printed
from rich.console import Console

import unrender
from unrender.agent.oracle import Oracle, Reply, Truth

GROUP = 25  # scenes a group
LAST = 100  # scenes over which the end is measured
FIRST = 5  # objects that must not be forgotten
SITUATIONS, ANSWERS = 100, 60


@dataclass
class Diary:
    """What happened in one life."""

    questions: list[int] = field(default_factory=list)  # per scene
    skipped: list[int] = field(default_factory=list)  # of these, without an answer
    seconds: list[float] = field(default_factory=list)  # per scene, without its lessons
    lessons: list[float] = field(default_factory=list)  # seconds each
    f1: list[float] = field(default_factory=list)  # per scene, before anything is asked about it
    end: Tally = field(default_factory=Tally)

    def groups(self, values: list[int]) -> list[int]:
        return [sum(values[i : i + GROUP]) for i in range(0, len(values), GROUP)]


class Timed:
    """A brain whose lessons are timed."""

    def __init__(self, brain: unrender.Brain, diary: Diary) -> None:
        self.brain, self.diary = brain, diary

    def __getattr__(self, name: str) -> object:
        return getattr(self.brain, name)

    def answer(self, question: unrender.Question, reply: Reply) -> str:
        start = time.perf_counter()
        told = self.brain.answer(question, reply)
        self.diary.lessons.append(time.perf_counter() - start)
        return told


def live(seed: int, scenes: int, console: Console) -> tuple[unrender.Brain, Diary, list[Line]]:
    """One life, and what was known of the first objects right after their lessons and at the end."""
    rng, life, diary = np.random.default_rng([seed, 1]), Life(), Diary()
    brain = unrender.open()
    truth = Truth(brain)
    early: dict[str, float] = {}
    for i in range(scenes):
        true = life.world(i).sample(rng).scene
        picture, truth.scene = drawn(true, rng), true
        lessons = len(diary.lessons)
        start = time.perf_counter()
        before = brain.see(picture)
        out = unrender.attend(Timed(brain, diary), before, truth)
        spent = time.perf_counter() - start
        diary.seconds.append(spent - sum(diary.lessons[lessons:]))
        diary.questions.append(len(out.exchanges))
        diary.skipped.append(sum(own.reply is None for own in out.exchanges))
        now = Tally()
        now.add(true, before)
        diary.f1.append(now.f1)
        if i >= scenes - LAST:
            diary.end.add(true, before)
        for route in [own for own in sorted(filter(None, truth.told)) if own not in early][
            : FIRST - len(early)
        ]:
            early[route] = known(brain, seed, life, route)
        if i % GROUP == GROUP - 1:
            asked, found = sum(diary.questions[-GROUP:]), float(np.mean(diary.f1[-GROUP:]))
            console.print(f"{i + 1} scenes: {asked} questions, F1 {found:.3f}")
    late = {route: known(brain, seed, life, route) for route in early}
    then, now_ = float(np.mean(list(early.values()))), float(np.mean(list(late.values())))
    lost = 100 * (then - now_)
    text = f"{lost:.2f} (F1 {then:.3f} then, {now_:.3f} at the end)"
    task = f"nothing forgotten ({len(early)} objects)"
    return brain, diary, [Line(task, "points of F1 lost ≤ 1", text, lost <= 1)]


def known(brain: unrender.Brain, seed: int, life: Life, route: str, count: int = 12) -> float:
    """F1 of one form of one object on pictures that are always the same."""
    rng, tally = np.random.default_rng([seed, 2]), Tally()
    while count:
        true = life.world(life.heavy).sample(rng).scene
        if any(node.route == route for node in true.axioms):
            tally.add(true, brain.see(drawn(true, rng)), route)
            count -= 1
    return tally.f1


def held_out(brain: unrender.Brain, seed: int, scenes: int) -> Tally:
    """What is said of new scenes, nobody being asked."""
    rng, tally = np.random.default_rng([seed, 3]), Tally()
    for _ in range(scenes):
        true = Life(often=0.5).world(1 << 20).sample(rng).scene
        tally.add(true, brain.see(drawn(true, rng)))
    return tally


@dataclass
class Watched:
    """An oracle that notes whether the agent would have named the same cause, once the parts are right."""

    brain: unrender.Brain
    truth: Oracle
    agreed: list[tuple[str, str]] = field(default_factory=list)  # the true cause, and the agent's

    def __call__(self, question: unrender.Question) -> Reply:
        reply = self.truth(question)
        if isinstance(reply, unrender.Answer):
            parts = question.parts if reply.parts is None else reply.parts
            own = self.brain.ask_about(question.scene, parts)
            question.scene.put(question)
            self.agreed.append((str(reply.cause), str(own.cause)))
        return reply


def decisions(seed: int, start: str, scenes: int = 40) -> Iterator[tuple[str, str]]:
    """True cause and the agent's, situation after situation, over one short life after the other.

    Only the decision matrix goes on from life to life, and it learns from the first answers alone.
    """
    rng, matrix, count = np.random.default_rng([seed, 4]), start, 0
    while True:
        life = Life.shuffled(rng)
        brain = unrender.open(matrix=matrix)
        oracle = Watched(brain, truth := Truth(brain))
        for i in range(scenes):
            truth.scene = life.world(i).sample(rng).scene
            unrender.attend(brain, noted(truth.scene, rng), oracle)
        yield from oracle.agreed
        count += len(oracle.agreed)
        if count <= ANSWERS:
            matrix = brain.matrix


def decided(seed: int, start: str) -> Line:
    """Whether the agent, its matrix started from `start`, decides like the oracle after it is taken away."""
    told: list[tuple[str, str]] = []
    for pair in decisions(seed, start):
        told.append(pair)
        if len(told) == ANSWERS + SITUATIONS:
            break
    after = told[ANSWERS:]
    share = sum(true == own for true, own in after) / len(after)
    causes = sorted({true for true, _ in after})
    each = [f"{c} {sum(t == o == c for t, o in after)}/{sum(t == c for t, _ in after)}" for c in causes]
    text = f"{share:.2f} ({', '.join(each)})"
    return Line(f"same cause, {len(after)} situations, matrix from {start}", "≥ 0.9", text, share >= 0.9)


def curves(diary: Diary, path: Path) -> None:
    """Questions and F1 over the life."""
    figure = Figure(figsize=(8, 5), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    at = GROUP * (0.5 + np.arange(len(diary.groups(diary.questions))))
    above.bar(at, diary.groups(diary.questions), 0.8 * GROUP, label="skipped", color="lightgrey")
    skipped = diary.groups(diary.skipped)
    answered = [asked - own for asked, own in zip(diary.groups(diary.questions), skipped, strict=True)]
    above.bar(at, answered, 0.8 * GROUP, label="answered", color="tab:blue")
    above.set_ylabel(f"questions per {GROUP} scenes")
    above.legend()
    means = [float(np.mean(diary.f1[i : i + GROUP])) for i in range(0, len(diary.f1), GROUP)]
    below.plot(at, means, "o-")
    below.set_ylim(0, 1.02)
    below.set_ylabel("F1 before asking")
    below.set_xlabel("scenes")
    figure.savefig(path, dpi=120)


def main() -> None:
    """Measure, print and write."""
    options = _options()
    console = Console()
    options.out.mkdir(parents=True, exist_ok=True)
    brain, diary, forgotten = live(options.seed, options.scenes, console)
    groups = diary.groups(diary.questions)
    last = groups[-4:]
    end = held_out(brain, options.seed, options.held_out)
    error, shown = end.off / max(1, end.values), end.off_shown / max(1, end.shown)
    values = f"{error:.3f} ({shown:.3f} where shown)"
    table = [
        Line("questions per 25 scenes", "≤ 1 in each of the last four", str(groups), max(last) <= 1),
        Line(f"F1, last {LAST} scenes", "≥ 0.95", f"{diary.end.f1:.3f}", diary.end.f1 >= 0.95),
        Line(
            "attribute values, held out",
            "mean error ≤ 0.1",
            values,
            shown <= 0.1,
        ),
        *(decided(options.seed, start) for start in ("empty", "paper")),
        *forgotten,
        Line("time per scene", "≤ 0.5 s", f"{np.mean(diary.seconds):.2f} s", np.mean(diary.seconds) <= 0.5),
        Line("time per lesson", "≤ 5 s", f"{max(diary.lessons):.2f} s at most", max(diary.lessons) <= 5),
    ]
    curves(diary, options.out / "curves.png")
    (options.out / "table.md").write_text(markdown(table), encoding="utf-8")
    console.print(printed(table, f"A life of {options.scenes} scenes, seed {options.seed}"))
    console.print(f"Written: {options.out / 'table.md'} and {options.out / 'curves.png'}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of the worlds")
    parser.add_argument("--scenes", type=int, default=300, help="pictures of the life")
    parser.add_argument("--held-out", type=int, default=100, help="pictures that nobody is asked about")
    parser.add_argument("--out", type=Path, default=Path("out/lifelong"), help="folder of the report")
    return parser.parse_args()


if __name__ == "__main__":
    main()
