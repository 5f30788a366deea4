"""Recorded bytes of a line give the zones that the bridge published; a changed byte does not."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from betline.front_door import run
from betline.settings import load_table
from betline.table_recording.writing import RecordingWriter
from firmware_bridge.effects import ClosePort, Effect, OpenPort, RoundOver, Send
from firmware_bridge.evidence import ZoneEvidence
from firmware_bridge.line_replay.decoding import Compared, Noted, Published, compared, decoded
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.seating import Seating
from firmware_bridge.waits import channels_of
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.device import SerialDevice
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.m6e import VirtualM6eReader
from virtual_table.readers.memory import MemoryLine

TABLE = load_table("home-six")
UIDS = [f"E004015306A22D{number:02X}" for number in range(6)]
START_NS = 1_700_000_000_000_000_000


@dataclass
class TappedBench(Bench):
    """Notes what happens at the line, as the bridge's tap does."""

    noted: list[Noted] = field(default_factory=list)

    def run(self, until_ms: float) -> None:
        received = self.link.received

        def noting(now_ns: int, data: bytes) -> list[Effect]:
            self.noted.append(Noted(START_NS + now_ns, "rx", data))
            return received(now_ns, data)

        self.link.received = noting  # type: ignore[method-assign]
        super().run(until_ms)
        self.link.received = received  # type: ignore[method-assign]

    def _obey(self, effects: list) -> None:
        for effect in effects:
            if isinstance(effect, OpenPort):
                self.noted.append(Noted(START_NS + self._now_ns, "opened"))
            elif isinstance(effect, ClosePort):
                self.noted.append(Noted(START_NS + self._now_ns, "closed"))
            elif isinstance(effect, Send):
                self.noted.append(Noted(START_NS + self._now_ns, "tx", effect.data))
            super()._obey([effect])


def recorded(family: str, reader: SerialDevice) -> tuple[TappedBench, Published]:
    """A reader of that family in seat 1, waited for some of the time; what a bridge publishes of it."""
    settings = TABLE.readers[0].model_copy(update={"protocol": family})
    seating = Seating(settings.port, ("seat-1",))
    link = ReaderLink(FAMILIES[family], channels_of(settings), seating=seating, introduces=True)
    bench = TappedBench(link, MemoryLine(reader, FAMILIES[family].traits.line, bytes_per_read=64))
    for number in range(4):
        link.attend(frozenset({"seat-1"}) if number % 2 else frozenset(), bench._now_ns)
        bench.run(bench.now_ms + 1500)
    return bench, published(bench.rounds)


def published(rounds: list[RoundOver]) -> Published:
    found, evidence = [], ZoneEvidence(window=TABLE.sensing.window_rounds)
    for over in rounds:
        evidence = evidence.after(over.tags, over.last_byte_ns, over.quiet)
        figures = frozenset((one.uid, one.hits, one.rounds, one.missed, one.quiet) for one in evidence.heard())
        found.append(("life", evidence.round_no, figures))
    return {"seat-1": found}


def again(family: str, noted: list[Noted], told: Published) -> Compared:
    reader = TABLE.readers[0].model_copy(update={"protocol": family})
    table = TABLE.model_copy(update={"readers": (reader, *TABLE.readers[1:])})
    return compared(decoded(table, reader, noted), told)


def field_of() -> list[tuple[str, int, float]]:
    return [(uid, 1, 1.0) for uid in UIDS]


def reader_of(family: str) -> SerialDevice:
    behaviour = Behaviour(missed=0.1)
    if family == "feig":
        return VirtualFeigReader(field_of, behaviour, 3)
    return VirtualM6eReader(field_of, behaviour, 3)


@pytest.mark.parametrize("family", ["feig", "m6e"])
def test_every_round_comes_out_of_the_bytes_as_it_was(family: str) -> None:
    bench, told = recorded(family, reader_of(family))

    found = again(family, bench.noted, told)

    assert len(bench.rounds) > 20
    assert (found.alike, found.different, found.undecoded) == (len(bench.rounds), [], 0)


def test_bytes_of_another_chip_are_found() -> None:
    bench, told = recorded("feig", reader_of("feig"))
    life, number, figures = told["seat-1"][-3]
    told["seat-1"][-3] = (life, number, figures - set(sorted(figures)[:1]))

    found = again("feig", bench.noted, told)

    assert len(found.different) == 1
    assert UIDS[0] in found.different[0]


def test_an_answer_that_was_lost_loses_track_or_chips() -> None:
    bench, told = recorded("feig", reader_of("feig"))
    answers = [number for number, one in enumerate(bench.noted) if one.way == "rx"]
    lost = [one for number, one in enumerate(bench.noted) if number not in answers[30:34]]

    found = again("feig", lost, told)

    assert found.undecoded + len(found.different) > 0


def test_a_bridge_that_was_started_again_begins_its_rounds_anew() -> None:
    bench, told = recorded("feig", reader_of("feig"))
    later_ns = bench.noted[-1].at_ns - bench.noted[0].at_ns + 1_000_000_000
    noted = [*bench.noted, *(replace(one, at_ns=one.at_ns + later_ns) for one in bench.noted)]
    both = {"seat-1": [*told["seat-1"], *(("second", number, figures) for _, number, figures in told["seat-1"])]}

    found = again("feig", noted, both)

    assert (found.alike, found.different) == (2 * len(bench.rounds), [])


def test_a_recording_that_is_cut_or_damaged_is_told_with_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = tmp_path / "whole.mcap"
    with RecordingWriter(whole, {"table": TABLE.model_dump_json()}) as writer:
        for second in range(4):
            writer.line("/serial/reader-1/port", START_NS + second * 1_000_000_000, {"event": "opened"})
            writer.flush()
    data = whole.read_bytes()
    third = data.index(struct.pack("<Q", START_NS + 2_000_000_000)) - 9  # where its chunk begins
    cut, damaged = tmp_path / "cut.mcap", tmp_path / "damaged.mcap"
    cut.write_bytes(data[: third + 60])
    damaged.write_bytes(data[: third + 50] + b"damage" + data[third + 56 :])

    assert run(["bridge", "replay", str(whole), "--json"]) == 0
    assert capsys.readouterr().err == ""
    assert run(["bridge", "replay", str(cut), "--json"]) == 0
    out, err = capsys.readouterr()
    assert "is cut off at 0:01.000" in err
    assert (json.loads(out)["cut"], json.loads(out)["damaged"]) == (True, None)
    assert run(["bridge", "replay", str(damaged), "--json"]) == 1
    out, err = capsys.readouterr()
    assert "is damaged at 0:01.000: 2 messages of 2.0 s behind that are missing" in err
    assert json.loads(out)["damaged"] == {"after_s": 1.0, "lost_s": 2.0, "lost_messages": 2, "exact": True}
    assert json.loads(out)["ok"] is False
