"""Requests to the studio's API: a good reply, or a mistake told in a sentence; never a server that failed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from hypothesis import strategies as st

from unrender.studio.server import Studio
from unrender.studio.server.application import service
from unrender.studio.server.guard import Guard

from .cases import HERE, check_sentence, corpus, ended, fuzz, kept
from .mutators import misshapen, mistyped, mutated

REQUESTS: list[dict[str, Any]] = [
    {
        "path": "/api/draw",
        "body": {
            "symbol": "circle",
            "canvas": [40, 30],
            "position": [20, 15],
            "size": [20, 20],
            "rotation": 5.0,
            "attributes": {"red": 1, "filled": 1},
        },
    },
    {"path": "/api/draw", "body": {"symbol": "pair", "canvas": [30, 30]}},
    {"path": "/api/teach", "body": {"picture": "p1", "name": "pair", "parts": [0, 1], "route": None}},
    {
        "path": "/api/answer",
        "body": {
            "picture": "p1",
            "name": "pair",
            "parts": [0, 1],
            "cause": "A.2",
            "value": 1.0,
            "symbol": None,
        },
    },
    {"path": "/api/answer", "body": {"picture": "p1", "parts": [0]}},
    {"path": "/api/answer", "body": {"picture": "p1"}},
    {"path": "/api/world", "body": {"film": "p1"}},
    {"path": "/api/predict", "body": {"film": "p1", "seconds": 1.0}},
    {"path": "/api/what_if", "body": {"film": "p1", "change": "circle.1.velocity*=2"}},
    {"path": "/api/ask", "body": {"film": "p1", "question": "which is heavier?"}},
    {"path": "/api/verbs", "body": {"film": "p1", "track": 0, "name": "wave", "start": 0, "end": 4}},
]
GETS = [
    "/api/brain",
    "/api/pictures/p1/scene.svg",
    "/api/pictures/p1/scene.coco.json",
    "/studio/p1/original",
    "/studio/p1/frames/3",
    "/studio/p1/drawn/0/3",
    "/api/films/p1/film.gif",
    "/docs",
]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A studio with one picture on its desk."""
    folder = tmp_path_factory.mktemp("studio")
    studio = Studio(folder / "test.brain", port=0)
    made = TestClient(
        Guard(service(studio, folder), studio.token),
        base_url=studio.address,
        headers={"Authorization": f"Bearer {studio.token}"},
        raise_server_exceptions=False,
    )
    with made:
        picture = (HERE / "corpus" / "images" / "rgb.png").read_bytes()
        assert made.post("/api/see", content=picture).status_code == 200
        yield made
    studio.close()


def check(client: TestClient, method: str, path: str, **request: Any) -> None:
    """Send a request, and look at the reply."""
    reply = ended(lambda: client.request(method, path, follow_redirects=False, **request))
    assert reply is not None
    assert 200 <= reply.status_code < 500, (reply.status_code, reply.text[:300])
    if (
        reply.status_code >= 400
        and method != "HEAD"
        and reply.headers.get("content-type") == "application/json"
    ):
        detail = reply.json()["detail"]
        assert isinstance(detail, str), detail
        check_sentence(detail)
    ended(lambda: client.post("/api/undo"))


JSON = {"content-type": "application/json"}


@fuzz(20, request=misshapen(REQUESTS))
def test_a_misshapen_request_is_answered_in_a_sentence(client: TestClient, request: Any) -> None:
    own = request if isinstance(request, dict) else {}
    goal = own.get("path")
    path = goal if goal in {known["path"] for known in REQUESTS} else "/api/draw"
    check(client, "POST", path, content=json.dumps(own.get("body")).encode(), headers=JSON)


@fuzz(10, request=st.sampled_from(REQUESTS), text=mistyped([json.dumps(own["body"]) for own in REQUESTS]))
def test_a_damaged_request_is_answered_in_a_sentence(client: TestClient, request: Any, text: str) -> None:
    check(client, "POST", request["path"], content=text.encode("utf-8", "surrogatepass"), headers=JSON)


@fuzz(5, content=mutated(corpus("images")), name=mistyped(["picture.png", "film.mp4", "../a.gif"]))
def test_a_damaged_upload_is_answered_in_a_sentence(client: TestClient, content: bytes, name: str) -> None:
    check(client, "POST", "/api/see", content=content, params={"name": name.encode("utf-8", "surrogatepass")})


@fuzz(10, path=mistyped(GETS), method=st.sampled_from(["GET", "GET", "POST", "HEAD", "DELETE", "PUT"]))
def test_any_address_is_answered(client: TestClient, path: str, method: str) -> None:
    from urllib.parse import quote

    there = quote(path.encode("utf-8", "surrogatepass"), safe="/.?=&%:")
    check(client, method, "/" + there.lstrip("/"))  # the client itself refuses two slashes at the start


@pytest.mark.parametrize("path", kept("requests"), ids=lambda path: path.name)
def test_a_request_that_once_failed_does_not_fail_again(client: TestClient, path: Path) -> None:
    goal, _, body = path.read_bytes().partition(b"\n")
    check(client, "POST", goal.decode(), content=body, headers=JSON)


@pytest.mark.parametrize(
    "body",
    [
        {"symbol": "circle", "canvas": [10**9, 10**9]},
        {"symbol": "circle", "canvas": [4096, 4096]},
        {"symbol": "circle", "canvas": [40, 40], "size": [1e300, 1e300]},
        {"symbol": "circle", "canvas": [40, 40], "rotation": float("nan")},
        {"symbol": "circle", "canvas": [10**400, 1]},
        {"symbol": "\ud800"},
        {"symbol": "x" * 10**6},
        {"symbol": "circle", "attributes": {str(k): 1 for k in range(10_000)}},
        {"symbol": "circle", "attributes": {"canvas": 1, "symbol": 1, "position": 3, "self": 1}},
        [[[[]]]],
    ],
    ids=["vast", "large", "far", "nan", "digits", "surrogate", "long", "many", "names", "list"],
)
def test_a_monstrous_drawing_is_made_or_refused(client: TestClient, body: Any) -> None:
    check(client, "POST", "/api/draw", content=json.dumps(body).encode(), headers=JSON)


def test_deep_json_is_refused(client: TestClient) -> None:
    check(client, "POST", "/api/draw", content=b"[" * 100_000, headers=JSON)
    check(client, "POST", "/api/draw", content=b'{"symbol":' * 100_000, headers=JSON)
