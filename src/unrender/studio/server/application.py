"""The application: the API, the files, the page, and every error that a user can cause as a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.exceptions import HTTPException

from unrender import __version__
from unrender.errors import UnrenderError, one_line
from unrender.studio.api import docs
from unrender.studio.api.downloads import downloads
from unrender.studio.api.films import films
from unrender.studio.api.routes import api
from unrender.studio.desk.uploads import Uploads
from unrender.studio.server.bounds import Bounds

if TYPE_CHECKING:
    from unrender.studio.server import Studio

STYLE = Path(__file__).parents[1] / "panels" / "style.css"
PATIENCE = 10.0  # seconds for which a tab may be out of touch, on a busy machine, before it begins anew
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#4f5bd5" '
    'd="M16 2 28 9v14l-12 7L4 23V9Z"/><path fill="none" stroke="#fff" stroke-width="2.5" '
    'd="M11 11v7a5 5 0 0 0 10 0v-7"/></svg>'
)


def service(studio: Studio, folder: Path) -> FastAPI:
    """All but the page. folder: where uploads are kept while the studio runs."""
    app = FastAPI(title="unrender studio", version=__version__, docs_url=None, redoc_url=None)
    app.add_middleware(Bounds)
    uploads = Uploads(folder)
    app.include_router(api(studio, uploads))
    app.include_router(films(studio, uploads))
    app.include_router(downloads(studio))

    @app.exception_handler(UnrenderError)
    async def sentence(request: Request, error: UnrenderError) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 400)

    @app.exception_handler(RequestValidationError)
    async def misunderstood(request: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"detail": _told(error)}, 422)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        return JSONResponse({"detail": f"{error.detail}."}, error.status_code, error.headers)

    @app.get("/docs", include_in_schema=False)
    async def read() -> HTMLResponse:
        return HTMLResponse(docs.page(app.openapi()))

    return app


def _told(error: RequestValidationError) -> str:
    """The first thing that is wrong with a request, in a sentence."""
    first = error.errors()[0]
    place = ".".join(str(step) for step in first["loc"][1:])
    return one_line(f"The request{f' has a bad {place}' if place else ' is not right'}: {first['msg']}.")


def application(studio: Studio, folder: Path) -> FastAPI:
    """All that the studio serves, the page included."""
    from nicegui import app as pages
    from nicegui import ui

    from unrender.studio.panels.page import page

    @ui.page("/")
    async def front() -> None:
        await page(studio.desk)

    app = service(studio, folder)
    pages.on_startup(lambda: studio.desk.warm_up())
    pages.colors(primary="#4f5bd5", negative="#b92a42", info="#2b3244", dark="#1d212b", dark_page="#14171e")
    pages.config.quasar_config["loadingBar"]["skipHijack"] = True  # no bar above the page at every request
    ui.add_css(STYLE, shared=True)
    ui.run_with(
        app,
        title=app.title,
        favicon=ICON,
        dark=None,
        language="en-US",
        reconnect_timeout=PATIENCE,
        tailwind=False,
        show_welcome_message=False,
    )
    return app
