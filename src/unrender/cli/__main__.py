"""`python -m unrender.cli` is the command `unrender`."""

from unrender.cli import command

command()
