"""What can be said of a path before anything is imported to read what is there."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from unrender.errors import UnrenderError


def check_readable(path: Path) -> None:
    """Whether there is a file that may be read; else one sentence about what there is."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):  # the last for a null byte
        raise UnrenderError(f'There is no file "{path}".') from None
    except PermissionError:
        raise UnrenderError(f'"{path}" may not be read.') from None
    except OSError as error:
        raise UnrenderError(f'Cannot read "{path}": {error.strerror or error}.') from None
    if stat.S_ISDIR(mode):
        raise UnrenderError(f'"{path}" is a folder, not a picture.')
    if not stat.S_ISREG(mode):
        raise UnrenderError(f'"{path}" is not a file.')
    if not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        raise UnrenderError(f'"{path}" may not be read.')
