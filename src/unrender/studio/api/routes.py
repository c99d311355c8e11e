"""The JSON API: see, draw, teach, answer, and what the brain knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from fastapi import APIRouter, Request, Response

from unrender.agent.question import Answer
from unrender.errors import UnrenderError
from unrender.names import check_name
from unrender.scene.picture import LARGEST
from unrender.studio.api import models as m
from unrender.studio.desk import lessons
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.picture import Key, Picture, find, key_of, png
from unrender.studio.desk.uploads import Uploads

if TYPE_CHECKING:
    from unrender.studio.server import Studio

T = TypeVar("T")


def api(studio: Studio, uploads: Uploads) -> APIRouter:
    """All routes that have to do with pictures and the brain."""
    router = APIRouter(prefix="/api", tags=["api"])

    async def changed(work: Callable[..., T], *given: Any) -> T:
        """The result of work at the desk after which every page shows something else."""
        desk = studio.desk
        found = await desk.work.do(work, desk, *given)
        desk.tell()
        return found

    @router.get("/pictures")
    async def pictures() -> list[m.OnDesk]:
        """All pictures on the desk."""
        every = studio.desk.pictures.values()
        return [m.OnDesk(id=own.id, name=own.name, state=own.state.value) for own in every]

    @router.post("/pictures")
    async def open_picture(request: Request, name: str = "picture") -> m.Opened:
        """Lay a picture or a video, the body of the request, on the desk, to be looked at later."""
        picture = await uploads.receive(request.stream(), studio.desk, name)
        studio.desk.tell()
        return m.Opened(id=picture.id, name=picture.name)

    @router.delete("/pictures/{id}")
    async def remove_picture(id: str) -> m.Said:
        """Take a picture from the desk; what was uploaded is deleted."""
        return m.Said(told=await changed(Desk.remove, studio.desk.picture(id)))

    @router.post("/see")
    async def see(request: Request, name: str = "picture") -> m.Seen:
        """See a picture, the body of the request: its scene, and what the brain wants to know about it.
        It stays on the desk until it is removed, unless it cannot be seen."""
        picture = await uploads.receive(request.stream(), studio.desk, name)
        try:
            return await changed(_see, picture)
        except UnrenderError:
            await changed(Desk.remove, picture)
            raise

    @router.post("/draw", response_class=Response, responses={200: {"content": {"image/png": {}}}})
    async def draw(drawing: m.Drawing) -> Response:
        """Draw a symbol: a PNG."""
        desk = studio.desk
        return Response(await desk.work.do(_draw, desk, drawing), media_type="image/png")

    @router.post("/teach")
    async def teach(teaching: m.Teaching) -> m.Taught:
        """Learn that parts of a picture make up an object; one example is enough."""
        return await changed(_teach, teaching)

    @router.post("/answer")
    async def answer(answering: m.Answering) -> m.Answered:
        """Answer the question about a picture, or skip it."""
        return await changed(_answer, answering)

    @router.get("/brain")
    async def brain() -> m.BrainKnown:
        """All symbols with their routes, all lessons, the decision matrix, and the grammar."""
        return await studio.desk.work.do(_brain, studio.desk)

    @router.post("/undo")
    async def undo() -> m.Said:
        """Take back the last lesson."""
        return m.Said(told=await changed(Desk.undo, None))

    return router


def _see(desk: Desk, picture: Picture) -> m.Seen:
    desk.look(picture)
    scene = picture.seen()
    keys, asked = [key_of(node) for node in scene.observations], picture.asked
    question = (
        None
        if asked is None
        else m.QuestionAsked(
            sentence=asked.sentence,
            parts=[keys.index(key) for key in asked.parts],
            cause=asked.cause,
            options=list(asked.options),
            features=list(asked.features),
            reasons=list(asked.reasons),
            names=list(asked.nouns),
            resembles=asked.resembles,
        )
    )
    return m.Seen(id=picture.id, scene=m.SceneGraph.model_validate(scene.to_dict()), question=question)


def _draw(desk: Desk, drawing: m.Drawing) -> bytes:
    if not all(0 < side <= LARGEST for side in drawing.canvas):
        raise UnrenderError(f"A canvas has 1 to {LARGEST} pixels on each side.")
    if "canvas" in drawing.attributes or "symbol" in drawing.attributes or "self" in drawing.attributes:
        raise UnrenderError("The symbol and its canvas are no attributes; give them beside the attributes.")
    pose = {"position": drawing.position, "size": drawing.size, "rotation": drawing.rotation}
    given: dict[str, Any] = {name: value for name, value in pose.items() if value is not None}
    return png(desk.brain.draw(drawing.symbol, canvas=drawing.canvas, **{**drawing.attributes, **given}), 6)


def _teach(desk: Desk, teaching: m.Teaching) -> m.Taught:
    check_name(teaching.name, "symbol")
    picture = desk.picture(teaching.picture)
    desk.look(picture)
    before = desk.moments()
    scene = desk.brain.see_again(picture.untouched())
    chosen = None if teaching.parts is None else find(scene, _keys(picture, teaching.parts))
    lesson = desk.brain.teach_object(scene, teaching.name, chosen, route=teaching.route)
    if lesson.changed:
        desk.taught(picture, before)
    return m.Taught(route=lesson.route.name, told=lesson.told, seen=_see(desk, picture))


def _answer(desk: Desk, answering: m.Answering) -> m.Answered:
    if answering.name is not None:
        check_name(answering.name, "symbol")
    picture = desk.picture(answering.picture)
    desk.look(picture)
    if answering.parts is None and picture.asked is None:
        raise UnrenderError("There is no question about this picture; name the parts that are meant.")
    proposed = picture.asked.parts if picture.asked else ()
    keys = list(proposed) if answering.parts is None else _keys(picture, answering.parts)
    if answering.name is None:
        told = lessons.skip(desk, picture, keys)
    else:
        given = Answer(answering.name, answering.cause, None, answering.value, answering.symbol)
        told = lessons.answer(desk, picture, keys, given)
    seen = _see(desk, picture)
    return m.Answered(told=told.sentence, difference=told.difference, seconds=told.seconds, seen=seen)


def _keys(picture: Picture, parts: list[int]) -> list[Key]:
    nodes = picture.seen().observations
    if not all(0 <= part < len(nodes) for part in parts):
        raise UnrenderError(f"Parts are numbers from 0 to {len(nodes) - 1} in this picture.")
    return [key_of(nodes[part]) for part in parts]


def _brain(desk: Desk) -> m.BrainKnown:
    brain = desk.brain
    symbols = [
        m.SymbolKnown(
            name=name,
            attributes=list(brain.knows(name) or ()),
            routes=[
                m.RouteKnown(name=route.name, parts=list(route.parts), examples=len(route.memory))
                for route in routes
            ],
        )
        for name, routes in brain.symbols.items()
    ]
    return m.BrainKnown(
        name=desk.name,
        symbols=symbols,
        lessons=[
            m.LessonKnown(id=own.id, kind=own.kind, title=own.title, at=own.at) for own in brain.lessons
        ],
        matrix=dict(brain.matrix.rows),
        grammar=str(brain.grammar),
    )
