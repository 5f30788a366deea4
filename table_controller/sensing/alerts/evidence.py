"""An alert with its evidence: the chips, how they were read, and the camera's events nearest to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from table_controller.sensing.observations import CHIPS_LISTED, Alert, AlertCode, ChipRead
from table_controller.sensing.state import SensingState

NAMED = 4
"""How many chips a sentence names before it only counts."""


def alert(
    sensing: SensingState,
    code: AlertCode,
    seat: int | None,
    sentence: str,
    amount: int = 0,
    chips: Mapping[str, int | None] | None = None,
    zone: str = "",
) -> Alert:
    """The alert with its evidence; `chips` are UIDs with their values, `zone` is where they lie or lay last."""
    about = chips or {}
    tracks = sensing.zones[zone].tracks if zone in sensing.zones else {}
    reads = []
    for uid, value in sorted(about.items())[:CHIPS_LISTED]:
        track = tracks.get(uid)
        reads.append(ChipRead(uid, value, zone, track.hits if track else 0, track.rounds if track else 0))
    return Alert(
        code, seat, sentence, amount, len(about), tuple(reads), () if seat is None else sensing.witness.pictures(seat)
    )


def still(sensing: SensingState, *codes: AlertCode) -> Iterator[Alert]:
    """The alerts about the house's zones that stand as they were, while chips move and nobody can say otherwise."""
    return (raised for (code, seat), raised in sensing.raised.items() if seat is None and code in codes)


def listed(names: list[str]) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def counted(number: int) -> str:
    """`1 chip`, `2 chips`."""
    return "1 chip" if number == 1 else f"{number} chips"


def seats_named(seats: Iterable[int]) -> str:
    """`seat 4`, `seats 4 and 5`, `seats 4, 5 and 6`."""
    numbers = [str(seat) for seat in seats]
    if len(numbers) == 1:
        return f"seat {numbers[0]}"
    return f"seats {', '.join(numbers[:-1])} and {numbers[-1]}"
