"""The command line. Nothing heavy is imported before a command runs, so that `--help` answers at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from unrender.errors import UnrenderError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command `unrender`; what the user can mend is one line on stderr and exit code 2.

    `arguments` are the words after the command's name; without them, those it was started with.
    """
    try:
        from unrender.cli.app import app

        app(arguments, prog_name="unrender")
    except UnrenderError as error:
        print("unrender:", " ".join(str(error).splitlines()), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
