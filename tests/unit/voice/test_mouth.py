"""What is really said and played: in order, the newest, never what has passed; and that nobody waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.messages.table import VoiceSetting
from betline.settings import load_house_rules
from betline.topics import Namespace
from table_controller.voice.clip import Clip
from table_controller.voice.ear import Ear
from table_controller.voice.mouth import Mouth
from table_controller.voice.player import Player
from table_controller.voice.service import to_mouth
from table_controller.voice.synthesis import EspeakNg
from tests.unit.voice.sounds import loudness, needs_espeak, recorder, tone
from tests.unit.voice.test_ear import ruling, table, turn

TURN = "Seat four, thirty to call. Minimum raise to sixty."
RAISE = "Seat three raises to thirty."
LATER = "Seat five, sixty to call. Minimum raise to sixty."


def ear(says: str = "bets") -> Ear:
    return Ear.of(load_house_rules("cash", {}), "en").heard(VoiceSetting(says=says))  # type: ignore[arg-type]


class Speaks:
    """A voice that takes as long as a test wants."""

    def __init__(self) -> None:
        self.spoken: list[str] = []
        self.begun, self.let_go = threading.Semaphore(0), threading.Event()
        self.let_go.set()

    def speak(self, text: str) -> Clip:
        self.spoken.append(text)
        self.begun.release()
        assert self.let_go.wait(30)
        return tone()


class Plays:
    """A player that notes what it plays, and whether it was broken off."""

    can_play = True

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.played = threading.Semaphore(0)
        self.broken_off = threading.Semaphore(0)
        self.lasts = False

    def play(self, clip: Clip, wanted: Callable[[], bool]) -> bool:
        self.begun.release()
        while self.lasts and wanted():
            time.sleep(0.002)
        (self.played if wanted() else self.broken_off).release()
        return True


@pytest.fixture
def speaks() -> Speaks:
    return Speaks()


@pytest.fixture
def plays() -> Plays:
    return Plays()


@pytest.fixture
def written() -> list[str]:
    return []


@pytest.fixture
def mouth(speaks: Speaks, plays: Plays, written: list[str]):  # type: ignore[no-untyped-def]
    made = Mouth(ear(), speaks, plays, written.append)
    made.start()
    yield made
    speaks.let_go.set()
    made.close()


def test_an_act_and_its_turn_are_said_in_their_order(mouth: Mouth, plays: Plays, written: list[str]) -> None:
    for body in (turn(), ruling(), table()):
        mouth.hear(body)
    assert plays.played.acquire(timeout=30)
    assert plays.played.acquire(timeout=30)
    assert written == [RAISE, TURN]


def test_a_turn_that_passes_while_its_sentence_is_made_is_not_played(
    mouth: Mouth, speaks: Speaks, plays: Plays
) -> None:
    speaks.let_go.clear()
    mouth.hear(turn())
    assert speaks.begun.acquire(timeout=30)
    mouth.hear(turn(act_no=3, seat=5, call=60))
    speaks.let_go.set()
    assert plays.played.acquire(timeout=30)
    assert speaks.spoken == [TURN, LATER]
    assert not plays.played.acquire(timeout=0.2)


def test_a_turn_that_passes_while_it_is_said_is_broken_off(mouth: Mouth, plays: Plays) -> None:
    plays.lasts = True
    mouth.hear(turn())
    assert plays.begun.acquire(timeout=30)
    mouth.hear(turn(act_no=3, seat=5, call=60))
    assert plays.broken_off.acquire(timeout=30)
    assert plays.begun.acquire(timeout=30)
    mouth.hear(VoiceSetting(says="off"))
    assert plays.broken_off.acquire(timeout=30)


def test_who_brings_news_never_waits_for_speech(mouth: Mouth, speaks: Speaks, plays: Plays) -> None:
    speaks.let_go.clear()
    mouth.hear(turn())
    assert speaks.begun.acquire(timeout=30)
    for act_no in range(3, 1003):
        mouth.hear(turn(act_no=act_no, seat=act_no % 9 + 1))
    assert len(speaks.spoken) == 1
    speaks.let_go.set()
    assert speaks.begun.acquire(timeout=30)
    assert plays.played.acquire(timeout=30)
    assert len(speaks.spoken) == 2
    assert speaks.spoken[1].startswith("Seat four,")  # the last of them


def test_without_a_player_nothing_is_synthesized_but_all_is_written(speaks: Speaks, written: list[str]) -> None:
    class Mute(Plays):
        can_play = False

    said = threading.Semaphore(0)
    mouth = Mouth(ear(), speaks, Mute(), lambda text: (written.append(text), said.release())[0])
    mouth.start()
    mouth.hear(turn())
    assert said.acquire(timeout=30)
    mouth.close()
    assert (written, speaks.spoken) == ([TURN], [])


def test_a_reader_of_the_sentences_that_has_gone_stops_nothing(speaks: Speaks, plays: Plays) -> None:
    def gone(_: str) -> None:
        raise BrokenPipeError

    mouth = Mouth(ear(), speaks, plays, gone)
    mouth.start()
    mouth.hear(turn())
    assert plays.played.acquire(timeout=30)
    mouth.close()
    mouth.check()


def test_a_fault_of_the_mouth_ends_the_program(plays: Plays) -> None:
    class Faulty:
        def speak(self, text: str) -> Clip | None:
            raise RuntimeError("no such thing")

    mouth = Mouth(ear(), Faulty(), plays)
    mouth.start()
    voice = to_mouth(MemoryBus(MemoryHub(), Namespace("home", "oval"), "voice"), mouth)
    voice.start()
    mouth.hear(turn())
    with pytest.raises(RuntimeError, match="no such thing"):
        voice.run()
    mouth.close()


@needs_espeak
def test_what_reaches_the_loudspeaker_is_each_sentence_whole_and_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    voice = EspeakNg.found("en")
    assert voice is not None
    alone = [voice.speak(text) for text in (RAISE, TURN)]
    monkeypatch.setenv("PATH", str(tmp_path))
    played, reasons = recorder(tmp_path), list[str]()
    mouth = Mouth(ear(), voice, Player(reasons.append))
    mouth.start()
    for body in (turn(), ruling(), table()):
        mouth.hear(body)
    deadline_s = time.monotonic() + 60
    while len(played()) < 2 and time.monotonic() < deadline_s:
        time.sleep(0.02)
    mouth.close()

    assert [len(sound) for sound in played()] == [len(clip.pcm) for clip in alone]
    assert played() == [clip.pcm for clip in alone]
    assert all(loudness(clip) > 300 for clip in alone)
    assert reasons == []
