"""The section of the report about a film: animations that open from disk, and the world as a picture."""

from __future__ import annotations

import base64
from html import escape

from unrender.cli.story.images import embedded
from unrender.cli.story.mechanics import AHEAD, Chapter
from unrender.film.exports.video import gif
from unrender.film.film import Film
from unrender.scene import Observation, Scene

AMBER = (1.0, 0.69, 0.26)


def section(chapter: Chapter) -> str:
    """A film, its world, the next second, and the same without one body."""
    film = chapter.film
    rows = "".join(
        f'<tr><th scope="row">{escape(fact.name)}</th><td>{escape(fact.found)}</td>'
        f"<td>{escape(fact.true)}</td></tr>"
        for fact in chapter.facts
    )
    return (
        '<section id="film"><header><h2>A film, and why it moves</h2><p>Nothing is known but pixels: '
        f"{len(film)} frames of {film.width}x{film.height}. The tracks are found, then the simulation that "
        "explains them; and a simulation can be asked what happens next, and what would have happened.</p>"
        '</header><article><header><span class="number">1</span><h3>What is seen and found</h3>'
        "</header>"
        f'<div class="films">{_animation(film, "the film")}'
        f"<figure>{_world(chapter)}<figcaption>its world: tracks, contacts, the floor that was never drawn, "
        "gravity</figcaption></figure>"
        '<table class="found"><thead><tr><th scope="col">value</th><th scope="col">found</th>'
        f'<th scope="col">true</th></tr></thead><tbody>{rows}</tbody></table></div>'
        f'<p class="words">{escape(chapter.told)}</p></article>'
        '<article><header><span class="number">2</span><h3>What nobody has filmed</h3><p>The simulator that '
        "made the film was run on, and run without one ball, to know how far these are from the truth.</p>"
        "</header>"
        f'<div class="films">{_animation(chapter.ahead, _ahead(chapter), len(film))}'
        f"{_animation(chapter.without, _without(chapter))}</div></article></section>"
    )


def _ahead(chapter: Chapter) -> str:
    return (
        f"the film, then {AHEAD:g} s that were not filmed (in a frame): "
        f"at its end the balls are off by {chapter.ahead_off:.1f} px"
    )


def _without(chapter: Chapter) -> str:
    return (
        f"the same without the {escape(chapter.removed)}: at the end the others are off by "
        f"{chapter.without_off:.1f} px"
    )


def _animation(film: Film, caption: str, seen: int | None = None) -> str:
    """An animation; a still for those who want nothing to move. seen: frames that were filmed."""
    moving = base64.b64encode(gif(film if seen is None else _framed(film, seen))).decode("ascii")
    last = embedded(film.scenes[-1].image)
    return (
        f'<figure><picture><source srcset="{last}" media="(prefers-reduced-motion: reduce)">'
        f'<img src="data:image/gif;base64,{moving}" alt=""></picture>'
        f"<figcaption>{caption}</figcaption></figure>"
    )


def _framed(film: Film, seen: int) -> Film:
    """The film with a frame around all that was not filmed."""
    looks = {"filled": 0.0, "thickness": 4 / min(film.width, film.height), "corner": 0.0}
    for name, value in zip(("red", "green", "blue"), AMBER, strict=True):
        looks |= {name: value, f"stroke_{name}": value}
    middle, size = (film.width / 2, film.height / 2), (float(film.width), float(film.height))
    scenes = []
    for k, scene in enumerate(film.scenes):
        around = [Observation("square", middle, size, 0.0, looks)] if k >= seen else []
        made = Scene(scene.width, scene.height, [*scene.axioms, *around], scene.background)
        made.produce = scene.produce
        scenes.append(made)
    return Film(scenes, film.fps)


def _world(chapter: Chapter) -> str:
    """Tracks, contacts, walls and gravity of a world as SVG."""
    film, world = chapter.film, chapter.world
    wide, tall = film.width, film.height
    parts = [f'<rect width="{wide}" height="{tall}" fill="#181c28"/>']
    for wall in world.walls:
        (x1, y1), (x2, y2) = wall.start, wall.end
        parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#98a2ff" '
            'stroke-width="1.5" stroke-dasharray="4 2"/>'
        )
    for track in film.tracks:
        looks = track.observations[track.first].attributes
        colour = "#" + "".join(f"{round(255 * looks[name]):02x}" for name in ("red", "green", "blue"))
        points = " ".join(f"{o.position[0]:.1f},{o.position[1]:.1f}" for o in track.observations.values())
        first, last = track.observations[track.first], track.observations[track.last]
        for node, opacity in ((first, 0.35), (last, 1.0)):
            (x, y), r = node.position, node.size[0] / 2
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{colour}" opacity="{opacity}"/>'
            )
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1"/>')
    for contact in world.contacts:
        x, y = contact.point
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="none" stroke="#fff" stroke-width="1"/>'
        )
    if world.gravity is not None and any(world.gravity):
        long = 22 / max(abs(world.gravity[0]), abs(world.gravity[1]))
        x2, y2 = 12 + long * world.gravity[0], 10 + long * world.gravity[1]
        parts.append(
            '<defs><marker id="tip" viewBox="0 0 6 6" refX="3" refY="3" markerWidth="5" markerHeight="5" '
            'orient="auto"><path d="M0 0 6 3 0 6Z" fill="#ffb042"/></marker></defs>'
            f'<line x1="12" y1="10" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ffb042" stroke-width="2" '
            'marker-end="url(#tip)"/>'
        )
    return (
        f'<svg viewBox="0 0 {wide} {tall}" role="img" aria-label="tracks, contacts, floor and gravity">'
        f"{''.join(parts)}</svg>"
    )
