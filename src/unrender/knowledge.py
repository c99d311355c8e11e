"""Knowledge: the brain file, what was read from it, and how one lesson changes both."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.agent.agent_state import Mind, Record
    from unrender.agent.matrix import DecisionMatrix
    from unrender.capsules.network import Network
    from unrender.capsules.past import Observed
    from unrender.capsules.route import Route
    from unrender.film.verbs.verb import Verb
    from unrender.learning.objects.attribute import AttributeLesson
    from unrender.learning.objects.lesson import ObjectLesson
    from unrender.memory import LessonRecord, PastRecord, Snapshot, Store

MEMORY = ":memory:"
VERB = "verb"  # the kind of the records of verbs


@dataclass(frozen=True)
class Change:
    """One lesson before it is kept: the network after it, and which routes are new or gone."""

    kind: str
    title: str
    network: Network
    made: Sequence[Route]
    gone: Sequence[Route] = ()
    outcome: AttributeLesson | ObjectLesson | Verb | None = None
    new: bool = True  # whether there is anything to keep
    mind: Mind | None = None
    records: Sequence[Record] = ()
    told: str = ""

    def with_heirs(self) -> Change:
        """With all that is made of what is new, which inherits its attributes."""
        from unrender.learning.objects.inherit import inherit

        network, made = self.network, {route.name: route for route in self.made}
        for symbol in dict.fromkeys(route.symbol for route in self.made):
            network, heirs = inherit(network, symbol)
            made |= {route.name: route for route in heirs}
        return replace(self, network=network, made=list(made.values()))


Lesson = Callable[["Network", "Mind"], Change]  # from what is known when it is learned


class Knowledge:
    """The network and the mind of one brain file, always as new as the file.

    start: the decision matrix of a brain that has not been answered yet.
    """

    def __init__(self, path: str | os.PathLike[str], start: str | DecisionMatrix) -> None:
        if isinstance(start, str) and start not in ("paper", "empty"):
            raise UnrenderError(f'A decision matrix starts as in the "paper" or "empty", not {start!r}.')
        self._path = path
        self._start = start
        self._opened: Store | None = None
        self._network: Network | None = None
        self._mind: Mind | None = None
        self._last: LessonRecord | None = None  # the last lesson that network and mind know
        self._past: Mapping[int, PastRecord] = {}  # what is remembered, by the rank of the routes
        self._verbs: Mapping[str, dict[str, Any]] = {}  # the records of all verbs, by their keys
        if os.fspath(path) != MEMORY:
            self._store  # noqa: B018  a file that cannot be opened is told at once

    def recall(self, snapshot: Snapshot) -> None:
        """Of a throw-away: know what another brain file held at one instant, in place of all else."""
        from unrender.memory import Store

        self._opened, self._network = Store.holding(snapshot), None

    @property
    def network(self) -> Network:
        """The capsule network; a throw-away that nothing was taught knows the primitives only."""
        if self._opened is None and os.fspath(self._path) == MEMORY:
            from unrender.capsules.network import Network

            return Network({})
        return self._latest()[0]

    @property
    def verbs(self) -> list[Verb]:
        """All verbs that were taught, by their keys."""
        if self._opened is None and os.fspath(self._path) == MEMORY:
            return []
        from unrender.film.verbs.verb import Verb

        self._latest()
        return [Verb.of(self._verbs[key]) for key in sorted(self._verbs)]

    @property
    def mind(self) -> Mind:
        """What the agent keeps beside the network."""
        if self._opened is None and os.fspath(self._path) == MEMORY:
            from unrender.agent.agent_state import Mind

            return Mind.of({}, self._first_matrix())
        return self._latest()[1]

    @property
    def lessons(self) -> tuple[LessonRecord, ...]:
        """All lessons, the oldest first."""
        return self._store.read().lessons

    def change(self, lesson: Lesson) -> Change:
        """Make one lesson of what is known now. Should another process be quicker, think again."""
        while True:
            network, mind = self._latest()
            known = self._last
            change = lesson(network, mind).with_heirs()
            if not change.new:
                return change
            try:
                self._keep(change, network, known)
            except _OvertakenError:
                self._network = None
                continue
            self._mind = change.mind or mind
            return change

    def remember(self, seen: Observed) -> None:
        """Add the p of parts that were observed to their past mean: one transaction, but no lesson."""
        from unrender.capsules.past import by_rank, with_past

        while True:
            network = self.network
            found = by_rank(network, seen)
            if not found:
                return
            held = self._store.remember(found, after=self._last)
            if held is not None:
                self._past = {**self._past, **held}
                # None if a lesson was learned on another thread
                self._network = with_past(network, self._past) if self._network is network else None
                return
            self._network = None  # another process was quicker with a lesson

    def check_remembers(self) -> None:
        """An error if nothing can be remembered, for the file is read-only."""
        if self._opened is not None:
            self._opened.check_writable("remembered")

    def undo(self) -> LessonRecord:
        """Take back the last lesson."""
        lesson = self._store.undo()
        self._network = None
        return lesson

    def close(self) -> None:
        """Let go of the file."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def __str__(self) -> str:
        """The file, and how much it holds, in a few words."""
        name = os.path.basename(os.fspath(self._path)) or os.fspath(self._path)
        if self._opened is None and os.fspath(self._path) != MEMORY:
            return f"{name}, closed"
        try:
            held = None if self._opened is None else self._opened.read()
        except UnrenderError:
            return f"{name}, which cannot be read"
        symbols, lessons = (0, 0) if held is None else (len(held.symbols), len(held.lessons))
        return f"{name}, {symbols} symbol{'s' * (symbols != 1)}, {lessons} lesson{'s' * (lessons != 1)}"

    @property
    def _store(self) -> Store:
        if self._opened is None:
            from unrender.memory import Store

            self._opened = Store.open(self._path)
        return self._opened

    def _latest(self) -> tuple[Network, Mind]:
        """Network and mind of one instant, read again when another process has changed the file."""
        if self._network is None or self._mind is None or self._store.changed():
            from unrender.agent.agent_state import Mind
            from unrender.capsules.past import with_past
            from unrender.capsules.recall import network_of
            from unrender.memory.past import past_of

            snapshot = self._store.read()
            last = snapshot.lessons[-1] if snapshot.lessons else None
            self._past = past_of(snapshot)
            self._verbs = snapshot.records.get(VERB, {})
            if self._network is not None and self._mind is not None and last == self._last:
                self._network = with_past(self._network, self._past)  # nothing but that is new
                return self._network, self._mind
            self._network = with_past(network_of(snapshot), self._past)
            self._mind, self._last = Mind.of(snapshot.records, self._first_matrix()), last
        return self._network, self._mind

    def _first_matrix(self) -> DecisionMatrix:
        from unrender.agent.matrix import DecisionMatrix

        if isinstance(self._start, str):
            return DecisionMatrix.paper() if self._start == "paper" else DecisionMatrix()
        return self._start

    def _keep(self, change: Change, before: Network, known: LessonRecord | None) -> None:
        """Write one lesson about the network `before`, as the lesson `known` left it; only when it is safe on
        disk is it known."""
        from unrender.capsules.past import with_past
        from unrender.capsules.recall import record_of
        from unrender.memory import SymbolRecord

        details = {"routes": [route.name for route in change.made]}
        with self._store.lesson(change.kind, change.title, details) as lesson:
            if lesson.before != known:  # what others remember meanwhile is no lesson, and does not matter
                raise _OvertakenError
            for route in change.gone:
                lesson.retire_route(route.symbol, route.number)
            for symbol in dict.fromkeys(route.symbol for route in change.gone):
                if symbol not in change.network.capsules:
                    lesson.retire_symbol(symbol)
            for route in change.made:
                lesson.put_symbol(SymbolRecord(route.symbol, change.network.capsules[route.symbol].names))
                lesson.put_route(record_of(route))
            for kind, key, body in change.records:
                if body is None:
                    lesson.retire_record(kind, key)
                else:
                    lesson.put_record(kind, key, body)
            ranks = [{route.learned for route in own.routes} for own in (before, change.network)]
            for rank in ranks[0] ^ ranks[1]:  # routes that are gone, and new ones, which may get their ranks
                lesson.drop_past(rank)
        self._past = {rank: past for rank, past in self._past.items() if rank in ranks[0] & ranks[1]}
        told = {key: body for kind, key, body in change.records if kind == VERB}
        kept = {key: body for key, body in self._verbs.items() if key not in told}
        self._verbs = kept | {key: body for key, body in told.items() if body is not None}
        self._network, self._last = with_past(change.network, self._past), lesson.record


class _OvertakenError(Exception):
    """Another process has taught something since we looked."""
