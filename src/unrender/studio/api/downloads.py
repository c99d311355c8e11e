"""The files of the page: pixels, exports, the network as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi import APIRouter, Response

from unrender.errors import UnrenderError
from unrender.exports.capsules import capsule_graph_svg
from unrender.studio.desk.exporting import exported

if TYPE_CHECKING:
    from unrender.studio.server import Studio

FRESH = {"Cache-Control": "no-store"}


def downloads(studio: Studio) -> APIRouter:
    """All of them."""
    router = APIRouter()

    @router.get("/api/pictures/{id}/scene{suffix}", tags=["api"], response_class=Response)
    async def export(id: str, suffix: str) -> Response:
        """The scene as a file: scene.svg, scene.json, scene.tscn, scene.coco.json or scene.png."""
        picture = studio.desk.picture(id)
        content = await studio.desk.work.do(exported, picture, suffix)
        name = quote(f"{Path(picture.name).stem or 'scene'}{suffix}", safe="")
        headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(content, media_type="application/octet-stream", headers=headers)

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
