"""Freely worded English: 100 questions and 40 edits about a few scenes, written before the grammar.

    python benchmarks/words.py [--half first]

`free_questions.toml` holds the scenes, the sentences and the truth about each, found by hand. What failed of
the sentences with an odd number (the first half) was looked at while the grammar was worked on; those with an
even number were asked when it was done. What is refused is right only where nothing can be known.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from report import Line, Table, parser, publish, run
from words_truth import edited, graph, told

from unrender import UnrenderError

SENTENCES = Path(__file__).with_name("free_questions.toml")
ABOUT = """Questions and edits in English as a person might put them, about scenes built by hand, with their
true answers. All are by the author of the grammar, written before it; what failed in the first half was
looked at while the grammar was worked on, the second half was asked when it was done."""
GOALS = {"questions": (0.8, 0.01), "edits": (0.85, 0.0)}  # right at least, wrong at most
VERDICTS = ("right", "wrong", "refused")


@dataclass(frozen=True)
class Case:
    """One sentence about one scene."""

    number: int  # from 1, of all questions or of all edits
    kind: str  # "questions" or "edits"
    scene: Mapping[str, Any]
    sentence: str
    truth: Mapping[str, Any]

    @property
    def half(self) -> str:
        """ "first" if it was looked at while the grammar was worked on."""
        return "first" if self.number % 2 else "second"

    def outcome(self) -> tuple[str, str]:
        """right, wrong or refused, and what was said or done."""
        scene, nodes = graph(self.scene)
        before = {name: node.to_dict() for name, node in nodes.items()}
        try:
            if self.kind == "questions":
                answer = scene.ask(self.sentence)
                return "right" if told(answer, self.truth, nodes) else "wrong", str(answer)
            done = scene.edit(self.sentence)
            return "right" if edited(scene, nodes, before, self.truth) else "wrong", str(done)
        except UnrenderError as error:
            expected = self.truth.get("unknown") or (self.kind == "edits" and not self.truth)
            return "right" if expected else "refused", str(error)


def cases() -> Iterator[Case]:
    """All sentences, in their order."""
    content = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    palette = content["palette"]
    for kind, key in (("questions", "ask"), ("edits", "say")):
        listed = [(block["on"], entry) for block in content[kind] for entry in block["list"]]
        for number, (on, entry) in enumerate(listed, start=1):
            truth = {name: value for name, value in entry.items() if name != key}
            yield Case(number, kind, content["scenes"][on] | {"palette": palette}, entry[key], truth)


def line(kind: str, name: str, results: list[str], goal: bool) -> Line:
    """How many sentences came out right, wrong and refused."""
    counts = Counter(results)
    right, wrong = (counts[verdict] / max(1, len(results)) for verdict in VERDICTS[:2])
    least, most = GOALS[kind]
    wanted = f"≥ {least:.0%} right, ≤ {most:.0%} wrong" if goal else ""
    more = {verdict: str(counts[verdict]) for verdict in VERDICTS}
    return Line(name, wanted, f"{right:.0%}", right >= least and wrong <= most if goal else None, more)


def main() -> None:
    options = parser(__doc__, "words")
    options.add_argument("--half", choices=("first", "second", "both"), default="both")
    options.add_argument("--show", action="store_true", help="print what is not right")
    given = options.parse_args()
    asked = [case for case in cases() if given.half in ("both", case.half)]
    if given.quick:
        asked = asked[::20]
    found = [(case, *case.outcome()) for case in asked]
    lines = []
    for kind in GOALS:
        for half in ("first", "second"):
            results = [verdict for case, verdict, _ in found if (case.kind, case.half) == (kind, half)]
            if results:
                lines.append(line(kind, f"{kind}, {half} half", results, goal=False))
        lines.append(
            line(kind, kind, [verdict for case, verdict, _ in found if case.kind == kind], goal=True)
        )
    for case, verdict, said in found:
        if given.show and verdict != "right":
            print(f"{case.number} {verdict}: {case.sentence} - {said} - {dict(case.truth)}")
    publish(given.out, "Words", ABOUT, Table(lines, "sentences", "right"))


if __name__ == "__main__":
    run(main)
