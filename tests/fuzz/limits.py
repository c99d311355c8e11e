"""What one case may take: seconds of work, and memory. Both are measured and enforced, not only believed."""

from __future__ import annotations

import faulthandler
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SECONDS = 10.0  # of processor time, so that a busy machine does not count
STUCK = 600.0  # seconds on the clock after which the whole process is ended, with a traceback
MEMORY = 3 << 29  # bytes that a case may add to what the process holds: with the package itself, 2 GB in all
REFUSED = 4 << 30  # bytes: more is not given out at all, so that the machine survives what we look for

_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


class OverLimitError(BaseException):
    """Too slow or too large. Not an Exception, so that nothing in the package catches it."""


@contextmanager
def limits() -> Iterator[None]:
    """Run what is within under the limits; the main thread only."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    old = signal.signal(signal.SIGPROF, _too_slow)
    _CLEAR.write_text("5")  # the peak begins anew, at what earlier work has left in this process
    held = peak()
    faulthandler.dump_traceback_later(STUCK, exit=True)
    resource.setrlimit(resource.RLIMIT_DATA, (REFUSED, before[1]))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_DATA, before)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, old)
    if (taken := peak() - held) > MEMORY:
        raise OverLimitError(f"{taken >> 20} MB of memory")


def peak() -> int:
    """The most resident memory since the limits began, in bytes."""
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) << 10


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise OverLimitError(f"more than {SECONDS:g} seconds")
