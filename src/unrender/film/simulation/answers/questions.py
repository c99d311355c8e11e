"""Questions about what happens, would happen, and why: "will the ball hit the box?", "why did it move?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.film.simulation.answers.replies import Replies
from unrender.film.simulation.answers.telling import Reply
from unrender.film.simulation.answers.what_if import tracks_named
from unrender.film.simulation.drawn import Explained
from unrender.scene import Scene

if TYPE_CHECKING:
    from unrender.film.film import Film

SYNONYMS = {
    "circle": ("ball", "disc", "disk", "marble"),
    "square": ("box", "block", "crate", "rectangle"),
}
WALLS = re.compile(r"(?:the |a |any )?(?:walls?|floor|ground|ceiling|borders?|edge of the picture)")
SECONDS = re.compile(r"\s*(?:with)?in (?:the next )?(?P<n>[\d.]+|a|one|two|three|half a) ?(?:s|seconds?)\b")
NUMBERS = {"a": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "half a": 0.5}
USUAL = 3.0  # seconds that are looked ahead where none are told
NEXT = 1.0  # seconds that "next" means

_GONE = (
    r"(?:(?:was|were|is|had been) (?:not there|gone|removed|missing|taken away)"
    r"|(?:wasn't|weren't|isn't|hadn't been|had not been) there|did not exist)"
)


@dataclass(frozen=True)
class _Rule:
    pattern: re.Pattern[str]
    reply: Callable[[_Asked, re.Match[str]], Reply]


class _Asked:
    """One question, with what its words mean in one film."""

    def __init__(self, explained: Explained, seconds: float | None) -> None:
        self.explained = explained
        self.replies = Replies(explained)
        self.seconds = seconds

    def body(self, phrase: str) -> int:
        """The track that a phrase means."""
        return track_of(self.explained, phrase)

    def pair(self, one: str, other: str) -> tuple[int, int | None]:
        """Two tracks; None for walls and floors that are no bodies."""
        if WALLS.fullmatch(one.strip()):
            one, other = other, one
        return self.body(one), None if WALLS.fullmatch(other.strip()) else self.body(other)


def ask(film: Film, question: str) -> Reply | None:
    """The answer to a question about why and what if; None if it is none of that kind."""
    text = re.sub(r"\s+", " ", question.strip().lower()).rstrip("?!. ")
    within = SECONDS.search(text)
    seconds = None
    if within:
        told = within["n"]
        seconds = NUMBERS.get(told) or _number(told)
        text = (text[: within.start()] + text[within.end() :]).strip()
    for rule in _RULES:
        found = rule.pattern.fullmatch(text)
        if found:
            return rule.reply(_Asked(film.explained, seconds), found)
    return None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UnrenderError(f'"{text}" is no number of seconds.') from None


def track_of(explained: Explained, phrase: str) -> int:
    """The body that is meant by "the red ball", "circle.2" or "it"."""
    film = explained.film
    phrase = phrase.strip()
    if re.fullmatch(r"[^\s.]+(?:\.\d+)+|\d+", phrase):
        found = tracks_named(film, phrase)
    else:
        found = _described(film.scenes, phrase)
    known = [track for track in found if track in explained.world.motions]
    if not known:
        raise UnrenderError(f'There is no body "{phrase}" in this film.')
    if len(known) > 1:
        raise UnrenderError(f'"{phrase}" may mean {len(known)} bodies; say which, like "the red one".')
    return known[0]


def _described(scenes: Sequence[Scene], phrase: str) -> list[int]:
    """Tracks of what an English phrase means, in the first frame in which it means anything."""
    trouble: UnrenderError | None = None
    for scene in scenes[:: max(1, len(scenes) // 8)]:
        try:
            value = scene.ask(f"which is {_translated(scene, phrase)}?").value
        except UnrenderError as error:
            trouble = trouble or error
            continue
        if isinstance(value, list) and value:
            return [node.track for node in value if node.track is not None]
    raise trouble or UnrenderError(f'There is no "{phrase}" in this film.')


def _translated(scene: Scene, phrase: str) -> str:
    """With words for shapes that a scene knows; those that were taught stay."""
    for symbol, words in SYNONYMS.items():
        for word in words:
            if word not in scene.nouns:
                phrase = re.sub(rf"\b{word}\b", symbol, phrase)
    return phrase if re.match(r"(?:the|a|an) ", phrase) else f"the {phrase}"


def _rule(pattern: str, reply: Callable[[_Asked, re.Match[str]], Reply]) -> _Rule:
    return _Rule(re.compile(pattern), reply)


_HIT = r"(?:hit|touch|collide with|bump into|reach|strike|run into|meet)"
_RULES = (
    _rule(
        r"what (?:happens|will happen|comes)(?: next| then| now)?",
        lambda asked, _: asked.replies.next(asked.seconds or NEXT),
    ),
    _rule(
        rf"would (?P<a>.+?) (?:still )?(?:have )?{_HIT} (?P<b>.+?),? "
        rf"(?:without (?P<gone>.+)|if (?P<gone2>.+?) {_GONE})",
        lambda asked, m: asked.replies.would_hit(
            *asked.pair(m["a"], m["b"]), asked.body(m["gone"] or m["gone2"])
        ),
    ),
    _rule(
        rf"(?:will|does|is) (?P<a>.+?) (?:going to )?{_HIT} (?P<b>.+?)(?: next| again| soon)?",
        lambda asked, m: asked.replies.will_hit(*asked.pair(m["a"], m["b"]), asked.seconds or USUAL),
    ),
    _rule(
        r"(?:will|do) (?P<a>.+?) and (?P<b>.+?) (?:collide|touch|meet|hit(?: each other)?)",
        lambda asked, m: asked.replies.will_hit(*asked.pair(m["a"], m["b"]), asked.seconds or USUAL),
    ),
    _rule(
        rf"(?:did|has) (?P<a>.+?) (?:ever )?{_HIT} (?P<b>.+)",
        lambda asked, m: asked.replies.did_hit(*asked.pair(m["a"], m["b"])),
    ),
    _rule(
        rf"what (?:if|happens if|would happen if|would have happened if) (?P<gone>.+?) {_GONE}",
        lambda asked, m: asked.replies.without(asked.body(m["gone"])),
    ),
    _rule(
        r"what (?:would happen|would have happened|happens) without (?P<gone>.+)",
        lambda asked, m: asked.replies.without(asked.body(m["gone"])),
    ),
    _rule(
        rf"would (?P<a>.+?) (?:still )?(?:have )?moved? "
        rf"(?:without (?P<gone>.+)|if (?P<gone2>.+?) {_GONE})",
        lambda asked, m: asked.replies.would_move(asked.body(m["a"]), asked.body(m["gone"] or m["gone2"])),
    ),
    _rule(
        r"(?:why (?:did|does|is) (?P<a>.+?) "
        r"(?:start (?:to move|moving)|begin to move|move|moving|go|roll|slide)"
        r"|what (?:made|caused|makes) (?P<b>.+?) (?:to )?move)",
        lambda asked, m: asked.replies.why(asked.body(m["a"] or m["b"])),
    ),
    _rule(
        r"(?:what|who) (?:hit|touched|pushed) (?P<a>.+)",
        lambda asked, m: asked.replies.why(asked.body(m["a"])),
    ),
    _rule(
        r"(?:which|what|who)(?: (?:one|body|object|thing))? is "
        r"(?P<way>heavier|lighter|the heaviest|the lightest)"
        r"(?:[,:]? (?P<a>.+?) or (?P<b>.+))?",
        lambda asked, m: asked.replies.heaviest(
            m["way"] in ("heavier", "the heaviest"),
            [asked.body(m["a"]), asked.body(m["b"])] if m["a"] else None,
        ),
    ),
    _rule(
        r"is (?P<a>.+?) (?P<way>heavier|lighter) than (?P<b>.+)",
        lambda asked, m: asked.replies.is_heavier(
            asked.body(m["a"]), asked.body(m["b"]), m["way"] == "heavier"
        ),
    ),
    _rule(
        r"where (?:will|is) (?P<a>.+?) (?:be|going to be)(?: next| then)?",
        lambda asked, m: asked.replies.where(asked.body(m["a"]), asked.seconds or NEXT),
    ),
    _rule(
        r"will (?P<a>.+?) (?:leave|go out of|fly out of)(?: the (?:picture|screen|frame|image))?",
        lambda asked, m: asked.replies.will_leave(asked.body(m["a"]), asked.seconds or USUAL),
    ),
    _rule(
        r"(?:is there (?:any )?gravity|how (?:strong|large) is (?:the )?gravity|what is the gravity)",
        lambda asked, _: asked.replies.gravity(),
    ),
    _rule(
        r"(?:what is the|how much) (?P<name>mass|friction|restitution|bounciness)"
        r" (?:of|does|has) (?P<a>.+?)(?: have)?",
        lambda asked, m: asked.replies.value(asked.body(m["a"]), m["name"]),
    ),
)
