"""The tree of an earlier commit, as its users have it beside today's."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def tree_of(commit: str, folder: Path) -> Path:
    """Unpacks it in a folder; skips the test where the history is not there."""
    packed = folder / "tree.tar"
    with packed.open("wb") as output:
        done = subprocess.run(
            ["git", "-C", str(ROOT), "archive", commit], stdout=output, stderr=subprocess.DEVNULL, check=False
        )
    if done.returncode:
        pytest.skip("no git history with the earlier commit: a clone without depth has it")
    with tarfile.open(packed) as tree:
        tree.extractall(folder / "tree", filter="data")
    return folder / "tree"
