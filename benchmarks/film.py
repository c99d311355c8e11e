"""Films of moving shapes: who is who, how fast, at what cost, and what other programs make of them.

    python benchmarks/film.py [--seed 0] [--films 3] [--frames 60] [--long 600] [--rows separate,crossing,...]

Shapes are moved by pymunk or on straight lines and drawn by Pillow, clean, with noise 0.03, as JPEG and
through H.264. A switch is an object that has another number than at its last sighting. Time is that of the
processor for a frame, against `see` of single frames of the same films in the same run. Animations are eased
between keyframes as CSS does it. The Lottie file is played by rlottie. A long film tells whether memory stays
flat.
"""

from __future__ import annotations

import gc
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from film_scenes import SPOILERS, Body, Shot, behind, colours, crossing, draw, falling, separate
from film_scoring import Score, score
from report import Line, Table, parsed_with_rows, parser, publish, run
from skimage.metrics import structural_similarity

import unrender
from unrender.brain import Brain
from unrender.film.motion.easing import EASE_BOTH, EASE_IN, EASE_OUT, HOLD, LINEAR
from unrender.film.motion.keyframes import Keyframe, Keyframes
from unrender.film.motion.motion import motion_of

ABOUT = """Films of moving shapes by pymunk, drawn by Pillow. A switch is an object that has another number
than at its last sighting; time is that of the processor for a frame, as a share of `see` of single frames of
the same films. Keyframes are those of animations eased as in CSS. Lottie is played by rlottie."""
SHOTS = {"separate": separate, "crossing": crossing, "behind": behind, "falling": falling}
GATES = {"separate": 0.0, "crossing": 3e-3, "behind": 0.05, "falling": 3e-3}  # switches for each sighting
ROWS = [*SHOTS, "noise 0.03", "JPEG 85", "JPEG 75", "H.264", "time", "keyframes", "again", "long"]
EASINGS = (LINEAR, HOLD, EASE_IN[3], EASE_OUT[3], EASE_BOTH[2], EASE_BOTH[3], EASE_IN[2], EASE_OUT[2])
EVERY = 12  # frames between those that are seen alone


def shots(name: str, seed: int, films: int, frames: int) -> Iterator[Shot]:
    for k in range(films):
        yield SHOTS[name](np.random.default_rng([seed, k]), frames)


def identity(brain: Brain, name: str, seed: int, films: int, frames: int, spoiled: str = "clean") -> Line:
    """Switches and velocity on films of one kind."""
    total, used = Score(), 0.0
    for k, shot in enumerate(shots(name, seed, films, frames)):
        spoil = SPOILERS[spoiled]
        seen = shot.frames if spoil is None else spoil(shot.frames, np.random.default_rng([seed, k, 1]))
        begun = time.process_time()
        film = brain.watch(seen)
        used += time.process_time() - begun
        score(film, shot, total)
    gate = GATES[name]
    found = f"{total.switches} in {total.matched}"
    more = {
        "found": f"{total.matched / total.true:.3f}",
        "velocity off, px a frame": f"{np.median(total.velocity):.3f}, mean {np.mean(total.velocity):.3f}",
        "per frame": f"{1e3 * used / (films * frames):.0f} ms",
    }
    label = name if spoiled == "clean" else f"{name}, {spoiled}"
    return Line(f"switches: {label}", f"≤ {gate:.1%}", found, total.rate <= gate, more)


def cost(brain: Brain, seed: int, films: int, frames: int) -> Line:
    """Time of a frame of a film against that of a single picture, five shapes in 160x120."""
    alone = film = 0.0
    count = 0
    brain.watch(next(shots("separate", seed, 1, 3)).frames)  # all is compiled and imported
    for shot in shots("separate", seed, films, frames):
        begun = time.process_time()
        brain.watch(shot.frames)
        film += time.process_time() - begun
        begun = time.process_time()
        for frame in shot.frames[::EVERY]:
            brain.see(frame)
        alone += time.process_time() - begun
        count += len(shot.frames[::EVERY])
    share = (film / (films * frames)) / (alone / count)
    more = {"per frame": f"{1e3 * film / films / frames:.0f} ms, alone {1e3 * alone / count:.0f} ms"}
    return Line("time of a frame", "≤ 0.3 of `see` (gate 0.5)", f"{share:.2f}", share <= 0.5, more)


def animation(rng: np.random.Generator, frames: int) -> tuple[Keyframes, Shot]:
    """A shape that is moved between keyframes with easing."""
    apart = max(min(8, frames // 4), 1)
    cuts = np.sort(rng.choice(np.arange(apart, frames - apart, apart), 2, replace=False))
    times = [0, *cuts.tolist(), frames - 1]
    places = [rng.uniform([20, 20], [140, 100]) for _ in times]
    for k in range(1, len(places)):
        while np.hypot(*(places[k] - places[k - 1])) < 25:
            places[k] = rng.uniform([20, 20], [140, 100])
    chosen = rng.choice(len(EASINGS), len(times))
    keys = Keyframes(
        tuple(
            Keyframe(float(t), (float(p[0]), float(p[1])), EASINGS[e])
            for t, p, e in zip(times, places, chosen, strict=True)
        )
    )
    body = Body("circle", rng.uniform(7, 10), colours(rng, 1)[0])
    at = np.concatenate([keys.at(np.arange(float(frames))), np.zeros((frames, 1))], 1)[:, None]
    drawn = [draw([body], row, (160, 120), (20, 24, 40)) for row in at]
    return keys, Shot(drawn, [body], at)


def keyframes(brain: Brain, seed: int, films: int, frames: int) -> Line:
    """Keyframes within one frame, and easings right."""
    hits = true = right = stretches = 0
    for k in range(films):
        keys, shot = animation(np.random.default_rng([seed, k]), frames)
        film = brain.watch(shot.frames)
        found = motion_of(film, film.tracks[0]).position.keys.keys
        for key, after in zip(keys.keys, keys.keys[1:], strict=False):
            true += 1
            hits += any(abs(own.time - after.time) <= 1 for own in found)
            starts = [own for own in found if abs(own.time - key.time) <= 1]
            stretches += 1
            right += bool(starts) and starts[0].easing.name == key.easing.name
    more = {"easings right": f"{right / stretches:.2f} (goal 0.9)"}
    return Line("keyframes within a frame", "≥ 0.95", f"{hits / true:.2f}", hits / true >= 0.95, more)


def again(brain: Brain, seed: int, frames: int) -> Line:
    """The film drawn again, and its Lottie file played by another player, against the film."""
    from rlottie_python import LottieAnimation

    drawn, played = [], []
    for name in SHOTS:
        shot = next(shots(name, seed, 1, frames))
        film = brain.watch(shot.frames)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "film.lottie.json"
            film.save(path)
            player = LottieAnimation.from_file(str(path))
            for t, true in enumerate(shot.frames):
                shown = player.render_pillow_frame(frame_num=t, width=160, height=120).convert("RGB")
                played.append(structural_similarity(np.asarray(shown), true, channel_axis=2))
                drawn.append(structural_similarity(film.scenes[t].image, true, channel_axis=2))
    more = {"Lottie": f"{np.mean(played):.4f} (goal 0.98), least {np.min(played):.3f}"}
    return Line(
        "SSIM of the film drawn again", "≥ 0.99", f"{np.mean(drawn):.4f}", np.mean(drawn) >= 0.99, more
    )


def long_film(brain: Brain, seed: int, frames: int) -> Line:
    """Memory and time per frame, early and late in a long film."""
    shot = next(shots("separate", seed, 1, 60))
    marks: list[tuple[int, float]] = []
    gc.collect()
    tracemalloc.start()

    def mark(done: int, of: int | None) -> None:
        if done in (frames // 4, frames // 2, frames):
            marks.append((tracemalloc.get_traced_memory()[0], time.process_time()))

    brain.watch((shot.frames[k % 60] for k in range(frames)), progress=mark)
    tracemalloc.stop()
    quarter = frames // 4
    early, late = (marks[1][1] - marks[0][1]) / quarter, (marks[2][1] - marks[1][1]) / (2 * quarter)
    each = (marks[2][0] - marks[1][0]) / (2 * quarter) / 1024
    more = {"time of a frame, late against early": f"{late / early:.2f}"}
    good = each < 40 and late < 1.3 * early
    return Line(f"memory of a frame, of {frames}", "≤ 40 kB, time flat", f"{each:.0f} kB", good, more)


def main() -> None:
    made = parser(__doc__, "film")
    made.add_argument("--films", type=int, default=3)
    made.add_argument("--frames", type=int, default=60)
    made.add_argument("--long", type=int, default=600)
    options = parsed_with_rows(made, ROWS, ["separate", "keyframes"])
    if options.quick:
        options.films, options.frames, options.long = 1, 24, 40
    size = (options.seed, options.films, options.frames)
    lines = []
    with unrender.open() as brain:
        for row in options.rows:
            if row in SHOTS:
                lines.append(identity(brain, row, *size))
            elif row in SPOILERS:
                lines += [identity(brain, name, *size, row) for name in SHOTS]
            elif row == "time":
                lines.append(cost(brain, *size))
            elif row == "keyframes":
                lines.append(keyframes(brain, options.seed, 3 * options.films, options.frames))
            elif row == "again":
                lines.append(again(brain, options.seed, options.frames))
            else:
                lines.append(long_film(brain, options.seed, options.long))
            print(lines[-1], flush=True)
    publish(options.out, "Films", ABOUT, Table(lines, "films", "measured"))


if __name__ == "__main__":
    run(main)
