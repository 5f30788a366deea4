"""The fuzzer finds what it is there to find; and the decoders hold for some moments of it in every run of the tests."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from firmware_bridge import fuzz
from firmware_bridge.fuzz import FuzzError, Tally, draw_burst, fuzz_decoder, fuzz_dialogue
from firmware_bridge.fuzz_subjects import Subject, subjects
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.feig.frames import reply_decoder
from firmware_bridge.protocols.sliding import SlidingDecoder

ALL = tuple(subjects())
FEIG = ALL[0]


def some(kilobytes: int) -> Callable[[Tally], bool]:
    return lambda tally: tally.fed >= kilobytes * 1000


def run(subject: Subject, kilobytes: int = 20) -> Tally:
    tally = Tally(subject.name)
    fuzz_decoder(subject, random.Random(3), some(kilobytes), tally)
    return tally


def test_every_family_is_fuzzed_both_ways() -> None:
    assert {(one.family, one.direction.split(",")[0]) for one in ALL} == {
        (name, direction) for name in FAMILIES for direction in ("to the host", "to the reader")
    }
    assert {one.family for one in ALL if one.own_last_byte} == {"bb", "pn532", "betline"}


@pytest.mark.one_in(13)
@pytest.mark.parametrize("subject", ALL, ids=lambda one: one.name)
def test_decoders_keep_their_promises(subject: Subject) -> None:
    tally = run(subject, 25)
    assert tally.fed >= 25_000
    assert tally.frames > 100


@pytest.mark.parametrize("name", FAMILIES)
def test_dialogues_keep_theirs(name: str) -> None:
    frames = [frame for one in ALL if one.family == name for frame in one.frames]
    tally = Tally(name)
    fuzz_dialogue(FAMILIES[name], frames, random.Random(3), some(25), tally)
    assert tally.frames > 50


def test_what_is_drawn_is_the_same_for_the_same_seed() -> None:
    first, again = (list(draw_burst(random.Random(9), FEIG.frames, FEIG.strays)) for _ in range(2))
    assert first == again != list(draw_burst(random.Random(10), FEIG.frames, FEIG.strays))


class Broken:
    """A decoder with a fault, around a good one."""

    def __init__(self, good: SlidingDecoder[Any] | None = None) -> None:
        self.good = good or reply_decoder()
        self.fed = 0

    @property
    def pending(self) -> int:
        return self.good.pending

    def feed(self, data: bytes, now_ms: float) -> list[Any]:
        self.fed += len(data)
        return self.good.feed(data, now_ms)

    def end_of_request(self) -> list[Any]:
        return self.good.end_of_request()


class Raising(Broken):
    def feed(self, data: bytes, now_ms: float) -> list[Any]:
        found = super().feed(data, now_ms)
        if self.fed > 5000:
            raise IndexError("out of range")
        return found


class Hanging(Broken):
    def feed(self, data: bytes, now_ms: float) -> list[Any]:
        while self.fed > 5000:
            time.sleep(0.001)
        return super().feed(data, now_ms)


class Growing(Broken):
    @property
    def pending(self) -> int:
        return self.fed * 100


class Losing(Broken):
    """Forgets what it holds at each gap, and with it the frame that a longer claim hid."""

    def feed(self, data: bytes, now_ms: float) -> list[Any]:
        if not data:
            self.good = reply_decoder()
        return super().feed(data, now_ms)


class Trusting(Broken):
    """Believes a header, and waits for all that it announces."""

    trusts = False

    def feed(self, data: bytes, now_ms: float) -> list[Any]:
        self.trusts = self.trusts or data.startswith(b"\x02\x40\x00")
        found = super().feed(data, now_ms)
        return [] if self.trusts and self.fed < 0x4000 else found


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (Raising, "raised IndexError \\(out of range\\) at [0-9a-f]+"),
        (Hanging, "raised TimeoutError"),
        (Growing, "grew to"),
        (Losing, "not delivered by the next gap: [0-9a-f]+"),
    ],
)
def test_each_kind_of_fault_is_found(made: type[Broken], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "HANG_S", 0.2)
    with pytest.raises(FuzzError, match=words):
        run(replace(FEIG, make=made, strays=()))


def test_a_stray_header_that_swallows_frames_is_found() -> None:
    with pytest.raises(FuzzError, match=r"after the stray 024000 only \d+ of 200 frames came"):
        run(replace(FEIG, make=Trusting, strays=(b"\x02\x40\x00",)))


def test_a_frame_that_should_come_with_its_own_last_byte_and_does_not_is_found() -> None:
    with pytest.raises(FuzzError, match="with their last byte"):
        run(replace(FEIG, own_last_byte=True))


def test_only_a_frame_that_another_valid_one_overlaps_is_lost_by_chance() -> None:
    bb = next(one for one in ALL if one.name == "bb to the host")
    whole = {frame: fuzz._read_alone(bb, frame) for frame in bb.frames}
    stopped = bytes.fromhex("BB 01 28 00 01 00 2A 7E")
    noise = bytes.fromhex(
        "BB 01 01 00 2A 7E C2 74 2D 0C 25 58 7D FD 11 D2 E7 92 0F 00 E6 6F 71 FF B7 86 F8 BE 64 82 BC 7A AF C5 A8 42 BE"
        "ED F9 4E A6"
    )
    lost = [whole[stopped]]
    assert fuzz._not_by_chance(bb, whole, b"", noise + stopped, lost) == 0
    assert fuzz._not_by_chance(bb, whole, b"", noise[:-1] + b"\x00" + stopped, lost) == 1
    assert fuzz._not_by_chance(bb, whole, noise, stopped, lost) == 0
    assert fuzz._not_by_chance(bb, whole, noise[:20], stopped, lost) == 1


def test_the_program_says_what_it_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--bytes", "3000", "--family", "feig"]) == 0
    out = capsys.readouterr().out
    assert out.count("MB/s") == 3
    assert "all promises held" in out


def test_the_program_fails_with_a_sentence(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(FEIG, make=Raising)
    monkeypatch.setattr(fuzz, "subjects", lambda: iter([broken]))
    assert fuzz.main(["--bytes", "20000", "--seed", "7", "--family", "feig"]) == 1
    told = capsys.readouterr()
    assert "feig to the host, seed 7: it raised IndexError" in told.err
    assert "1 of 2 broke a promise" in told.out


def test_an_unknown_family_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--family", "fieg"]) == 2
    assert "the names are: feig" in capsys.readouterr().err
