"""Running a program on a scene graph, step by step."""

from __future__ import annotations

from collections.abc import Sequence

from unrender.scene.asking import program as ask
from unrender.scene.asking.answer import Answer, Step, Value
from unrender.scene.asking.choosing import Choosing
from unrender.scene.asking.filters import Extreme, Filter, Nearest, Phrase
from unrender.scene.asking.measures import told, value
from unrender.scene.asking.program import Program
from unrender.scene.outline import Outline, gap
from unrender.scene.words import listed


class Run(Choosing):
    """One execution."""

    def answer(self, program: Program) -> Answer:
        """What the program says about the scene."""
        found, text = self._result(program)
        return Answer(found, text, tuple(self.steps))

    def _result(self, program: Program) -> tuple[Value, str]:
        match program:
            case ask.Count(things):
                count = len(self.things(things))
                return count, str(count)
            case ask.CountIs(things, sign, wanted):
                return _yes(_compare(len(self.things(things)), sign, wanted))
            case ask.CountsCompare(things, sign, others):
                one, other = len(self.things(things)), len(self.things(others))
                signs = {"more": one > other, "fewer": one < other, "as many": one == other}
                return _yes(signs[sign])
            case ask.Check(subject, filters):
                return _yes(self._test(subject, filters))
            case ask.Which(things):
                nodes = self.things(things)
                return nodes, self.call(nodes) or "nothing"
            case ask.Choice(word, first, second):
                best = self.kept([self.only(first), self.only(second)], Extreme(word))
                self.note(f"the {word} one", best, 2)
                return best, self.call(best)
            case ask.Property(subject, name):
                return self._property(subject, name)
            case ask.Distance(subject, other):
                pixels = max(0.0, gap(Outline.of(self.only(subject)), Outline.of(self.only(other))))
                return pixels, f"{pixels:.1f} px"

    def _property(self, subject: Phrase, name: str) -> tuple[Value, str]:
        nodes = self.referents(subject)
        values = [value(node, name) for node in nodes]
        self.steps.append(Step(f"{name} of {self.call(nodes)}", listed([told(own, name) for own in values])))
        if len(nodes) == 1:
            return values[0], told(values[0], name)
        said = listed(list(dict.fromkeys(told(own, name) for own in values)))
        return said, said

    def _test(self, subject: Phrase, filters: Sequence[Filter]) -> bool:
        nodes = self.meant(subject)
        rivals = any(isinstance(own, (Extreme, Nearest)) for own in filters)
        kept = self.filtered(self.members if rivals else nodes, filters)
        fitting = [node for node in nodes if node in kept]
        return bool(fitting) if subject.quantity == "any" else len(fitting) == len(nodes)


def _yes(so: bool) -> tuple[bool, str]:
    return so, "yes" if so else "no"


def _compare(count: int, sign: str, wanted: int) -> bool:
    signs = {
        "exactly": count == wanted,
        "at least": count >= wanted,
        "at most": count <= wanted,
        "more than": count > wanted,
        "fewer than": count < wanted,
    }
    return signs[sign]
