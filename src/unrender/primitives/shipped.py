"""Machine code that comes with the package, so that a first picture need not wait for a compiler.

To compile the loops of seeing takes minutes, and their code is as large as one small network. So an archive
for each platform and Python lies beside this file. It is unpacked into the folder of kept code, where a loop
finds its own by the hash of all that it follows from: what has changed since, and all of it on another
machine or with another numba, is compiled as if there were no archive.
`python -m unrender.perception.warmup ship` makes it anew.
"""

from __future__ import annotations

import io
import json
import pickle
import platform
import sys
import tarfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np

FOLDER = Path(__file__).with_name("shipped")
MADE_BY = "made-by.json"
# What nearly every machine of a kind can do: the code is for that, not for the machine it was made on.
COMMON = {"x86_64": "x86-64-v3"}
ABILITIES = {"x86_64": ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sse4.2")}


def archive() -> Path:
    """The archive for this platform and Python, whether it is there or not."""
    tag = f"{sys.implementation.cache_tag}-{sys.platform}-{platform.machine()}"
    return FOLDER / f"{tag}.tar.xz"


def fits(made_by: dict[str, str]) -> bool:
    """Whether code that was made so runs in this process."""
    able = llvm.get_host_cpu_features()
    return made_by == _makers() and all(
        able.get(name, False) for name in ABILITIES.get(platform.machine(), ())
    )


def unpack(folder: Path) -> None:
    """Put the code that was shipped beside what is kept there, once for each archive."""
    from unrender.primitives.kept import digest, write

    source = archive()
    with suppress(OSError, tarfile.TarError, ValueError, EOFError):  # none for this machine, or a broken one
        told = source.stat()
        mark = folder / f"{digest(f'{told.st_size} {told.st_mtime_ns}')}.shipped"
        if mark.exists():
            return
        with tarfile.open(source) as files:
            if fits(json.loads(_read(files, files.next()))):
                for file in files:
                    if not (folder / file.name).exists():
                        write(folder / file.name, _read(files, file))
        mark.touch()


def pack(kept: Iterable[Path]) -> None:
    """Make the archive from files of kept code. What only the compiler of a caller needs is left out."""
    FOLDER.mkdir(exist_ok=True)
    with tarfile.open(archive(), "w:xz", preset=9) as files:
        _add(files, MADE_BY, json.dumps(_makers()).encode())
        for path in sorted(kept):
            (name, kind, (machine_code, _)), *told = pickle.loads(path.read_bytes())
            library = (name, kind, (_without_places(machine_code), b""))
            _add(files, path.name, pickle.dumps((library, *told)))


def names() -> set[str]:
    """The files of kept code that are in the archive."""
    with tarfile.open(archive()) as files:
        return set(files.getnames()) - {MADE_BY}


def _makers() -> dict[str, str]:
    """What the code of a loop follows from beside the loop, the platform and Python."""
    versions = {"numba": numba.__version__, "llvmlite": llvmlite.__version__}
    return versions | {"numpy": ".".join(np.__version__.split(".")[:2])}


def _without_places(machine_code: bytes) -> bytes:
    """What errors say about where they were raised begins with the folder of the packages here."""
    for module in (np.__file__, numba.__file__, str(Path(__file__).parent)):
        place = str(Path(module).parents[1]).encode()
        machine_code = machine_code.replace(place, b"." + b"/" * (len(place) - 1))
    return machine_code


def _read(files: tarfile.TarFile, file: tarfile.TarInfo | None) -> bytes:
    opened = None if file is None else files.extractfile(file)
    if opened is None:
        raise ValueError("not a file")
    return opened.read()


def _add(files: tarfile.TarFile, name: str, data: bytes) -> None:
    """Nothing but name and content: the same code is the same archive."""
    told = tarfile.TarInfo(name)
    told.size = len(data)
    files.addfile(told, io.BytesIO(data))


def common_machine() -> dict[str, str]:
    """What numba has to be told, as variables, to compile for every machine of this kind."""
    name = COMMON.get(platform.machine(), "generic")
    return {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""}
