"""The voice beside the whole system: what the table does is said in German, and reaches a loudspeaker as sound."""

import json
import os
import subprocess
import sys

import pytest

from table_controller.voice.clip import Clip
from tests.unit.voice.sounds import RATE_HZ, loudness, needs_espeak, recorder

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240), needs_espeak]


@pytest.mark.nightly
def test_a_played_hand_is_heard(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    played = recorder(programs, "pw-play")
    line = [sys.executable, "-m", "betline", "demo", "--headless", "--json", "--keep", "--hands", "1", "--seed", "3"]
    done = subprocess.run(
        [*line, "--table", "home-six", "--voice", "de"],
        capture_output=True,
        text=True,
        timeout=220,
        check=False,
        env=os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "TMPDIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["wrong"] == 0
    (log,) = tmp_path.glob("betline-demo-*/voice.log")
    said = [text for text in log.read_text(encoding="utf-8").splitlines() if text.startswith("Platz ")]
    sounds = [Clip(RATE_HZ, 1, pcm) for pcm in played()]

    assert any("zum Mitgehen." in text for text in said)
    assert sounds
    assert all(loudness(clip) > 300 and 0.4 < clip.seconds < 15 for clip in sounds)
