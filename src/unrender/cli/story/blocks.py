"""What a page is made of: pictures, questions with their answers, decision matrices, parse-trees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from unrender.agent.causes import Cause
from unrender.agent.matrix import PAPER, DecisionMatrix
from unrender.cli.reasons import brief
from unrender.cli.story.images import Pixels, colours, embedded, masks, pointed_at
from unrender.cli.story.timeline import Asked
from unrender.scene import Observation, Scene
from unrender.scene.language.naming import tally

MEANINGS = {
    Cause.LACKING_ROUTE: "a route is missing",
    Cause.MISSING_CAPSULE: "a capsule is missing",
    Cause.LACKING_DATA: "training data is missing",
    Cause.MISSING_ATTRIBUTE: "an attribute is missing",
}


def figure(image: Pixels, caption: str, kind: str = "") -> str:
    """A picture with a line below it."""
    height, width = image.shape[:2]
    return (
        f'<figure class="{kind}"><img src="{embedded(image)}" width="{width}" height="{height}" '
        f'alt="{escape(caption)}"><figcaption>{escape(caption)}</figcaption></figure>'
    )


def seen(scene: Scene) -> str:
    """What is understood of a scene: drawn again, its masks, its trees, in words."""
    count = len(scene.axioms)
    axioms = "one observed axiom" if count == 1 else f"{count} observed axioms"
    return (
        '<div class="seen">'
        + figure(scene.image, "drawn again from the graph")
        + figure(masks(scene), "masks")
        + f'<div class="tree"><p class="label">{axioms}</p>{tree(scene)}</div>'
        + f'<p class="words">{escape(scene.describe())}</p></div>'
    )


def tree(scene: Scene) -> str:
    """The observed parse-trees as nested lists, every node with the colour of its mask."""
    chosen = colours(scene)

    def item(node: Observation) -> str:
        colour = "#{:02x}{:02x}{:02x}".format(*chosen[id(node)])
        own = [name for name in node.attributes if not any(name in part.attributes for part in node.parts)]
        taught = "".join(f" <em>{escape(n)} {node.attributes[n]:.2f}</em>" for n in own if node.parts)
        form = f" <small>{escape(node.route)}</small>" if node.route else ""
        below = f"<ul>{''.join(map(item, node.parts))}</ul>" if node.parts else ""
        return (
            f'<li><i style="background:{colour}"></i><b>{escape(node.symbol)}</b>'
            f"{form} <span>p {node.p:.2f}</span>{taught}{below}</li>"
        )

    return f"<ul>{''.join(map(item, scene.axioms))}</ul>"


def exchange(asked: Asked) -> str:
    """A question, why it was asked, its answer, and what that did to the decision matrix."""
    question = asked.question
    reasons = "".join(f"<li>{escape(reason)}</li>" for reason in brief(question.reasons))
    return (
        '<div class="exchange">'
        + figure(pointed_at(question.scene, question.parts), "what it asks about", "small")
        + f'<div class="talk"><blockquote>{escape(str(question))}</blockquote>'
        + f'<p class="label">because</p><ul class="reasons">{reasons}</ul>'
        + _votes(asked)
        + f'<p class="answer"><span class="label">answer</span> “{escape(asked.word)}”{_changed(asked)}</p>'
        + f'<p class="told">{escape(asked.told)}</p></div>'
        + matrix(asked.before, asked.after, question.features)
        + "</div>"
    )


def _votes(asked: Asked) -> str:
    """The sums of the rows that hold, one bar for each cause, the decision marked."""
    votes = asked.before.votes(asked.question.features)
    most = max([*votes.values(), 1])
    bars = "".join(
        f'<li class="{"decided" if cause is asked.question.cause else ""}"><b>{cause.value}</b>'
        f'<span class="bar"><s style="width:{100 * votes[cause] / most:.0f}%"></s></span>'
        f"<span>{votes[cause]}</span></li>"
        for cause in Cause
    )
    decided = MEANINGS[asked.question.cause]
    return (
        f'<p class="label">the matrix decides for {asked.question.cause.value}, {decided}</p>'
        f'<ul class="votes">{bars}</ul>'
    )


def _changed(asked: Asked) -> str:
    """What the answer has corrected."""
    said = []
    if asked.cause is not asked.question.cause:
        said.append(f"it is {asked.cause.value}, {MEANINGS[asked.cause]}")
    if asked.corrected is not None:
        said.append(f"of {tally(asked.corrected)}")
    return f" <small>{escape('; '.join(said))}</small>" if said else ""


def matrix(before: DecisionMatrix, after: DecisionMatrix, told: Sequence[str] = ()) -> str:
    """A decision matrix, what has grown in it marked, its rows in the order of what they tell.

    The rows of the paper's table, and of the features `told` besides; all rows, if none are told.
    """
    shown = {*PAPER, *brief(told or after.rows)}

    def cell(name: str, i: int) -> str:
        old, new = before.rows.get(name, (0, 0, 0, 0))[i], after.rows[name][i]
        return f"<td>{new}</td>" if old == new else f'<td class="grown"><s>{old}</s> {new}</td>'

    rows = "".join(
        f'<tr class="{"holds" if name in told else ""}"><th>{escape(name)}</th>'
        f"{''.join(cell(name, i) for i in range(len(Cause)))}</tr>"
        for name in after.telling()
        if name in shown
    )
    heads = "".join(f"<th>{cause.value}</th>" for cause in Cause)
    caption = "decision matrix, before and after" if told else "decision matrix"
    return (
        f'<table class="matrix"><caption>{caption}</caption><thead><tr><th></th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def strip(figures: Iterable[str]) -> str:
    """Pictures side by side."""
    return f'<div class="strip">{"".join(figures)}</div>'
