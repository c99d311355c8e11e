"""A stopwatch for the stages of `see` and `teach`, laid around the package's functions from outside."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from typing import Any

REST = "rest"
Stages = Mapping[str, Sequence[str]]  # functions, each by the module (or class) in which it is looked up

SEE: Stages = {
    "image model": ("unrender.perception.image.model:ImageModel.of",),
    "regions": ("unrender.perception.pipeline:divide",),
    "fits": ("unrender.perception.proposals.regions:whole", "unrender.perception.proposals.regions:partly"),
    "refine": (
        "unrender.perception.interpretation:Interpretation.refined",
        "unrender.perception.interpretation:Interpretation.refine_changed",
    ),
    "bits": ("unrender.perception.interpretation:Interpretation.gain",),
    "order": ("unrender.perception.interpretation:Interpretation.reorder",),
    "routing": ("unrender.capsules.network:Network.candidates",),
    "parse": ("unrender.capsules.network:parse",),
}
TEACH: Stages = {
    "lesson": ("unrender.learning.objects.lesson:learn",),
    "train g": ("unrender.learning.objects.regimes:REGIMES.frame",),
    "train γ of attributes": ("unrender.learning.objects.regimes:fit_noticer",),
    "inherit": ("unrender.learning.objects.inherit:inherit",),
    "store": ("unrender.knowledge:Knowledge._keep",),
}


class Stopwatch:
    """Seconds by stage. A stage inside another one counts for itself only."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._running: list[list[float]] = []  # per open stage: the seconds of the stages inside it

    def around(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""

        @wraps(function)
        def timed(*args: Any, **options: Any) -> Any:
            with self.running(stage):
                return function(*args, **options)

        return timed

    @contextmanager
    def running(self, stage: str) -> Iterator[None]:
        """Time one block."""
        inside = [0.0]
        self._running.append(inside)
        start = time.perf_counter()
        try:
            yield
        finally:
            whole = time.perf_counter() - start
            self._running.pop()
            self.seconds[stage] = self.seconds.get(stage, 0.0) + whole - inside[0]
            if self._running:
                self._running[-1][0] += whole


@contextmanager
def watched(stages: Stages) -> Iterator[Stopwatch]:
    """While the block runs, every function of every stage is timed; afterwards all is as it was."""
    watch, before = Stopwatch(), []
    try:
        for stage, names in stages.items():
            for name in names:
                holder, key = _find(name)
                function = _get(holder, key)
                before.append((holder, key, function))
                _put(holder, key, watch.around(stage, function))
        yield watch
    finally:
        for holder, key, function in reversed(before):
            _put(holder, key, function)


def breakdown(run: Callable[[], object], stages: Stages) -> dict[str, float]:
    """Seconds of every stage of one run, and of the rest."""
    with watched(stages) as watch, watch.running(REST):
        run()
    return {stage: watch.seconds.get(stage, 0.0) for stage in [*stages, REST]}


def _find(name: str) -> tuple[Any, str]:
    module, path = name.split(":")
    holder: Any = import_module(module)
    *outer, key = path.split(".")
    for attribute in outer:
        holder = getattr(holder, attribute)
    return holder, key


def _get(holder: Any, key: str) -> Any:
    return holder[key] if isinstance(holder, dict) else getattr(holder, key)


def _put(holder: Any, key: str, value: Any) -> None:
    if isinstance(holder, dict):
        holder[key] = value
    else:
        setattr(holder, key, value)
