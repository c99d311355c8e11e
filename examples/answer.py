"""Lets a function answer what the brain asks about a picture: python answer.py"""

from pathlib import Path

import unrender


def oracle(question: unrender.Question) -> str | None:
    """A word, or None to leave the question open."""
    print(question)
    return "ship" if len(question.parts) == 5 else None


brain = unrender.open()
pictures = Path(__file__).parents[1] / "docs" / "pictures"
for exchange in unrender.attend(brain, pictures / "ship.png", oracle).exchanges:
    print(f"-> {exchange.reply}: {exchange.told}")
print(brain.see(pictures / "ship.png").describe())
