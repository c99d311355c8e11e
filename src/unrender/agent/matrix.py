"""The decision matrix (Table decisionMatrix): which features have come with which cause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from unrender.agent.causes import Cause

Row = tuple[int, int, int, int]
CAUSES = tuple(Cause)

PAPER: Mapping[str, Row] = {
    "same parent": (4, 3, 14, 12),
    "not the same parent": (5, 19, 1, 0),
    "parts tracked": (14, 1, 17, 12),
    "one attribute never seen": (1, 0, 12, 2),
    "pose only": (4, 3, 13, 10),
    "more than half": (12, 14, 4, 4),
}
"""The counts of the paper's table."""


@dataclass(frozen=True)
class DecisionMatrix:
    """Past decisions of the oracle, by feature. It never changes: an answer makes a new one."""

    rows: Mapping[str, Row] = field(default_factory=dict)

    @classmethod
    def paper(cls) -> DecisionMatrix:
        """As trained in the paper."""
        return cls(dict(PAPER))

    def votes(self, features: Iterable[str]) -> dict[Cause, int]:
        """The sums of the rows of these features, the largest first; of equals, what asks for less first."""
        rows = [self.rows.get(name, (0, 0, 0, 0)) for name in features]
        sums = {cause: sum(row[i] for row in rows) for i, cause in enumerate(CAUSES)}
        order = (Cause.MISSING_CAPSULE, Cause.LACKING_ROUTE, Cause.MISSING_ATTRIBUTE, Cause.LACKING_DATA)
        return {cause: sums[cause] for cause in sorted(order, key=lambda cause: -sums[cause])}

    def decide(self, features: Iterable[str]) -> Cause:
        """The cause with the largest sum."""
        return next(iter(self.votes(features)))

    def with_answer(self, features: Iterable[str], cause: Cause) -> DecisionMatrix:
        """The matrix after the oracle has named the cause where these features were true."""
        rows, column = dict(self.rows), CAUSES.index(cause)
        for name in features:
            old = rows.get(name, (0, 0, 0, 0))
            grown = [count + (i == column) for i, count in enumerate(old)]
            rows[name] = (grown[0], grown[1], grown[2], grown[3])
        return DecisionMatrix(rows)

    def telling(self) -> list[str]:
        """The features, those that tell most about the cause first."""

        def lead(name: str) -> float:
            first, second, *_ = sorted(self.rows[name], reverse=True)
            return (first - second) / (sum(self.rows[name]) + len(CAUSES))

        return sorted(self.rows, key=lambda name: (-lead(name), name))

    def __str__(self) -> str:
        width = max([len("feature"), *map(len, self.rows)])
        lines = [f"{'feature':<{width}}" + "".join(f"{cause:>6}" for cause in CAUSES)]
        for name in self.telling():
            lines.append(f"{name:<{width}}" + "".join(f"{count:>6}" for count in self.rows[name]))
        return "\n".join(lines)
