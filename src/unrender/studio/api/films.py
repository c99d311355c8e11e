"""The JSON API of films: watch, teach a verb, the world behind a film, and what would happen if."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request

from unrender.errors import UnrenderError
from unrender.film.film import Film
from unrender.film.simulation.world import Body
from unrender.names import check_name
from unrender.studio.api import film_models as m
from unrender.studio.api.downloads import open_film
from unrender.studio.desk import lessons
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.film import OpenFilm
from unrender.studio.desk.jobs import watch as watched
from unrender.studio.desk.picture import Picture
from unrender.studio.desk.uploads import Uploads
from unrender.studio.desk.work import Job

if TYPE_CHECKING:
    from unrender.film.simulation.world import Point
    from unrender.studio.server import Studio


def films(studio: Studio, uploads: Uploads) -> APIRouter:
    """All routes that have to do with films."""
    router = APIRouter(prefix="/api", tags=["films"])

    async def otherwise(id: str, make: Callable[[Film], Film]) -> m.Watched:
        picture, film = _film(studio.desk, id)
        made = await asyncio.to_thread(make, film.seen)
        return await studio.desk.work.do(_watched, picture.id, film, made)

    @router.post("/watch")
    async def watch(request: Request, name: str = "film.mp4", fps: float | None = None) -> m.Watched:
        """Watch a video or an animated picture, the body of the request. It stays on the desk until it is
        removed, unless it cannot be seen."""
        desk = studio.desk
        picture = await uploads.receive(request.stream(), desk, name)
        try:
            await desk.work.do(desk.look, picture)
            picture.seen()
            picture.unwatched = True  # a picture alone is a film of one frame
            await watched(desk, picture, Job(f"Watching {picture.name}", None), fps)
            return await _told(desk, picture)
        except UnrenderError:
            await desk.work.do(desk.remove, picture)
            desk.tell()
            raise

    @router.get("/films/{id}")
    async def film(id: str) -> m.Watched:
        """A film that was watched."""
        return await _told(studio.desk, studio.desk.picture(id))

    @router.post("/verbs")
    async def teach_verb(teaching: m.VerbTeaching) -> m.VerbTaught:
        """Learn a verb from what a track does; one clip is enough."""
        check_name(teaching.name, "verb")
        desk = studio.desk
        picture, film = _film(desk, teaching.film)
        first = 0 if teaching.start is None else teaching.start
        last = len(film.seen) - 1 if teaching.end is None else teaching.end
        told = await desk.work.do(
            lessons.teach_verb, desk, picture, teaching.track, teaching.name, first, last
        )
        desk.tell()
        return m.VerbTaught(told=told.sentence, film=await _told(desk, picture))

    @router.post("/world")
    async def world(wanted: m.OfFilm) -> m.WorldFound:
        """Infer the simulation that explains a film."""
        picture, film = _film(studio.desk, wanted.film)
        return await asyncio.to_thread(_world, picture.id, film.seen)

    @router.post("/predict")
    async def predict(wanted: m.Predicting) -> m.Watched:
        """The film with what follows it."""
        return await otherwise(wanted.film, lambda film: film.predict(wanted.seconds))

    @router.post("/what_if")
    async def what_if(wanted: m.Changing) -> m.Watched:
        """The film as it would have been with a change."""
        return await otherwise(wanted.film, lambda film: film.what_if(wanted.change))

    @router.post("/ask")
    async def ask(asking: m.Asking) -> m.Reply:
        """Answer an English question about a film."""
        _, film = _film(studio.desk, asking.film)
        answer = await asyncio.to_thread(film.seen.ask, asking.question)
        return m.Reply(text=str(answer), sure=getattr(answer, "sure", None))

    return router


def _film(desk: Desk, id: str) -> tuple[Picture, OpenFilm]:
    picture = desk.picture(id)
    return picture, open_film(picture)


async def _told(desk: Desk, picture: Picture) -> m.Watched:
    _, film = _film(desk, picture.id)
    return await desk.work.do(_watched, picture.id, film, film.seen)


def _watched(id: str, open: OpenFilm, film: Film) -> m.Watched:
    from unrender.film.describe import describe

    asked = film.question
    return m.Watched(
        id=id,
        width=film.width,
        height=film.height,
        fps=film.fps,
        frames=len(film),
        tracks=[
            m.TrackSeen(
                number=track.number,
                name=open.names.get(track.number),
                symbol=track.symbol,
                first=track.first,
                last=track.last,
                sightings=[
                    m.Sighting(
                        frame=frame,
                        position=node.position,
                        rotation=node.rotation,
                        velocity=node.velocity,
                        verbs={verb: node.attributes[verb] for verb in node.verbs},
                    )
                    for frame, node in track.observations.items()
                ],
            )
            for track in film.tracks
        ],
        verbs=[
            m.VerbSeen(
                track=number,
                verb=doing.verb,
                start=doing.first,
                end=doing.last,
                per_second=doing.rate * film.fps,
            )
            for number, doings in film.doings.items()
            for doing in doings
        ],
        question=None
        if asked is None
        else m.MotionAsked(sentence=str(asked), track=asked.track.number, start=asked.start, end=asked.end),
        description=describe(film),
        notes=list(film.notes),
    )


def _world(id: str, film: Film) -> m.WorldFound:
    from unrender.film.simulation.answers.describe import described

    world = film.world
    return m.WorldFound(
        film=id,
        gravity=world.gravity,
        drag=world.drag,
        walls=[m.WallFound(start=own.start, end=own.end, normal=own.normal) for own in world.walls],
        bodies=[
            m.BodyFound(
                track=own.track,
                position=own.position,
                velocity=own.velocity,
                mass=own.mass,
                restitution=own.restitution,
                friction=own.friction,
                static=own.static,
                errors=dict(own.errors),
            )
            for own in world.bodies
        ],
        springs=[
            m.SpringFound(
                a=_end(own.a),
                b=_end(own.b),
                stiffness=own.stiffness,
                length=own.length,
                damping=own.damping,
            )
            for own in world.springs
        ],
        contacts=[
            m.ContactFound(start=own.frame, end=own.last, a=own.a, b=own.b, point=own.point)
            for own in world.contacts
        ],
        errors=dict(world.errors),
        told=described(film.explained),
    )


def _end(end: Body | Point) -> int | Point:
    return end.track if isinstance(end, Body) else end
