"""Films on the desk: watched in the background, played, taught verbs from, and made up."""

import threading
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from unrender import UnrenderError
from unrender.studio.desk import footage, lessons
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.jobs import look_at_all
from unrender.studio.desk.picture import Picture
from unrender.studio.desk.work import Job, Work
from unrender.studio.panels.view import view

from .conftest import finish


def watched(desk: Desk, path: Path) -> Picture:
    picture = desk.add(path)
    desk.look(picture)
    desk.watch(picture, Job("watching", None))
    return picture


def test_a_film_shows_its_first_frame_at_once_and_is_then_watched(desk: Desk, falling: Path) -> None:
    picture = desk.add(falling)
    first = view(desk, picture)
    assert len(first.nodes) == 2
    assert first.film is None
    finish(look_at_all(desk))
    seen = view(desk, picture, (), first)
    assert seen.film is not None
    assert len(seen.film["times"]) == 20
    ball = seen.film["tracks"][0]
    assert all(ball["points"])
    assert desk.job is None
    assert picture.film is not None
    desk.turn(picture, 12)
    later = view(desk, picture, (), seen)
    assert later.frame == 12
    assert later.film is seen.film  # only what has changed is sent again
    desk.turn(picture, 99)
    assert view(desk, picture).frame == 19


def test_a_film_that_is_cancelled_keeps_what_was_seen_by_then(desk: Desk, falling: Path) -> None:
    picture = desk.add(falling)
    desk.look(picture)
    desk.watch(picture, Job("watching", None, cancelled=True))
    assert picture.film is not None
    assert len(picture.film.seen) == 1
    assert picture.film.seen.notes == ("Stopped after 1 frame.",)


def test_a_film_that_is_too_long_ends_early_and_says_so(
    desk: Desk, falling: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(footage, "LONGEST", 3)
    picture = watched(desk, falling)
    assert picture.film is not None
    assert len(picture.film.seen) == len(picture.film.footage) == 3
    assert picture.film.seen.notes == ("Only the first 3 frames were watched.",)


def test_pictures_are_watched_as_a_film(desk: Desk, ship: Path) -> None:
    with pytest.raises(UnrenderError, match="at least two pictures"):
        desk.add_film(desk.stills)
    for _ in range(3):
        desk.look(desk.add(ship))
    film = desk.add_film(desk.stills)
    desk.look(film)
    desk.watch(film, Job("watching", None))
    assert film.film is not None
    assert len(film.film.seen) == 3
    assert len(desk.stills) == 3


def test_short_errands_pass_a_long_one_when_it_takes_a_breath() -> None:
    work, begun, seen = Work(), threading.Event(), []

    def long() -> None:
        begun.set()
        while not seen:
            work.breathe()
        seen.append("long")

    async def both() -> None:
        import asyncio

        slow = asyncio.ensure_future(work.do_long(long))
        await asyncio.to_thread(begun.wait)
        await work.do(seen.append, "short")
        await slow

    finish(both())
    work.close()
    assert seen == ["short", "long"]


def test_a_verb_is_taught_from_a_stretch_and_taken_back(desk: Desk, robots: Path) -> None:
    desk.brain.teach(desk.brain.see(robots / "robot.png"), "robot")
    picture = watched(desk, robots / "wave.gif")
    film = picture.film
    assert film is not None
    asked = film.seen.question
    assert asked is not None
    assert "What verb describes this?" in str(asked)
    told = lessons.teach_verb(desk, picture, asked.track.number, "wave", 0, 25)
    assert told.sentence == "I now know what it looks like when a robot is waving."
    (bar,) = (view(desk, picture).film or {})["verbs"]
    assert (bar["text"], bar["label"]) == ("wave", "robot.1 is waving")
    assert film.seen.question is None
    desk.take_back(picture)
    again = view(desk, picture).film
    assert again is not None
    assert again["verbs"] == []
    assert again["asked"] is not None


def test_the_world_goes_on_and_is_made_otherwise(desk: Desk, falling: Path) -> None:
    picture = watched(desk, falling)
    film = picture.film
    assert film is not None
    film.explain(film.seen)
    assert any("Gravity pulls down" in reason for reason in film.reasons)
    assert any("cannot tell" in reason for reason in film.reasons)
    desk.turn(picture, 30)
    ahead = view(desk, picture)
    assert ahead.made
    assert ahead.film is not None
    assert ahead.film["seen"] == 20
    assert len(ahead.film["times"]) == 45
    assert ahead.film["contacts"]
    ball = next(track for track, name in film.names.items() if film.seen.world.body(track).static is False)
    film.otherwise("without it", film.seen.without(ball))
    desk.turn(picture, 5)
    other = view(desk, picture)
    assert len(other.nodes) == 1
    assert other.film is not None
    assert len(other.film["was"]) == 2
    assert film.drawn(1, 5) != film.drawn(0, 5)
    film.show(0)
    film.predict(0.0)
    assert film.filmed
    film.show(1)
    desk.learned(None)  # something that changes nothing here
    desk.turn(picture, 5)
    assert film.explained
    assert film.version == 1


def test_a_program_watches_asks_and_changes(client: TestClient, falling: Path) -> None:
    reply = client.post("/api/watch", params={"name": "falling.gif"}, content=falling.read_bytes())
    assert reply.status_code == 200, reply.text
    film = reply.json()
    assert (film["frames"], len(film["tracks"])) == (20, 2)
    assert film["fps"] == pytest.approx(25)
    assert client.get(f"/api/films/{film['id']}").json() == film
    world = client.post("/api/world", json={"film": film["id"]}).json()
    assert world["gravity"][1] == pytest.approx(0.7 * 25**2, rel=0.03)
    assert {body["track"] for body in world["bodies"]} == {track["number"] for track in film["tracks"]}
    assert all(body["friction"] is None for body in world["bodies"])
    longer = client.post("/api/predict", json={"film": film["id"], "seconds": 0.4}).json()
    assert longer["frames"] == 30
    name = next(own["name"] for own in film["tracks"] if own["sightings"][-1]["position"][0] > 40)
    fewer = client.post("/api/what_if", json={"film": film["id"], "change": f"remove {name}"}).json()
    assert len(fewer["tracks"]) == 1
    asked = client.post("/api/ask", json={"film": film["id"], "question": "how strong is gravity?"}).json()
    assert "px/s²" in asked["text"]
    assert client.get(f"/api/films/{film['id']}/film.svg").content.startswith(b"<svg")
    assert b"RigidBody2D" in client.get(f"/api/films/{film['id']}/world.tscn").content


def test_mistakes_about_films_are_told_in_a_sentence(client: TestClient, ship: Path) -> None:
    id = client.post("/api/see", content=ship.read_bytes()).json()["id"]
    for reply in (
        client.post("/api/watch", content=b"no film", params={"name": "a.mp4"}),
        client.get(f"/api/films/{id}"),
        client.get("/api/films/p99/film.gif"),
        client.post("/api/world", json={"film": id}),
        client.post("/api/verbs", json={"film": id, "track": 0, "name": "wave"}),
        client.get(f"/studio/{id}/drawn/0/0"),
    ):
        assert reply.status_code == 400, reply.text
        assert reply.json()["detail"].endswith(".")
    assert [own["id"] for own in client.get("/api/pictures").json()] == [id]
