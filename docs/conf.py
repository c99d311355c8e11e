"""How the documentation is built: `make docs`."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import unrender  # noqa: E402

project = "unrender"
release = version = unrender.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax"]
myst_enable_extensions = ["colon_fence", "dollarmath", "amsmath"]
myst_heading_anchors = 2
exclude_patterns = ["generated/*.md"]  # they are included in pages
html_theme = "furo"
html_title = "unrender"
html_show_copyright = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
suppress_warnings = ["myst.header"]  # included pieces begin with their own level


def make_pictures(app: Sphinx) -> None:
    """Draw every picture of the pages with the project itself, and write down the help of all commands."""
    from commands import write_commands
    from figures import draw_all

    folder = HERE / "generated"
    folder.mkdir(exist_ok=True)
    draw_all(folder)
    write_commands(folder / "commands.md")


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", make_pictures)
