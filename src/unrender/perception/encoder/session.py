"""The trained networks: one ONNX file for each primitive, loaded once, each run on the calling thread.

Files of the package's own primitives lie in `weights`; those of another package beside the file that
registers the primitive. A primitive without a file has no γ, and is found by the other proposals.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from unrender.errors import UnrenderError
from unrender.primitives.protocol import Primitive
from unrender.render.coverage import Floats

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

WEIGHTS = Path(__file__).parent / "weights"
INPUT, OUTPUT = "normalised", "estimates"

T = TypeVar("T")
R = TypeVar("R")


def home(primitive: Primitive) -> Path:
    """The folder in which the weights of a primitive are looked for."""
    module = primitive.field.__module__
    file = getattr(sys.modules.get(module), "__file__", None)
    return WEIGHTS if file is None or module.startswith("unrender.") else Path(file).parent


def weights_of(primitive: Primitive) -> Path | None:
    """The file with the network of a primitive; None if it has none."""
    path = home(primitive) / f"{primitive.name}.onnx"
    return path if path.exists() else None


def run(path: Path, pixels: Floats) -> Floats:
    """What the network in a file says of normalised pixels (3, H, W): (CHANNELS, H / 4, W / 4)."""
    found: Floats = _session(path).run([OUTPUT], {INPUT: pixels[None]})[0][0]
    return found


@lru_cache(maxsize=64)
def _session(path: Path) -> InferenceSession:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception:  # whatever its own errors are called
        raise UnrenderError(f'The weights in "{path}" are damaged; install the package again.') from None


def each(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """What the function gives for every item, on all cores that this process may use."""
    several, cores = list(items), _cores()
    if cores == 1 or len(several) == 1:
        return [function(item) for item in several]
    return list(_workers(os.getpid(), cores).map(function, several))


def _cores() -> int:
    """As many as OMP_NUM_THREADS says, which several processes side by side are told, or all."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isdigit() and int(told) > 0:
        return int(told)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@lru_cache(maxsize=1)
def _workers(process: int, count: int) -> ThreadPoolExecutor:
    """Threads of this very process: a fork has none of its parent's."""
    return ThreadPoolExecutor(count, "unrender-look")
