"""Second thoughts: one shape in place of the pieces that were taken for several, or of nothing at all.

A shape that others cross shows itself in pieces, and each piece alone may look like something. Here whole
shapes are fitted to all that shows one colour and judged as what they would be: in front of some of the
shapes that are known and behind others. The picture decides: the story that leaves less of it wrong, with
fewer and surer shapes, is kept. A patch with right angles only may also be told as the rectangles that it is
made of, all at once.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from functools import partial

import torch

from unrender.capsules.angular import angular, built
from unrender.capsules.candidates import PATIENT_END
from unrender.capsules.canvas import LEAST
from unrender.capsules.coloured import Shown
from unrender.capsules.contour import contours
from unrender.capsules.geometry import CX, CY, Shapes
from unrender.capsules.patches import Floats, Window, Windows, patches
from unrender.capsules.polish import among, judged, polish
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.story import REPLACED, SURE, Story, Turn

ROUNDS = 3  # what one changes may lead to another
SHARES = (REPLACED, 0.3)  # of what shows of a piece lies within the whole; a wrong guess goes beyond it
WORTH = 0.5  # p that a shape must have to be told of


def revise(pyramid: Pyramid, story: Story) -> Story:
    """The story, or one that explains more of the picture."""
    where = story.doubted()
    if where.sum() <= LEAST:  # another story could not win more than it costs
        return story
    shown = Shown.of(story.canvas, where)
    shapes, paint = contours(shown, story.seen.shapes.kinds)
    bars = list(angular(story, shown))
    doubtful = [i for i in story.order if story.seen.p[i] < SURE]
    height, width = story.canvas.picture.shape[:2]
    for _ in range(ROUNDS):
        turns = _turns(pyramid, story, shapes, paint, doubtful) + [built(story, *patch) for patch in bars]
        other, changed = _retold(story, turns)
        if not changed:
            break
        story = Story.of(polish(pyramid, Story.of(other.cast, story.canvas)), story.canvas)
        # where nothing changed, nothing else would win now
        near = Windows(patches(shapes, height, width)).near_any(changed)
        shapes, paint = shapes[torch.from_numpy(near)], paint[near]
        near_by = Windows(story.drawn).near_any(changed).tolist()
        doubtful = [i for i in story.order if story.seen.p[i] < SURE and i in near_by]
    return story


def _turns(
    pyramid: Pyramid, story: Story, shapes: Shapes, paint: Floats, doubtful: Sequence[int]
) -> list[Turn]:
    """Judge shapes as parts of the story, each in place of the pieces of its colour, and of those too that
    show elsewhere as well; or do without a doubtful one."""
    height, width = story.canvas.picture.shape[:2]
    noise = story.canvas.noise
    first = patches(shapes, height, width)
    less, more = ([story.pieces(*at, share) for at in zip(first, paint, strict=True)] for share in SHARES)
    again = [i for i in range(len(first)) if more[i] != less[i]]
    each = [*range(len(first)), *again]
    shapes, paint, first = shapes[torch.tensor(each, dtype=torch.long)], paint[each], [first[i] for i in each]
    gone = less + [more[i] for i in again]
    sides = [story.between(*at) for at in zip(first, paint, gone, strict=True)]
    context = partial(among, story.seen, [far for far, _ in sides], [near for _, near in sides])
    seen = judged(pyramid, shapes, PATIENT_END, noise, context)
    x, y = seen.shapes.pose[:, CX], seen.shapes.pose[:, CY]
    inside = (x > 0) & (x < width) & (y > 0) & (y < height)  # else less than half of it shows
    good = (inside & (seen.p > WORTH)).nonzero()[:, 0]
    drawn = patches(seen.shapes[good], height, width)
    turns = [Turn(seen[i[None]], [patch], gone[i]) for i, patch in zip(good, drawn, strict=True)]
    return turns + [Turn(seen[:0], [], frozenset([i])) for i in doubtful]


def _retold(story: Story, turns: list[Turn]) -> tuple[Story, list[Window]]:
    """Take the turns that win, one after the other, the surest and largest first; and where they did."""
    changed: list[Window] = []

    def judged(n: int) -> tuple[float, int, float, int]:
        """What a turn is worth now, the less if its shapes hardly agree, and what it wins; first the best."""
        gain, p = story.gain(turns[n]), turns[n].shapes.p
        return -gain * float(p.square().mean() if len(p) else 1.0), n, gain, len(changed)

    heap = [judged(n) for n in range(len(turns))]
    heapq.heapify(heap)
    while heap:
        _, n, gain, when = heapq.heappop(heap)
        if gain <= LEAST or not turns[n].gone <= set(story.order):
            continue
        if when < len(changed):
            heapq.heappush(heap, judged(n))
        else:
            changed.append(story.window(turns[n]))
            story = story.after(turns[n])
    return story, changed
