"""The firmware's ISO 15693 inventory of a simulated field, called through ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

from tests.unit.firmware.c_build import FIRMWARE, TESTS, core, shared_library

SOURCES = (*core("bl_iso15693"), FIRMWARE / "sim" / "sim_radio.c", TESTS / "inventory_shim.c")


class Tag(ctypes.Structure):
    _fields_ = (("uid", ctypes.c_uint8 * 8), ("rssi", ctypes.c_uint8), ("dsfid", ctypes.c_uint8))


class Field(ctypes.Structure):
    """The seed, and chances in thousandths, of a simulated field."""

    _fields_ = (
        ("seed", ctypes.c_uint64),
        *(
            (name, ctypes.c_uint16)
            for name in ("missed", "detuned", "damaged", "captured", "garbled", "deaf", "broken")
        ),
    )


FIGURES = (
    *("count", "rounds", "collisions", "errors", "overflow", "unsettled", "fault", "passes"),
    *("first_pass_us", "inventory_us", "quiet_us", "settle_us", "elapsed_us", "quiet_tags", "longest_step_us"),
)


class Figures(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint32) for name in FIGURES)


@dataclass(frozen=True)
class Reading:
    """What one inventory told: UIDs in the order found, their strengths and the figures by name."""

    uids: tuple[bytes, ...]
    rssi: tuple[int, ...]
    figures: dict[str, int]


class Inventory:
    """The compiled code; one inventory a call."""

    def __init__(self) -> None:
        self.code = ctypes.CDLL(str(shared_library("inventory", SOURCES)))
        self.code.bl_iso15693_crc.restype = ctypes.c_uint16
        for name in (
            "bl_iso15693_inventory_request",
            "bl_iso15693_stay_quiet_request",
            "shim_two_antennas",
            "shim_talk",
        ):
            getattr(self.code, name).restype = ctypes.c_size_t
        self.code.bl_iso15693_read_reply.restype = ctypes.c_bool

    def crc(self, data: bytes) -> int:
        return int(self.code.bl_iso15693_crc(data, ctypes.c_size_t(len(data))))

    def inventory_request(self, nibbles: Sequence[int]) -> bytes:
        out = (ctypes.c_uint8 * 13)()
        size = self.code.bl_iso15693_inventory_request(bytes(nibbles), ctypes.c_size_t(len(nibbles)), out)
        return bytes(out[:size])

    def stay_quiet_request(self, uid: bytes) -> bytes:
        out = (ctypes.c_uint8 * 13)()
        return bytes(out[: self.code.bl_iso15693_stay_quiet_request(uid, out)])

    def read_reply(self, reply: bytes) -> tuple[bytes, int] | None:
        """UID and DSFID of an answer, None when it is refused."""
        tag = Tag()
        sound = self.code.bl_iso15693_read_reply(reply, ctypes.c_size_t(len(reply)), ctypes.byref(tag))
        return (bytes(tag.uid), int(tag.dsfid)) if sound else None

    def read(self, uids: Sequence[bytes], room: int = 120, **field: int) -> Reading:
        """One inventory of a fresh field with these tags."""
        tags, figures = (Tag * max(room, 1))(), Figures()
        self.code.shim_inventory(
            ctypes.byref(Field(**field)),
            b"".join(uids),
            ctypes.c_size_t(len(uids)),
            tags,
            ctypes.c_size_t(room),
            ctypes.byref(figures),
        )
        found = tags[: figures.count]
        told = {name: int(getattr(figures, name)) for name in FIGURES}
        return Reading(tuple(bytes(tag.uid) for tag in found), tuple(int(tag.rssi) for tag in found), told)

    def read_after_another_antenna(self, first: Sequence[bytes], second: Sequence[bytes]) -> tuple[bytes, ...]:
        """Antenna 1 read a second time, with antenna 2 read in between, and at once a third time."""
        tags = (Tag * 120)()
        size = ctypes.c_size_t(len(first))
        found = self.code.shim_two_antennas(b"".join(first), b"".join(second), size, tags, ctypes.c_size_t(120))
        return tuple(bytes(tag.uid) for tag in tags[:found])

    def begin_talk(self, uids: Sequence[bytes]) -> None:
        """Powers these tags for a talk frame by frame."""
        self.code.shim_begin_talk(b"".join(uids), ctypes.c_size_t(len(uids)))

    def talk(self, frame: bytes, tags: int) -> tuple[bytes, list[int]]:
        """Sends one frame: what was heard in the first slot, and the states of the tags."""
        heard, states = (ctypes.c_uint8 * 12)(), (ctypes.c_uint8 * tags)()
        size = self.code.shim_talk(frame, ctypes.c_size_t(len(frame)), heard, states)
        return bytes(heard[:size]), list(states)
