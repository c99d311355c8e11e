"""The film: playing, scrubbing, and a timeline; what the pointer does there is in film.js."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nicegui.element import Element


class FilmBar(Element, component=Path(__file__).with_name("film.js")):
    """Keeps the clock of the film that is shown; every canvas and plot follows it."""

    def __init__(self) -> None:
        super().__init__()
        self._props.update(data=None, at=0, selected=None, stretch=None)

    def show(self, **props: Any) -> None:
        """Show other data, another frame (at), a selected track, a marked stretch."""
        if any(self.props.get(name) != value for name, value in props.items()):
            self.props.update(props)
            self.update()


class Plots(Element, component=Path(__file__).with_name("plots.js")):
    """Position and speed of the selected track over time."""
