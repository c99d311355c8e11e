"""What the README shows works as it stands there."""

import os
import re
from pathlib import Path

from unrender import Grammar

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", README, re.MULTILINE | re.DOTALL)


def test_the_first_lines_of_code_run_and_draw_a_house() -> None:
    code = blocks("python")[0]
    assert sum(bool(line.strip()) for line in code.splitlines()) == 3
    names: dict[str, object] = {}
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        exec(code, names)
    finally:
        os.chdir(before)
    pixels = names["pixels"]
    assert pixels.shape == (84, 84, 3)  # type: ignore[attr-defined]
    assert pixels.any()  # type: ignore[attr-defined]


def test_the_grammar_shown_is_a_grammar() -> None:
    (text,) = blocks("text")
    assert Grammar.parse(text).axiom == "house"


def test_the_commands_of_make_exist() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE))
    assert {"demo", "test"} <= named <= set(targets)


def test_every_picture_and_link_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert links
    assert all((ROOT / link).is_file() for link in links)
