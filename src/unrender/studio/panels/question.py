"""The question panel: what is asked, why, about which parts, and the answer."""

from __future__ import annotations

from nicegui import ui
from nicegui.element import Element

from unrender.learning.objects.names import POSE_WORDS
from unrender.names import LONGEST
from unrender.studio.desk.asked import MEANINGS
from unrender.studio.desk.picture import State
from unrender.studio.panels.components.range import Range
from unrender.studio.panels.screening import VerbAsked
from unrender.studio.panels.shapes import colour, short
from unrender.studio.panels.tab import Tab

OFFERED = 8  # known names that are shown at once


class QuestionPanel:
    """Asks; after an answer it says what has changed."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self._shown: object = None
        self._news: object = None
        self._cause = "A.2"
        self._choices: dict[str, Element] = {}
        self._decided = False  # whether a person has chosen the cause
        self.name: ui.input | None = None
        self.verb: VerbAsked | None = None  # where a film is asked about
        with ui.element("section").classes("card question").props('aria-label="question"'):
            # always there, so that readers of the screen hear of everything that is said in it
            self.told = ui.element("div").classes("told").props('role="status"')
            self.card = ui.element("div")
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Build the panel anew if anything in it has changed; what has been typed stays otherwise."""
        tab = self.tab
        if self._news != (tab.told, tab.busy):
            self._news = (tab.told, tab.busy)
            self._tell()
        state = tab.picture.state if tab.picture else None
        verb = tab.film.verb if len(tab.selected) < 2 else None
        now = (tab.picture, state, tab.asked, tab.busy, bool(tab.view.nodes), verb)
        if now == self._shown:
            return
        typed = self.name.value if self.name is not None and tab.busy else ""
        self._shown, self.verb = now, verb
        self.name = None
        self.card.clear()
        with self.card:
            if tab.picture is None:
                ui.label("Open a picture to begin.").classes("sentence")
                ui.label("Drop files here, choose them, or paste one from the clipboard.").classes("hint")
            elif state is State.BROKEN:
                ui.label(tab.picture.error).classes("sentence bad")
            elif verb is not None:
                self._verb(verb, typed)
            elif tab.asked is not None:
                self._question(typed)
            elif state is State.UNDERSTOOD:
                film = tab.film.open is not None
                ui.label(f"I understand this {'frame' if film else 'picture'}.").classes("sentence")
                more = "Select two or more things to tell me what they are together"
                also = "; mark a stretch of the film to tell me what is done in it." if film else "."
                ui.label(more + also).classes("hint")

    def _tell(self) -> None:
        told, busy = self.tab.told, self.tab.busy
        self.told.clear()
        with self.told:
            if busy:
                with ui.row().classes("busy"):
                    ui.spinner(size="sm")
                    ui.label(busy)
            elif told is not None:
                ui.label(told.sentence).classes("strong")
                if told.difference:
                    ui.label(told.difference)
                if told.seconds:
                    ui.label(f"It took {told.seconds:.2f} s.").classes("hint")

    def _question(self, typed: str) -> None:
        asked = self.tab.asked
        assert asked is not None
        self._cause, self._choices, self._decided = asked.cause, {}, False
        with ui.element("h2").classes("sentence"):
            ui.label(asked.sentence)
        with ui.row().classes("parts"):
            for key in asked.parts:
                self._chip(key)
        with ui.element("details"):
            with ui.element("summary"):
                ui.label("Why I ask")
            with ui.element("ul"):
                for name, reason in asked.grounds.items():
                    with ui.element("li"):
                        ui.label(reason).tooltip(name)
        with ui.element("div").classes("causes").props('role="radiogroup" aria-label="what it is"'):
            for cause in asked.options:
                self._choice(cause)
        with ui.row().classes("reply"):
            self.name = ui.input(placeholder="a word, then Enter", value=typed, on_change=self._typed)
            self.name.classes("grow").props('dense outlined aria-label="answer" autocomplete=off')
            self.name.props(f"maxlength={LONGEST}").on("keydown.enter", self.answer)
            ui.button("Answer", on_click=self.answer).props("unelevated no-caps").classes("answer")
            ui.button("Skip", on_click=self.skip).props("flat no-caps").classes("skip")
        self.offers = ui.row().classes("offers")
        self.amount = ui.row().classes("amount")
        with self.amount:
            ui.label("how much")
            self.value = Range("how much", 0, 1, 0.05, 1.0, lambda value: self.share.set_text(f"{value:.2f}"))
            self.value.classes("grow")
            self.share = ui.label("1.00").classes("value")
        self._offer()
        self._pick(self._cause)

    def _verb(self, asked: VerbAsked, typed: str) -> None:
        """Ask for a word for what is done in a stretch of a film."""
        with ui.element("h2").classes("sentence"):
            ui.label(asked.sentence)
        with ui.row().classes("reply"):
            if asked.track is not None:
                self.name = ui.input(placeholder="a verb, then Enter", value=typed)
                self.name.classes("grow").props('dense outlined aria-label="verb" autocomplete=off')
                self.name.props(f"maxlength={LONGEST}").on("keydown.enter", self.answer)
                ui.button("Teach", on_click=self.answer).props("unelevated no-caps").classes("answer")
            name = "Skip" if asked.own else "Unmark"
            ui.button(name, on_click=self.tab.film.skip).props("flat no-caps").classes("skip")
        known = [verb.name for verb in self.tab.desk.brain.verbs]
        with ui.row().classes("offers"):
            for word in dict.fromkeys(known[-OFFERED:]):
                with ui.element("button").classes("offer") as offer:
                    ui.label(short(word))
                offer.on("click", lambda word=word: self.name and self.name.set_value(word))

    def _chip(self, key: tuple[str, tuple[int, ...]]) -> None:
        tab, name = self.tab, short(key[0])
        with ui.element("button").classes("chip").props('title="leave this part out"') as chip:
            ui.element("i").style(f"background: {colour(key[0])}")
            ui.label(name)
        chip.on("click", lambda: tab.choose(tab.view.ids([key]), True))

    def _choice(self, cause: str) -> None:
        few, more = MEANINGS[cause]
        with ui.element("button").classes("cause").props(f'role="radio" data-cause="{cause}"') as choice:
            ui.label(few)
        choice.props["title"] = f"{more}: {cause} in the paper"
        choice.on("click", lambda: self.decide(cause))
        choice.on("keydown.right", lambda: self._beside(cause, 1))
        choice.on("keydown.left", lambda: self._beside(cause, -1))
        self._choices[cause] = choice

    def _beside(self, cause: str, by: int) -> None:
        """Take the cause beside this one, as the arrow keys do in a group of choices."""
        causes = list(self._choices)
        other = causes[(causes.index(cause) + by) % len(causes)]
        self.decide(other)
        ui.run_javascript(f"getHtmlElement({self._choices[other].id}).focus()")

    def decide(self, cause: str) -> None:
        """Take this cause, whatever is typed."""
        self._decided = True
        self._pick(cause)

    def _pick(self, cause: str) -> None:
        self._cause = cause
        for own, choice in self._choices.items():
            choice.props(f'aria-checked="{str(own == cause).lower()}" tabindex={0 if own == cause else -1}')
            choice.classes(add="on" if own == cause else "", remove="" if own == cause else "on")
        self.amount.set_visibility(cause.startswith("B"))
        self._offer()

    def pick_by_number(self, number: int) -> None:
        """Take the cause with this place in the list, from 1."""
        if self.tab.asked is not None and self.name is not None and number <= len(self.tab.asked.options):
            self.decide(self.tab.asked.options[number - 1])

    def _typed(self) -> None:
        """What is typed shows which cause is meant, unless somebody has decided."""
        if self.tab.asked is not None and self.name is not None and not self._decided:
            self._pick(self.tab.asked.meant((self.name.value or "").strip()))
        self._offer()

    def _offer(self) -> None:
        """Show known names that go on from what has been typed."""
        asked = self.tab.asked
        if asked is None or self.name is None:
            return
        words = asked.offered(self._cause, self.name.value or "")[:OFFERED]
        self.offers.clear()
        with self.offers:
            for word in words:
                with ui.element("button").classes("offer") as offer:
                    ui.label(short(word))
                offer.on("click", lambda word=word: self._fill(word))

    def _fill(self, word: str) -> None:
        """Take a known name; a known object is another form of itself, a known word a known look."""
        asked = self.tab.asked
        if asked is not None and self.name is not None:
            self._decided = False
            self.name.set_value(word)

    def focus(self) -> None:
        """Begin to type the answer."""
        if self.name is not None:
            self.name.run_method("focus")

    async def answer(self) -> None:
        """Send the answer."""
        if self.name is not None and self.verb is not None:
            await self.tab.film.teach(str(self.name.value or ""))
        elif self.name is not None:
            word = (self.name.value or "").strip()
            valued = self._cause.startswith("B") and word not in POSE_WORDS
            await self.tab.answer(word, self._cause, self.value.value if valued else None)

    async def skip(self) -> None:
        """Leave the question."""
        await (self.tab.skip() if self.verb is None else self.tab.film.skip())
