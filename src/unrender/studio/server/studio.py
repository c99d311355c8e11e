"""The server: one desk, the page, the API, and the guard before them."""

from __future__ import annotations

import secrets
import socket
import tempfile
import threading
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.studio.desk.desk import Desk
from unrender.studio.server.guard import LOOPBACK, Guard, Invitations

if TYPE_CHECKING:
    import uvicorn

HOST, PORT = "127.0.0.1", 8765


class Studio:
    """A studio that can be started. There is one in a process, since the front end is one for all."""

    def __init__(
        self, brain: str | Path | None = None, *, host: str = HOST, port: int = PORT, token: str | None = None
    ) -> None:
        """brain: a file, created if it is not there; without one, all is forgotten at the end unless a copy
        is saved. token: what visitors must show; made up if none is given.
        """
        self.token = token or secrets.token_urlsafe(24)
        self._invitations = Invitations()
        self._socket = _listen(host, port)
        self.host, self.port = host, int(self._socket.getsockname()[1])
        self._folder = tempfile.TemporaryDirectory(prefix="unrender-")
        kept = Path(self._folder.name) / "new.brain" if brain is None else brain
        self.desk = Desk(kept, Path.cwd() if brain is None else None)
        self._server: uvicorn.Server | None = None

    @property
    def address(self) -> str:
        """Where it is, for programs, which send the token as `Authorization: Bearer TOKEN`."""
        name = socket.gethostname() if self.host in ("0.0.0.0", "::") else self.host
        name = f"[{name}]" if ":" in name else name
        return f"http://{name}:{self.port}/"

    @property
    def url(self) -> str:
        """The address to open: whoever has it is let in."""
        return f"{self.address}?token={self.token}"

    def invitation(self) -> str:
        """An address that lets in one browser, once and soon: for where others might read it."""
        return f"{self.address}?token={self._invitations.make()}"

    def open(self, paths: Sequence[Path]) -> None:
        """Lay pictures on the desk."""
        for path in paths:
            self.desk.add(path)

    def run(self) -> None:
        """Serve until somebody stops it."""
        import uvicorn

        from unrender.studio.server.application import application

        warnings.filterwarnings(
            "ignore", category=FutureWarning, module="nicegui"
        )  # it looks at all of torch
        guarded = Guard(
            application(self, Path(self._folder.name)),
            self.token,
            local=self.host in LOOPBACK,
            invitations=self._invitations,
        )
        config = uvicorn.Config(guarded, log_level="warning", lifespan="on", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.close()

    def close(self) -> None:
        """Let go of everything."""
        self._socket.close()
        self.desk.close()
        self._folder.cleanup()

    def __enter__(self) -> Studio:
        """Serve in a thread, until the block is left."""
        self._thread = threading.Thread(target=self.run, name="studio", daemon=True)
        self._thread.start()
        while self._thread.is_alive() and not (self._server and self._server.started):
            time.sleep(0.01)
        return self

    def __exit__(self, *error: object) -> None:
        if self._server is not None:
            self._server.should_exit = True
        self._thread.join()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
        made.listen(128)  # a browser that comes too early waits
    except (OSError, OverflowError) as error:
        made.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise UnrenderError(
            f"Cannot listen on {host}, port {port}: {reason}; choose another --port."
        ) from None
    return made
