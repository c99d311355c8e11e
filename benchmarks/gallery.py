"""Pictures of a benchmark: one self-contained HTML page, and a folder of the failures for whoever tunes."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from matching import Found, match
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from rasterise import Posed, outline
from report import STYLES, Table
from scatter import Shape
from scenes import Case

if TYPE_CHECKING:
    from primitives import Record, Row

WORST = 12  # pictures a row
STYLE = """
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0}td,th{border:1px solid #ccc;padding:.25rem .6rem;text-align:left}
.pass{color:#137333}.FAIL{color:#b3261e;font-weight:600}
.scene{display:flex;gap:.6rem;flex-wrap:wrap;margin:.4rem 0 1.2rem}figure{margin:0}
figcaption{font-size:12px;color:#555}svg{display:block;width:256px;height:auto;background:#888}
image{image-rendering:pixelated}polygon{fill:none;stroke-width:2.5;vector-effect:non-scaling-stroke}
.missed{stroke:#f00}.alarm{stroke:#ff0;stroke-dasharray:5 3}
"""


def wrong(case: Case, found: Sequence[Found]) -> tuple[list[Shape], list[Found]]:
    """The shapes that were missed, and the finds that are none."""
    pairs = match(case.shapes, found)
    seen, used = {i for i, _ in pairs}, {j for _, j in pairs}
    return (
        [shape for i, shape in enumerate(case.shapes) if i not in seen],
        [guess for j, guess in enumerate(found) if j not in used],
    )


def write_page(path: Path, rows: Sequence[Row], table: Table, seed: int) -> None:
    """The table and, for every row, its worst pictures: input, redrawn, difference, and the rival's finds."""
    parts = [
        f"<!doctype html><meta charset=utf-8><title>Primitives</title><style>{STYLE}</style>"
        f"<h1>Primitives, seed {seed}</h1>",
        html_table(table),
        "<p>The worst pictures of every row first. Red: a shape that was missed. "
        "Yellow, dashed: something found that is not there.</p>",
    ]
    for row in rows:
        main = next(iter(row.records))
        ranked = sorted(range(len(row.records[main])), key=lambda i: _badness(row.records[main][i]))
        parts.append(f"<h2>{html.escape(row.name)}</h2>")
        for i in ranked[:WORST]:
            parts.append(f"<div class=scene>{''.join(_panels(row, i))}</div>")
    path.write_text("\n".join(parts), encoding="utf-8")


def _badness(record: Record) -> tuple[float, float]:
    """Sorts the worst first."""
    score = record.score
    ssim = score.ssim_clean[0] if score.ssim_clean else 1.0
    return -(score.true + score.found - 2 * score.matched), ssim


def _panels(row: Row, i: int) -> list[str]:
    panels = []
    for name, records in row.records.items():
        record = records[i]
        missed, alarms = wrong(record.case, record.found)
        label = f"{record.case.name} {i}: {name}, {len(missed)} missed, {len(alarms)} false"
        panels.append(figure(record.case.image, label, _marks(missed, alarms)))
        if record.redrawn is not None:
            difference = np.abs(record.redrawn.astype(int) - record.case.image)
            panels.append(figure(record.redrawn, "redrawn"))
            panels.append(figure((2 * difference).clip(0, 255).astype(np.uint8), "difference, doubled"))
    return panels


def _marks(missed: Sequence[Posed], alarms: Sequence[Posed]) -> list[str]:
    """What is wrong in a picture, as polygons."""
    kinds = (("missed", missed), ("alarm", alarms))
    return [polygon(kind, outline(shape, 1.0)) for kind, shapes in kinds for shape in shapes]


def polygon(kind: str, points: NDArray[np.float64]) -> str:
    """(N, 2) px as SVG, in the style of its kind."""
    return f'<polygon class={kind} points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>'


def figure(image: NDArray[np.uint8], label: str, marks: Sequence[str] = ()) -> str:
    """A picture with marks on it and words below."""
    height, width = image.shape[:2]
    buffer = io.BytesIO()
    Image.fromarray(image).save(buffer, "PNG", optimize=True)
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    return (
        f'<figure><svg viewBox="0 0 {width} {height}"><image width="{width}" height="{height}" '
        f'href="data:image/png;base64,{data}"/>{"".join(marks)}</svg>'
        f"<figcaption>{html.escape(label)}</figcaption></figure>"
    )


def html_table(table: Table) -> str:
    """The table of a report, verdicts in colour."""

    def row(values: Sequence[str], tag: str) -> str:
        cells = (f"<{tag} class='{v if v in STYLES else ''}'>{html.escape(v)}" for v in values)
        return f"<tr>{''.join(cells)}"

    heads, *rows = table.cells()
    return f"<table>{row(heads, 'th')}{''.join(row(cells, 'td') for cells in rows)}</table>"


def dump(folder: Path, row: str, seed: int, records: Sequence[Record]) -> None:
    """Every picture with a miss or a false alarm, enlarged and marked; `misses.txt` says what is wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = []
    for i, record in enumerate(records):
        missed, alarms = wrong(record.case, record.found)
        if not missed and not alarms:
            continue
        name = f"{row}-{seed}-{i}.png"
        _marked(record, missed, alarms).save(folder / name)
        words = [f"missed {describe(shape)}" for shape in missed] + [f"false {describe(a)}" for a in alarms]
        texts.append(f"{name}: {'; '.join(words)}")
    with (folder / "misses.txt").open("a", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in texts)


def describe(shape: Shape | Found) -> str:
    """One shape in words."""
    (x, y), (w, h) = shape.position, shape.size
    looks = "filled" if shape.filled else "outlined"
    words = f"{looks} {shape.symbol} at ({x:.1f}, {y:.1f}) size {w:.1f}x{h:.1f}"
    words += f" turn {shape.rotation:.0f} rgb {','.join(f'{c:.2f}' for c in shape.colour)}"
    if isinstance(shape, Shape):
        return f"{words} thickness {shape.thickness:.2f} hidden {shape.hidden:.2f}"
    return f"{words} p {shape.p:.2f}"


def _marked(record: Record, missed: Sequence[Posed], alarms: Sequence[Posed]) -> Image.Image:
    """Input with marks beside the redrawn picture."""
    image = record.case.image
    scale = 4 if max(image.shape) <= 256 else 2
    panels = [image] if record.redrawn is None else [image, record.redrawn]
    height, width = image.shape[0] * scale, image.shape[1] * scale
    sheet = Image.new("RGB", (width * len(panels), height))
    for k, panel in enumerate(panels):
        sheet.paste(Image.fromarray(panel).resize((width, height), Image.Resampling.NEAREST), (k * width, 0))
    pen = ImageDraw.Draw(sheet)
    for colour, shapes in (("red", missed), ("yellow", alarms)):
        for shape in shapes:
            points = outline(shape, 1.0) * scale
            pen.line([tuple(p) for p in [*points.tolist(), points[0].tolist()]], fill=colour, width=2)
    return sheet
