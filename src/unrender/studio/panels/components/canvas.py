"""A picture with an overlay that can be pointed at; what the pointer does there is in canvas.js."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui.element import Element
from nicegui.events import GenericEventArguments

Chosen = Callable[[list[int], bool], Any]
"""chosen(ids, add): nodes that were pointed at; `add` to what is selected already."""


class Canvas(Element, component=Path(__file__).with_name("canvas.js")):
    """One picture, or one picture over another, with outlines above."""

    def __init__(self, name: str, chosen: Chosen, *, quiet: bool = False) -> None:
        """name: what readers of the screen are told; quiet: only what is selected has an outline."""
        super().__init__()
        self._props.update(
            name=name, quiet=quiet, nodes=[], selected=[], parts=[], width=0, height=0, film="", at=0
        )
        self.on("choose", lambda event: chosen(*_read(event)))

    def show(self, **props: Any) -> None:
        """Show other pictures (src, over), nodes, selected, parts, width, film, at, height, blend, ..."""
        _update(self, props)

    def redraw(self, url: str) -> None:
        """Show another picture over the first, at once; the nodes may come later."""
        self.run_method("redraw", url)


class Tree(Element, component=Path(__file__).with_name("tree.js")):
    """The observed parse-trees as a list of lines, linked with every canvas of the page."""

    def __init__(self, chosen: Chosen) -> None:
        super().__init__()
        self._props.update(nodes=[], selected=[], parts=[])
        self.on("choose", lambda event: chosen(*_read(event)))

    def show(self, **props: Any) -> None:
        """Show nodes, and which of them are selected or parts of the question."""
        _update(self, props)


def _update(element: Element, props: dict[str, Any]) -> None:
    """Tell the browser, if anything is other than it was."""
    if any(element.props.get(name) != value for name, value in props.items()):
        element.props.update(props)
        element.update()


def _read(event: GenericEventArguments) -> tuple[list[int], bool]:
    return [int(number) for number in event.args["ids"]], bool(event.args["add"])
