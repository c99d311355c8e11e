"""What has to be told beside a measured figure: the machine, the versions and the commit."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from unrender import __version__

RESULTS = (":!docs/results.md", ":!docs/results")  # they change while benchmarks run


def machine() -> str:
    """Processor, cores that we may use, memory, and the versions of what computes."""
    gigabytes = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = [
        f"Python {platform.python_version()}",
        *(f"{own} {_version(own)}" for own in ("numpy", "numba", "onnxruntime")),
    ]
    cores = usable_cores()
    hardware = f"{_processor()}, {cores} core{'s' * (cores != 1)}, {gigabytes:.0f} GB"
    return f"{hardware}; {', '.join(versions)}, unrender {__version__}"


def usable_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    try:
        names = re.findall(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def commit_of(root: Path) -> str:
    """The commit of a checkout, and whether anything but the results differs from it."""
    commit = _git(root, "rev-parse", "--short=10", "HEAD")
    if commit is None:
        return "no commit"
    changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", *RESULTS)
    return f"commit {commit}{' with changes' if changed else ''}"


def _git(root: Path, *words: str) -> str | None:
    """What git says, or None where it says nothing of use."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
