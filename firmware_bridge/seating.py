"""Whether a reader sits where the table file says: else its rounds would count another seat's chips as this seat's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.family import Dialogue, Refused, TellsOfItself

_SEAT: Final = re.compile(r"seat-(\d+)")


@dataclass(frozen=True, slots=True)
class Seating:
    """Where the table file has a reader."""

    port: str
    zones: tuple[str, ...]

    def misplaced(self, dialogue: Dialogue) -> Refused | None:
        """What is wrong if the reader says that it is another seat.

        One that was told no seat is believed, and so is one that serves several: it cannot be all of them.
        """
        seats = [int(found[1]) for zone in self.zones if (found := _SEAT.fullmatch(zone))]
        if not isinstance(dialogue, TellsOfItself) or not dialogue.seat or len(seats) > 1 or dialogue.seat in seats:
            return None
        meant = f"seat {seats[0]}" if seats else " and ".join(self.zones)
        return Refused(
            "wrong_seat",
            f"the reader on {self.port} says it is seat {dialogue.seat}, the table says {meant}: "
            "swap the cables or set its straps",
        )
