"""Where the commands write to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

COLUMNS = 400  # where no terminal says how wide it is: a line stays a line


def console(*, stderr: bool = False) -> Console:
    """Colours on a terminal only, and none with NO_COLOR; a pipe or a file gets whole lines."""
    from rich.console import Console

    made = Console(highlight=False, markup=False, emoji=False, stderr=stderr)
    if not made.is_terminal:
        made.width = COLUMNS
    return made
