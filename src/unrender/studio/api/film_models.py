"""What the JSON API takes and gives of films and the worlds behind them. Pixels, seconds, degrees."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from unrender.studio.api.models import Id, Pair, Word


class Sighting(BaseModel):
    """Where a track is in one frame."""

    frame: int
    position: Pair
    rotation: float = Field(description="degrees, clockwise on the screen")
    velocity: Pair | None = Field(description="px per frame")
    verbs: dict[str, float] = Field(description="what it does, each with its phase in [0, 1)")


class TrackSeen(BaseModel):
    """One object through the film."""

    number: int
    name: str | None = Field(description="by which changes mean it: circle.2")
    symbol: str
    first: int
    last: int
    sightings: list[Sighting]


class VerbSeen(BaseModel):
    """An object does something from one frame to another, both included."""

    track: int
    verb: str
    start: int
    end: int
    per_second: float = Field(description="cycles, or runs, a second")


class MotionAsked(BaseModel):
    """A motion that no verb covers."""

    sentence: str
    track: int
    start: int
    end: int


class Watched(BaseModel):
    """A film: who is in it, where each is in every frame, what each does, and what the brain asks."""

    id: str
    width: int
    height: int
    fps: float
    frames: int
    tracks: list[TrackSeen]
    verbs: list[VerbSeen]
    question: MotionAsked | None
    description: str
    notes: list[str]


class VerbTeaching(BaseModel):
    """A verb for what a track of a film does; all of the film, if no frames are given."""

    film: Id
    track: int
    name: Word
    start: int | None = None
    end: int | None = None


class VerbTaught(BaseModel):
    """What was learned, and the film as it is understood with it."""

    told: str
    film: Watched


class OfFilm(BaseModel):
    """A film on the desk."""

    film: Id


class WallFound(BaseModel):
    """A line at which bodies bounce or lie."""

    start: Pair
    end: Pair
    normal: Pair


class BodyFound(BaseModel):
    """A body; null is what the film cannot tell. Errors are standard deviations."""

    track: int
    position: Pair
    velocity: Pair = Field(description="px/s, when it was first seen")
    mass: float | None = Field(description="relative, of mean 1")
    restitution: float | None
    friction: float | None
    static: bool | None
    errors: dict[str, float]


class SpringFound(BaseModel):
    """A spring between two bodies (by their tracks) or points; a rod where stiffness is null."""

    a: int | Pair
    b: int | Pair
    stiffness: float | None = Field(description="per unit mass, 1/s²")
    length: float | None
    damping: float


class ContactFound(BaseModel):
    """Two bodies touch, or a body and a wall (b is null)."""

    start: float = Field(description="a frame")
    end: float
    a: int
    b: int | None
    point: Pair


class WorldFound(BaseModel):
    """The simulation that explains a film; null is what the film cannot tell."""

    film: str
    gravity: Pair | None = Field(description="px/s²")
    drag: float | None = Field(description="1/s")
    walls: list[WallFound]
    bodies: list[BodyFound]
    springs: list[SpringFound]
    contacts: list[ContactFound]
    errors: dict[str, float]
    told: list[str] = Field(description="the same in sentences, with what the film cannot tell")


class Predicting(BaseModel):
    """How far a film is to go on."""

    film: Id
    seconds: Annotated[float, Field(gt=0, le=600)]


class Changing(BaseModel):
    """A change: circle.2.velocity*=2, gravity=0, remove square.1."""

    film: Id
    change: Word


class Asking(BaseModel):
    """A question about a film."""

    film: Id
    question: Word


class Reply(BaseModel):
    """An answer, and how sure it is, from 0 to 1."""

    text: str
    sure: float | None
