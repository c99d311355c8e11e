"""Looking at many pictures and videos, in this process, in several, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from unrender.batch.brains import recalled
from unrender.batch.sources import Source
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.brain import Brain
    from unrender.memory import Snapshot
    from unrender.scene import Scene
    from unrender.scene.picture import Picture

T = TypeVar("T")


@dataclass(frozen=True)
class View:
    """One picture, or one frame of a video."""

    source: Source
    frame: int | None = None  # from 0

    @property
    def name(self) -> str:
        """What files made from it are called, without a suffix."""
        return self.source.name if self.frame is None else f"{self.source.name}-{self.frame:05d}"

    def __str__(self) -> str:
        path = str(self.source.path)
        return path if self.frame is None else f"{path}, frame {self.frame}"


Errand = Callable[["Scene", View], T]
"""What is to be done with a scene. Other processes get a copy of it, so its module must define it."""


@dataclass(frozen=True)
class Report(Generic[T]):
    """What came of one view: a result, or a sentence about what went wrong."""

    view: View
    result: T | None = None
    error: str | None = None


def watch(
    wanted: Sequence[Source],
    known: Snapshot | None,
    errand: Errand[T],
    jobs: int = 1,
    cluster: str | None = None,
    max_seconds: float | None = None,
) -> Iterator[Report[T]]:
    """A report for every picture and every frame; one that fails does not stop the rest.

    jobs: processes; 0 for as many as the work is worth. cluster: the address of a Dask scheduler; pictures
    are then reported as they come, else in their order. max_seconds: for each of them.
    """
    if not wanted:
        return
    if cluster is not None:
        from unrender.batch.cluster import spread

        yield from spread(wanted, known, errand, cluster, max_seconds)
        return
    if jobs == 0:
        from unrender.batch.schedule import paced

        yield from paced(wanted, known, errand, max_seconds)
    elif min(jobs, len(wanted)) == 1:
        brain = recalled(known)
        for source in wanted:
            yield from look(source, brain, errand, max_seconds=max_seconds)
    else:
        from unrender.batch.pool import share

        yield from share(wanted, known, errand, min(jobs, len(wanted)), max_seconds)


def look(
    source: Source,
    brain: Brain,
    errand: Errand[T],
    content: bytes | None = None,
    max_seconds: float | None = None,
) -> Iterator[Report[T]]:
    """The report of a picture, or those of all frames of a video, in which tracks go on.

    content: what stands in the file, where it is not on this machine. max_seconds: for each picture or frame.
    """
    from unrender.film.video import frames
    from unrender.scene.tracking.follow import numbered

    view, before = View(source, 0 if source.video else None), None
    try:
        for image in frames(source.path, content) if source.video else [_picture(source, content)]:
            scene = brain.see(image, after=before, max_seconds=max_seconds)
            if view.frame == 0:
                scene.tracks = numbered(scene)
            yield Report(view, errand(scene, view))
            if view.frame is not None:
                view, before = View(source, view.frame + 1), scene
    except UnrenderError as error:
        yield Report(View(source), error=str(error))
    except MemoryError:
        yield Report(View(source), error=f'There is not enough memory to look at "{source.path}".')


def _picture(source: Source, content: bytes | None) -> Path | Picture:
    """What the brain is to look at."""
    if content is None:
        return source.path
    from unrender.scene.picture_file import unpacked

    return unpacked(content, source.path)
