"""A file of JSON lines that says what is done, so that work which was stopped goes on where it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from unrender.batch.output import writing
from unrender.errors import UnrenderError

Entry = dict[str, Any]
START = b'{"image": '  # of every line


class Journal:
    """Lines are only ever added, those of one picture or video at once: whatever stops us, at most the last
    ones are torn. They are left out when the journal is opened again, as are those of what failed.

    An entry has `image`, the path of a picture; `made_by`, which must be the same in all of them; `error` if
    it failed; and for a frame of a video `frame` and, if all went well, `frames`, how many there are.
    """

    def __init__(
        self,
        path: Path,
        made_by: str,
        *,
        again: bool = False,
        holds: Callable[[Entry], bool] | None = None,
    ) -> None:
        """Go on with the journal at `path`, or begin it: `again` forgets what is in it. What an entry says is
        done only counts if it still `holds`."""
        self.path, self._made_by = path, made_by
        with writing(path):
            self._file = _locked(path)
        try:
            if again:
                with writing(path):
                    self._file.truncate(0)
            self.done, whole = self._finished(holds)
            if not whole:
                self._keep_finished()
        except BaseException:
            self._file.close()
            raise

    def add(self, image: str, entries: Iterable[Entry | str]) -> None:
        """Add all that is said of one picture or video; a `str` is the text of a JSON object."""
        head = {"image": image, "made_by": self._made_by}
        lines = [f"{joined(head, entry)}\n".encode() for entry in entries]
        with writing(self.path):
            self._file.write(b"".join(lines))
            self._file.flush()

    def close(self) -> None:
        """Let go of the file; an empty one is removed."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            if self.path.stat().st_size == 0:
                self.path.unlink()

    def _finished(self, holds: Callable[[Entry], bool] | None) -> tuple[set[str], bool]:
        """The pictures that are done, and whether the file holds nothing else."""
        done: set[str] = set()
        seen: set[str] = set()
        whole = True
        for entry in entries_of(self.path):
            if entry is None:
                whole = False
                continue
            if entry["made_by"] != self._made_by:
                raise UnrenderError(
                    f'"{self.path}" holds what was seen by {entry["made_by"]}, not by {self._made_by}; '
                    "choose another name with -o, or begin anew with --again."
                )
            seen.add(entry["image"])
            if _ends(entry) and (holds is None or holds(entry)):
                done.add(entry["image"])
        return done, whole and seen == done

    def _keep_finished(self) -> None:
        """Leave out the lines of all that is not done."""
        from unrender.exports.save import replacing

        with replacing(self.path) as file:
            for line in _lines(self.path):
                entry = _entry(line)
                if entry is not None and entry["image"] in self.done:
                    file.write(line)
        self._file.close()
        with writing(self.path):
            self._file = _locked(self.path)


def entries_of(path: Path) -> Iterator[Entry | None]:
    """What each line of a journal says; None for one that was torn. A file that is no journal is an error."""
    ours = False
    for line in _lines(path):
        entry = _entry(line)
        ours = ours or entry is not None or START.startswith(line) or line.startswith(START)
        if not ours:
            raise UnrenderError(
                f'"{path}" holds something else than what "unrender see" writes; choose another name with -o.'
            )
        yield entry


def joined(head: Entry, body: Entry | str) -> str:
    """The text of a JSON object with the keys of both."""
    text = body if isinstance(body, str) else json.dumps(body)
    return text if not head else f"{json.dumps(head)[:-1]}{', ' if len(text) > 2 else ''}{text[1:]}"


def _ends(entry: Entry) -> bool:
    """Whether this is the last that is said of a picture or video that went well."""
    frames = entry.get("frames")
    whole = "frame" not in entry or (frames is not None and entry["frame"] == frames - 1)
    return "error" not in entry and whole


def _lines(path: Path) -> Iterator[bytes]:
    with writing(path), path.open("rb") as file:
        yield from file


def _entry(line: bytes) -> Entry | None:
    """What a line says, if it is a whole one."""
    try:
        entry = json.loads(line) if line.endswith(b"\n") else None
    except (ValueError, RecursionError):
        return None
    named = isinstance(entry, dict) and all(isinstance(entry.get(key), str) for key in ("image", "made_by"))
    return entry if named else None


def _locked(path: Path) -> BinaryIO:
    """The file, to add to; nobody else may do so until it is closed. The lock is on the file itself, not on
    another one that would be left beside what a user has asked for."""
    file = path.open("ab")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise UnrenderError(f'Another "unrender see" is writing "{path}"; wait until it is done.') from None
    except (ImportError, OSError):  # a system or a disk without locks
        pass
    return file
