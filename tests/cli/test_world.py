"""unrender world: the options that choose which objects there are."""

import json
from pathlib import Path

import pytest

from unrender.cli import main


def test_world_has_the_stations_and_the_damage_that_were_asked_for(tmp_path: Path) -> None:
    words = ["world", "asteroids", "-n", "4", "--stations", "1", "--ship-forms", "2", "--damaged", "1"]
    with pytest.raises(SystemExit, match="0"):
        main([*words, "-o", str(tmp_path)])
    axioms = [axiom for path in tmp_path.glob("*.json") for axiom in json.loads(path.read_text())["axioms"]]
    assert {"ship/1", "ship/2", "station/1"} <= {axiom["route"] for axiom in axioms}
    for axiom in axioms:
        if axiom["symbol"] == "ship":
            assert (axiom["attributes"]["damaged"] > 0) == (axiom["route"] == "ship/1")
            assert "thrusting" not in axiom["attributes"]
