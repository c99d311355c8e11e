"""The files of the page: pixels, exports, the network as a picture."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi import APIRouter, Response

from unrender.errors import UnrenderError
from unrender.exports.capsules import capsule_graph_svg
from unrender.studio.desk.exporting import exported, exported_film, exported_world
from unrender.studio.desk.film import OpenFilm
from unrender.studio.desk.picture import Picture

if TYPE_CHECKING:
    from unrender.studio.server import Studio

FRESH = {"Cache-Control": "no-store"}
LASTING = {"Cache-Control": "private, max-age=600"}  # frames: their addresses change with what they show


def downloads(studio: Studio) -> APIRouter:
    """All of them."""
    router = APIRouter()

    @router.get("/api/pictures/{id}/scene{suffix}", tags=["api"], response_class=Response)
    async def export(id: str, suffix: str) -> Response:
        """The scene as a file: scene.svg, scene.json, scene.tscn, scene.coco.json or scene.png."""
        picture = studio.desk.picture(id)
        content = await studio.desk.work.do(exported, picture, suffix)
        return _attached(content, f"{Path(picture.name).stem or 'scene'}{suffix}")

    @router.get("/api/films/{id}/film{suffix}", tags=["films"], response_class=Response)
    async def export_film(id: str, suffix: str) -> Response:
        """The film, in the version that is shown, as a file: film.gif, film.mp4, film.svg, film.json,
        film.lottie.json or film.tscn."""
        picture = studio.desk.picture(id)
        film = open_film(picture).shown
        content = await studio.desk.work.do(exported_film, film, suffix)
        return _attached(content, f"{Path(picture.name).stem or 'film'}{suffix}")

    @router.get("/api/films/{id}/world.tscn", tags=["films"], response_class=Response)
    async def export_world(id: str) -> Response:
        """The world behind a film for Godot 4: bodies, materials, joints, gravity."""
        picture = studio.desk.picture(id)
        content = await asyncio.to_thread(exported_world, open_film(picture).seen)
        return _attached(content, f"{Path(picture.name).stem or 'world'}-world.tscn")

    @router.get("/studio/{id}/frames/{frame}", include_in_schema=False)
    async def frame(id: str, frame: int) -> Response:
        content = open_film(studio.desk.picture(id)).footage.png(frame)
        return Response(content, media_type="image/png", headers=LASTING)

    @router.get("/studio/{id}/drawn/{version}/{frame}", include_in_schema=False)
    async def drawn(id: str, version: int, frame: int) -> Response:
        film = open_film(studio.desk.picture(id))
        content = await studio.desk.work.do(film.drawn, version, frame)
        return Response(content, media_type="image/png", headers=LASTING)

    @router.get("/studio/brain/graph", include_in_schema=False)
    async def graph() -> Response:
        text = await studio.desk.work.do(capsule_graph_svg, studio.desk.brain)
        return Response(text, media_type="image/svg+xml", headers=FRESH)

    @router.get("/studio/{id}/{kind}", include_in_schema=False)
    async def pixels(id: str, kind: str) -> Response:
        picture = studio.desk.picture(id)
        kinds = {
            "original": picture.original,
            "redrawn": picture.redrawn,
            "thumbnail": picture.thumbnail,
        }
        if not kinds.get(kind):
            raise UnrenderError("There are no such pixels.")
        return Response(kinds[kind], media_type="image/png", headers=FRESH)

    return router


def open_film(picture: Picture) -> OpenFilm:
    """The film of a picture, or a sentence if it is none."""
    if picture.film is None:
        raise UnrenderError(f'"{picture.name}" is no film that has been watched; send it to /api/watch.')
    return picture.film


def _attached(content: bytes, name: str) -> Response:
    """A file to be saved under this name."""
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return Response(content, media_type="application/octet-stream", headers=headers)
