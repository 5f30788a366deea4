"""Chips that know nothing but the published frames: the rest they refuse, or do not answer at all."""

from __future__ import annotations

import json

import pytest

from betline.front_door import run
from firmware_bridge.protocols.pn532.commands import GET_FIRMWARE_VERSION, SAM_NORMAL, TWO_RETRIES, FirmwareVersion
from firmware_bridge.protocols.pn532.decoder import command_decoder
from firmware_bridge.protocols.pn532.family import Pn532Family
from firmware_bridge.protocols.pn532.frames import Code, Command, Response, Signal
from firmware_bridge.protocols.pn532.targets import ListTargets, Modulation, Target, encode_targets
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.device import OnlyAnswers
from virtual_table.readers.faults import Piece
from virtual_table.readers.server import ReaderServer

CARDS = [Target(Modulation.A_106, bytes((4, 0x11, 0x22, 0x33, 0x44, 0x55, number)), 0x0044, 0x00) for number in (1, 2)]
VERSION = FirmwareVersion(0x32, 1, 6, 7).to_response()


class PlainChip(OnlyAnswers):
    """Answers the published commands, from wherever it is asked, with the same cards each time."""

    def __init__(self, cards: int, most: int, *, refuses: bool) -> None:
        self._decoder = command_decoder()
        self._refuses = refuses
        found = CARDS[: min(cards, most)]
        self._known: dict[Command, Response] = {
            SAM_NORMAL: Response(Code.SAM_CONFIGURATION),
            TWO_RETRIES: Response(Code.RF_CONFIGURATION),
            GET_FIRMWARE_VERSION: VERSION,
            ListTargets(Modulation.A_106, most).to_command(): Response(
                Code.IN_LIST_PASSIVE_TARGET, encode_targets(found)
            ),
        }

    def receive(self, data: bytes, now_ms: float) -> list[Piece]:
        said: list[bytes] = []
        for frame in self._decoder.feed(data, now_ms):
            if frame in self._known:
                said += [Signal.ACK.to_bytes(), self._known[frame].to_bytes()]
            elif isinstance(frame, Command) and self._refuses:
                said += [Signal.ACK.to_bytes(), Signal.ERROR.to_bytes()]
        return [(5.0, b"".join(said))] if said else []


@pytest.mark.parametrize("refuses", [True, False], ids=["refuses the unknown", "is silent at the unknown"])
@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("cards", [0, 1, 2])
def test_plain_chip_is_read_as_doubtful(cards: int, most: int, refuses: bool) -> None:
    one = Bench.of(Pn532Family(), PlainChip(cards, most, refuses=refuses))
    one.run(8000)
    expected = {card.uid.hex().upper() for card in CARDS[: min(cards, most)]}
    assert len(one.rounds) > 20
    assert all(heard == expected for heard in one.heard)
    assert all("no_field" in over.warnings for over in one.rounds)
    assert one.rounds[0].cycle_ms < 4000
    assert one.troubles == []


@pytest.mark.nightly
@pytest.mark.parametrize("refuses", [True, False])
def test_bridge_once_reads_a_plain_chip(
    server: ReaderServer, capsys: pytest.CaptureFixture[str], refuses: bool
) -> None:
    path = server.add("one", PlainChip(2, 2, refuses=refuses), Pn532Family().traits.line)
    assert run(["bridge", "once", "--protocol", "pn532", "--port", path, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["tags"]) == 2
