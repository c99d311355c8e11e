"""The table of `oneshot.py`: a line for each goal of a task, and how we stand to the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from counting import median
from oneshot_scoring import Score
from report import Goal, Line, Table, ahead, milliseconds

NAMES = {"unrender": "unrender", "template": "template bank", "sift": "SIFT + RANSAC"}
COLUMNS = [*list(NAMES.values())[1:], *(f"time, {name}" for name in NAMES.values())]


def lines(task: str, goals: Sequence[Goal[Score]], scores: Mapping[str, Score]) -> list[Line]:
    """A line a goal, then the comparison; `scores` by finder."""
    ours = scores.get("unrender")
    what = f"{task} ({next(iter(scores.values())).pictures})"
    result = []
    for goal in goals:
        more = {NAMES[name]: goal.measured(score) for name, score in scores.items() if name != "unrender"}
        if goal is goals[0]:
            more |= {f"time, {NAMES[name]}": milliseconds(median(s.seconds)) for name, s in scores.items()}
        title = what if goal is goals[0] else ""
        result.append(goal.line(title, ours, more) if ours else Line(title, goal.text(), more=more))
    return result + (compared(ours, scores) if ours else [])


def compared(ours: Score, scores: Mapping[str, Score]) -> list[Line]:
    """Whether we are ahead of the others, and faster than the template bank."""
    rivals = {NAMES[name]: score for name, score in scores.items() if name != "unrender"}
    result = []
    if rivals and ours.true:
        result.append(ahead("F1", ours.f1, {name: score.f1 for name, score in rivals.items()}))
    elif rivals:  # nothing is there to be found
        quiet = {name: _quiet(score) for name, score in rivals.items()}
        result.append(ahead("share of pictures without a false alarm", _quiet(ours), quiet))
    if "template" in scores:
        mine, theirs = median(ours.seconds), median(scores["template"].seconds)
        text = f"{milliseconds(mine)} against {milliseconds(theirs)}"
        result.append(Line("", "faster than the template bank", text, mine < theirs))
    return result


def _quiet(score: Score) -> float:
    return 1 - score.alarmed / score.pictures


def table(rows: Sequence[Line]) -> Table:
    return Table(rows, "task", "unrender", COLUMNS)
