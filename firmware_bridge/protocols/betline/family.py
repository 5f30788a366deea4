"""What a reader with Betline's firmware can do, and how one is found."""

from __future__ import annotations

from typing import Final

from firmware_bridge.protocols.betline.dialogue import BetlineDialogue
from firmware_bridge.protocols.betline.frames import Frame, FrameDecoder
from firmware_bridge.protocols.betline.messages import Board, Hello, Identify, read_message
from firmware_bridge.protocols.family import Delivery, Dialogue, LineSettings, Question, TagKind, Traits
from firmware_bridge.protocols.frame_error import FrameError

_TRAITS: Final = Traits(
    name="betline",
    title="Betline reader",
    line=LineSettings(baud=115_200, parity="N"),
    bauds=(115_200,),
    kinds=frozenset({TagKind.ISO15693}),
    antennas=8,
    tells_rssi=True,
    delivery=Delivery.PUSHED,
    boots_ms=2000.0,
)
_BOARDS: Final = {Board.HOST: "host simulation", Board.RP2040: "RP2040", Board.ESP32: "ESP32"}


class BetlineFamily:
    """Implements `family.Family`."""

    @property
    def traits(self) -> Traits:
        return _TRAITS

    def dialogue(self) -> Dialogue:
        return BetlineDialogue()

    @property
    def questions(self) -> tuple[Question, ...]:
        """None: HELLO says it."""
        return ()

    @property
    def probe(self) -> bytes:
        """IDENTIFY, behind a 00 that ends whatever another family's probe left on the line."""
        return b"\0" + Frame(Identify.TYPE, Identify(0).to_payload()).to_bytes()

    def recognise(self, answer: bytes) -> str | None:
        for frame in FrameDecoder().feed(answer):
            try:
                message = read_message(frame.type, frame.payload)
            except FrameError:
                continue
            if isinstance(message, Hello):
                return _words(message)
        return None


def _words(hello: Hello) -> str:
    board = _BOARDS.get(Board(hello.board), "") if hello.board in list(Board) else f"board {hello.board}"
    seat = f", seat {hello.seat}" if hello.seat else ""
    version = f"firmware {hello.fw_major}.{hello.fw_minor}"
    return f"{_TRAITS.title} {hello.serial} on {board}, {version}{seat}"
