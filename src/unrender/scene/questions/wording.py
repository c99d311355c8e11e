"""Other wordings of the same: short forms, tag questions, synonyms of nouns, inflected adjectives."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping

from unrender.scene.language.words import plural

_ASKING = "what|where|which|who|that|there|it|how|here"
_AFTERTHOUGHT = (
    "right|correct|true|yes|isn't (?:it|he|she)|aren't they|doesn't it|don't they|hasn't it|haven't they"
)
_REWRITTEN = (  # in this order
    (r"^\s*(?:and|but|so|well|ok|okay)\b,?\s+", ""),
    (r"^\s*stand\b", "put"),  # an order, as no question begins like this
    (r"\b(what|where|who|how|there)s\b", r"\1 is"),
    (r"\b(is|are|was|were|do|does|did|has|have|ca|could|would|should)nt\b", r"\1n't"),
    (rf"^\s*(.+),\s*(?:{_AFTERTHOUGHT})\W*$", r"is it true that \1"),
    (r"^\s*(the [^,?]+),\s*(do|does|are|is) (?:they|it) (.+)$", r"\2 \1 \3"),
    (r"^\s*how many ([^?]+) has (the|this|that) ([^?]+?)(?: got)?\W*$", r"how many \1 does \2 \3 have"),
    (r"can't\b", "can not"),
    (r"won't\b", "will not"),
    (r"n't\b", " not"),
    (rf"\b({_ASKING})'s\b", r"\1 is"),
    (r"\b(what|where|which|that|there)'re\b", r"\1 are"),
    (r"(\w)'s\b", r"\1 's"),
    (r"s'(?=\s)", "s 's"),
    (r"(?<=\d)\s*%", " percent"),
    (r"(?<=\d)\s*°", " degrees"),
    (r"(?<=\d)(px|degrees|pixels)\b", r" \1"),
    (r"(?<=\d)\.(?=\d)", "_"),
)
_SYNONYMS: Mapping[str, str] = {  # nouns for what somebody may have taught by another one
    "boat": "ship", "sailboat": "ship", "vessel": "ship",
    "automobile": "car", "auto": "car", "lorry": "truck", "bike": "bicycle", "aeroplane": "plane",
    "airplane": "plane", "building": "house", "hut": "house", "cottage": "house", "tyre": "wheel",
    "android": "robot", "puppy": "dog", "hound": "dog", "kitten": "cat", "kitty": "cat", "rock": "asteroid",
    "human": "person", "figure": "person", "bloom": "flower", "bush": "tree", "rucksack": "backpack",
}  # fmt: skip
_LOOKS: Mapping[str, str] = {"dot": "dot-sized filled circle"}  # nouns that say how a shape looks, too


def written_out(sentence: str) -> str:
    """A sentence in small letters with its short forms and afterthoughts written out."""
    for short, full in _REWRITTEN:
        sentence = re.sub(short, full, sentence)
    return sentence


def synonyms(known: Container[str]) -> dict[str, list[str]]:
    """What to read for nouns that are not known themselves, where what they mean is."""
    found: dict[str, list[str]] = {}
    for word, meant in _SYNONYMS.items():
        if word not in known and meant in known:
            found |= {word: [meant], plural(word): [plural(meant)]}
    for word, meant in _LOOKS.items():
        *before, shape = meant.split()
        if word not in known and shape in known:
            found |= {word: [*before, shape], plural(word): [*before, plural(shape)]}
    return found


def inflected(adjectives: Iterable[str]) -> dict[str, list[str]]:
    """The comparatives and superlatives of adjectives of one word: "happier" is "more happy"."""
    found: dict[str, list[str]] = {}
    for own in adjectives:
        if own.isalpha():
            for stem in _stems(own):
                found |= {f"{stem}er": ["more", own], f"{stem}est": ["most", own]}
    return found


def _stems(adjective: str) -> list[str]:
    if re.search("[^aeiou]y$", adjective):
        return [f"{adjective[:-1]}i"]
    if adjective.endswith("e"):
        return [adjective[:-1]]
    doubled = re.search("[^aeiou][aeiou][^aeiouwxy]$", adjective)
    return [adjective + adjective[-1], adjective] if doubled else [adjective]
