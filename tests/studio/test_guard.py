"""Who is let in: this machine's own page and programs, or whoever shows the token."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from unrender.studio.application import service
from unrender.studio.guard import COOKIE, Guard
from unrender.studio.server import Studio

TOKEN = "a-long-token"


@pytest.fixture
def far(studio: Studio, tmp_path: Path) -> TestClient:
    """A studio that other machines may visit, with the token."""
    return TestClient(Guard(service(studio, tmp_path), TOKEN), base_url="http://desk.example:8765")


def test_a_program_on_this_machine_is_let_in(client: TestClient) -> None:
    assert client.get("/api/brain").status_code == 200


def test_a_foreign_name_for_this_machine_is_refused(client: TestClient) -> None:
    assert client.get("/api/brain", headers={"Host": "rebound.example:8765"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
def test_a_request_from_another_site_is_refused(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/undo", headers=headers).status_code == 403
    assert client.get("/api/brain", headers=headers).status_code == 403


def test_a_link_on_another_site_may_be_followed_but_not_posted(client: TestClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert client.get("/docs", headers=headers).status_code == 200
    assert client.get("/docs", headers=headers | {"Sec-Fetch-Dest": "iframe"}).status_code == 403
    assert client.post("/api/undo", headers=headers).status_code == 403


def test_our_own_page_is_let_in(client: TestClient, studio: Studio) -> None:
    origin = studio.url.rstrip("/")
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    assert client.get("/api/brain", headers=headers).status_code == 200


def test_a_socket_from_another_site_is_closed(studio: Studio, tmp_path: Path) -> None:
    app = service(studio, tmp_path)

    @app.websocket("/echo")
    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("here")
        await socket.close()

    client = TestClient(Guard(app), base_url=studio.url)
    with client.websocket_connect("/echo", headers={"Host": "127.0.0.1:1"}) as socket:
        assert socket.receive_text() == "here"
    foreign = {"Host": "127.0.0.1:1", "Origin": "http://elsewhere.example"}
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/echo", headers=foreign):
        pass


def test_without_the_token_nothing_is_shown(far: TestClient) -> None:
    for path in ("/", "/api/brain", "/docs", "/openapi.json", "/studio/p1/original"):
        assert far.get(path).status_code == 401
    assert far.get("/docs", params={"token": "wrong"}).status_code == 401
    assert far.get("/docs", headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_the_token_in_the_address_becomes_a_cookie(far: TestClient) -> None:
    reply = far.get("/docs", params={"token": TOKEN, "x": "1"}, follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"] == "/docs?x=1"
    assert "httponly" in reply.headers["set-cookie"].lower()
    assert "samesite=strict" in reply.headers["set-cookie"].lower()
    assert far.cookies[COOKIE] == TOKEN
    assert far.get("/docs").status_code == 200


def test_a_program_shows_the_token_in_a_header(far: TestClient) -> None:
    assert far.get("/api/brain", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_another_address_gets_a_token_and_this_machine_needs_none(tmp_path: Path) -> None:
    far, near = Studio(tmp_path / "a.brain", host="0.0.0.0", port=0), Studio(tmp_path / "b.brain", port=0)
    try:
        assert far.token
        assert len(far.token) >= 24
        assert far.token in far.url
        assert near.token is None
        assert near.url.startswith("http://127.0.0.1:")
    finally:
        far.close()
        near.close()
