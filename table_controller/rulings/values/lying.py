"""The cards that lie face up in a hand: where, and under which seal. Which ones they are the table does not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from betline.settings import BOARD_CARDS
from table_controller.betting import Hand
from table_controller.rulings.values.run_out import Runs


@dataclass(frozen=True, slots=True)
class Laid:
    """Cards at one place: a street of the board (``board`` from 1, 0 for all boards), or a seat's shown hand."""

    seat: int | None
    street: str
    board: int
    count: int
    """0: the seat has mucked its hand unseen."""
    seal: str

    @property
    def place(self) -> tuple[int | None, str, int]:
        """What is replaced by a correction."""
        return self.seat, self.street, self.board


def streets_on_the_board(hand: Hand, runs: Runs | None) -> tuple[Laid, ...]:
    """The places of the board that have been dealt so far, in their order, with no seal yet."""
    return tuple(_dealt(hand, runs))


def streets_of_run(places: tuple[Laid, ...], run: int) -> tuple[Laid, ...]:
    """Of these places those that make one board, from 1."""
    return tuple(one for one in places if one.board in (0, run))


def next_on_the_board(hand: Hand, runs: Runs | None) -> Laid | None:
    """The place that the next street to be dealt has on the board; None where none comes."""
    if hand.hand_over:
        return None
    if runs is not None:
        dealt = _dealt(hand, replace(runs, dealt=runs.dealt + 1)) if runs.to_come else ()
        return next(reversed([*dealt]), None)
    streets = hand.structure.streets
    following = streets[streets.index(hand.street) + 1 :][:1]
    return next((_place(street, 0) for street in following if street in BOARD_CARDS), None)


def _dealt(hand: Hand, runs: Runs | None) -> Iterator[Laid]:
    streets = hand.structure.streets
    shared = streets[: streets.index(hand.street) + 1]
    if runs is not None:
        shared = streets[: streets.index(runs.streets[0])]
    yield from (_place(street, 0) for street in shared if street in BOARD_CARDS)
    for number in range(0 if runs is None else runs.dealt):
        assert runs is not None
        yield _place(runs.streets[number % len(runs.streets)], number // len(runs.streets) + 1)


def _place(street: str, board: int) -> Laid:
    return Laid(None, street, board, BOARD_CARDS[street], "")
