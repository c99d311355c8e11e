"""A Dask cluster that looks at pictures: they are sent to it, as is all that the brain knows, so that its
machines need nothing but unrender."""

from __future__ import annotations

import logging
import pickle
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import unrender
from unrender.batch.look import Errand, Report, View
from unrender.batch.resume import eyes
from unrender.batch.sources import Source
from unrender.batch.worker import SOON, Done, Parcel, work
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from distributed import Client, Future

    from unrender.memory import Snapshot

T = TypeVar("T")

REACHED = 5.0  # s: in which a scheduler must answer
PATIENCE = 30.0  # s: for a worker to come
COUNTED = 2.0  # s: after which the workers are counted again
AHEAD = 2  # loads under way for each thread of a worker: one is looked at, one is there already
LARGEST = 256 * 2**20  # bytes under way, unless a single file is larger
FULL = 2**22  # bytes, with which a load has enough
RETRIES = 2  # of what has failed for a reason that may pass


def spread(
    wanted: Sequence[Source],
    known: Snapshot | None,
    errand: Errand[T],
    address: str,
    max_seconds: float | None = None,
) -> Iterator[Report[T]]:
    """What `watch` gives, from a cluster, as it comes. Dask tries what a worker took with it on another one,
    by default on three of them; then its pictures are sent one by one, and one that fails so is given up."""
    with _connected(address) as client:
        yield from Dispatch(client, known, errand, max_seconds).reports(wanted)


@dataclass(frozen=True)
class Load:
    """Pictures on their way together: the cost of sending and scheduling is shared by them."""

    sources: list[Source]
    size: int  # bytes
    future: Future[Any]


class Dispatch(Generic[T]):
    """Sends pictures to the workers, never more than they can use soon, and takes back what they report."""

    def __init__(
        self, client: Client, known: Snapshot | None, errand: Errand[T], max_seconds: float | None
    ) -> None:
        self._client, self._errand, self._max_seconds = client, errand, max_seconds
        self._known = None if known is None else client.submit(bytes, pickle.dumps(known), key=_key(known))
        self._run = secrets.token_hex(8)  # keys of other runs are other keys
        self._loads: dict[str, Load] = {}
        self._sent = 0  # loads
        self._waiting: list[Source] = []  # the next one is the last
        self._suspects: set[Source] = set()  # have failed in company: one of them is to blame
        self._soon = 1  # how many pictures a worker has looked at `SOON`
        self._finished: SimpleQueue[str] = SimpleQueue()
        self._threads = 0
        self._counted = -COUNTED  # when
        self._manned = time.monotonic()  # when there last was a worker

    def reports(self, wanted: Sequence[Source]) -> Iterator[Report[T]]:
        """Of every picture and every frame."""
        self._waiting = list(reversed(wanted))
        while self._waiting or self._loads:
            self._count()
            while self._waiting and self._room():
                yield from self._send()
            if self._loads:
                yield from self._received()

    def _room(self) -> bool:
        if not self._loads:
            return True
        under_way = sum(load.size for load in self._loads.values())
        return len(self._loads) < AHEAD * self._threads and under_way < LARGEST

    def _send(self) -> Iterator[Report[T]]:
        """Send the next pictures on their way; the reports of those that cannot be read."""
        from unrender.scene.picture_file import read_file

        parcels: list[Parcel] = []
        for source in self._next():
            try:
                parcels.append((source, read_file(source.path)))
            except UnrenderError as error:
                yield Report(View(source), error=str(error))
            if sum(len(content) for _, content in parcels) >= FULL:
                break
        if parcels:
            self._submit(parcels)

    def _next(self) -> Iterator[Source]:
        """As many as are seen soon, but so few that all workers have some to the end. Videos, which take
        long, and suspects go alone."""
        fair = len(self._waiting) // max(1, AHEAD * self._threads)
        for count in range(max(1, min(self._soon, fair))):
            alone = self._waiting[-1].video or self._waiting[-1] in self._suspects
            if alone and count:
                return
            yield self._waiting.pop()
            if alone:
                return

    def _submit(self, parcels: list[Parcel]) -> None:
        self._sent += 1
        key = f"unrender-{self._run}-{self._sent}"
        retries = RETRIES if len(parcels) == 1 else 0  # those of many are tried again one by one
        future = self._client.submit(
            *(work, parcels, self._known, self._errand, eyes(), self._max_seconds),
            key=key,
            retries=retries,
            pure=False,
        )
        size = sum(len(content) for _, content in parcels)
        self._loads[key] = Load([source for source, _ in parcels], size, future)
        future.add_done_callback(lambda done: self._finished.put(done.key))

    def _received(self) -> Iterator[Report[T]]:
        """What the next ones to be done report; nothing if none are for a while. What has not been looked at
        waits again."""
        try:
            load = self._loads.pop(self._finished.get(timeout=COUNTED))
        except Empty:
            return
        done = self._result(load)
        self._waiting += reversed(load.sources[len(done) :])
        for reports in done:
            yield from reports

    def _result(self, load: Load) -> list[list[Report[T]]]:
        """The reports of each source, as far as they go."""
        from asyncio import CancelledError

        from distributed import KilledWorker

        try:
            done: Done = load.future.result()
        except (UnrenderError, KeyboardInterrupt):
            raise
        except ImportError as error:
            raise UnrenderError(
                f"The cluster cannot work for us ({error}); install unrender {unrender.__version__} on the "
                "machines of its scheduler and its workers."
            ) from None
        except KilledWorker as error:
            why = f"{error.allowed_failures + 1} workers died while they looked at it"
        except CancelledError:
            raise _gone() from None
        except Exception as error:
            why = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".")
        else:
            self._soon = max(1, int(SOON * len(done.reports) / done.seconds))
            return done.reports
        if len(load.sources) > 1:
            self._suspects.update(load.sources)
            return []
        (source,) = load.sources
        return [[Report(View(source), error=f'"{source.path}" was given up: {why}.')]]

    def _count(self) -> None:
        """See now and then how many can work; that nobody can is an error after a while."""
        now = time.monotonic()
        if now - self._counted < COUNTED:
            return
        try:
            self._threads = sum(self._client.nthreads().values())
        except (OSError, RuntimeError):
            raise _gone() from None
        self._counted = now
        if self._threads:
            self._manned = now
        elif now - self._manned > PATIENCE:
            raise UnrenderError(
                f'The cluster has had no worker for {PATIENCE:g} s; start one with "dask worker", and give '
                "the same command again."
            )


def _key(known: Snapshot) -> str:
    """The same for all who send the same. Dask moves it to each worker once, and if it is lost makes it
    again."""
    return f"unrender-brain-{known.fingerprint}"


def _gone() -> UnrenderError:
    return UnrenderError(
        "The connection to the scheduler was lost; what was seen is kept: give the same command again."
    )


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """Dask's client for the scheduler at `address`, which is let go of when the block is left."""
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise UnrenderError('A cluster needs two more packages: pip install "unrender[cluster]".') from None

    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told in our words
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": LARGEST}):
        try:
            client = Client(address, timeout=REACHED, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError):
            raise UnrenderError(
                f'No scheduler answers at "{address}"; start one with "dask scheduler", or mend the address, '
                "which is written like tcp://host:8786."
            ) from None
        try:
            yield client
        finally:
            with suppress(OSError, RuntimeError):
                client.close(timeout=REACHED)
