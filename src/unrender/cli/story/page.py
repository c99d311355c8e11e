"""The report: one HTML page that needs nothing beside itself."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from unrender import __version__
from unrender.agent.matrix import DecisionMatrix
from unrender.cli.story import moving
from unrender.cli.story.blocks import exchange, figure, matrix, seen, strip
from unrender.cli.story.images import Pixels, difference, masks
from unrender.cli.story.mechanics import Chapter
from unrender.cli.story.timeline import Moment, Step, Timeline
from unrender.exports.capsules import PART, PRIMITIVE, TOP, capsule_graph_svg

TITLE = "A network that asks until it understands"
LEAD = (
    "The results of Kissner and Mayer’s neural-symbolic capsules, told again by unrender: three primitives "
    "to begin with, one example and one word for everything else. Who answers decides what network comes "
    "about; here are two of the many."
)


def page(
    timelines: Sequence[Timeline], chapter: Chapter, drawn: Sequence[tuple[Pixels, str]], seconds: float
) -> str:
    """All of the report. chapter: a film and its world. drawn: pictures of what needs no lesson, with their
    captions."""
    style = files("unrender.cli.story").joinpath("report.css").read_text(encoding="utf-8")
    names = "".join(
        f'<a href="#timeline-{i}">{i}. {escape(one.title)}</a>' for i, one in enumerate(timelines, 1)
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>unrender: {TITLE}</title><style>\n{style}</style></head>\n<body>"
        f'<header class="top"><h1>{TITLE}</h1><p class="lead">{LEAD}</p>'
        f'<nav><a href="#networks">Two networks</a>{names}<a href="#film">Why it moves</a>'
        '<a href="#drawn">What needs no lesson</a></nav>'
        f"{_facts(timelines, seconds)}</header>\n<main>"
        + _networks(timelines)
        + "".join(_timeline(i, one) for i, one in enumerate(timelines, 1))
        + moving.section(chapter)
        + _drawn(drawn)
        + f"</main>\n<footer>unrender {__version__}. Every picture on this page was drawn by it.</footer>"
        "</body></html>\n"
    )


def _facts(timelines: Sequence[Timeline], seconds: float) -> str:
    moments = [moment for one in timelines for moment in one.moments]
    fresh = [moment for one in timelines for moment in one.steps[-1].moments]
    told = sum(one.questions for one in timelines)
    facts = (
        ("pictures shown", len(moments), f"{sum(m.seconds for m in moments) / len(moments):.1f} s for each"),
        ("questions", told, "each answered with a word"),
        ("new scenes", len(fresh), "nothing taught any more"),
        ("of them one axiom", sum(m.understood for m in fresh), "and nothing to ask"),
        ("all of it took", f"{seconds:.0f} s", "on a processor, from primitives"),
    )
    return (
        '<dl class="facts">'
        + "".join(f"<div><dt>{a}</dt><dd>{b}</dd><small>{c}</small></div>" for a, b, c in facts)
        + "</dl>"
    )


def _networks(timelines: Sequence[Timeline]) -> str:
    drawn = "".join(
        f'<article class="network"><header><span class="number">{i}</span>'
        f"<h3>{escape(one.title)}</h3></header>{capsule_graph_svg(one.brain)}</article>"
        for i, one in enumerate(timelines, 1)
    )
    legend = "".join(
        f'<span><i style="background:{colour}"></i>{text}</span>'
        for colour, text in (
            (PRIMITIVE, "primitive"),
            (PART, "object that others are made of"),
            (TOP, "axiom"),
        )
    )
    return (
        '<section id="networks"><header><h2>Two networks</h2>'
        "<p>What each of the two brains knows in the end: capsules, with arrows from parts to wholes. "
        "Numbers before a capsule are its routes; words below it are attributes that it was taught.</p>"
        "</header>"
        f'<p class="legend">{legend}</p><div class="networks">{drawn}</div></section>'
    )


def _timeline(number: int, timeline: Timeline) -> str:
    steps = "".join(_step(i, step) for i, step in enumerate(timeline.steps, 1))
    lessons = timeline.brain.lessons
    rows = "".join(f"<li>{escape(lesson.title)}</li>" for lesson in lessons)
    return (
        f'<section id="timeline-{number}"><header><p class="label">Timeline {number}</p>'
        f"<h2>{escape(timeline.title)}</h2><p>{escape(timeline.text)}</p></header>{steps}"
        '<article><header><span class="number">∎</span><h3>What is known now</h3>'
        "<p>The decision matrix began with the counts of the paper’s table; every answer has added to it.</p>"
        f"</header>{matrix(DecisionMatrix.paper(), timeline.brain.matrix)}"
        f"<details><summary>All {len(lessons)} lessons</summary><ol>{rows}</ol></details></article></section>"
    )


def _step(number: int, step: Step) -> str:
    main, *others = step.moments
    body = "".join(exchange(asked) for asked in main.asked)
    return (
        f'<article><header><span class="number">{number}</span><h3>{escape(step.title)}</h3>'
        f"<p>{escape(step.text)}</p></header>{_shown(main)}{body}{seen(main.scene)}{_others(others)}</article>"
    )


def _shown(moment: Moment) -> str:
    """The picture, and what was seen in it at first, or how little it differs from what is drawn again."""
    count = len(moment.first.axioms)
    if moment.asked:
        beside = figure(masks(moment.first), f"{count} observed axioms at first")
    else:
        beside = figure(
            difference(moment.picture.image, moment.scene.image), "its difference from what is seen"
        )
    return f'<div class="shown">{figure(moment.picture.image, "the picture")}{beside}</div>'


def _others(moments: Sequence[Moment]) -> str:
    """Pictures at a glance: what was understood at once, and what was asked about."""
    if not moments:
        return ""
    known = sum(moment.understood for moment in moments)
    return (
        f"<details open><summary>{len(moments)} more, {known} of them understood at once</summary>"
        + strip(
            figure(moment.picture.image, _verdict(moment), "known" if moment.understood else "asked")
            for moment in moments
        )
        + "</details>"
    )


def _verdict(moment: Moment) -> str:
    if moment.understood:
        (axiom,) = moment.scene.axioms
        return f"{axiom.symbol}, p {axiom.p:.2f}"
    if moment.asked:
        return "; ".join(f"{asked.word} ({asked.cause.value})" for asked in moment.asked)
    return f"{len(moment.scene.axioms)} axioms"


def _drawn(drawn: Sequence[tuple[Pixels, str]]) -> str:
    return (
        '<section id="drawn"><header><h2>What needs no lesson</h2><p>Primitives and grammars are drawn, and '
        "primitives are seen, before the first question.</p></header>"
        '<div class="strip wide">'
        + "".join(figure(image, caption) for image, caption in drawn)
        + "</div></section>"
    )
