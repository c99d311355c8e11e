"""docs/paper-map.md names real code, leaves out nothing of the paper, and has a test for each row."""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import reduce
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAP = ROOT / "docs" / "paper-map.md"
UNBUILT = {"nothing to build"}

# The paper itself is not in the repository: this is its table of contents.
SECTIONS = """
Introduction
Related Work
Generative Grammar
Neural-Symbolic Capsules
Routing-By-Agreement
Connecting Capsules
Training Capsules
Meta-Learning
Implementation, Results and Comparison
Conclusion and Outlook
""".strip().splitlines()

LABELS = [
    "eq:pixLayer",
    "eq:Inv",
    "eq:CapsuleInternals0",
    "eq:CapsuleInternals1",
    "eq:CapsuleInternals2",
    "eq:CapsuleInternals3",
    "eq:CapsuleInternals4",
    "eq:SemantsicAgreementFunction",
    "eq:memoryTrainingSet",
    "eq:OriginalTrainingSet",
    "eq:Gamma1",
    "eq:Gamma3",
    "eq:AugmentedTrainingSet",
    "fig:GrammarParseTree",
    "fig:reverseNode",
    "fig:CapsuleBlockDiagram",
    "fig:DanglingCaps",
    "fig:Results",
    "tab:decisionMatrix",
]

UNLABELLED = [
    "G = (S, V, Σ, R, A, C)",
    "Ω → λ",
    "(f(g(Q_j(χ))), Q_j(χ))",
    "γ^size",
    "γ = γ^old ⊕ γ^new",
    "training g with α^new",
    "training γ^new",
]


def rows() -> dict[str, str]:
    """The first and the last cell of every row of every table."""
    cells = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in MAP.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
    ]
    body = [row for row in cells if row[0] != "Paper" and set(row[0]) != {"-"}]
    assert all(len(row) == 3 for row in body)
    assert len({row[0] for row in body}) == len(body), "a row is there twice"
    return {row[0]: row[2] for row in body}


def marked_rows() -> Iterator[str]:
    """The rows that a test in tests/paper is marked for."""
    for path in (ROOT / "tests" / "paper").glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.paper":
                yield from (own.value for own in ast.walk(node) if isinstance(own, ast.Constant))


def test_every_row_that_names_code_has_a_test_during_which_the_package_runs_it() -> None:
    code = {entry for entry, where in rows().items() if re.search(r"`src/\S+` `", where)}
    assert sorted(marked_rows()) == sorted(code), "a row has no test, or two, or a test has no row"


@pytest.mark.parametrize("entry", SECTIONS + LABELS + UNLABELLED)
def test_every_section_equation_figure_and_table_is_in_the_map(entry: str) -> None:
    assert entry in rows()


@pytest.mark.parametrize(("entry", "where"), rows().items(), ids=rows())
def test_every_file_and_name_in_the_map_exists(entry: str, where: str) -> None:
    quoted = re.findall(r"`([^`]+)`", where)
    assert quoted or where in UNBUILT, (
        f'"{entry}" says neither where it is nor that there is nothing to build'
    )
    file = None
    for word in quoted:
        if "/" in word:
            file = ROOT / word
            assert file.is_file(), f"{word} does not exist"
            continue
        assert file is not None, f"`{word}` has no file before it"
        parts = file.relative_to(ROOT / "src").with_suffix("").parts
        module = importlib.import_module(".".join(parts))
        reduce(getattr, word.split("."), module)
