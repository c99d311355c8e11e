"""The command line. Nothing heavy is imported before a command runs, so that `--help` answers at once."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

from unrender.errors import UnrenderError

INTERRUPTED, UNREAD = 130, 1  # exit codes
MANY = 250_000  # new objects after which garbage is looked for: a small picture makes fewer, most kept


def command() -> None:
    """The program `unrender`: `main`, whose memory is given back at once when it ends, not object by object,
    which takes a quarter of a second once compiled loops are loaded."""
    gc.set_threshold(MANY, 20, 100)
    try:
        main()
    except SystemExit as ended:
        if not isinstance(ended.code, int | None):
            raise
        threading._shutdown()  # type: ignore[attr-defined]  # as Python itself does when it ends:
        atexit._run_exitfuncs()  # wait for threads, then all that was to be done at the end
        with suppress(OSError):
            sys.stderr.flush()
        os._exit(ended.code or 0)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command `unrender`; what the user can mend is one line on stderr and exit code 2.

    `arguments` are the words after the command's name; without them, those it was started with.
    """
    try:
        from unrender.cli.app import app

        app(arguments, prog_name="unrender")
    except SystemExit as ended:
        sys.exit(_flushed(ended.code))
    except UnrenderError as error:
        print("unrender:", " ".join(str(error).splitlines()), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _flushed(code: str | int | None) -> str | int | None:
    """The exit code, once all that was printed has arrived; if nobody reads it (`| head`), end quietly."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    return code
