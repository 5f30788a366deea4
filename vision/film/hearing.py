"""What a film takes down of the bus: chips on the seats' antennas, what the dealer keyed, how acts were ruled, what the
camera reported.

Only what is named here is written, field by field: no names, no PINs, no cards, no commands, no chip's UID.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping
from typing import Any, Final

from betline.bus import Bus, Received
from betline.messages.devices import LineEvent, ZoneChips
from betline.messages.table import Ruling
from betline.topics import DEVICE_LINE, RULING, SEAT_LINE, ZONE_CHIPS
from vision.film.store import Heard

CHIPS, RULED, CAMERA = "chips", "ruled", "camera"
KEYED: Final = frozenset({"keyed", "words"})
"""Sources of a ruling that a person gave."""

Taken = Callable[[int, str, Mapping[str, Any]], None]


class Hearing:
    """Hands on what it hears, with its time on this machine's monotonic clock."""

    def __init__(self, bus: Bus, taken: Taken) -> None:
        self._taken = taken
        self._chips: dict[str, dict[str, int]] = {}
        bus.subscribe(ZONE_CHIPS, self._zone)
        bus.subscribe(RULING, self._ruling)
        bus.subscribe(SEAT_LINE, self._line)
        bus.subscribe(DEVICE_LINE, self._line)

    def _zone(self, received: Received) -> None:
        body = received.body
        if not isinstance(body, ZoneChips) or not body.zone.startswith(("seat-", "pot")):
            return
        chips = collections.Counter(chip.chip_type or "unknown" for chip in body.chips if chip.missed < chip.rounds)
        now = dict(sorted(chips.items()))
        if self._chips.get(body.zone) != now:
            self._chips[body.zone] = now
            self._taken(received.local_ns(body.last_byte_ns), CHIPS, {"zone": body.zone, "chips": now})

    def _ruling(self, received: Received) -> None:
        body = received.body
        if isinstance(body, Ruling):
            said = {"hand_no": body.hand_no, "act_no": body.act_no, "street": body.street, "seat": body.seat}
            said |= {"ruling": body.ruling, "to": body.to, "adds": body.adds, "source": body.source}
            self._taken(received.arrived_ns, RULED, said)

    def _line(self, received: Received) -> None:
        body = received.body
        if isinstance(body, LineEvent):
            said = {"event": body.kind, "seat": body.seat, "conf": body.conf, "motions": body.motions}
            self._taken(received.local_ns(body.t_first_ns), CAMERA, said)


def is_act(heard: Heard) -> bool:
    """Whether a person is to be asked about that moment; what the camera reported and what came of it never count."""
    return heard.what == CHIPS or (heard.what == RULED and heard.body.get("source") in KEYED)


def account(heard: tuple[Heard, ...], from_ms: float, to_ms: float) -> list[dict[str, Any]]:
    """What readers and dealer said between two times, in sentences; nothing of what the camera said."""
    before: dict[str, dict[str, int]] = {}
    lines: list[dict[str, Any]] = []
    for one in heard:
        if one.t_ms >= to_ms:
            break
        if one.what == CHIPS:
            zone, now = str(one.body.get("zone")), _counts(one.body.get("chips"))
            was, before[zone] = before.get(zone, {}), now
            if one.t_ms >= from_ms:
                lines.append({"t_ms": one.t_ms, "words": f"{_place(zone)}: {_change(was, now)}"})
        elif one.t_ms >= from_ms and is_act(one):
            where = f"seat {one.body.get('seat')}: " if one.body.get("seat") else ""
            amount = f" {one.body.get('to')}" if one.body.get("to") else ""
            lines.append({"t_ms": one.t_ms, "words": f"dealer keyed {where}{one.body.get('ruling')}{amount}"})
    return lines


def _counts(value: Any) -> dict[str, int]:
    return {str(kind): int(count) for kind, count in value.items()} if isinstance(value, dict) else {}


def _place(zone: str) -> str:
    return f"reader of {zone.replace('-', ' ')}"


def _change(was: Mapping[str, int], now: Mapping[str, int]) -> str:
    parts = [
        f"{now.get(kind, 0) - was.get(kind, 0):+d} {kind}"
        for kind in sorted({*was, *now})
        if now.get(kind, 0) != was.get(kind, 0)
    ]
    total = sum(now.values())
    return f"{', '.join(parts) or 'no change'}; {total} {'chip' if total == 1 else 'chips'} now"
