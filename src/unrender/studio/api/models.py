"""What the JSON API takes and gives; a scene is exactly what `scene.save("scene.json")` writes."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field

Pair = tuple[float, float]
Word = Annotated[str, Field(max_length=1000)]
Id = Annotated[str, Field(max_length=20)]
Places = Annotated[list[int], Field(max_length=10_000)]


class Node(BaseModel):
    """One node of an observed parse-tree."""

    symbol: str
    p: float
    route: str | None
    position: Pair = Field(description="(x, y) in pixels from the top left")
    size: Pair = Field(description="(w, h) in pixels before rotation")
    rotation: float = Field(description="degrees, clockwise on the screen")
    attributes: dict[str, float] = Field(description="each in [0, 1]")
    form: list[float] | None = Field(description="of a shape that no attribute tells, in the unit frame")
    count: int | None = Field(description="how many there are of what it repeats")
    depth: int | None
    track: int | None
    velocity: Pair | None
    spin: float | None
    verbs: list[str]
    parts: list[Node]
    hidden: list[Node]
    rivals: list[Node]


class Unexplained(BaseModel):
    """What of a picture no shape explains."""

    share: float = Field(description="of the pixels unlike the background")
    mask: str | None = Field(description="a PNG in base64; null if there is nothing")


class SceneGraph(BaseModel):
    """A scene."""

    width: int
    height: int
    background: tuple[int, int, int] | str = Field(description="one colour, or a PNG in base64")
    scale: float
    complete: bool
    residual: Unexplained
    axioms: list[Node]
    tracks: dict[str, Any] | None


class QuestionAsked(BaseModel):
    """What the brain wants to know; parts are places in the list of all nodes, parents before their parts."""

    sentence: str
    parts: list[int]
    cause: str
    options: list[str]
    features: list[str]
    reasons: list[str]
    names: list[str]
    resembles: str | None


class Opened(BaseModel):
    """A picture on the desk."""

    id: str
    name: str


class OnDesk(BaseModel):
    """A picture on the desk, and what has become of it."""

    id: str
    name: str
    state: str


class Seen(BaseModel):
    """A picture, what was seen in it, and the question about it."""

    id: str
    scene: SceneGraph
    question: QuestionAsked | None


class Drawing(BaseModel):
    """What is to be drawn; what is missing has its default."""

    symbol: Word
    canvas: tuple[int, int] = Field((84, 84), description="width and height in pixels")
    position: Pair | None = None
    size: Pair | None = None
    rotation: float | None = None
    attributes: Annotated[dict[Word, float], Field(max_length=256)] = {}


class Teaching(BaseModel):
    """Parts of a picture and what they make up together; all of it, if no parts are given."""

    picture: Id
    name: str
    parts: Places | None = None
    route: Annotated[str, Field(max_length=80)] | None = None


class Taught(BaseModel):
    """The route that was learned, what is new about it, and the picture as it is understood with it."""

    route: str
    told: str
    seen: Seen


class Answering(BaseModel):
    """An answer to the question about a picture; what is missing is as proposed, no name skips it."""

    picture: Id
    name: str | None = None
    parts: Places | None = None
    cause: Word | None = None
    value: float | None = None
    symbol: Word | None = None


class Answered(BaseModel):
    """What was learned, what it changed, and the picture as it is understood now."""

    told: str
    difference: str
    seconds: float
    seen: Seen


class SymbolKnown(BaseModel):
    """One symbol of a brain."""

    name: str
    attributes: list[str]
    routes: list[RouteKnown]


class RouteKnown(BaseModel):
    """One way in which parts make up a symbol."""

    name: str
    parts: list[str]
    examples: int


class LessonKnown(BaseModel):
    """One lesson."""

    id: int
    kind: str
    title: str
    at: str


class BrainKnown(BaseModel):
    """All that a brain knows."""

    name: str
    symbols: list[SymbolKnown]
    lessons: list[LessonKnown]
    matrix: dict[str, tuple[int, int, int, int]] = Field(
        description="feature -> counts of A.1, A.2, B.1, B.2"
    )
    grammar: str


class Said(BaseModel):
    """What was done, in a sentence."""

    told: str
