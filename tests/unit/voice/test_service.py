"""The voice as a program: on a bus, on the command line, and with nothing to speak with."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.front_door import run
from betline.messages.table import VoiceSetting
from betline.options import DONE, FAILED, WRONG_USAGE
from betline.settings import load_house_rules
from betline.topics import Namespace, topic
from table_controller.voice.clip import Clip, from_wav
from table_controller.voice.ear import Ear
from table_controller.voice.mouth import Mouth
from table_controller.voice.service import to_mouth
from tests.unit.voice.sounds import info, loudness, needs_espeak, recorder, server, spoken, tone
from tests.unit.voice.test_ear import ruling, table, turn

NAMESPACE = Namespace("home", "casino-oval")


class Mute:
    """Neither speaks nor plays."""

    can_play = False

    def speak(self, text: str) -> Clip | None:
        return None

    def play(self, clip: Clip, wanted: Callable[[], bool]) -> bool:
        return False


def test_the_voice_obeys_the_setting_that_is_retained_and_says_what_the_controller_announces() -> None:
    hub, written, said = MemoryHub(), list[str](), threading.Semaphore(0)
    console = MemoryBus(hub, NAMESPACE, "console")
    console.publish(topic(topics.VOICE), VoiceSetting(says="bets"))
    controller = MemoryBus(hub, NAMESPACE, "controller")
    house = load_house_rules("cash", {"voice": "off"})
    mouth = Mouth(Ear.of(house, "en"), Mute(), Mute(), lambda text: (written.append(text), said.release())[0])
    mouth.start()
    voice = to_mouth(MemoryBus(hub, NAMESPACE, "voice"), mouth)
    voice.start()
    controller.publish(topic(topics.ANNOUNCEMENT), turn())
    controller.publish(topic(topics.RULING), ruling())
    controller.publish(topic(topics.STATE), table())
    for _ in range(12):
        voice.pump(0.02)
    assert said.acquire(timeout=30)
    assert said.acquire(timeout=30)
    mouth.close()

    assert written == ["Seat three raises to thirty.", "Seat four, thirty to call. Minimum raise to sixty."]


def test_the_setting_is_retained_and_only_consoles_may_write_it() -> None:
    assert topics.VOICE.retained
    assert topics.VOICE.by == ("console",)


# --- one sentence


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    path = tmp_path / "bin"
    path.mkdir()
    monkeypatch.setenv("PATH", str(path))
    return path


@needs_espeak
def test_one_sentence_goes_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "call.wav"
    assert run(["voice", "--say", "Platz vier, zwanzig zum Mitgehen.", "--language", "de", "--out", str(out)]) == DONE
    clip = from_wav(out.read_bytes())
    assert loudness(clip) > 300
    assert 1.0 < clip.seconds < 6.0


def test_one_sentence_of_a_server_is_played(bare: Path) -> None:
    played = recorder(bare)
    with server(info(("amy", "en_US")), spoken(tone())) as (address, asked):
        assert run(["voice", "--say", "Seat one.", "--wyoming", str(address)]) == DONE
    assert played() == [tone().pcm]
    assert asked[1]["data"]["text"] == "Seat one."


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--say", "Seat one."], FAILED, "Type `apt install espeak-ng` as root"),
        (["--say", "Seat one.", "--wyoming", "127.0.0.1:1"], FAILED, "start it, or leave --wyoming out."),
        (["--out", "call.wav"], WRONG_USAGE, "--out needs --say"),
        (["--language", "sw"], WRONG_USAGE, "say en, de, fr or es."),
        (["--wyoming", "127.0.0.1:99999"], WRONG_USAGE, "for example 127.0.0.1:10200."),
        (["--wyoming", "a:b"], WRONG_USAGE, "--wyoming a:b is no address; write it as HOST:PORT"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_that_says_what_to_do(
    words: list[str], status: int, said: str, bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["voice", *words]) == status
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert len(told.err.splitlines()) == 1


@pytest.mark.parametrize("verb", ["run", "demo"])
def test_a_server_without_a_voice_to_use_it_is_refused(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([verb, "--wyoming", "127.0.0.1:10200"]) == WRONG_USAGE
    assert "--wyoming needs --voice: say in which language, for example --voice en." in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with server(info(("amy", "en_US")), spoken(tone())) as (address, _):
        words = ["voice", "--say", "Seat one.", "--wyoming", str(address), "--out", "/nowhere/call.wav"]
        assert run(words) == FAILED
    assert "/nowhere/call.wav cannot be written" in capsys.readouterr().err


def test_a_sentence_that_nothing_can_play_may_go_to_a_file(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with server(info(("amy", "en_US")), spoken(tone())) as (address, _):
        assert run(["voice", "--say", "Seat one.", "--wyoming", str(address)]) == FAILED
    assert "Or write a file with --out." in capsys.readouterr().err


@pytest.mark.nightly
def test_the_help_shows_examples() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "betline", "voice", "--help"], capture_output=True, text=True, check=True
    )
    assert told.stdout.count("Example: betline voice") == 3
