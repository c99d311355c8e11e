"""The JSON API: the same scenes as the exports, typed, and a sentence for every mistake."""

import io
import json
import re
from pathlib import Path

import numpy as np
from fastapi.testclient import TestClient
from PIL import Image

from unrender import Scene
from unrender.studio.desk.editing import change
from unrender.studio.desk.picture import key_of
from unrender.studio.server import Studio
from unrender.studio.server.bounds import LARGEST


def see(client: TestClient, ship: Path) -> dict[str, object]:
    reply = client.post("/api/see", params={"name": "ship.png"}, content=ship.read_bytes())
    assert reply.status_code == 200, reply.text
    return reply.json()  # type: ignore[no-any-return]


def test_a_scene_is_what_the_json_export_writes(client: TestClient, ship: Path) -> None:
    seen = see(client, ship)
    exported = client.get(f"/api/pictures/{seen['id']}/scene.json")
    assert seen["scene"] == json.loads(exported.content)
    assert len(Scene.from_dict(seen["scene"]).axioms) == 5  # type: ignore[arg-type]


def test_an_answer_teaches_an_object_that_the_next_picture_shows(client: TestClient, ship: Path) -> None:
    seen = see(client, ship)
    question = seen["question"]
    assert isinstance(question, dict)
    assert question["cause"] == "A.2"
    assert sorted(question["parts"]) == [0, 1, 2, 3, 4]
    reply = client.post("/api/answer", json={"picture": seen["id"], "name": "ship"}).json()
    assert reply["told"] == "I now know a new object, ship."
    assert [axiom["symbol"] for axiom in reply["seen"]["scene"]["axioms"]] == ["ship"]
    assert reply["seen"]["question"] is None
    again = see(client, ship)["scene"]
    assert [axiom["symbol"] for axiom in again["axioms"]] == ["ship"]  # type: ignore[index]


def test_a_question_can_be_skipped(client: TestClient, ship: Path, studio: Studio) -> None:
    seen = see(client, ship)
    reply = client.post("/api/answer", json={"picture": seen["id"]})
    assert reply.json()["told"].startswith("Skipped")
    assert not studio.desk.brain.symbols


def test_chosen_parts_are_taught_and_the_lesson_is_undone(client: TestClient, ship: Path) -> None:
    id = see(client, ship)["id"]
    taught = client.post("/api/teach", json={"picture": id, "name": "pair", "parts": [0, 1]}).json()
    assert taught["route"] == "pair/1"
    known = client.get("/api/brain").json()
    assert known["symbols"][0]["routes"] == [
        {"name": "pair/1", "parts": known["symbols"][0]["routes"][0]["parts"], "examples": 1}
    ]
    assert len(known["symbols"][0]["routes"][0]["parts"]) == 2
    assert "[pair]" in known["grammar"]
    assert client.post("/api/undo").json()["told"].startswith("Took back: pair from")
    assert client.get("/api/brain").json()["symbols"] == []


def test_a_lesson_that_is_known_already_says_so_and_is_no_step(
    client: TestClient, ship: Path, studio: Studio
) -> None:
    id = see(client, ship)["id"]
    edit = {(key_of(studio.desk.picture(str(id)).seen().axioms[0]), "x"): 20.0}
    told = [client.post("/api/teach", json={"picture": id, "name": "ship"}).json()["told"] for _ in range(2)]
    assert told[0] == "Learned ship/1 from 5 parts."
    assert "known already" in told[1]
    assert studio.desk.take_back(None)[0].startswith("Took back: ship from")
    assert change(studio.desk, studio.desk.picture(str(id)), edit)  # it shows five shapes again


def test_draw_gives_a_png(client: TestClient) -> None:
    wanted = {"symbol": "circle", "canvas": [40, 30], "size": [20, 20], "attributes": {"red": 1, "filled": 1}}
    reply = client.post("/api/draw", json=wanted)
    assert reply.headers["content-type"] == "image/png"
    pixels = np.asarray(Image.open(io.BytesIO(reply.content)))
    assert pixels.shape == (30, 40, 3)
    assert pixels[..., 0].max() == 255


def test_every_mistake_is_told_in_a_sentence(client: TestClient, ship: Path) -> None:
    id = see(client, ship)["id"]
    mistakes = [
        client.post("/api/see", content=b"not a picture"),
        client.post("/api/draw", json={"symbol": "sheep"}),
        client.post("/api/draw", json={"symbol": "circle", "canvas": [100000, 100000]}),
        client.post("/api/teach", json={"picture": "p99", "name": "ship"}),
        client.post("/api/teach", json={"picture": id, "name": "ship", "parts": [0, 77]}),
        client.post("/api/answer", json={"picture": id, "name": "circle"}),
        client.post("/api/undo"),
        client.get(f"/api/pictures/{id}/scene.docx"),
        client.get("/studio/p99/original"),
    ]
    for reply in mistakes:
        assert reply.status_code == 400, reply.text
        assert re.fullmatch(r"[^\n]+[.?]", reply.json()["detail"])


def test_a_name_of_any_length_is_refused_in_a_sentence(
    client: TestClient, ship: Path, studio: Studio
) -> None:
    id = see(client, ship)["id"]
    for length in (65, 50_000):
        for body in ({"name": "n" * length}, {"name": "n" * length, "parts": [0, 1]}):
            for path in ("/api/teach", "/api/answer"):
                reply = client.post(path, json={"picture": id} | body)
                assert reply.status_code == 400, path
                assert (
                    f"at most 64 characters, and 'nnnnnnnnnnnnnnnn'... has {length}" in reply.json()["detail"]
                )
    assert not studio.desk.brain.symbols


def test_a_request_that_says_too_much_is_refused_unread(client: TestClient) -> None:
    long = b'{"picture": "p1", "name": "' + b"n" * LARGEST + b'"}'
    for path in ("/api/teach", "/api/answer", "/api/draw", "/api/undo"):
        reply = client.post(path, content=long, headers={"content-type": "application/json"})
        assert reply.status_code == 413
        assert reply.json()["detail"] == "The request has more than 64 KB; say less at once."


def test_the_api_is_described_and_its_page_needs_nothing_from_elsewhere(client: TestClient) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    assert {"/api/see", "/api/draw", "/api/teach", "/api/answer", "/api/brain"} <= set(paths)
    page = client.get("/docs")
    assert "/api/see" in page.text
    assert "See a picture" in page.text
    assert "//" not in re.sub(r"<pre>.*?</pre>", "", page.text, flags=re.DOTALL)
