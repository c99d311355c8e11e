"""The four causes of an incomplete network (the paper's "Meta-Learning"), and what each asks for."""

from __future__ import annotations

from enum import StrEnum

from unrender.errors import UnrenderError


class Cause(StrEnum):
    """Why a scene has more than one observed axiom."""

    LACKING_ROUTE = "A.1"
    MISSING_CAPSULE = "A.2"
    LACKING_DATA = "B.1"
    MISSING_ATTRIBUTE = "B.2"

    @property
    def about_parts(self) -> bool:
        """Whether the remedy is a route (A) rather than an attribute (B)."""
        return self.value.startswith("A")

    @property
    def known_word(self) -> bool:
        """Whether the answer is a word that is known already."""
        return self.value.endswith("1")

    @property
    def question(self) -> str:
        """What the paper asks."""
        kind = "existing" if self.known_word else "new"
        if self.about_parts:
            return f"What {kind} symbol best describes these parts?"
        return f"What {kind} attribute best describes this style or pose?"

    @classmethod
    def of(cls, name: str) -> Cause:
        """The cause called "A.1", "a1" and so on."""
        wanted = str(name).strip().upper().replace(".", "")
        for cause in cls:
            if cause.value.replace(".", "") == wanted:
                return cause
        raise UnrenderError(f"{name!r} is not a cause; it is one of A.1, A.2, B.1 and B.2.")
