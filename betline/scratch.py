"""The temporary folder of a run: deleted when it ends, but for what somebody is told to look at."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from betline.options import UserError


@contextmanager
def scratch_folder(prefix: str, keep: str = "") -> Iterator[Path]:
    """A new folder, in which only what the pattern `keep` names is left at the end (nothing for an empty one).

    A UserError that names a path in the folder leaves all of it, since somebody is to read a log there.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield folder
    except UserError as error:
        if str(folder) not in str(error):
            _clear(folder, "")
        raise
    except BaseException:
        _clear(folder, keep)
        raise
    _clear(folder, keep)


def _clear(folder: Path, keep: str) -> None:
    kept = set(folder.glob(keep)) if keep else set()
    for path in folder.iterdir():
        if path in kept:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    with suppress(OSError):  # something was kept
        folder.rmdir()
