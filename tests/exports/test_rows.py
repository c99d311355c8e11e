"""A scene as a table for pandas, csv and the like."""

import csv
import io
import subprocess
import sys

import pandas as pd

from unrender import Scene

WITHOUT = """
import sys
sys.modules["pandas"] = None  # Python's own way to say that a module is not there
from unrender import Scene, UnrenderError
try:
    Scene(9, 9, []).to_dataframe()
except UnrenderError as error:
    print(error)
"""


def test_there_is_one_row_per_observation_with_the_same_keys(scene: Scene) -> None:
    rows = scene.rows()
    assert [row["symbol"] for row in rows] == [node.symbol for node in scene.observations]
    assert len({tuple(row) for row in rows}) <= 1
    for row, node in zip(rows, scene.observations, strict=True):
        assert (row["x"], row["y"], row["width"], row["height"]) == (*node.position, *node.size)
        assert (row["rotation"], row["p"], row["depth"]) == (node.rotation, node.p, node.depth)
        whole = None if row["parent"] is None else scene.observations[row["parent"]]
        assert whole is None or node in whole.parts
        assert (whole is None) == (node in scene.axioms)


def test_pandas_makes_a_table_of_it(nest: Scene) -> None:
    table = nest.to_dataframe()
    pd.testing.assert_frame_equal(table, pd.DataFrame(nest.rows()))
    assert len(table) == len(nest.observations)
    circles = table[table.symbol == "circle"]
    assert circles.width.sum() == 6 + 34 + 16
    assert table.red.dtype == float
    assert table["very <wet>"].notna().sum() == 1
    parts = table[table.parent == table.index[table.symbol == "eye"][0]]
    assert list(parts.symbol) == ["circle"] * 3


def test_an_attribute_that_is_called_like_a_column_has_a_column_of_its_own(nest: Scene) -> None:
    harbour = nest.rows()[0]
    assert (harbour["p"], harbour["attribute p"]) == (0.75, 0.2)


def test_the_rows_can_be_written_as_csv_and_read_again(nest: Scene, odd: str) -> None:
    rows, text = nest.rows(), io.StringIO(newline="")
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    text.seek(0)
    again = list(csv.DictReader(text))
    assert again[0]["symbol"] == odd
    assert [float(row["x"]) for row in again] == [row["x"] for row in rows]


def test_what_moves_has_its_velocity(nest: Scene) -> None:
    nest.axioms[0].velocity, nest.axioms[0].spin = (1.5, -2.0), 3.0
    first, second = nest.rows()[:2]
    assert (first["velocity x"], first["velocity y"], first["spin"]) == (1.5, -2.0, 3.0)
    assert (second["velocity x"], second["velocity y"], second["spin"]) == (None, None, None)


def test_a_scene_without_objects_is_an_empty_table_with_columns() -> None:
    table = Scene(9, 9, []).to_dataframe()
    assert len(table) == 0
    assert {"symbol", "x", "y", "parent"} <= set(table.columns)


def test_without_pandas_it_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip().endswith('install it with pip install "unrender[pandas]".')
