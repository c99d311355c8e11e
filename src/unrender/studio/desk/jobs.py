"""What the desk does in the background, one thing after the other: looking at pictures, watching films."""

from __future__ import annotations

import asyncio
import time

from unrender.studio.desk.desk import Desk
from unrender.studio.desk.picture import Picture, State
from unrender.studio.desk.work import Job


async def look_at_all(desk: Desk, *, new: bool = True) -> None:
    """Bring all pictures up to date, see new ones, one after the other, then watch films; others may work in
    between."""
    wanted = [own for own in desk.pictures.values() if own.outdated or (new and own.state is State.NEW)]
    if desk.job is not None:
        return
    desk.job = job = Job("Looking at pictures", len(wanted))
    told = time.monotonic()
    try:
        for picture in wanted:
            if job.cancelled:
                break
            await desk.work.do(desk.look, picture)
            job.done += 1
            if time.monotonic() - told > 0.2:
                told = time.monotonic()
                desk.tell()
        while (film := next((own for own in desk.pictures.values() if own.unwatched), None)) is not None:
            desk.job = Job(f"Watching {film.name}", None)
            await watch(desk, film, desk.job)
    finally:
        desk.job = None
        desk.tell()


async def watch(desk: Desk, picture: Picture, job: Job, fps: float | None = None) -> None:
    """Watch a film, and let everybody know how far that is."""
    watching = asyncio.ensure_future(desk.work.do_long(desk.watch, picture, job, fps))
    while not (await asyncio.wait([watching], timeout=0.25))[0]:
        desk.tell()
    await watching
    desk.tell()
