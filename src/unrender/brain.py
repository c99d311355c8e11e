"""Brain: see, watch, draw, teach, answer. Thin: it only connects the rooms below.

The examples begin with `import unrender`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from unrender import lessons
from unrender.agent.sightings import Looks
from unrender.errors import UnrenderError
from unrender.knowledge import MEMORY, Knowledge
from unrender.names import composed
from unrender.scene import Observation, Scene
from unrender.scene.language.words import participle

if TYPE_CHECKING:
    from unrender.agent.causes import Cause
    from unrender.agent.matrix import DecisionMatrix
    from unrender.agent.question import Answer, Question
    from unrender.agent.question_selection import Wonder
    from unrender.capsules.route import Route
    from unrender.film.film import Film
    from unrender.film.question import FilmQuestion
    from unrender.film.track import Track
    from unrender.film.verbs.verb import Verb
    from unrender.film.watch import Progress
    from unrender.grammar import Grammar
    from unrender.learning.objects.attribute import AttributeLesson
    from unrender.learning.objects.lesson import ObjectLesson
    from unrender.matching.classify import Classified, KnownDrawings
    from unrender.memory import LessonRecord, Snapshot


class Brain:
    """Everything that is known. Open one with `unrender.open`; close it, or use it in a `with` block.

    >>> with unrender.open() as brain:
    ...     brain.draw("circle", canvas=(32, 24)).shape
    (24, 32, 3)
    >>> unrender.open()
    <Brain :memory:, 0 symbols, 0 lessons>
    """

    def __init__(
        self, path: str | os.PathLike[str] = MEMORY, *, matrix: str | DecisionMatrix = "paper"
    ) -> None:
        self._knowledge = Knowledge(path, matrix)
        self._latest: ref[Scene] | None = None
        self._looks = Looks()
        self._drawings: KnownDrawings | None = None

    @classmethod
    def recall(cls, snapshot: Snapshot) -> Brain:
        """A throw-away brain that knows what a brain file held at one instant: `Store.read` gives that."""
        brain = cls()
        brain._knowledge.recall(snapshot)
        return brain

    def see(
        self,
        image: Any,
        after: Scene | None = None,
        *,
        remember: bool = False,
        proposals: Iterable[str] | None = None,
        max_seconds: float | None = None,
    ) -> Scene:
        """The scene that `image` was drawn from.

        image: a path, a PIL image, or a numpy array HxW, HxWx3 or HxWx4 (uint8, or float in 0..1).
        A larger one than 4096 pixels a side is scaled down (`scene.scale`), and so are all positions.
        after: the scene of the frame before, in a video: the same object has the same `track` in both.
        remember: add the p of all parts of what is seen to their past mean p̄, in the brain file; no lesson.
        proposals: where shapes are looked for, by name: ["encoder"] is the paper's way alone.
        max_seconds: for looking; then what was read by that time is returned (`scene.complete` is False).

        >>> brain = unrender.open()
        >>> scene = brain.see(brain.draw("square", size=(40, 24), rotation=10))
        >>> [(thing.symbol, round(thing.size[0]), round(thing.rotation)) for thing in scene.axioms]
        [('square', 40, 10)]
        """
        from unrender.capsules.see import see
        from unrender.primitives.jit import interruptible
        from unrender.primitives.registry import primitives
        from unrender.scene.picture import read_picture

        if remember:
            self._knowledge.check_remembers()
        picture, kinds = read_picture(image), list(primitives().values())
        with interruptible():
            scene = see(picture.pixels, self._knowledge.network, kinds, proposals, max_seconds)
        scene.picture = (picture.pixels * 255).round().astype(np.uint8)
        scene.scale = picture.scale
        for depth, leaf in enumerate(scene.primitives):  # parts that only their pixels showed have none yet
            leaf.depth = depth
        self._introduce(scene)
        self._keep_in_mind(scene, after)
        if remember:
            self.remember(scene)
        return scene

    def remember(self, scene: Scene) -> None:
        """Add the p of all parts of what is seen in a scene to their past mean p̄, once for every scene.

        It is no lesson: nothing is learned but what p to expect, and `undo` leaves it.
        """
        from unrender.capsules.past import observed

        if not scene.remembered:
            self._knowledge.remember(observed(scene))
            scene.remembered = True

    def see_again(self, scene: Scene, after: Scene | None = None) -> Scene:
        """A scene as the brain understands it now, without looking at its pixels once more.

        What is in it is kept in mind while the brain is open: what comes again is worth a question.
        """
        again = self.understand(scene)
        self._keep_in_mind(again, after)
        return again

    def _keep_in_mind(self, scene: Scene, after: Scene | None) -> None:
        """Follow what was in the scene before, and remember what is in this one."""
        if after is not None:
            from unrender.scene.tracking.follow import follow

            follow(scene, after)
        self._looks.remember(scene, self._knowledge.network.turnings)

    def understand(self, scene: Scene) -> Scene:
        """The known objects among the primitives of a scene, in place of any that were seen before."""
        seen = self._knowledge.network.understand(scene)
        seen.picture, seen.look, seen.settled = scene.picture, scene.look, set(scene.settled)
        seen.scale, seen.complete, seen.residual = scene.scale, scene.complete, scene.residual
        seen.remembered, seen.edited = scene.remembered, scene.edited
        self._introduce(seen)
        return seen

    def _introduce(self, scene: Scene) -> None:
        """Give a scene what this brain knows: g, its words, and what it would ask."""
        network = self._knowledge.network
        scene.produce = network.produce if network.capsules else None
        scene.wonder = self._wonder
        scene.nouns, scene.verbs = frozenset(self.symbols), network.verbs
        scene.verbs |= frozenset(verb.name for verb in self._knowledge.verbs)
        self._latest = ref(scene)

    def watch(self, source: Any, fps: float | None = None, *, progress: Progress | None = None) -> Film:
        """The film of a video or animation, a folder of frames, or images one after the other.

        fps: frames a second, where the source does not tell it (25 then); of one that does, its frames are
        taken at this rate. progress: called after every frame with how many were seen, of how many (None if
        nobody knows). Ctrl+C ends it with what was seen by then; `film.notes` says what could not be read.

        >>> brain = unrender.open()
        >>> frames = [brain.draw("circle", position=(20 + 3 * t, 40), size=(20, 20)) for t in range(4)]
        >>> film = brain.watch(frames)
        >>> [(track.symbol, track.first, track.last) for track in film.tracks]
        [('circle', 0, 3)]
        >>> round(film.scenes[2].axioms[0].velocity[0], 1)
        3.0
        """
        from unrender.film.clip import clip_of
        from unrender.film.watch import watch
        from unrender.primitives.registry import primitives

        clip, kinds = clip_of(source, fps), list(primitives().values())
        film = watch(clip, self._knowledge.network, kinds, self._introduce, progress)
        self.name_verbs(film)
        return film

    def watch_again(self, film: Film) -> Film:
        """A film as the brain understands it now, without looking at its pixels once more."""
        from unrender.film.watch import watch_again

        again = watch_again(film, self._knowledge.network, self.understand)
        self.name_verbs(again)
        return again

    def name_verbs(self, film: Film) -> None:
        """Name what objects do in a film by the verbs that are known now: `obs.verbs`, `obs.attributes`."""
        from unrender.film.question import question_about
        from unrender.film.verbs.naming import name_verbs

        name_verbs(film, self._knowledge.network, self._knowledge.verbs)
        film.question = question_about(film, self._knowledge.network)

    def teach_verb(
        self, film: Film, track: Track, name: str, start: int | None = None, end: int | None = None
    ) -> Verb:
        """Learn a verb from one clip: what `track` does from frame `start` to frame `end` (both included).

        How the parts move against the whole over one cycle, or one run, becomes an attribute of the symbol:
        its value is the phase in [0, 1), 0 at the first frame. Whether it repeats is found out. A verb that
        is known is learned anew. In this film it is named at once, in others when they are watched.
        """
        from unrender.film.verbs.verb import Verb

        change = self._knowledge.change(lessons.verb_taught(film, track, name, start, end))
        assert isinstance(change.outcome, Verb)
        self.name_verbs(film)
        return change.outcome

    @property
    def verbs(self) -> list[Verb]:
        """All verbs that were taught."""
        return self._knowledge.verbs

    def classify(self, image: Any) -> list[Classified]:
        """All known objects, best first, for what a picture shows as a whole: `.symbol` and `.agreement`.

        The lines of the picture are compared with those of every object that was taught, wherever it stands,
        however large it is, and bent as people bend what they draw by hand. Colours do not count.

        >>> brain = unrender.open()
        >>> for name, side in (("plate", "circle"), ("box", "square")):
        ...     _ = brain.teach(brain.see(brain.draw(side, size=(40, 40))), name)
        >>> [known.symbol for known in brain.classify(brain.draw("circle", size=(30, 24), red=0.5))]
        ['plate', 'box']
        """
        from unrender.matching.classify import KnownDrawings
        from unrender.primitives.jit import interruptible
        from unrender.scene.picture import read_picture

        picture, network = read_picture(image), self._knowledge.network
        with interruptible():
            if self._drawings is None or self._drawings.network is not network:
                self._drawings = KnownDrawings.of(network)
            return self._drawings.classify(picture.pixels)

    def ask_about(self, scene: Scene, parts: Sequence[Observation]) -> Question:
        """The question about parts that somebody has chosen; it takes the place of the scene's own."""
        from unrender.learning.objects.example import check_parts

        scene.put(self._agent(scene).about(scene, check_parts(scene, parts)))
        question = scene.question
        assert question is not None
        return question

    def _agent(self, scene: Scene) -> Wonder:
        """All that decides what is asked about a scene."""
        from unrender.agent.question_selection import Wonder

        mind = self._knowledge.mind
        return Wonder(self._knowledge.network, mind.matrix, mind.declined, self._looks.before(scene))

    def _wonder(self, scene: Scene) -> Question | None:
        """What to ask about a scene."""
        return self._agent(scene).question(scene)

    def draw(
        self,
        symbol: str,
        *,
        canvas: tuple[int, int] | NDArray[np.uint8] = (84, 84),
        vary: float = 0.0,
        seed: int | np.random.Generator = 0,
        **attributes: Any,
    ) -> NDArray[np.uint8]:
        """uint8 HxWx3: `symbol` with these attributes on a canvas (width, height), or on a picture.

        position=(x, y), size=(w, h), rotation=degrees, red=1.0 and so on; what is missing has its default:
        an object that was taught looks as it did then. An edge may be told by length and width; a curve or a
        path by its form (without one, an example is drawn).

        vary: for an object that was taught, 0 draws it as it is known, more draws a new example of it as
        somebody else might: parts as memory has seen them vary, and all of it bent as people bend what they
        draw, in full at 1. seed: a number or a generator; the same number draws the same example again.

        >>> unrender.open().draw("circle", position=(20, 20), size=(10, 10), red=0.5)[20, 20].tolist()
        [128, 0, 0]
        """
        from unrender.drawing import draw

        knowledge = self._knowledge
        return draw(
            knowledge.network, knowledge.verbs, composed(symbol), attributes, canvas, vary=vary, seed=seed
        )

    def teach(
        self,
        scene: Scene,
        name: str,
        parts: Sequence[Observation] | None = None,
        *,
        route: str | None = None,
        regime: str | None = None,
    ) -> str:
        """Learn that these parts of a scene (all of it, if none are given) make up `name`.

        One example is enough. A name that is new becomes a new symbol; a known one gets a new route, or one
        more example of a route that expects this arrangement, or of the `route` that is named. An example
        that its memory holds already changes nothing. Of a whole with hidden parts, which is a guess, only
        what was seen of it is taken. Returns the name of the route; `teach_object` says more.

        regime: how the route's g is trained, "frame" (in the frame of the whole, unless it has been trained
        otherwise) or "plain" (on samples all over a canvas, as in the paper: slower and less exact).

        >>> brain = unrender.open()
        >>> picture = brain.draw("circle", position=(26, 42), size=(24, 24))
        >>> picture = brain.draw("square", position=(54, 42), size=(20, 20), canvas=picture)
        >>> brain.teach(brain.see(picture), "lamp")
        'lamp/1'
        >>> [thing.symbol for thing in brain.see(picture).axioms]
        ['lamp']
        """
        return self.teach_object(scene, name, parts, route=route, regime=regime).route.name

    def teach_object(
        self,
        scene: Scene,
        name: str,
        parts: Sequence[Observation] | None = None,
        *,
        route: str | None = None,
        regime: str | None = None,
    ) -> ObjectLesson:
        """`teach`, with all that there is to say about the lesson: `.told` is a sentence, `.changed` whether
        anything was new, `.guesses` the wholes with hidden parts that were not taken as such."""
        from unrender.learning.objects.lesson import ObjectLesson

        outcome = self._knowledge.change(lessons.taught(scene, name, parts, composed(route), regime)).outcome
        assert isinstance(outcome, ObjectLesson)
        return outcome

    def teach_attribute(
        self, scene: Scene, obs: Observation, name: str, value: float | None = None
    ) -> AttributeLesson:
        """Learn from one example what an adjective or a verb does to an object: "damaged", "thrusting".

        obs: an object of the scene. A name that is new becomes a new attribute of its symbol (B.2), a known
        one gets more to learn from (B.1). value: how much of it the object shows, in [0, 1]; if it is not
        told, all of it for a new attribute, and for a known one as much as the parts say.
        """
        from unrender.learning.objects.attribute import AttributeLesson

        outcome = self._knowledge.change(lessons.attribute_taught(scene, obs, name, value)).outcome
        assert isinstance(outcome, AttributeLesson)
        return outcome

    def allow(self, symbol: str, *variants: str) -> None:
        """Let an object come in variants that no example shows: "mirrored", "stretch", or both.

        From then on its mirror image is found too (`obs.attributes["mirrored"]` 0 or 1), and one that is 0.65
        to 1.6 times as long (`obs.attributes["stretch"]`): along its longer side everything moves along, and
        what is round stays round. Examples say it better: with a longer one, parts go as that one says.

        >>> brain = unrender.open()
        >>> picture = brain.draw("circle", position=(20, 42), size=(24, 24))
        >>> picture = brain.draw("square", position=(54, 42), size=(40, 20), canvas=picture)
        >>> brain.teach(brain.see(picture), "cart")
        'cart/1'
        >>> brain.allow("cart", "stretch")
        >>> brain.draw("cart", stretch=1.5).shape
        (84, 84, 3)
        """
        self._knowledge.change(lessons.allowed(composed(symbol), variants))

    def answer(
        self,
        question: Question | FilmQuestion,
        answer: Answer | str,
        *,
        cause: Cause | str | None = None,
        parts: Sequence[Observation] | None = None,
        value: float | None = None,
    ) -> str:
        """Learn from the answer to a question; says in a sentence what has been learned.

        question: of a scene, or of a film, whose answer is a verb. answer: a word, or an `Answer` that
        corrects what the question proposes; `cause` ("A.1" to "B.2"), `parts` and `value` do the same.

        >>> brain = unrender.open()
        >>> picture = brain.draw("circle", position=(26, 42), size=(24, 24))
        >>> picture = brain.draw("square", position=(54, 42), size=(20, 20), canvas=picture)
        >>> scene = brain.see(picture)
        >>> print(scene.question)
        I see a circle and a square close together that I have no name for. What new noun best describes them?
        >>> brain.answer(scene.question, "lamp")
        'I now know a new object, lamp.'
        """
        from unrender.agent.question import Answer
        from unrender.film.question import FilmQuestion

        if isinstance(question, FilmQuestion):
            word = answer.name if isinstance(answer, Answer) else answer
            verb = self.teach_verb(question.film, question.track, word, question.start, question.end)
            return f"I now know what it looks like when a {verb.symbol} is {participle(verb.name)}."
        self._check_open(question)
        whole = answer if isinstance(answer, Answer) else Answer(answer)
        whole = replace(
            whole,
            cause=whole.cause if cause is None else cause,
            parts=whole.parts if parts is None else parts,
            value=whole.value if value is None else value,
        )

        change = self._knowledge.change(lessons.answered(question, whole))
        question.settle(question.parts if whole.parts is None else whole.parts)
        return change.told

    def skip(self, question: Question | FilmQuestion) -> None:
        """Leave a question without an answer: these parts do not belong together, and parts like them are
        not asked about again by themselves."""
        from unrender.film.question import FilmQuestion

        if isinstance(question, FilmQuestion):
            question.film.question = None
            return
        self._check_open(question)

        self._knowledge.change(lessons.skipped(question))
        question.settle(question.parts)

    def _check_open(self, question: Question) -> None:
        from unrender.agent.question import Question

        if not isinstance(question, Question):
            raise UnrenderError(f"An answer belongs to a scene's question, not to {question!r}.")
        if question.answered:
            raise UnrenderError("This question has been answered; see the picture again for the next one.")
        if self._latest is None or question.scene is not self._latest():
            raise UnrenderError("This question is about an older scene; see that picture again.")

    @property
    def matrix(self) -> DecisionMatrix:
        """The decision matrix; `str()` prints it with its most telling rows first."""
        return self._knowledge.mind.matrix

    def knows(self, symbol: str) -> tuple[str, ...] | None:
        """The attributes of a symbol that was learned; None if it is not known."""
        capsule = self._knowledge.network.capsules.get(composed(symbol))
        return None if capsule is None else capsule.names

    @property
    def symbols(self) -> dict[str, tuple[Route, ...]]:
        """Every symbol that was learned, with its routes."""
        known = self._knowledge.network.capsules
        return {name: tuple(capsule.routes) for name, capsule in known.items()}

    def learn_grammar(self, text: str) -> list[str]:
        r"""Learn every rule of a grammar, its g given instead of learned. Returns the names of the routes.

        >>> brain = unrender.open()
        >>> brain.learn_grammar("[lamp] -> [circle] [square]\n    [square] y = height, height = 2 * height")
        ['lamp/1']
        >>> sorted(brain.symbols)
        ['lamp']
        """
        from unrender.grammar import Grammar

        return [
            route.name for route in self._knowledge.change(lessons.grammar_taught(Grammar.parse(text))).made
        ]

    def forget(self, name: str) -> None:
        """Unlearn a symbol. One that others are made of cannot be forgotten before them."""
        self._knowledge.change(lessons.forgotten(composed(name), self._knowledge.verbs))

    def rename(self, old: str, new: str, *, of: str | None = None) -> None:
        """Give a symbol, or an attribute that was taught, another name, everywhere.

        of: the symbol that the attribute was taught of, where several have one of that name.
        """
        verbs = self._knowledge.verbs
        self._knowledge.change(lessons.renamed(composed(old), composed(new), composed(of), verbs))

    @property
    def lessons(self) -> tuple[LessonRecord, ...]:
        """All lessons, the oldest first."""
        return self._knowledge.lessons

    def undo(self) -> LessonRecord:
        """Take back the last lesson; everything is then as it was before it."""
        return self._knowledge.undo()

    @property
    def grammar(self) -> Grammar:
        """What is known, as a grammar; `str()` writes it as text."""
        from unrender.capsules.grammar_text import written

        return written(self._knowledge.network, [(verb.symbol, verb.name) for verb in self._knowledge.verbs])

    def __repr__(self) -> str:
        return f"<Brain {self._knowledge}>"

    def close(self) -> None:
        """Let go of the file."""
        self._knowledge.close()

    def __enter__(self) -> Brain:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def open(path: str | os.PathLike[str] = MEMORY, *, matrix: str | DecisionMatrix = "paper") -> Brain:
    """The brain in a file, which is created if it is not there; ":memory:" lives as long as the program.

    matrix: what the decision matrix of a new brain starts from, the counts of the "paper", "empty", or the
    `brain.matrix` of another one.
    """
    return Brain(path, matrix=matrix)
