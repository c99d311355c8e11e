"""Who may talk to the studio: pages of its own, programs on this machine, and whoever has the token."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE = "unrender_token"
LOOPBACK = frozenset(["127.0.0.1", "localhost", "::1"])
OWN = ("same-origin", "none")  # Sec-Fetch-Site of our own page, and of an address that was typed


class Guard:
    """Refuses cross-site requests, foreign host names (so that no name can be bent to this machine), and,
    where a token is set, everybody who does not show it. It stands before everything, sockets included."""

    def __init__(self, app: ASGIApp, token: str | None = None) -> None:
        self.app = app
        self._token = token

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
        if self._token is None and _name(host) not in LOOPBACK:
            return _no("This studio answers to its own machine only.")
        if not _own_page(scope, headers, host):
            return _no("Requests from other sites are refused.")
        if self._token is None:
            return None
        return self._check_token(scope, headers)

    def _check_token(self, scope: Scope, headers: Headers) -> Response | None:
        query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
        shown = query.pop("token", None)
        if shown is not None and scope["type"] == "http" and self._right(shown):
            there = scope["path"] + (f"?{urlencode(query)}" if query else "")
            welcome = RedirectResponse(there, 303)
            welcome.set_cookie(COOKIE, shown, httponly=True, samesite="strict")
            return welcome
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._right(bearer) or self._right(_cookies(headers).get(COOKIE, "")):
            return None
        return _no("Open the address with the token that the studio printed.", 401)

    def _right(self, shown: str) -> bool:
        return hmac.compare_digest(shown.encode(), (self._token or "").encode())


def _own_page(scope: Scope, headers: Headers, host: str) -> bool:
    """Whether a request comes from our own page or from no page at all; links to us may be followed."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
    reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
    if origin is not None and (origin == "null" or urlsplit(origin).netloc != host):
        return False
    followed = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return site in OWN or (reading and followed)


def _name(host: str) -> str:
    """A host without its port."""
    return (urlsplit(f"//{host}").hostname or "").lower()


def _cookies(headers: Headers) -> Mapping[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _no(sentence: str, status: int = 403) -> Response:
    return PlainTextResponse(sentence, status)
