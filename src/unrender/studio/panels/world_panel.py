"""Why things move: the world behind a film in sentences, what follows, and what would happen otherwise."""

from __future__ import annotations

from nicegui import ui

from unrender.studio.desk.film import AHEAD, OpenFilm
from unrender.studio.panels.components.range import Range
from unrender.studio.panels.parts import title
from unrender.studio.panels.tab import Tab

FURTHEST = 5.0  # seconds that the slider lets a film go on


class WorldPanel:
    """Inferred on demand; what the film cannot tell is said so."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self._shown: object = None
        with ui.element("section").classes("card world").props('aria-label="world"') as self.card:
            self.body = ui.element("div")
            self.reply = ui.label("").classes("reply-told").props('role="status"')
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Build the panel anew if more is known."""
        tab, film = self.tab, self.tab.film.open
        self.card.set_visibility(film is not None)
        self.reply.set_text(tab.film.answer)
        self.reply.set_visibility(bool(tab.film.answer))
        now = (film, None if film is None else (film.changes, film.inferring))
        if film is None or now == self._shown:
            return
        self._shown = now
        self.body.clear()
        with self.body:
            title("Why it moves")
            if film.inferring:
                with ui.row().classes("busy").props('role="status"'):
                    ui.spinner(size="sm")
                    ui.label("Simulating worlds until one moves like this film ...")
            elif not film.explained:
                ui.label("Gravity, walls, masses, springs: what makes things move like this?").classes("hint")
                ui.button("Find out", icon="science", on_click=tab.film.explain).props(
                    "unelevated no-caps"
                ).classes("explain")
            else:
                self._known(film)

    def _known(self, film: OpenFilm) -> None:
        with ui.element("ul").classes("reasons"):
            for reason in film.reasons:
                with ui.element("li").classes("unknown" if "cannot tell" in reason else ""):
                    ui.label(reason)
        if film.version == 0:
            self._ahead(film)
        with ui.row().classes("reply"):
            ask = ui.input(placeholder="will the ball hit the box?  gravity=0").classes("grow")
            ask.props('dense outlined aria-label="ask about the film, or change it" autocomplete=off')
            ask.on("keydown.enter", lambda: self._say(str(ask.value or "")))
            ui.button("Ask", on_click=lambda: self._say(str(ask.value or ""))).props("flat dense no-caps")
        ui.button("Save the world for Godot", icon="download", on_click=self._save).props(
            "flat dense no-caps"
        )

    def _ahead(self, film: OpenFilm) -> None:
        """How far the film goes on."""
        more = max(0.0, len(film.versions[0][1]) - len(film.seen)) / film.seen.fps
        with ui.row().classes("knob"):
            ui.label("goes on").classes("label").props('aria-hidden="true"')
            Range(
                "seconds that it goes on",
                0,
                FURTHEST,
                AHEAD / 4,
                round(more, 2),
                lambda value: told.set_text(f"{value:.2f} s"),
                self.tab.film.predict,
            ).classes("grow")
            told = ui.label(f"{more:.2f} s").classes("value")

    async def _say(self, text: str) -> None:
        """A change has a sign and no question mark; anything else is a question."""
        changes = "=" in text or text.strip().lower().startswith("remove ")
        await (self.tab.film.what_if(text) if changes else self.tab.film.ask(text))

    def _save(self) -> None:
        if self.tab.picture is not None:
            ui.download.from_url(f"/api/films/{self.tab.picture.id}/world.tscn")
