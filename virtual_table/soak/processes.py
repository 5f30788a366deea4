"""Memory and open files of a process, from /proc."""

from __future__ import annotations

import os
from pathlib import Path


def memory_mb(pid: int) -> float:
    """What is in memory of it (RSS); raises OSError for a process that is gone."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 2)


def handles(pid: int) -> int:
    """How many files, sockets and pipes it has open; raises OSError for a process that is gone."""
    return len(os.listdir(f"/proc/{pid}/fd"))
