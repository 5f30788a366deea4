"""What stands and lies on the virtual table, who sits at it, and how motions get into its timeline."""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, TypeVar, cast

from betline.settings import ChipSet, TableSettings
from virtual_table.table import bank
from virtual_table.table.cards import Cards
from virtual_table.table.holdings import POT, TRAY, Holdings, bet_place, cards_place, stack_place
from virtual_table.table.line_truth import LineTruth
from virtual_table.table.people import dealer_hands, player_hands
from virtual_table.table.things import BY_DEALER, Chip, Motion, Scene, TagInField, TruthEvent, WorldError
from virtual_table.table.timeline import PhoneStay, Timeline
from virtual_table.table.visit import Hand, Visit

_DEALER_PACE = 0.8

_Method = TypeVar("_Method", bound=Callable[..., Any])


def alone(method: _Method) -> _Method:
    """Only one thread at a time inside the world."""

    @functools.wraps(method)
    def locked(self: Stage, *args: Any, **kwargs: Any) -> Any:
        with self._lock:
            return method(self, *args, **kwargs)

    return cast(_Method, locked)


class Stage:
    """One table, what is on it and what can be seen of it; the motions are added by those who make them."""

    def __init__(self, table: TableSettings, chip_set: ChipSet, seed: int, dealer_haste: float = 1.0) -> None:
        """``dealer_haste`` divides the time that the dealer takes to deal, gather and make change."""
        self._haste = dealer_haste
        self.table = table
        self.chip_set = chip_set
        self._lock = threading.RLock()
        self._seed = seed
        self._scheduled = 0
        rng = Random(f"{seed}:table")
        zones = {bet_place(seat.number): seat.bet_zone_mm for seat in table.seats}
        self._timeline = Timeline({**zones, POT: table.pot.polygon_mm, TRAY: table.tray.polygon_mm})
        self._holdings = Holdings(table, chip_set, rng)
        self._cards = Cards(table, self._timeline)
        self._hands = player_hands(table, rng)
        self._dealer_left, self._dealer_right = dealer_hands(table, rng)
        self._free_s: dict[str, float] = {}
        self._truth = LineTruth(table, chip_set.diameter_mm / 2)
        self._gathered_s = -math.inf
        self._phones: dict[int, PhoneStay] = {}
        self._stock_tray(-math.inf)

    # What there is

    @alone
    def stack(self, seat: int) -> tuple[Chip, ...]:
        """The chips of a seat's stack, pile by pile, each from the bottom."""
        return self._holdings.at(stack_place(seat))

    @alone
    def bets(self, seat: int) -> tuple[Chip, ...]:
        """The chips in a seat's bet zone."""
        return self._holdings.at(bet_place(seat))

    @alone
    def protector(self, seat: int) -> tuple[Chip, ...]:
        """The chip on a seat's cards, none where it protects them with nothing."""
        return self._holdings.at(cards_place(seat))

    @alone
    def pot(self) -> tuple[Chip, ...]:
        """The chips in the middle."""
        return self._holdings.at(POT)

    @alone
    def tray(self) -> tuple[Chip, ...]:
        """The chips in the dealer's tray."""
        return self._holdings.at(TRAY)

    @alone
    def chips(self) -> tuple[Chip, ...]:
        """Every chip that exists, those in the cage included."""
        return self._holdings.all_chips()

    @staticmethod
    def value(chips: Iterable[Chip]) -> int:
        """What the chips are worth together, in the smallest unit."""
        return bank.value(chips)

    @alone
    def cards(self, seat: int) -> int:
        """How many hole cards a seat has in front of it."""
        return len(self._cards.held.get(seat, ()))

    @alone
    def free_s(self, seat: int | None) -> float:
        """When a seat's arm (None: the dealer's arms) has nothing more to do; -inf where it never had."""
        return self._free_s.get(f"seat-{seat}" if seat else BY_DEALER, -math.inf)

    @alone
    def dress(self, sleeve: str) -> None:
        """Gives every player a sleeve of that colour (``#rrggbb``)."""
        self._hands = {
            seat: replace(hand, looks=replace(hand.looks, sleeve=sleeve)) for seat, hand in self._hands.items()
        }

    # What is seen

    @alone
    def in_field(self, zone: str, t_s: float) -> tuple[TagInField, ...]:
        """The tags in the field of an antenna zone (``seat-3``, ``pot``, ``tray``).

        In the field is what lies in the zone, and what is carried over it less than 25 mm high.
        """
        try:
            return self._timeline.in_field(zone, t_s)
        except KeyError:
            raise WorldError("unknown-zone", f"This table has no zone {zone}.") from None

    @alone
    def scene(self, t_s: float) -> Scene:
        """What a camera could see at that time."""
        return self._timeline.scene(t_s)

    @alone
    def truth(self, from_s: float = -math.inf, to_s: float = math.inf) -> tuple[TruthEvent, ...]:
        """What happened at the lines and began in that span, in order: to score a camera by."""
        return self._truth.events(from_s, to_s)

    @alone
    def forget(self, before_s: float) -> None:
        """Drops what was over before that time. `gather` does it by itself, for the time before the gathering
        that went before it.
        """
        self._timeline.forget(before_s)

    @alone
    def forget_truth(self, before_s: float) -> None:
        """Drops truth events that began before that time, where nobody scores them."""
        self._truth.forget(before_s)

    # Chips without hands

    @alone
    def fill_stack(self, seat: int, amount: int, at_s: float = -math.inf) -> tuple[Chip, ...]:
        """Puts a plausible mix of chips from the cage on a seat's stack, between hands; returns them.

        Raises BankError where the chip set cannot make the amount.
        """
        place = self._seat_place(seat, stack_place)
        chips = self._holdings.withdraw(bank.breakdown(amount, self.chip_set))
        self._put_down(chips, place, at_s)
        return chips

    @alone
    def stock_cage(self, each: int) -> None:
        """Has so many chips of each type made for the cage, so that a register written now knows them."""
        self._holdings.stock_cage(each)

    @alone
    def fill_pot(self, amount: int, at_s: float = -math.inf) -> tuple[Chip, ...]:
        """Puts a plausible mix of chips from the cage in the middle, where a hand begins with a pot.

        Raises BankError where the chip set cannot make the amount.
        """
        chips = self._holdings.withdraw(bank.breakdown(amount, self.chip_set))
        self._put_down(chips, POT, at_s)
        return chips

    @alone
    def clear_stack(self, seat: int, at_s: float) -> None:
        """Takes a seat's whole stack off the table into the cage, between hands."""
        self._off_table(self._holdings.at(self._seat_place(seat, stack_place)), at_s)

    @alone
    def recolour_stack(self, seat: int, at_s: float) -> bool:
        """Makes a seat's stack a plausible mix again, between hands, no hand moving; False where it is one."""
        place = self._seat_place(seat, stack_place)
        change = bank.recolour(self._holdings.at(place), self.chip_set)
        if change is None:
            return False
        self._off_table(change.take, at_s)
        self._put_down(self._holdings.withdraw(change.give), place, at_s)
        return True

    @alone
    def from_tray(self, counts: Mapping[str, int], at_s: float = -math.inf) -> tuple[Chip, ...]:
        """Chips of the tray, so many of each type's key; what the tray lacks the cage sends at ``at_s``."""
        chosen: list[Chip] = []
        held: dict[str, list[Chip]] = {}
        for chip in self._holdings.at(TRAY):
            held.setdefault(chip.key, []).append(chip)
        missing = {key: count - len(held.get(key, ())) for key, count in counts.items()}
        sent = self._holdings.withdraw({key: count for key, count in missing.items() if count > 0})
        self._put_down(sent, TRAY, at_s)
        for key, count in counts.items():
            pile = held.get(key, []) + [chip for chip in sent if chip.key == key]
            chosen += pile[len(pile) - count :]
        return tuple(chosen)

    # Inside

    def _next_rng(self) -> Random:
        self._scheduled += 1
        return Random(f"{self._seed}:{self._scheduled}")

    def _begin(self, actor: str, at_s: float, chips: Iterable[Chip] = ()) -> float:
        """The earliest start: not before the arm is free and the chips lie still."""
        return max([at_s, self._free_s.get(actor, at_s), *(self._holdings.rests_s[chip.uid] for chip in chips)])

    def _visit(self, hand: Hand, at_s: float, chips: Iterable[Chip] = ()) -> tuple[Visit, Random]:
        rng = self._next_rng()
        start = self._begin(hand.owner, at_s, chips)
        pace = _DEALER_PACE / self._haste if hand.owner == BY_DEALER else 1.0
        return Visit(hand, self._holdings, self._timeline, start, rng, pace), rng

    def _done(self, motion: Motion) -> Motion:
        self._free_s[motion.actor] = motion.end_s
        return motion

    def _seat_place(self, seat: int, place: Callable[[int], str]) -> str:
        if seat not in self._hands:
            raise WorldError("unknown-seat", f"This table has no seat {seat}.")
        return place(seat)

    def _require_some(self, chips: Sequence[Chip], place: str) -> None:
        if not chips:
            raise WorldError("no-chips", "Nothing can be moved: give at least one chip.")
        self._holdings.require(chips, place)

    def _require_cards(self, seat: int) -> int:
        self._seat_place(seat, stack_place)
        if not self._cards.held.get(seat):
            raise WorldError("no-cards", f"Seat {seat} has no cards.")
        return seat

    def _put_down(self, chips: Sequence[Chip], place: str, at_s: float) -> None:
        for spot in self._holdings.put(chips, place):
            self._holdings.rests_s[spot.uid] = at_s
            self._timeline.lay(spot, at_s)

    def _off_table(self, chips: Sequence[Chip], at_s: float) -> None:
        sunk = self._holdings.to_cage(chips)
        for chip in chips:
            self._timeline.take_off(chip.uid, at_s)
        for spot in sunk:
            self._timeline.lay(spot, at_s)

    def _stock_tray(self, at_s: float) -> None:
        """Brings the tray to its float: what is too much goes to the cage, what is missing comes from there."""
        surplus, missing = self._holdings.tray_needs()
        self._off_table(surplus, at_s)
        self._put_down(self._holdings.withdraw(missing), TRAY, at_s)
