"""Who is let in: whoever shows the token, from the studio's own page or from a program."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from unrender.studio.server import Studio
from unrender.studio.server.application import service
from unrender.studio.server.guard import COOKIE, Guard, Invitations

TOKEN = "a-long-token"


@pytest.fixture
def far(studio: Studio, tmp_path: Path) -> TestClient:
    """A studio that other machines may visit, with the token."""
    guard = Guard(service(studio, tmp_path), TOKEN, local=False)
    return TestClient(guard, base_url="http://desk.example:8765")


PLACES = ("/", "/api/brain", "/docs", "/openapi.json", "/studio/p1/original")


def test_another_user_of_this_machine_is_not_let_in(stranger: TestClient) -> None:
    for path in PLACES:
        assert stranger.get(path).status_code == 401
    reply = stranger.post("/api/undo")
    assert reply.status_code == 401
    assert reply.json()["detail"] == (
        "Open the address with the token that the studio printed in its terminal."
    )


def test_a_program_on_this_machine_is_let_in_with_the_token(client: TestClient) -> None:
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
    origin = studio.address.rstrip("/")
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    assert client.get("/api/brain", headers=headers).status_code == 200


def test_a_socket_from_another_site_is_closed(studio: Studio, tmp_path: Path) -> None:
    app = service(studio, tmp_path)

    @app.websocket("/echo")
    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("here")
        await socket.close()

    client = TestClient(Guard(app, TOKEN), base_url=studio.address)
    own = {"Host": "127.0.0.1:1", "Authorization": f"Bearer {TOKEN}"}
    with client.websocket_connect("/echo", headers=own) as socket:
        assert socket.receive_text() == "here"
    for headers in (own | {"Origin": "http://elsewhere.example"}, {"Host": "127.0.0.1:1"}):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect("/echo", headers=headers):
            pass


def test_without_the_token_nothing_is_shown(far: TestClient) -> None:
    for path in PLACES:
        assert far.get(path).status_code == 401
    assert far.get("/docs", params={"token": "wrong"}).status_code == 401
    assert far.get("/docs", headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_the_token_in_the_address_becomes_a_cookie(far: TestClient) -> None:
    reply = far.get("/docs", params={"token": TOKEN, "x": "1"}, follow_redirects=False)
    assert reply.status_code == 303
    assert reply.headers["location"] == "/docs?x=1"
    assert "httponly" in reply.headers["set-cookie"].lower()
    assert "samesite=strict" in reply.headers["set-cookie"].lower()
    assert far.cookies[f"{COOKIE}_8765"] == TOKEN
    assert far.get("/docs").status_code == 200


def test_two_studios_of_one_machine_keep_a_cookie_each(studio: Studio, tmp_path: Path) -> None:
    app = service(studio, tmp_path)
    one, two = TestClient(Guard(app, "one")), TestClient(Guard(app, "two"))
    one.base_url, two.base_url = "http://127.0.0.1:1001", "http://127.0.0.1:1002"  # type: ignore[assignment]
    two.cookies = one.cookies  # a browser has one jar for all ports of a host
    for client, token in ((one, "one"), (two, "two")):
        assert client.get("/docs", params={"token": token}).status_code == 200
    assert one.get("/docs").status_code == two.get("/docs").status_code == 200


def test_an_address_with_the_token_leads_to_no_other_site(far: TestClient) -> None:
    reply = far.get(
        "http://desk.example:8765//elsewhere.example/", params={"token": TOKEN}, follow_redirects=False
    )
    assert reply.headers["location"] == "/elsewhere.example/"


def test_a_program_shows_the_token_in_a_header(far: TestClient) -> None:
    assert far.get("/api/brain", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_an_invitation_lets_one_browser_in_once(studio: Studio, tmp_path: Path) -> None:
    invitations = Invitations()
    guard = Guard(service(studio, tmp_path), TOKEN, invitations=invitations)
    code = invitations.make()
    first, second = (TestClient(guard, base_url=studio.address) for _ in range(2))
    assert first.get("/docs", params={"token": code}).status_code == 200
    assert first.get("/docs").status_code == 200
    assert second.get("/docs", params={"token": code}).status_code == 401
    assert first.cookies[f"{COOKIE}_{studio.port}"] == TOKEN


def test_every_studio_has_a_token_in_its_address_and_none_in_its_invitation(tmp_path: Path) -> None:
    far, near = Studio(tmp_path / "a.brain", host="0.0.0.0", port=0), Studio(tmp_path / "b.brain", port=0)
    try:
        assert near.address.startswith("http://127.0.0.1:")
        assert far.token != near.token
        for studio in (far, near):
            assert len(studio.token) >= 24
            assert studio.url == f"{studio.address}?token={studio.token}"
            assert studio.token not in studio.invitation()
    finally:
        far.close()
        near.close()
