"""English for the words of a grammar: symbols are nouns, attributes adjectives, or verbs where they change.

The paper's "Lexical Interpretation": the value of an attribute is the adverb that goes with it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence

from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES, STYLE_NAMES, one_colour
from unrender.scene.language.colours import colour

SAID, SLIGHT, STRONG = 0.1, 0.35, 0.75
"""Values of an attribute: nothing is said below the first; then "slightly", plain, and "very"."""
THIN, THICK = 0.06, 0.2  # of an outline, as a share of the shorter side
RGB = COLOUR_NAMES
DOT = 0.05  # of a period: what is painted less is a dot
SHAPE = ("corner", "cap", "mitre", "start", "sweep", "dash", "period")  # that say how a primitive is formed
BASIC = frozenset((*STYLE_NAMES, *SHAPE))  # attributes that have words of their own

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

_IRREGULAR = {
    "child": "children",
    "die": "dice",
    "foot": "feet",
    "goose": "geese",
    "louse": "lice",
    "mouse": "mice",
    "man": "men",
    "woman": "women",
    "ox": "oxen",
    "person": "people",
    "quiz": "quizzes",
    "tooth": "teeth",
    "cactus": "cacti",
    "nucleus": "nuclei",
    "radius": "radii",
    "criterion": "criteria",
    "phenomenon": "phenomena",
    "vertex": "vertices",
    "matrix": "matrices",
    "lens": "lenses",
}
# words of a kind, as patterns
_UNCHANGED = "sheep|fish|deer|moose|bison|salmon|trout|offspring|chassis|.*craft"
_F_TO_VES = "calf|elf|half|hoof|knife|leaf|life|loaf|scarf|self|sheaf|shelf|thief|wife|wolf"
_O_TO_OES = "echo|hero|potato|tomato|torpedo|volcano|mosquito"
_HARD_CH = "eunuch|monarch|patriarch|stomach"
_NOT_MEN = "caiman|german|human|norman|ottoman|roman|shaman|talisman"


def noun(name: str) -> str:
    """A symbol as a compound noun: "belt-scene" reads "belt scene"."""
    return re.sub(r"[-_\s]+", " ", name).strip() or "thing"


def plural(noun: str) -> str:
    """Several of them; of a compound noun the last word changes: "belt scenes"."""
    first, blank, last = noun.rpartition(" ")
    return first + blank + _plural_word(last)


def _plural_word(word: str) -> str:
    small = word.lower()
    if not unicodedata.name(word[-1:] or " ", "").startswith("LATIN"):
        return word  # English has no ending for the words of other scripts
    if word.isupper() or len(word) == 1:
        return word + "s"
    if small in _IRREGULAR:
        return word[0] + _IRREGULAR[small][1:]
    if re.fullmatch(_UNCHANGED, small) or re.search("[^aious]s$", small):
        return word  # what ends like "stairs" or "series" is many already
    if small.endswith("man") and not re.fullmatch(_NOT_MEN, small):
        return word[:-2] + "en"
    if re.fullmatch(_F_TO_VES, small):
        return re.sub("fe?$", "ves", word)
    if re.search("[sx]is$", small):  # axis, basis
        return word[:-2] + "es"
    if re.search("([^aeiou]|qu)y$", small):
        return word[:-1] + "ies"
    hissing = re.search("(s|x|z|ch|sh)$", small) and not re.fullmatch(_HARD_CH, small)
    return word + ("es" if hissing or re.fullmatch(_O_TO_OES, small) else "s")


def article(phrase: str) -> str:
    """ "a" or "an", by the sound that `phrase` begins with: an hour, a unicorn, an 8-sided die, an étoile."""
    plain = "".join(c for c in unicodedata.normalize("NFD", phrase) if not unicodedata.combining(c))
    start = re.match(r"[0-9]+|[A-Za-z]+", plain.lstrip("\"'( "))
    word = start.group() if start else ""
    return "an" if _vowel_sound(word) else "a"


def _vowel_sound(word: str) -> bool:
    if word.isdigit():  # eight, eleven, eighteen, eleven thousand, ...
        return word[0] == "8" or (word[:2] in ("11", "18") and len(word) % 3 == 2)
    small = word.lower()
    spelled = len(word) == 1 or (word.isupper() and (len(word) <= 3 or small[1] not in "aeiouy"))
    if spelled:
        return small[0] in "aefhilmnorsx"
    if re.match("hour|heir|honest|hono", small):
        return True
    if re.match(r"eu|ewe|on(e|es|ce|eself)$|ouija|u[bcfhjkqrst][aeiou]|uni(?!n|m|dent)", small):
        return False
    return small[:1] in tuple("aeiou")


def with_article(phrase: str) -> str:
    """ "an asteroid"."""
    return f"{article(phrase)} {phrase}"


def number(n: int) -> str:
    """In letters up to twelve."""
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def ordinal(n: int) -> str:
    """ "first" for 1."""
    if 1 <= n <= len(ORDINALS):
        return ORDINALS[n - 1]
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def counted(n: int, noun: str) -> str:
    """ "one circle", "three circles", "40 circles"."""
    return f"{number(n)} {noun if n == 1 else plural(noun)}"


def all_of(n: int, noun: str) -> str:
    """ "both ships", "all three asteroids"."""
    return f"both {plural(noun)}" if n == 2 else f"all {counted(n, noun)}"


def listed(items: Sequence[str]) -> str:
    """ "a, b and c"; with one more comma where an item has an "and" of its own."""
    *first, last = items or [""]
    comma = "," if any(" and " in item for item in items) else ""
    return f"{', '.join(first)}{comma} and {last}" if first else last


def sentence(text: str, end: str = ".") -> str:
    """With a capital letter and a full stop."""
    return text[:1].upper() + text[1:] + end


def adverb(value: float) -> str | None:
    """How much: "slightly", "" (plainly so) or "very"; None where nothing is said."""
    if value < SAID:
        return None
    return "slightly" if value < SLIGHT else "" if value < STRONG else "very"


def adjective(attribute: str, value: float) -> str:
    """ "slightly damaged", "very wooden"; "" where nothing is said."""
    if attribute == "filled":
        return "filled" if value >= 0.5 else "outlined"
    if attribute == "thickness":
        return "thin" if value < THIN else "thick" if value > THICK else ""
    degree = adverb(value)
    return "" if degree is None else f"{degree} {noun(attribute)}".lstrip()


def is_verb(attribute: str, verbs: Collection[str] = ()) -> bool:
    """Whether an attribute changes over time: it is one of `verbs`, or its name says so ("thrusting")."""
    return attribute in verbs or bool(re.search("[aeiouy].*ing$", noun(attribute)))


def participle(verb: str) -> str:
    """The form after "is": "walking" for "walk"."""
    verb = noun(verb)
    if re.search("[aeiouy].*ing$", verb):
        return verb
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if re.search("[^eoy]e$", verb):
        return verb[:-1] + "ing"
    doubled = re.fullmatch("[^aeiou]*[aeiou][^aeiouwxy]", verb)
    return verb + (verb[-1] if doubled else "") + "ing"


def doing(attribute: str, value: float) -> str:
    """A time-dependent attribute after "is": "thrusting slightly"; "" where nothing is said."""
    degree = adverb(value)
    if degree is None:
        return ""
    return f"{participle(attribute)} {'strongly' if degree == 'very' else degree}".rstrip()


def looks(attributes: Mapping[str, float], verbs: Collection[str] = ()) -> list[str]:
    """What may follow "is": styles, doings, colour, outline: ["slightly damaged", "red", "filled"]."""
    said = styles(attributes, verbs) + doings(attributes, verbs)
    if has_colour(attributes):
        said.append(colour(*shown(attributes)))
    if "filled" in attributes:
        said.append(_outline(attributes["filled"], attributes.get("thickness")))
    if edge := border(attributes):
        said[-1] = bordered(attributes["thickness"], edge)
    return said


def has_colour(attributes: Mapping[str, float]) -> bool:
    """Whether red, green and blue are all given."""
    return all(name in attributes for name in RGB)


def shown(attributes: Mapping[str, float]) -> tuple[float, float, float]:
    """The colour that tells what it looks like: of the inside; where only the stroke is painted, of that."""
    lines = attributes.get("filled", 1.0) <= 0 < attributes.get("thickness", 0.0)
    names = STROKE_NAMES if lines and STROKE_NAMES[0] in attributes else RGB
    red, green, blue = (attributes[name] for name in names)
    return red, green, blue


def border(attributes: Mapping[str, float]) -> str:
    """The name of the colour of a stroke around an inside of another colour; "" if there is none."""
    painted = min(attributes.get("filled", 0.0), attributes.get("thickness", 0.0)) > 0
    if not painted or not attributes.keys() >= {*RGB, *STROKE_NAMES} or one_colour(attributes):
        return ""
    return colour(*(attributes[name] for name in STROKE_NAMES))


def dashed(attributes: Mapping[str, float]) -> str:
    """ "dashed", or "dotted" if its dashes have no length; "" of a solid stroke."""
    dash = attributes.get("dash", 1.0)
    return "" if dash >= 1 else "dashed" if dash > DOT else "dotted"


def bordered(thickness: float, edge: str) -> str:
    """ "bordered in black", "thinly bordered in black"."""
    width = adjective("thickness", thickness)
    return (f"{width}ly " if width else "") + f"bordered in {edge}"


def _outline(filled: float, thickness: float | None) -> str:
    """ "filled", "outlined", "thinly outlined"."""
    width = "" if thickness is None or filled >= 0.5 else adjective("thickness", thickness)
    return (f"{width}ly " if width else "") + adjective("filled", filled)


def styles(attributes: Mapping[str, float], verbs: Collection[str] = ()) -> list[str]:
    """The adjectives of an object's own attributes, the strongest first; colour and outline left out."""
    own = _own(attributes)
    return [text for name in own if not is_verb(name, verbs) and (text := adjective(name, own[name]))]


def doings(attributes: Mapping[str, float], verbs: Collection[str] = ()) -> list[str]:
    """What an object is doing, by its time-dependent attributes, the strongest first."""
    own = _own(attributes)
    return [text for name in own if is_verb(name, verbs) and (text := doing(name, own[name]))]


def _own(attributes: Mapping[str, float]) -> dict[str, float]:
    own = [(name, value) for name, value in attributes.items() if name not in BASIC]
    return dict(sorted(own, key=lambda item: -item[1]))


def described(noun: str, attributes: Mapping[str, float], verbs: Collection[str] = ()) -> str:
    """ "slightly damaged red ship that is thrusting": a noun with its adjectives before it, verbs after."""
    before = ", ".join(styles(attributes, verbs))
    shade = colour(*shown(attributes)) if has_colour(attributes) else ""
    after = listed(doings(attributes, verbs))
    return " ".join(part for part in (before, shade, noun, after and f"that is {after}") if part)
