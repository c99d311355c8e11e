"""The page of `oneshot.py`: its table, and the worst pictures of every row with what was found in them."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from gallery import STYLE, figure, html_table, polygon
from objects import Thing, rotation_matrix
from oneshot_scoring import Finding, match
from oneshot_tasks import Record, Result
from report import Table

SHOWN = 10  # pictures a row
MARKS = ".found{stroke:#0c0}.hole{stroke:#0cf;stroke-dasharray:2 2}"


def write_page(path: Path, rows: Sequence[Result], table: Table, seed: int) -> None:
    """Failures first: the input with what was missed or wrong, the redrawn picture with what was found."""
    parts = [
        f"<!doctype html><meta charset=utf-8><title>One example</title><style>{STYLE}{MARKS}</style>",
        f"<h1>Objects from one example, seed {seed}</h1>",
        html_table(table),
        "<p>Failures first. Red: missed. Yellow, dashed: found where nothing is. Green: found, with its "
        "turned box; the line points to where it was up when it was taught. Blue: a part said to be "
        "hidden.</p>",
    ]
    for row in rows:
        parts.append(f"<h2>{html.escape(row.name)}</h2>")
        records = list(zip(*row.records.values(), strict=True))
        for shown in sorted(records, key=lambda group: _badness(group[0]))[:SHOWN]:
            figures = [
                figure
                for finder, record in zip(row.records, shown, strict=True)
                for figure in _figures(finder, record)
            ]
            parts.append(f"<div class=scene>{''.join(figures)}</div>")
    path.write_text("\n".join(parts), encoding="utf-8")


def _badness(record: Record) -> tuple[int, float]:
    """Sorts the worst first."""
    score = record.score
    wrong = score.true + score.found - 2 * score.matched + score.named.count(False)
    return -wrong, -max(score.centre, default=0.0)


def _figures(finder: str, record: Record) -> list[str]:
    picture, found = record.picture, record.sight.found
    pairs = match(picture.things, found)
    seen, used = {i for i, _ in pairs}, {j for _, j in pairs}
    missed = [_box("missed", thing) for i, thing in enumerate(picture.things) if i not in seen]
    alarms = [_box("alarm", guess) for j, guess in enumerate(found) if j not in used]
    right = [_box("found", found[j]) for j in sorted(used)]
    holes = [_box("hole", _hole(spot)) for guess in found for _, spot in guess.hidden]
    label = f"{picture.name}: {finder}, {len(missed)} missed, {len(alarms)} false"
    if record.sight.redrawn is None:
        return [figure(picture.image, label, missed + alarms + right)]
    return [
        figure(picture.image, label, missed + alarms),
        figure(record.sight.redrawn, "redrawn", right + alarms + holes),
    ]


def _hole(spot: tuple[float, float]) -> Finding:
    return Finding("hidden", spot, (10.0, 10.0), 0.0)


def _box(kind: str, node: Thing | Finding) -> str:
    """The turned box, with a line from its centre upwards."""
    signs = np.array([(0, 0), (0, -1), (1, -1), (1, 1), (-1, 1), (-1, -1), (0, -1)])
    points = node.position + (signs * node.size / 2) @ rotation_matrix(node.rotation).T
    return polygon(kind, points)
