"""The agent over a life: how much it asks, what it knows in the end, and how it decides by itself.

    python benchmarks/lifelong.py --seed 1

300 pictures of asteroid worlds, drawn by an independent rasteriser, in which new words come up one after the
other; the world's ground truth is the oracle. Causes are decided from such pictures too. Writes a table and
the curves.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from lifelong_memory import Memory, forgotten
from lifelong_worlds import Life, Tally, drawn
from report import Line, Table, parser, picture, publish, run, subplots

import unrender
from unrender.agent.matrix import DecisionMatrix
from unrender.agent.oracle import Oracle, Reply, Truth

GROUP = 25  # scenes a group
LAST = 100  # scenes over which the end is measured
ABOUT = """A life in pictures of asteroid worlds, drawn by an independent rasteriser, in which new words come
up one after the other; the truth of the world answers what is asked."""


@dataclass(frozen=True)
class Amounts:
    """How much is measured."""

    scenes: int = 300  # of the life
    held_out: int = 100  # pictures that nobody is asked about
    first: int = 5  # objects that must not be forgotten
    shown: int = 12  # pictures of each of them
    short: int = 40  # scenes of each of the lives in which causes are compared
    answers: int = 60  # from which the agent learns how to decide
    situations: int = 100  # after which it decides by itself


TINY = Amounts(1, 1, 1, 1, 1, 1, 1)


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


def live(seed: int, much: Amounts) -> tuple[unrender.Brain, Diary, Line]:
    """One life, and whether what was known of its first objects is known at the end."""
    rng, life, diary = np.random.default_rng([seed, 1]), Life(), Diary()
    brain = unrender.open()
    truth = Truth(brain)
    memory = Memory(brain, life, seed, much.first, much.shown)
    asked_again = {much.scenes * quarter // 4 - 1 for quarter in (1, 2, 3)}
    for i in range(much.scenes):
        true = life.world(i).sample(rng).scene
        shown, truth.scene = drawn(true, rng), true
        lessons = len(diary.lessons)
        start = time.perf_counter()
        before = brain.see(shown)
        out = unrender.attend(Timed(brain, diary), before, truth)
        spent = time.perf_counter() - start
        diary.seconds.append(spent - sum(diary.lessons[lessons:]))
        diary.questions.append(len(out.exchanges))
        diary.skipped.append(sum(own.reply is None for own in out.exchanges))
        now = Tally()
        now.add(true, before)
        diary.f1.append(now.f1)
        if i >= much.scenes - LAST:
            diary.end.add(true, before)
        memory.taught(sorted(filter(None, truth.told)))
        if i in asked_again:
            memory.ask_again()
        if i % GROUP == GROUP - 1:
            asked, found = sum(diary.questions[-GROUP:]), float(np.mean(diary.f1[-GROUP:]))
            print(f"{i + 1} scenes: {asked} questions, F1 {found:.3f}", flush=True)
    memory.ask_again()
    return brain, diary, forgotten(list(memory.found.values()))


def held_out(brain: unrender.Brain, seed: int, scenes: int) -> Tally:
    """What is said of new scenes, nobody being asked."""
    rng, tally = np.random.default_rng([seed, 3]), Tally()
    for _ in range(scenes):
        true = Life(often=0.5).world(1 << 20).sample(rng).scene
        tally.add(true, brain.see(drawn(true, rng)))
    return tally


@dataclass
class Watched:
    """An oracle that notes what cause the agent would have named, once the parts are right.

    It decides by matrices that learn from the first answers, and from nothing after them.
    """

    brain: unrender.Brain
    truth: Oracle
    matrices: dict[str, DecisionMatrix]  # by what they started from
    left: int  # answers that they still learn from
    decided: list[tuple[str, dict[str, str]]] = field(default_factory=list)  # the true cause, and the agent's

    def __call__(self, question: unrender.Question) -> Reply:
        reply = self.truth(question)
        if isinstance(reply, unrender.Answer):
            parts = question.parts if reply.parts is None else reply.parts
            own, true = self.brain.ask_about(question.scene, parts), unrender.Cause.of(str(reply.cause))
            question.scene.put(question)
            said = {}
            for start, matrix in self.matrices.items():
                said[start] = str(next(c for c in matrix.votes(own.features) if c in own.possible))
                if self.left:
                    self.matrices[start] = matrix.with_answer(own.features, true)
            self.left = max(0, self.left - 1)
            self.decided.append((str(true), said))
        return reply


def decisions(seed: int, much: Amounts) -> Iterator[tuple[str, dict[str, str]]]:
    """True cause and the agent's, situation after situation, over one short life after the other; only the
    decision matrices go on from life to life."""
    rng, left = np.random.default_rng([seed, 4]), much.answers
    matrices = {"empty": DecisionMatrix(), "paper": DecisionMatrix.paper()}
    while True:
        life, brain = Life.shuffled(rng), unrender.open()
        oracle = Watched(brain, truth := Truth(brain), matrices, left)
        for i in range(much.short):
            truth.scene = life.world(i).sample(rng).scene
            unrender.attend(brain, drawn(truth.scene, rng), oracle)
        yield from oracle.decided
        left = oracle.left


def decided(seed: int, much: Amounts) -> list[Line]:
    """Whether the agent decides like the oracle after it is taken away, wherever its matrix started."""
    told = list(islice(decisions(seed, much), much.answers, much.answers + much.situations))
    causes = sorted({true for true, _ in told})
    lines = []
    for start in ("empty", "paper"):
        right = [true for true, said in told if said[start] == true]
        share = len(right) / len(told)
        each = [f"{c} {right.count(c)}/{sum(true == c for true, _ in told)}" for c in causes]
        task = f"same cause, {len(told)} situations, matrix from {start}"
        lines.append(Line(task, "≥ 0.9", f"{share:.2f} ({', '.join(each)})", share >= 0.9))
    return lines


def curves(diary: Diary, path: Path) -> str:
    """Questions and F1 over the life."""
    figure, (above, below) = subplots(2, size=(8.0, 5.0))
    at = GROUP * (0.5 + np.arange(len(diary.groups(diary.questions))))
    skipped = diary.groups(diary.skipped)
    answered = [asked - own for asked, own in zip(diary.groups(diary.questions), skipped, strict=True)]
    above.bar(at, answered, 0.8 * GROUP, label="answered", color="tab:blue")
    above.bar(at, skipped, 0.8 * GROUP, bottom=answered, label="skipped", color="lightgrey")
    above.set_ylabel(f"questions per {GROUP} scenes")
    above.legend()
    means = [float(np.mean(diary.f1[i : i + GROUP])) for i in range(0, len(diary.f1), GROUP)]
    below.plot(at, means, "o-")
    below.set_ylim(0, 1.02)
    below.set_ylabel("F1 before asking")
    below.set_xlabel("scenes")
    below.sharex(above)
    return picture(figure, path, "Questions and F1 over the life")


def lines(seed: int, much: Amounts) -> tuple[list[Line], Diary]:
    """All that is measured."""
    brain, diary, kept = live(seed, much)
    groups, end = diary.groups(diary.questions), held_out(brain, seed, much.held_out)
    error, shown = end.off / max(1, end.values), end.off_shown / max(1, end.shown)
    values = f"{error:.3f} ({shown:.3f} where shown)"
    spent, longest = float(np.mean(diary.seconds)), max(diary.lessons, default=0.0)
    return [
        Line(
            f"questions per {GROUP} scenes",
            "≤ 1 in each of the last four",
            str(groups),
            max(groups[-4:]) <= 1,
        ),
        Line(f"F1, last {LAST} scenes", "≥ 0.95", f"{diary.end.f1:.3f}", diary.end.f1 >= 0.95),
        Line("attribute values, held out", "mean error ≤ 0.1", values, shown <= 0.1),
        *decided(seed, much),
        kept,
        Line("time per scene", "≤ 0.5 s", f"{spent:.2f} s", spent <= 0.5),
        Line("time per lesson", "≤ 5 s", f"{longest:.2f} s at most", longest <= 5),
    ], diary


def main() -> None:
    """Measure, print and write."""
    made = parser(__doc__, "lifelong")
    made.add_argument("--scenes", type=int, default=Amounts.scenes, help="pictures of the life")
    made.add_argument("--held-out", type=int, default=Amounts.held_out, help="pictures nobody is asked about")
    options = made.parse_args()
    much = TINY if options.quick else Amounts(options.scenes, options.held_out)
    table, diary = lines(options.seed, much)
    plot = curves(diary, options.out / "curves.png")
    publish(options.out, f"A life of {much.scenes} scenes", ABOUT, Table(table), plot)


if __name__ == "__main__":
    run(main)
