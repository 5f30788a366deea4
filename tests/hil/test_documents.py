"""The blocks of shell that a page marks with `run` work as they stand: carried out in order, on virtual hardware."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.docs.checkout import ROOT
from tests.unit.docs.commands import blocks, documents

BLOCK_S = 400
"""Only for a hang: the lab's page, four evenings of a hand in three blocks, takes 190 s on two cores with other work
beside, and three times as long where seven work on them."""
MOST_S = 8 * BLOCK_S
PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in documents()
    if any(block.mark == "run" for block in blocks(page.read_text(encoding="utf-8"), page.name))
]


def keep_root(folder: Path) -> None:
    """A mosquitto that root starts gives its rights up, and may not read logins of mode 600: this one keeps them."""
    program = folder / "bin" / "mosquitto"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\n{ cat "$2"; echo user root; } > root.conf\nexec /usr/sbin/mosquitto -c root.conf\n',
        encoding="utf-8",
    )
    program.chmod(0o755)


@pytest.mark.hil
@pytest.mark.nightly
@pytest.mark.timeout(MOST_S + 30)
@pytest.mark.parametrize("page", PAGES)
def test_the_marked_blocks_of_a_page_work_as_they_stand(page: str, tmp_path: Path) -> None:
    marked = [one.text for one in blocks((ROOT / page).read_text(encoding="utf-8"), page) if one.mark == "run"]
    text, limit_s = "\n".join(marked), min(MOST_S, BLOCK_S * len(marked))
    if "mosquitto" in text and shutil.which("mosquitto") is None:
        pytest.skip("mosquitto is not installed")
    run = tmp_path / "run"
    run.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m betline "$@"\n', encoding="utf-8")
    run.chmod(0o755)
    if os.geteuid() == 0:
        keep_root(tmp_path)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    homes = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("STATE", "CONFIG", "CACHE", "DATA")}

    with (tmp_path / "shell.log").open("w", encoding="utf-8") as log:
        shell = subprocess.Popen(
            ["bash", "-xeuo", "pipefail", "-c", f"exec 7> trace; BASH_XTRACEFD=7\n{text}"],
            cwd=tmp_path,
            env={
                **os.environ,
                **homes,
                "PYTHONPATH": str(ROOT),
                "PATH": f"{tmp_path / 'bin'}:/usr/sbin:{os.environ['PATH']}",
            },
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            status: int | None = shell.wait(timeout=limit_s)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            with contextlib.suppress(ProcessLookupError):  # a page that failed leaves what it began
                os.killpg(shell.pid, signal.SIGTERM)

    said = {file.name: file.read_text(encoding="utf-8")[-3000:] for file in sorted(tmp_path.glob("*.log"))}
    at = (tmp_path / "trace").read_text(encoding="utf-8").splitlines()[-1]
    under_way = "" if status is not None else f"not over after {limit_s} s, load {os.getloadavg()[0]:.1f}: {at}\n"
    assert status == 0, under_way + "\n".join(f"== {name}\n{text}" for name, text in said.items())
    assert "FAULT" not in said["shell.log"]
