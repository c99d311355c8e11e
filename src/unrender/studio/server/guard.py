"""Who may talk to the studio: whoever shows its token, from the studio's own page or from a program."""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = "unrender_token"
LOOPBACK = frozenset(["127.0.0.1", "localhost", "::1"])
OWN = ("same-origin", "none")  # Sec-Fetch-Site of our own page, and of an address that was typed
SOON = 60.0  # seconds in which an invitation must be taken up


class Invitations:
    """Codes that let one browser in, once. The command line that opens a browser can be read by everybody
    on the machine, so it holds one of these and never the token."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def make(self) -> str:
        """A new code."""
        code = secrets.token_urlsafe(24)
        self._until[code] = time.monotonic() + SOON
        return code

    def take(self, code: str) -> bool:
        """Whether a code lets somebody in, which it then never does again."""
        return time.monotonic() < self._until.pop(code, 0.0)


class Guard:
    """Refuses cross-site requests and everybody who does not show the token; where only this machine is
    served, foreign host names too (so that no name can be bent to it). It stands before everything,
    sockets included."""

    def __init__(
        self, app: ASGIApp, token: str, *, local: bool = True, invitations: Invitations | None = None
    ) -> None:
        """local: whether only this machine is served."""
        self.app = app
        self._token = token
        self._local = local
        self._invitations = invitations or Invitations()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await refusal(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._local and _name_and_port(host)[0] not in LOOPBACK:
            return _no(scope, "This studio answers to its own machine only.", 403)
        if not _own_page(scope, headers, host):
            return _no(scope, "Requests from other sites are refused.", 403)
        return self._check_token(scope, headers, f"{COOKIE}_{_name_and_port(host)[1]}")

    def _check_token(self, scope: Scope, headers: Headers, cookie: str) -> Response | None:
        query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
        shown = query.pop("token", None)
        if shown is not None and scope["type"] == "http" and self._welcome(shown):
            there = "/" + scope["path"].lstrip("/") + (f"?{urlencode(query)}" if query else "")
            welcome = RedirectResponse(there, 303)
            welcome.set_cookie(cookie, self._token, httponly=True, samesite="strict")
            return welcome
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._right(bearer) or self._right(_cookies(headers).get(cookie, "")):
            return None
        return _no(scope, "Open the address with the token that the studio printed in its terminal.", 401)

    def _welcome(self, shown: str) -> bool:
        return self._right(shown) or self._invitations.take(shown)

    def _right(self, shown: str) -> bool:
        return hmac.compare_digest(shown.encode(), self._token.encode())


def _own_page(scope: Scope, headers: Headers, host: str) -> bool:
    """Whether a request comes from our own page or from no page at all; links to us may be followed."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
    if origin is not None and (origin == "null" or urlsplit(origin).netloc != host):
        return False
    followed = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return site in OWN or (reading and followed)


def _name_and_port(host: str) -> tuple[str, int]:
    """A host taken apart. Browsers keep one jar of cookies for all ports of a host, so that each studio
    needs a cookie of its own."""
    try:
        parts = urlsplit(f"//{host}")
        return (parts.hostname or "").lower(), parts.port or 80
    except ValueError:
        return "", 80


def _cookies(headers: Headers) -> Mapping[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _no(scope: Scope, sentence: str, status: int) -> Response:
    if scope["path"].startswith("/api/"):
        return JSONResponse({"detail": sentence}, status)
    return PlainTextResponse(sentence, status)
