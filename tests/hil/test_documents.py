"""The blocks of shell that a page marks with `run` work as they stand: carried out in order, on virtual hardware."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.docs.checkout import ROOT
from tests.unit.docs.commands import blocks, documents

PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in documents()
    if any(block.mark == "run" for block in blocks(page.read_text(encoding="utf-8"), page.name))
]


@pytest.mark.hil
@pytest.mark.nightly
@pytest.mark.parametrize("page", PAGES)
def test_the_marked_blocks_of_a_page_work_as_they_stand(page: str, tmp_path: Path) -> None:
    text = "\n".join(one.text for one in blocks((ROOT / page).read_text(encoding="utf-8"), page) if one.mark == "run")
    if "mosquitto" in text and shutil.which("mosquitto") is None:
        pytest.skip("mosquitto is not installed")
    run = tmp_path / "run"
    run.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m betline "$@"\n', encoding="utf-8")
    run.chmod(0o755)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("STATE", "CONFIG", "CACHE", "DATA")}

    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f"trap 'kill $(jobs -p) 2> /dev/null || :' EXIT\n{text}"],
        cwd=tmp_path,
        env={**os.environ, **homes, "PYTHONPATH": str(ROOT), "PATH": f"/usr/sbin:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )

    logs = "\n".join(f"{log.name}: {log.read_text(encoding='utf-8')[-600:]}" for log in sorted(tmp_path.glob("*.log")))
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}\n{logs}"
    assert "FAULT" not in done.stdout
