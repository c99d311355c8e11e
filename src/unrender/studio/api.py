"""The routes beside the page: pictures and their files, and the JSON API."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter, HTTPException, Request, Response

from unrender.errors import UnrenderError
from unrender.studio.exporting import exported
from unrender.studio.models import Opened
from unrender.studio.uploads import receive, shown

if TYPE_CHECKING:
    from unrender.studio.server import Studio


def routes(studio: Studio, folder: Path) -> APIRouter:
    """All of them. folder: where uploads are kept while the studio runs."""
    router = APIRouter()

    @router.post("/api/pictures", response_model=Opened)
    async def open_picture(request: Request, name: str = "picture") -> Opened:
        """Lay a picture or a video, the body of the request, on the desk."""
        desk = studio.desk
        try:
            path = await receive(request.stream(), folder, name)
        except UnrenderError as error:
            raise HTTPException(413, str(error)) from None
        picture = desk.add(path, shown(name))
        desk.tell()
        return Opened(id=picture.id, name=picture.name)

    @router.get("/api/pictures/{id}/scene{suffix}")
    async def export(id: str, suffix: str) -> Response:
        """The scene as a file: scene.svg, scene.json, scene.tscn, scene.coco.json or scene.png."""
        try:
            picture = studio.desk.picture(id)
            content = await studio.desk.work.do(exported, picture, suffix)
        except UnrenderError as error:
            raise HTTPException(404, str(error)) from None
        stem = Path(picture.name).stem.encode("ascii", "replace").decode().replace('"', "_")
        headers = {"Content-Disposition": f'attachment; filename="{stem}{suffix}"'}
        return Response(content, media_type="application/octet-stream", headers=headers)

    @router.get("/studio/{id}/{kind}", include_in_schema=False)
    async def pixels(id: str, kind: str) -> Response:
        picture = studio.desk.pictures.get(id)
        kinds = (
            {}
            if picture is None
            else {
                "original": picture.original,
                "redrawn": picture.redrawn,
                "thumbnail": picture.thumbnail,
            }
        )
        if not kinds.get(kind):
            raise HTTPException(404, "There is no such picture.")
        return Response(kinds[kind], media_type="image/png", headers={"Cache-Control": "no-store"})

    return router
