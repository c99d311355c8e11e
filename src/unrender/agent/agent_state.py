"""What the agent keeps beside the network: the decision matrix, and what it was told not to ask about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unrender.agent.matrix import DecisionMatrix
from unrender.agent.question import Question
from unrender.agent.question_selection import kinds_key
from unrender.agent.remedies import Resolved
from unrender.errors import UnrenderError

Record = tuple[str, str, dict[str, Any] | None]  # kind, key and body, as the brain file keeps them; None goes
MOST = 1 << 53  # answers that can be counted
MATRIX, DECLINED, QUESTION = "matrix", "declined", "question"


@dataclass(frozen=True)
class Mind:
    """It never changes: an answer makes a new one, and the records that keep it."""

    matrix: DecisionMatrix
    declined: frozenset[str] = field(default_factory=frozenset)
    asked: int = 0  # questions so far

    @classmethod
    def of(cls, records: Mapping[str, Mapping[str, Any]], start: DecisionMatrix) -> Mind:
        """From the records of a brain file; `start` is the matrix of one that has not been asked yet."""
        try:
            kept = {name: [int(n) for n in body["counts"]] for name, body in records.get(MATRIX, {}).items()}
            rows = {name: (a, b, c, d) for name, (a, b, c, d) in kept.items()}
            if any(not 0 <= n < MOST for row in rows.values() for n in row):
                raise ValueError
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise UnrenderError("The decision matrix is damaged; restore the brain from a copy.") from None
        matrix = DecisionMatrix(rows) if rows else start
        return cls(matrix, frozenset(records.get(DECLINED, {})), len(records.get(QUESTION, {})))

    def with_answer(
        self, question: Question, meant: Resolved, features: Sequence[str]
    ) -> tuple[Mind, list[Record]]:
        """After an answer about parts with these features, and what is to be kept of it."""
        matrix = self.matrix.with_answer(features, meant.cause)
        body = self._body(question) | {"answer": meant.name, "cause": meant.cause.value, "value": meant.value}
        records: list[Record] = [(QUESTION, str(self.asked + 1), body)]
        records += [(MATRIX, name, {"counts": list(row)}) for name, row in matrix.rows.items()]
        return replace(self, matrix=matrix, asked=self.asked + 1), records

    def with_skip(self, question: Question) -> tuple[Mind, list[Record]]:
        """After a question was skipped: parts of these kinds do not belong together by themselves."""
        key = kinds_key(part.symbol for part in question.parts)
        body = self._body(question) | {"answer": None}
        records: list[Record] = [(QUESTION, str(self.asked + 1), body), (DECLINED, key, {})]
        return replace(self, declined=self.declined | {key}, asked=self.asked + 1), records

    def with_symbol(self, old: str, new: str | None) -> tuple[Mind, list[Record]]:
        """After a symbol was given another name, or was forgotten."""
        told: dict[str, str | None] = {}
        for key in sorted(self.declined):
            kinds = key.split("+")
            if old in kinds:
                told[key] = new and kinds_key(new if kind == old else kind for kind in kinds)
        kept = {key for key in told.values() if key is not None}
        records: list[Record] = [(DECLINED, key, None) for key in told]
        records += [(DECLINED, key, {}) for key in sorted(kept)]
        return replace(self, declined=self.declined - told.keys() | kept), records

    def _body(self, question: Question) -> dict[str, Any]:
        return {
            "question": str(question),
            "asked": question.cause.value,
            "features": list(question.features),
            "parts": [part.symbol for part in question.parts],
        }
