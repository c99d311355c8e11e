"""unrender demo: the two timelines of the paper's results, and the report about them."""

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import unrender
from unrender.cli.demo import tell
from unrender.cli.reasons import brief
from unrender.cli.story.images import colours, masks, pointed_at
from unrender.cli.story.scenes import asteroids, belts
from unrender.cli.story.tell import Plan
from unrender.cli.story.timeline import Timeline


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Timeline]]:
    """Both timelines with few pictures, and the folder they were written to."""
    folder = tmp_path_factory.mktemp("demo")
    return folder, tell(folder, Plan(asteroids=1, belts=1, fresh=1))


def causes(timeline: Timeline) -> list[tuple[str, str]]:
    """What was answered about the first pictures, before any belt, and the cause that it counted for."""
    asked = [one for step in timeline.steps[:3] for moment in step.moments[:1] for one in moment.asked]
    return [(one.word, one.cause.value) for one in asked]


def test_one_word_makes_a_ship_of_five_axioms(told: tuple[Path, list[Timeline]]) -> None:
    ship, again = told[1][0].steps[0].moments
    assert sorted(node.symbol for node in ship.first.axioms) == ["circle", "square", *["triangle"] * 3]
    assert [node.symbol for node in ship.scene.axioms] == ["ship"]
    assert again.understood


def test_the_first_timeline_goes_from_ship_to_belt_by_the_causes_of_the_paper(
    told: tuple[Path, list[Timeline]],
) -> None:
    assert causes(told[1][0]) == [
        ("ship", "A.2"),
        ("asteroid", "A.2"),
        ("asteroid", "A.1"),
    ]
    belt = [(one.word, one.cause.value) for one in told[1][0].steps[3].moments[0].asked]
    assert ("belt-scene", "A.2") in belt
    symbols = told[1][0].brain.symbols
    assert sorted(symbols) == ["asteroid", "belt-scene", "ship"]
    assert len(symbols["asteroid"]) >= 2


def test_the_second_timeline_has_booster_and_shuttle_first_and_a_word_for_a_style(
    told: tuple[Path, list[Timeline]],
) -> None:
    assert causes(told[1][1]) == [
        ("booster", "A.2"),
        ("shuttle", "A.2"),
        ("ship", "A.2"),
        ("asteroid", "A.2"),
        ("elongated", "B.2"),
    ]
    brain = told[1][1].brain
    assert sorted(brain.symbols["ship"][0].parts) == ["booster", "shuttle"]
    assert sorted(brain.symbols["booster"][0].parts) == ["square", "triangle", "triangle"]
    assert "elongated" in (brain.knows("asteroid") or ())
    booster = told[1][1].steps[0].moments[0].asked[0]
    assert booster.corrected is not None
    assert len(booster.question.parts) == 5


def test_every_answer_has_grown_the_matrix_in_its_own_column(told: tuple[Path, list[Timeline]]) -> None:
    for timeline in told[1]:
        for moment in timeline.moments:
            for asked in moment.asked:
                assert asked.after.rows != asked.before.rows


class Page(HTMLParser):
    """What a page refers to, and what it says."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag not in ("meta", "img", "source"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.sources += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_is_one_sound_file_that_needs_nothing_else(told: tuple[Path, list[Timeline]]) -> None:
    html = (told[0] / "report.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(html)
    assert page.open == []
    assert page.sources
    assert all(
        source.startswith(("data:image/png;base64,", "data:image/gif;base64,", "#"))
        for source in page.sources
    )
    assert not re.search(r"@import|url\((?!#)", html)
    for target in (source[1:] for source in page.sources if source.startswith("#")):
        assert f'id="{target}"' in html


def test_the_report_tells_questions_features_answers_and_matrices(told: tuple[Path, list[Timeline]]) -> None:
    page = Page()
    page.feed((told[0] / "report.html").read_text(encoding="utf-8"))
    for timeline in told[1]:
        for step in timeline.steps:
            assert step.title in page.text
            for asked in step.moments[0].asked:
                assert str(asked.question) in page.text
                assert asked.told in page.text
                assert all(reason in page.text for reason in brief(asked.question.reasons))
            assert step.moments[0].scene.describe() in page.text
    assert page.text.count("decision matrix, before and after") == sum(
        len(step.moments[0].asked) for timeline in told[1] for step in timeline.steps
    )


def test_a_film_is_explained_goes_on_and_is_told_without_one_body(told: tuple[Path, list[Timeline]]) -> None:
    page = Page()
    page.feed((told[0] / "report.html").read_text(encoding="utf-8"))
    assert sum(source.startswith("data:image/gif") for source in page.sources) == 3
    assert "Gravity pulls down with 260 px/s²." in page.text
    assert "the film cannot tell" in page.text  # nothing slides long enough to tell friction
    ahead, without = (float(px) for px in re.findall(r"off by ([\d.]+) px", page.text))
    assert ahead < 0.1 * 176
    assert without < 0.06 * 176
    for name in ("film", "ahead", "without"):
        ElementTree.parse(told[0] / f"{name}.svg")
    assert "RigidBody2D" in (told[0] / "world.tscn").read_text(encoding="utf-8")


def test_the_folder_holds_both_networks_both_brains_and_the_pictures(
    told: tuple[Path, list[Timeline]],
) -> None:
    folder, timelines = told
    for number, timeline in enumerate(timelines, 1):
        ElementTree.parse(folder / f"network-{number}.svg")
        with Image.open(folder / f"network-{number}.png") as image:
            assert image.width > image.height
        with unrender.open(folder / f"timeline-{number}.brain") as brain:
            assert set(brain.symbols) == set(timeline.brain.symbols)
    assert len(list((folder / "pictures").glob("*.png"))) == len(timelines[0].moments)
    for name in ("house.png", "house.grammar", "primitives.png", "seen.png"):
        assert (folder / name).stat().st_size > 0


def test_the_belts_that_are_tried_at_the_end_are_none_of_those_that_were_taught() -> None:
    taught, fresh = belts(), belts(seed=1)
    places = [
        {(round(x), round(y)) for x, y in (axiom.position for axiom in next(pictures).scene.axioms)}
        for pictures in (taught, taught, taught, fresh, fresh, fresh)
    ]
    assert all(not (one & other) for i, one in enumerate(places) for other in places[:i])


def test_of_several_thresholds_that_are_passed_the_last_is_told() -> None:
    assert brief(["off by more than 1", "nothing alike", "off by more than 2.5"]) == [
        "nothing alike",
        "off by more than 2.5",
    ]


def test_asteroids_of_one_form_are_of_that_form() -> None:
    picture = next(asteroids(form="asteroid/2"))
    assert picture.scene.axioms[0].route == "asteroid/2"


def test_masks_have_the_colours_of_their_nodes_and_what_is_asked_about_stands_out() -> None:
    scene = next(belts()).scene
    leaf = scene.primitives[-1]
    y, x = map(int, next(zip(*leaf.mask.nonzero(), strict=True)))
    assert tuple(masks(scene)[y, x]) == colours(scene)[id(leaf)]
    bright, dim = pointed_at(scene, [leaf])[y, x], pointed_at(scene, [])[y, x]
    assert bright.sum() > dim.sum()
