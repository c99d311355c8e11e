"""The application: the API, the files, the page, and every error that a user can cause as a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse

from unrender import __version__
from unrender.errors import UnrenderError
from unrender.studio import docs
from unrender.studio.api import api
from unrender.studio.downloads import downloads

if TYPE_CHECKING:
    from unrender.studio.server import Studio

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#4f5bd5" '
    'd="M16 2 28 9v14l-12 7L4 23V9Z"/><path fill="none" stroke="#fff" stroke-width="2.5" '
    'd="M11 11v7a5 5 0 0 0 10 0v-7"/></svg>'
)


def service(studio: Studio, folder: Path) -> FastAPI:
    """All but the page. folder: where uploads are kept while the studio runs."""
    app = FastAPI(title="unrender studio", version=__version__, docs_url=None, redoc_url=None)
    app.include_router(api(studio, folder))
    app.include_router(downloads(studio))

    @app.exception_handler(UnrenderError)
    async def sentence(request: Request, error: UnrenderError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 400)

    @app.get("/docs", include_in_schema=False)
    async def read() -> HTMLResponse:
        return HTMLResponse(docs.page(app.openapi()))

    return app


def application(studio: Studio, folder: Path) -> FastAPI:
    """All that the studio serves, the page included."""
    from nicegui import app as pages
    from nicegui import ui

    from unrender.studio.page import page

    @ui.page("/")
    async def front() -> None:
        await page(studio.desk)

    app = service(studio, folder)
    pages.on_startup(lambda: studio.desk.warm_up())
    ui.run_with(app, title=app.title, favicon=ICON, tailwind=False, show_welcome_message=False)
    return app
