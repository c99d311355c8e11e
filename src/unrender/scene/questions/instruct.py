"""English edits, translated into the dotted syntax: "make the car blue" is "car.1.colour=blue"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lark.exceptions import UnexpectedInput

from unrender.errors import UnrenderError
from unrender.scene.addresses import addresses
from unrender.scene.graph import Scene
from unrender.scene.language.kinds import called
from unrender.scene.language.relations import UPRIGHT, holds
from unrender.scene.language.words import RGB, has_colour
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline
from unrender.scene.pixels import is_bar
from unrender.scene.questions import commands as do
from unrender.scene.questions.choosing import Choosing, Nodes
from unrender.scene.questions.commands import Change, Command, Commands
from unrender.scene.questions.measures import thickness
from unrender.scene.questions.parse import meanings, misread
from unrender.scene.questions.places import WAYS, with_apex
from unrender.scene.questions.readings import OTHERS, Reading
from unrender.scene.questions.vocabulary import UnknownWordError, Vocabulary

EXAMPLES = '"make the largest circle blue", "move the ship up by 10 pixels" or "delete all triangles"'


@dataclass(frozen=True)
class Instruction:
    """An edit in the dotted syntax, and what it does in words."""

    edits: tuple[str, ...]
    told: str


def instructions(scene: Scene, text: str) -> list[Instruction]:
    """What an English edit does to a scene, if all the ways in which it may be meant do the same."""
    vocabulary = Vocabulary(scene)
    try:
        tokens = vocabulary.tokens(text)
        ways = meanings(vocabulary, text, "edit", Commands)
    except UnknownWordError as error:
        raise UnrenderError(f"{error} I can do edits like {EXAMPLES}.") from None
    except UnexpectedInput as error:
        raise UnrenderError(f"{misread(error, tokens, 'edit')}; I can do edits like {EXAMPLES}.") from None
    if not ways:
        raise UnrenderError(f"Say what to change, like {EXAMPLES}.")
    done = [_Instructing(scene).instruction(command) for command in ways[0]]
    others = [(way, Reading(so="if it is read otherwise")) for way in ways[1:]]
    # "all circles" are those that are objects themselves, which is told, and can be undone
    others += [
        (ways[0], reading) for reading in OTHERS if not (reading.parts or reading.exact or reading.partly)
    ]
    for way, reading in others:
        try:
            other = [_Instructing(scene, reading).instruction(command) for command in way]
        except UnrenderError:
            continue  # what cannot be done if it is meant like this is not meant like this
        if [own.edits for own in other] != [own.edits for own in done]:
            told = " ".join(f"{own.told}." for own in other)
            raise UnrenderError(f'That can be meant in two ways; {reading.so} it would do this: "{told}"')
    return done


class _Instructing(Choosing):
    """Translates commands about one scene."""

    def __init__(self, scene: Scene, reading: Reading | None = None) -> None:
        super().__init__(scene, reading)
        self._addresses = {id(one.node): one.name for one in addresses(scene)}

    def instruction(self, command: Command) -> Instruction:
        nodes = self.referents(command.target)
        if any(isinstance(change, do.Shade) for change in command.changes):  # every colour of a whole
            nodes = [leaf for node in nodes for leaf in node.primitives]
        if command.target.quantity in ("any", "bare") and len(nodes) > 1:
            raise UnrenderError(
                f"There are {len(nodes)} of {command.target.things.text}; say which, or all of them."
            )
        if command.changes == (do.Remove(),):
            return Instruction(
                tuple(f"remove {self._addresses[id(node)]}" for node in nodes), f"Removed {self.call(nodes)}"
            )
        done = [list(self._put(change, node, nodes)) for node in nodes for change in command.changes]
        edits = [
            f"{self._addresses[id(node)]}.{edit}"
            for node in nodes
            for change in command.changes
            for edit in self._put(change, node, nodes)
        ]
        same = list(dict.fromkeys(edit for own in done for edit in own))
        how = ", ".join(same) if len(same) <= 2 * len(command.changes) else f"{len(edits)} values"
        return Instruction(tuple(edits), f"Changed {self.call(nodes)}: {how}")

    def _put(self, change: Change, node: Observation, nodes: Nodes) -> Iterator[str]:
        """The assignments, without the object's name, that make a change."""
        match change:
            case do.Put("length" | "thickness" as name, sign, value):
                yield f"{_drawn_by(node, name)}{sign}{value:g}"
            case do.Point(way):
                yield f"rotation={WAYS[way]:g}" if with_apex([node]) else ""
            case do.Shade(share):
                yield f"colour={_code(node, share)}"
            case do.Put(name, sign, value):
                yield f"{name}{sign}{value if isinstance(value, str) else format(value, 'g')}"
            case do.Like("colour", other):
                yield f"colour={_code(self.only(other))}"
            case do.Like(name, other):
                width, height = self.only(other).size
                yield {"size": f"size={width:g},{height:g}", "width": f"width={width:g}"}.get(
                    name, f"height={height:g}"
                )
            case do.Shift((dx, dy), pixels, share):
                far = pixels if pixels is not None else share * min(self.scene.width, self.scene.height)
                yield f"{'x' if dx else 'y'}{'+=' if dx + dy > 0 else '-='}{far:g}"
            case do.Spot(sides):
                yield from self._spot(node, sides)
            case do.Beside(relation):
                yield from self._beside(node, relation.word, [self.only(other) for other in relation.others])
            case do.Swap():
                if len(nodes) != 2:
                    raise UnrenderError(f"Two objects can be swapped, not {len(nodes)}; say which two.")
                x, y = nodes[node is nodes[0]].position
                yield f"position={x:g},{y:g}"

    def _spot(self, node: Observation, sides: tuple[str, ...]) -> Iterator[str]:
        """Where it touches a side, or fills the middle, of the picture."""
        left, top, right, bottom = Outline.of(node).box
        (x, y), width, height = node.position, self.scene.width, self.scene.height
        ends = {"left": ("x", x - left), "right": ("x", x + width - right)}
        ends |= {"top": ("y", y - top), "bottom": ("y", y + height - bottom)}
        if "middle" in sides and sides != ("middle",):
            raise UnrenderError("A place is a side, a corner or the middle of the picture.")
        if sides == ("middle",):
            yield f"position={width / 2:g},{height / 2:g}"
        for side in sides:
            if side in ends:
                name, value = ends[side]
                yield f"{name}={value:g}"

    def _flat(self, node: Observation, other: Observation) -> str:
        """ "in" if what is put on another belongs on its middle, as on a plate seen from above; else "".

        So it is seen if the other lies within something and others lie within it; where only one of the two
        is so, it is not known.
        """
        rest = [own for own in self.members if own is not node and own is not other]
        lies = any(holds("in", other, own) and holds("in front of", other, own) for own in rest)
        bears = any(holds("in", own, other) and holds("in front of", own, other) for own in rest)
        if lies != bears:
            raise UnrenderError(
                f'Say whether to put it "onto" the {called(other)}, into its middle, or "on top of" it.'
            )
        return "in" if lies else ""

    def _beside(self, node: Observation, word: str, others: Nodes) -> Iterator[str]:
        """Where it stands in a relation to another object, close to it."""
        (x, y), box = node.position, Outline.of(node).box
        there = Outline.of(others[0])
        left, top, right, bottom = there.box
        space = (right - left + bottom - top) / 10  # px between the two
        if word == "between" and len(others) == 2:
            (x, y), (x2, y2) = others[0].position, others[1].position
            yield f"position={(x + x2) / 2:g},{(y + y2) / 2:g}"
            return
        middle = there.centre
        ways = {
            "left of": (left - space - (box[2] - x), middle[1]),
            "right of": (right + space + (x - box[0]), middle[1]),
            "near": (right + space + (x - box[0]), middle[1]),
            "above": (middle[0], top - space - (box[3] - y)),
            "on": (middle[0], top - (box[3] - y)),
            "below": (middle[0], bottom + space + (y - box[1])),
            "in": middle,
        }
        if word == "on" and (flat := self._flat(node, others[0])):
            word = flat
        word = UPRIGHT.get(word, "on" if word == "on top of" else word)
        if word not in ways:
            raise UnrenderError(f'I cannot move something "{word}" another; I know {", ".join(ways)}.')
        yield f"position={ways[word][0]:g},{ways[word][1]:g}"


def _drawn_by(node: Observation, name: str) -> str:
    """The value of an object that its length, or the thickness of its line, is."""
    if name == "length":
        return "width" if node.size[0] >= node.size[1] else "height"
    if not thickness(node):
        raise UnrenderError(f"The {called(node)} is not drawn with a line; make it larger or smaller.")
    return "height" if is_bar(node) else "thickness"


def _code(node: Observation, lighter: float = 0.0) -> str:
    """The colour of an object, or of the largest part of it, as a code; lighter by a share of the way to
    white, or darker by a negative one of the way to black."""
    leaves = [leaf for leaf in node.primitives if has_colour(leaf.attributes)]
    if not leaves:
        raise UnrenderError(f"The {called(node)} has no colour.")
    largest = max(leaves, key=lambda leaf: Outline.of(leaf).area)
    values = [largest.attributes[name] for name in RGB]
    values = [own + lighter * (1 - own if lighter > 0 else own) for own in values]
    return "#" + "".join(f"{round(255 * own):02x}" for own in values)
