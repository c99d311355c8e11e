"""Damage, as strategies of hypothesis: to bytes, to text, and to the values of a JSON document.

Each is a list of small steps, so that hypothesis can say with how few of them something breaks.
"""

from __future__ import annotations

import copy
import struct
from collections.abc import Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

Long = TypeVar("Long", bytes, str)
Step = tuple[str, int, int, Any]  # what, where, how much of it, with what

PLACES = st.integers(0, 64) | st.integers(0, 1 << 20)  # headers are where the damage is worst
LENGTHS = st.sampled_from([1, 2, 4, 8, 64, 512])
NUMBERS = [0, 1, 7, 8, 15, 127, 128, 255, 256, 4096, 32767, 32768, 65535, 1 << 24, (1 << 31) - 1, 1 << 31]
NUMBERS += [0xFFFFFFFF, 1 << 32, (1 << 63) - 1, (1 << 64) - 1]
FORMATS = ["B", "<H", ">H", "<I", ">I", "<Q", ">Q"]
SNIPPETS = [
    *(
        "\0",
        "\ud800",
        "\udfff",
        "\n",
        "\r",
        "\t",
        "\\",
        '"',
        "'",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ",",
        ".",
        "=",
    ),
    *(
        "+",
        "-",
        "*",
        "/",
        "^",
        "%s",
        "{0}",
        "1e999",
        "-1e999",
        "nan",
        "inf",
        "0",
        "1" * 400,
        "0x7f",
        "१२३",
        "²",
    ),
    *("é", "船", "İ", "ß", "\u202e", "\ufeff", "😀", " ", " " * 100, "a" * 5000, "(" * 1200, "[" * 1200),
    *("-" * 1200, "not " * 200, "../../etc/passwd", "<script>", "'; DROP TABLE lesson; --", "of the " * 50),
]


def _packed(number: int, form: str) -> bytes:
    size = 8 * struct.calcsize(form)
    return struct.pack(form, number % (1 << size))


odd_bytes = (
    st.builds(_packed, st.sampled_from(NUMBERS), st.sampled_from(FORMATS))
    | st.integers(0, 255).map(lambda value: bytes([value]))
    | st.binary(max_size=16)
)
odd_text = st.sampled_from(SNIPPETS) | st.text(max_size=8)


def damaged(whole: Long, steps: Sequence[Step]) -> Long:
    """`whole` after all steps, which wrap around where they point beyond its end."""
    for what, at, length, content in steps:
        i = at % (len(whole) + 1)
        before, after = whole[:i], whole[i:]
        match what:
            case "flip" if after:
                bit = 1 << length % 8
                flipped = chr(ord(after[0]) ^ bit) if isinstance(after, str) else bytes([after[0] ^ bit])
                whole = before + flipped + after[1:]  # type: ignore[operator]
            case "cut":
                whole = before
            case "drop":
                whole = before + after[length:]
            case "repeat":
                whole = before + after[:length] * 3 + after[length:]
            case "put":
                whole = before + content + after[len(content) :]
            case "insert":
                whole = before + content + after
            case "splice":
                whole = before + content[len(content) * (at % 97) // 97 :]
    return whole


def _steps(odd: st.SearchStrategy[Any], files: Sequence[Any]) -> st.SearchStrategy[list[Step]]:
    plain = st.tuples(st.sampled_from(["flip", "drop", "repeat", "cut"]), PLACES, LENGTHS, st.none())
    filled = st.tuples(st.sampled_from(["put", "insert"]), PLACES, st.just(0), odd)
    spliced = st.tuples(st.just("splice"), PLACES, st.just(0), st.sampled_from(files))
    return st.lists(plain | filled | filled | spliced, min_size=1, max_size=4)


def mutated(files: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Damaged files."""
    return st.builds(damaged, st.sampled_from(files), _steps(odd_bytes, files))


def mistyped(texts: Sequence[str]) -> st.SearchStrategy[str]:
    """Damaged texts."""
    return st.builds(damaged, st.sampled_from(texts), _steps(odd_text, texts))


def nested(depth: int, key: str | None = None) -> Any:
    """A list in a list, or an object in the list of an object, many times."""
    value: Any = []
    for _ in range(depth):
        value = [value] if key is None else [{key: value}]
    return value


numbers = st.sampled_from(
    [0, -1, 1, 0.5, 2, 1e-300, 1e300, -1e300, float("nan"), float("inf"), -float("inf"), 1 << 40, 10**400]
)
odd_values = (
    st.sampled_from([None, True, "", "x", "1", "\ud800", "\0", [], {}, [[]], [0], [1, 2, 3], {"": None}])
    | numbers
    | numbers
    | st.sampled_from(SNIPPETS)
    | st.sampled_from([50, 150]).map(nested)
)


def altered(value: Any, changes: Sequence[tuple[int, str, Any]]) -> Any:
    """A copy of a JSON value, with places in it replaced, removed, doubled or exchanged."""
    whole = [copy.deepcopy(value)]
    for at, how, odd in changes:
        places = list(_places(whole))
        holder, key = places[at % len(places)]
        if how == "replace" or holder is whole:
            holder[key] = copy.deepcopy(odd)  # or a value would stand in itself after a few steps
        elif how == "remove":
            del holder[key]
        elif how == "double" and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            other, there = places[(at * 7 + 3) % len(places)]
            other[there] = copy.deepcopy(holder[key])
    return whole[0]


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in lists and objects, without recursion."""
    found, left = [], [value]
    while left:
        own = left.pop()
        keys = list(own) if isinstance(own, dict) else range(len(own)) if isinstance(own, list) else ()
        for key in keys:
            found.append((own, key))
            left.append(own[key])
    return found


def alterations(odd: st.SearchStrategy[Any] = odd_values) -> st.SearchStrategy[list[tuple[int, str, Any]]]:
    """What `altered` does to a value."""
    how = st.sampled_from(["replace", "replace", "replace", "remove", "double", "copy"])
    return st.lists(st.tuples(st.integers(0, 1 << 16), how, odd), min_size=1, max_size=3)


def misshapen(values: Sequence[Any]) -> st.SearchStrategy[Any]:
    """JSON values that are not quite what they should be."""
    return st.builds(altered, st.sampled_from(values), alterations())
