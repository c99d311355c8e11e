"""unrender learn: look at pictures with a person at the terminal, who answers what is asked about them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.sources import sources
from unrender.cli import INTERRUPTED
from unrender.cli.brains import LearningBrainOption, learning_brain, remove_empty
from unrender.cli.console import console
from unrender.cli.progress import ALL, SOME, ended_unread
from unrender.cli.reasons import brief
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from rich.console import Console

    from unrender.agent.question import Question
    from unrender.brain import Brain
    from unrender.scene import Scene

PROMPT = "> "
HELP = """\
  a word         what it is called, or how it looks; a known object gets another form, a new word is learned
  Enter          skip the question: these do not belong together
  parts 1,2,5    it is about these, by the numbers of "see"; also parts circle.1,square.*
  see            show everything that is seen in the picture, with numbers
  cause A.1      the word to come is A.1 a known object, A.2 a new one, B.1 a known attribute, B.2 a new one
  value 0.5      the word to come is an attribute, shown that much
  of ship        the word to come is an attribute of that object
                 (cause, value or of alone takes it back)
  next           leave this picture
  quit           stop; everything learned is kept"""


def learn(
    paths: Annotated[list[str], typer.Argument(metavar="IMAGES...", help="Pictures, folders or patterns.")],
    brain: LearningBrainOption = None,
) -> None:
    """Look at pictures one after the other and answer, in a word, what is asked about them.

    Every answer is kept at once in the brain file, which is made if it is not there, and so is how sure each
    part of a known object was. At a question, "?" tells all that can be said. Answers may also come from a
    file or a pipe, a line each.
    """
    wanted = [source for source in sources(paths) if not source.video]
    if not wanted:
        raise UnrenderError('Only pictures can be learned from; "unrender see" looks at videos.')
    ended_unread(wanted)
    path, found = learning_brain(brain), [source.path for source in wanted]

    import unrender

    existed = path.exists()
    with unrender.open(path) as opened:
        before, code = len(opened.lessons), 0
        talk = Talk(opened, console())
        try:
            talk.about(found)
        except EOFError:
            talk.screen.print()
        except KeyboardInterrupt:
            talk.screen.print()
            code = INTERRUPTED
        answers = sum(lesson.kind == "answer" for lesson in opened.lessons[before:])
    if not existed:
        remove_empty(path)
    told = f"{answers} answer{'' if answers == 1 else 's'} kept in {path}." if answers else "Nothing new."
    talk.screen.print(told, soft_wrap=True)
    raise typer.Exit(code or (0 if not talk.failed else ALL if talk.failed == len(found) else SOME))


class Talk:
    """What is said about pictures, and what is answered."""

    def __init__(self, brain: Brain, screen: Console) -> None:
        self.brain = brain
        self.screen = screen
        self.failed = 0  # pictures that could not be looked at

    def about(self, paths: Iterable[Path]) -> None:
        """Talk about one picture after the other; one that cannot be read is told and left out."""
        _complete(self.brain)
        for path in paths:
            try:
                with self.screen.status(f"Looking at {path}"):
                    scene = self.brain.see(path, remember=True)
                    scene.question  # noqa: B018  thought of while the person waits anyway
            except UnrenderError as error:
                self.failed += 1
                console(stderr=True).print(str(error), style="red", soft_wrap=True)
                continue
            self.screen.print(path.name, style="bold", soft_wrap=True)
            self._print(scene.describe())
            if not self._questions(scene):
                return

    def _questions(self, scene: Scene) -> bool:
        """Ask until there is nothing left to ask about a picture; False if the person wants to stop."""
        while (question := scene.question) is not None:
            turn = Turn(self.brain, self.screen, question)
            turn.ask()
            while not turn.over:
                turn.hear(self._read())
            if turn.stop or turn.leave:
                return not turn.stop
            scene = self.brain.see_again(scene)
            if turn.answered:
                self._print(scene.describe())
        return True

    def _read(self) -> str:
        """A line of the person, or of a file; EOFError where there are no more."""
        if sys.stdin.isatty():
            return input(PROMPT)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        self._print(PROMPT + line.rstrip("\n"))
        return line

    def _print(self, text: str, style: str | None = None) -> None:
        self.screen.print(text, style=style, soft_wrap=not self.screen.is_terminal)


class Turn:
    """One question, and what the person says to it until it is answered or skipped."""

    def __init__(self, brain: Brain, screen: Console, question: Question) -> None:
        self.brain = brain
        self.screen = screen
        self.question = question
        self.cause: str | None = None
        self.value: float | None = None
        self.symbol: str | None = None
        self.over = self.answered = self.leave = self.stop = False

    def ask(self) -> None:
        """The question, why it is asked, and what it is about."""
        from unrender.cli.tree import listed
        from unrender.scene.addresses import addresses

        meant = {id(part) for part in self.question.parts}
        self.screen.print()
        self.screen.print(str(self.question), style="bold", soft_wrap=not self.screen.is_terminal)
        if reasons := brief(self.question.reasons):
            self.screen.print(
                f"  because {'; '.join(reasons)}", style="dim", soft_wrap=not self.screen.is_terminal
            )
        self.screen.print(
            f"  I think it is {self.question.cause.value}; parts:",
            style="dim",
            soft_wrap=not self.screen.is_terminal,
        )
        for line in listed([one for one in addresses(self.question.scene) if id(one.node) in meant]):
            self.screen.print("  ", line, soft_wrap=not self.screen.is_terminal)

    def hear(self, text: str) -> None:
        """Do what one line says; a mistake is told, and the question stays open."""
        text = text.strip()
        order, _, rest = text.partition(" ")
        orders = {"cause": self._cause, "value": self._value, "of": self._of, "parts": self._parts}
        try:
            if text == "":
                self.brain.skip(self.question)
                self._say("Skipped.")
                self.over = True
            elif text == "?":
                self._say(HELP)
            elif text == "see":
                self._see()
            elif text in ("next", "quit"):
                self.over, self.leave, self.stop = True, text == "next", text == "quit"
            elif order in orders:
                orders[order](rest.strip())
            else:
                self._answer(text)
        except UnrenderError as error:
            self.screen.print(f"  {error}", style="red", soft_wrap=not self.screen.is_terminal)

    def _answer(self, word: str) -> None:
        from unrender.agent.question import Answer

        answer = Answer(word, self.cause, value=self.value, symbol=self.symbol)
        self._say(self.brain.answer(self.question, answer), "green")
        self.over = self.answered = True
        _complete(self.brain)

    def _cause(self, text: str) -> None:
        from unrender.agent.causes import Cause

        self.cause = Cause.of(text).value if text else None
        self._say(Cause(self.cause).question if self.cause else "Any cause, then.")

    def _value(self, text: str) -> None:
        try:
            value = float(text) if text else None
        except ValueError:
            value = -1.0
        if value is not None and not 0 <= value <= 1:
            raise UnrenderError(f'A value is a number from 0 to 1, like 0.5, not "{text}".')
        self.value = value
        self._say("No value, then." if value is None else "Which attribute has this value?")

    def _of(self, text: str) -> None:
        if text and self.brain.knows(text) is None:
            raise UnrenderError(f"[{text}] is not known yet, so it has no attributes.")
        self.symbol = text or None
        self._say(f"How does this {text} look?" if text else "Of whatever it resembles, then.")

    def _parts(self, text: str) -> None:
        from unrender.cli.teach import choose

        if not text:
            raise UnrenderError('Say which: parts 1,2,5 takes the numbers that "see" shows.')
        self.question = self.brain.ask_about(self.question.scene, choose(self.question.scene, text))
        self.ask()

    def _see(self) -> None:
        from unrender.cli.tree import show

        show(self.screen, self.question.scene, "this picture")

    def _say(self, text: str, style: str | None = None) -> None:
        self.screen.print(
            text if text.startswith("  ") else f"  {text}", style=style, soft_wrap=not self.screen.is_terminal
        )


def _complete(brain: Brain) -> None:
    """Complete known words with the tab key, where the terminal can."""
    try:
        import readline
    except ImportError:  # not on every system
        return
    attributes = (name for symbol in brain.symbols for name in brain.knows(symbol) or ())
    words = sorted({*brain.symbols, *attributes, "parts", "cause", "value", "of", "see", "next", "quit"})

    def complete(start: str, number: int) -> str | None:
        return next(iter([word for word in words if word.startswith(start)][number : number + 1]), None)

    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")
