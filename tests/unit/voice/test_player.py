"""Playing by a program of this machine: which one, what it is given, what is done when it fails or is not needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from table_controller.voice.player import NO_PLAYER, RETRY_S, Player
from tests.unit.voice.sounds import fake_player, recorder, tone


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    path = tmp_path / "bin"
    path.mkdir()
    monkeypatch.setenv("PATH", str(path))
    return path


def always() -> bool:
    return True


def test_the_samples_reach_the_program_whole(folder: Path) -> None:
    played, reasons = recorder(folder), list[str]()
    clip = tone(2.0)
    assert Player(reasons.append).play(clip, always)
    assert played() == [clip.pcm]
    assert reasons == []


def test_without_a_program_that_is_said_once_in_plain_words(folder: Path) -> None:
    reasons: list[str] = []
    player = Player(reasons.append)
    assert not player.can_play
    assert not player.play(tone(), always)
    assert not player.play(tone(), always)
    assert reasons == [NO_PLAYER]
    assert "apt install alsa-utils" in NO_PLAYER


def test_a_program_that_fails_is_named_once_and_the_next_one_plays(folder: Path) -> None:
    fake_player(folder, "paplay", "print('Connection refused', file=sys.stderr); sys.exit(1)")
    played, reasons = recorder(folder), list[str]()
    player = Player(reasons.append)
    assert player.play(tone(), always)
    assert player.play(tone(), always)
    assert len(played()) == 2
    assert reasons == [
        "paplay cannot play (Connection refused): connect a loudspeaker, and see that this account may use it."
    ]


def test_a_program_that_fails_without_a_word_is_named_by_its_status(folder: Path) -> None:
    fake_player(folder, "aplay", "sys.exit(7)")
    reasons: list[str] = []
    player = Player(reasons.append)
    assert not player.play(tone(), always)
    assert "it ended with status 7" in reasons[0]
    assert not player.can_play


def test_a_program_that_does_not_start_is_named(folder: Path) -> None:
    path = folder / "aplay"
    path.write_text("#!/nowhere/interpreter\n")
    path.chmod(0o755)
    reasons: list[str] = []
    assert not Player(reasons.append).play(tone(), always)
    assert "aplay cannot play (No such file or directory)" in reasons[0]


def test_a_program_that_failed_is_tried_again_after_a_while(folder: Path) -> None:
    fake_player(folder, "aplay", "sys.exit(1)")
    now_s, reasons = [0.0], list[str]()
    player = Player(reasons.append, clock_s=lambda: now_s[0])
    assert not player.play(tone(), always)
    played = recorder(folder)
    assert not player.can_play
    now_s[0] = RETRY_S
    assert player.play(tone(), always)
    assert len(played()) == 1
    assert len(reasons) == 1


def test_a_clip_that_is_no_longer_wanted_is_broken_off(folder: Path) -> None:
    fake_player(folder, "aplay", "time.sleep(600)")
    reasons: list[str] = []
    asked = iter([True, True, False])
    assert Player(reasons.append).play(tone(), lambda: next(asked))
    assert reasons == []


def test_a_program_that_hangs_is_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table_controller.voice.player.OVERTIME_S", 0.3)
    fake_player(folder, "aplay", "time.sleep(600)")
    assert Player(lambda _: None).play(tone(), always)
