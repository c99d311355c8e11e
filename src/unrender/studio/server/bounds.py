"""How much a request may say: more is refused before anybody reads it."""

from __future__ import annotations

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 64 << 10  # bytes of a body that is not a file
FILES = frozenset(["/api/pictures", "/api/see", "/api/watch"])  # these have bounds of their own


class Bounds:
    """Stands before the API; the body of a request is read here, up to the bound, and handed on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/api/") or scope["path"] in FILES:
            await self.app(scope, receive, send)
            return
        body = b""
        waiting: list[Message] = []
        while True:
            message = await receive()
            if message["type"] != "http.request":
                waiting = [message]  # the client is gone
                break
            body += message.get("body", b"")
            if len(body) > LARGEST:
                sentence = f"The request has more than {LARGEST >> 10} KB; say less at once."
                await JSONResponse({"detail": sentence}, 413)(scope, receive, send)
                return
            if not message.get("more_body", False):
                break
        waiting.append({"type": "http.request", "body": body, "more_body": False})

        async def again() -> Message:
            return waiting.pop() if waiting else await receive()

        await self.app(scope, again, send)
