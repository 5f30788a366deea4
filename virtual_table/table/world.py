"""One virtual poker table in millimetres: chips, cards and hands, moved by scheduled motions.

The world has no clock: each motion is scheduled from a time that the caller gives, and positions can be asked for any
time since the last gathering of bets but one (see `World.forget`). `stack`, `bets`, `pot` and `tray` answer with the
state after everything scheduled so far. The same seed and the same calls make exactly the same world. Readers, camera
and players may call from their own threads.

What players and the dealer do are functions over a world: `player_motions` and `dealer_motions`.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Concatenate, ParamSpec, TypeVar

from betline.geometry import Point
from betline.settings import BADGE_ZONE, ChipSet, TableSettings, is_for_cards
from virtual_table.table import bank
from virtual_table.table.cards import Cards
from virtual_table.table.holdings import POT, TRAY, Holdings, bet_place, cards_place, stack_place
from virtual_table.table.line_truth import LineTruth
from virtual_table.table.people import dealer_hands, player_hands
from virtual_table.table.things import BY_DEALER, Chip, Motion, Scene, TagInField, TruthEvent, WorldError
from virtual_table.table.timeline import PhoneStay, Timeline
from virtual_table.table.visit import Hand, Visit

_DEALER_PACE = 0.8

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


def exclusive(
    function: Callable[Concatenate[World, _Params], _Result],
) -> Callable[Concatenate[World, _Params], _Result]:
    """Decorates a function over a world so that only one thread at a time is inside it."""

    @functools.wraps(function)
    def locked(world: World, /, *args: _Params.args, **kwargs: _Params.kwargs) -> _Result:
        with world.lock:
            return function(world, *args, **kwargs)

    return locked


class World:
    """One table and everything on it.

    Functions and methods that are asked for the impossible raise `WorldError` and change nothing.

    The public parts of a world other than `table` and `chip_set`, and the methods under "For motions", are for
    functions that move things; such a function is decorated with `exclusive`. All other code queries the world and
    calls those functions.
    """

    def __init__(self, table: TableSettings, chip_set: ChipSet, seed: int, dealer_haste: float = 1.0) -> None:
        """``dealer_haste`` divides the time that the dealer takes to deal, gather and make change."""
        self.table = table
        self.chip_set = chip_set
        self.lock = threading.RLock()
        self._haste = dealer_haste
        self._seed = seed
        self._scheduled = 0
        rng = Random(f"{seed}:table")
        zones = {bet_place(seat.number): seat.bet_zone_mm for seat in table.seats}
        served = {antenna.zone for reader in table.readers for antenna in reader.antennas}
        stacks = {stack_place(seat.number): seat.stack_zone_mm for seat in table.seats}
        zones |= {zone: polygon for zone, polygon in stacks.items() if zone in served}
        self.timeline = Timeline({**zones, POT: table.pot.polygon_mm, TRAY: table.tray.polygon_mm})
        """Where everything is at any time."""
        self.holdings = Holdings(table, chip_set, rng)
        """Which chip lies where once everything scheduled has happened."""
        self.cards = Cards(table, self.timeline)
        """Who holds which cards once everything scheduled has happened."""
        self._hands = player_hands(table, rng)
        self.dealer_left, self.dealer_right = dealer_hands(table, rng)
        self._free_s: dict[str, float] = {}
        self._tags: list[tuple[str, str, float, float]] = []
        """Badges and cards on their antennas: the zone, the tag, from when and until when."""
        """Tags on the badge antenna: since when, and until when."""
        self.line_truth = LineTruth(table, chip_set.diameter_mm / 2)
        """What happened at the betting lines, to score a camera by."""
        self.phones: dict[int, PhoneStay] = {}
        """The phones on the table, by their owner's seat."""
        self._gathered_s = -math.inf
        self.stock_tray(-math.inf)

    # The state after everything scheduled

    @exclusive
    def stack(self, seat: int) -> tuple[Chip, ...]:
        """The chips of a seat's stack, pile by pile, each from the bottom."""
        return self.holdings.at(stack_place(seat))

    @exclusive
    def bets(self, seat: int) -> tuple[Chip, ...]:
        """The chips in a seat's bet zone."""
        return self.holdings.at(bet_place(seat))

    @exclusive
    def protector(self, seat: int) -> tuple[Chip, ...]:
        """The chip on a seat's cards, empty if it has none there."""
        return self.holdings.at(cards_place(seat))

    @exclusive
    def pot(self) -> tuple[Chip, ...]:
        """The chips in the middle."""
        return self.holdings.at(POT)

    @exclusive
    def tray(self) -> tuple[Chip, ...]:
        """The chips in the dealer's tray."""
        return self.holdings.at(TRAY)

    @exclusive
    def chips(self) -> tuple[Chip, ...]:
        """Every chip that exists, those in the cage included."""
        return self.holdings.all_chips()

    @staticmethod
    def value(chips: Iterable[Chip]) -> int:
        """The value of the chips together, in the smallest unit."""
        return bank.value(chips)

    @exclusive
    def hole_cards(self, seat: int) -> int:
        """How many hole cards a seat has in front of it."""
        return len(self.cards.held.get(seat, ()))

    @exclusive
    def free_s(self, seat: int | None) -> float:
        """When a seat's arm (None: the dealer's arms) is free; -inf if it has not moved yet."""
        return self._free_s.get(f"seat-{seat}" if seat else BY_DEALER, -math.inf)

    @exclusive
    def dress(self, sleeve: str) -> None:
        """Gives every player a sleeve of that colour (``#rrggbb``)."""
        self._hands = {
            seat: replace(hand, looks=replace(hand.looks, sleeve=sleeve)) for seat, hand in self._hands.items()
        }

    @exclusive
    def show_hands_as(self, hand_mm: tuple[Point, ...]) -> None:
        """Everybody's hand has the outline of one that is cut out of a photo (`Looks.hand_mm`)."""

        def cut_out(hand: Hand) -> Hand:
            return replace(hand, looks=replace(hand.looks, hand_mm=hand_mm))

        self._hands = {seat: cut_out(hand) for seat, hand in self._hands.items()}
        self.dealer_left, self.dealer_right = cut_out(self.dealer_left), cut_out(self.dealer_right)

    # What readers and cameras sense

    @exclusive
    def in_field(self, zone: str, t_s: float) -> tuple[TagInField, ...]:
        """The tags in the field of an antenna zone (``seat-3``, ``pot``, ``tray``, ``stack-3`` where an antenna
        serves it): chips that lie in the zone, and
        chips carried over it less than 25 mm high; of the zone ``badge`` the badges that lie there, of
        ``board`` and ``show-3`` the cards.
        """
        if is_for_cards(zone) or (zone == BADGE_ZONE and self.table.badge is not None):
            return tuple(
                TagInField(uid, 1.0, 1) for where, uid, from_s, to_s in self._tags
                if where == zone and from_s <= t_s < to_s
            )  # fmt: skip
        try:
            return self.timeline.in_field(zone, t_s)
        except KeyError:
            raise WorldError("unknown-zone", f"This table has no zone {zone}.") from None

    @exclusive
    def lay_badge(self, uid: str, from_s: float, to_s: float = math.inf) -> None:
        """Somebody of the staff lays a badge on the badge antenna, and takes it away again; no hand is seen."""
        if self.table.badge is None:
            raise WorldError("unknown-zone", "This table has no place for badges: its file needs a [badge].")
        self._tags.append((BADGE_ZONE, uid, from_s, to_s))

    @exclusive
    def lay_card(self, zone: str, uid: str, from_s: float, to_s: float = math.inf) -> None:
        """A card with a tag is laid on an antenna for cards, and taken away again; no hand is seen."""
        if zone not in self.table.card_zones():
            raise WorldError("unknown-zone", f"This table has no zone {zone} for cards.")
        self._tags.append((zone, uid, from_s, to_s))

    @exclusive
    def scene(self, t_s: float) -> Scene:
        """What a camera could see at that time."""
        return self.timeline.scene(t_s)

    @exclusive
    def truth(self, from_s: float = -math.inf, to_s: float = math.inf) -> tuple[TruthEvent, ...]:
        """The events at the lines that began in that span, in order, to score a camera by."""
        return self.line_truth.events(from_s, to_s)

    @exclusive
    def forget(self, before_s: float) -> None:
        """Drops what was over before that time. `dealer_motions.gather` does so for the time before the previous
        gathering.
        """
        self.timeline.forget(before_s)

    @exclusive
    def forget_truth(self, before_s: float) -> None:
        """Drops truth events that began before that time, for runs that score nothing."""
        self.line_truth.forget(before_s)

    # Chips moved without hands

    @exclusive
    def fill_stack(self, seat: int, amount: int, at_s: float = -math.inf) -> tuple[Chip, ...]:
        """Puts a plausible mix of chips from the cage on a seat's stack, between hands; returns them.

        Raises BankError if the chip set cannot make the amount.
        """
        self.require_seat(seat)
        chips = self.holdings.withdraw(bank.breakdown(amount, self.chip_set))
        self.put_down(chips, stack_place(seat), at_s)
        return chips

    @exclusive
    def stock_cage(self, each: int) -> None:
        """Makes so many chips of each type for the cage, so that a register written now knows them."""
        self.holdings.stock_cage(each)

    @exclusive
    def fill_pot(self, amount: int, at_s: float = -math.inf) -> tuple[Chip, ...]:
        """Puts a plausible mix of chips from the cage in the middle, for a hand that begins with a pot.

        Raises BankError if the chip set cannot make the amount.
        """
        chips = self.holdings.withdraw(bank.breakdown(amount, self.chip_set))
        self.put_down(chips, POT, at_s)
        return chips

    @exclusive
    def clear_stack(self, seat: int, at_s: float) -> None:
        """Takes a seat's whole stack off the table into the cage, between hands."""
        self.require_seat(seat)
        self.take_off_table(self.holdings.at(stack_place(seat)), at_s)

    @exclusive
    def recolour_stack(self, seat: int, at_s: float) -> bool:
        """Makes a seat's stack a plausible mix again, between hands; False if it is one already."""
        self.require_seat(seat)
        place = stack_place(seat)
        change = bank.recolour(self.holdings.at(place), self.chip_set)
        if change is None:
            return False
        self.take_off_table(change.take, at_s)
        self.put_down(self.holdings.withdraw(change.give), place, at_s)
        return True

    @exclusive
    def from_tray(self, counts: Mapping[str, int], at_s: float = -math.inf) -> tuple[Chip, ...]:
        """Chips of the tray, so many of each type's key; the cage supplies what the tray lacks at ``at_s``."""
        chosen: list[Chip] = []
        held: dict[str, list[Chip]] = {}
        for chip in self.holdings.at(TRAY):
            held.setdefault(chip.key, []).append(chip)
        missing = {key: count - len(held.get(key, ())) for key, count in counts.items()}
        sent = self.holdings.withdraw({key: count for key, count in missing.items() if count > 0})
        self.put_down(sent, TRAY, at_s)
        for key, count in counts.items():
            pile = held.get(key, []) + [chip for chip in sent if chip.key == key]
            chosen += pile[len(pile) - count :]
        return tuple(chosen)

    # For motions

    def next_rng(self) -> Random:
        """A random stream for one more motion, drawn from the world's seed and the motion's number."""
        self._scheduled += 1
        return Random(f"{self._seed}:{self._scheduled}")

    def hand_of(self, seat: int) -> Hand:
        """The hand that a seat bets with; raises WorldError for an unknown seat."""
        self.require_seat(seat)
        return self._hands[seat]

    def dealer_hand(self, seat: int) -> Hand:
        """The dealer's hand on a seat's side of the table."""
        return self.dealer_left if self.table.seat(seat).rail_mm[0] < 0 else self.dealer_right

    def earliest_s(self, actor: str, at_s: float, chips: Iterable[Chip] = ()) -> float:
        """The earliest start from ``at_s`` on: when the actor's arm is free and the chips lie still."""
        return max([at_s, self._free_s.get(actor, at_s), *(self.holdings.rests_s[chip.uid] for chip in chips)])

    def start_visit(
        self,
        hand: Hand,
        at_s: float,
        chips: Iterable[Chip] = (),
        dealer_pace: float = _DEALER_PACE,
        lift_mm: float | None = None,
    ) -> Visit:
        """A visit of a hand to the table, starting when the hand is free and the chips lie still.

        ``dealer_pace`` stretches the times of the dealer's hands, before the world's haste divides them.
        """
        rng = self.next_rng()
        pace = dealer_pace / self._haste if hand.owner == BY_DEALER else 1.0
        start_s = self.earliest_s(hand.owner, at_s, chips)
        return Visit(hand, self.holdings, self.timeline, start_s, rng, pace, lift_mm)

    def scheduled(self, motion: Motion) -> Motion:
        """Keeps the actor's arm busy until the motion is over, and returns the motion."""
        self._free_s[motion.actor] = motion.end_s
        return motion

    def gathered(self, at_s: float) -> None:
        """Bets have been gathered: forgets what was over before the previous gathering."""
        self.timeline.forget(self._gathered_s)
        self._gathered_s = at_s

    def require_seat(self, seat: int) -> None:
        """Raises WorldError for an unknown seat."""
        if seat not in self._hands:
            raise WorldError("unknown-seat", f"This table has no seat {seat}.")

    def require_chips(self, chips: Sequence[Chip], place: str) -> None:
        """Raises WorldError unless there is at least one chip, and each is given once and lies in the place."""
        if not chips:
            raise WorldError("no-chips", "Nothing can be moved: give at least one chip.")
        self.holdings.require(chips, place)

    def require_cards(self, seat: int) -> None:
        """Raises WorldError for a seat that is unknown or has no cards."""
        self.require_seat(seat)
        if not self.cards.held.get(seat):
            raise WorldError("no-cards", f"Seat {seat} has no cards.")

    def put_down(self, chips: Sequence[Chip], place: str, at_s: float) -> None:
        """Puts chips from the cage in a place at that time, without a hand."""
        for spot in self.holdings.put(chips, place):
            self.holdings.rests_s[spot.uid] = at_s
            self.timeline.lay(spot, at_s)

    def lift(self, chip: Chip, at_s: float) -> None:
        """Takes a chip from where it lies, to be put down somewhere else at the same time."""
        for spot in self.holdings.take(chip)[1]:
            self.timeline.lay(spot, at_s)

    def take_off_table(self, chips: Sequence[Chip], at_s: float) -> None:
        """Takes chips off the table into the cage, without a hand."""
        sunk = self.holdings.to_cage(chips)
        for chip in chips:
            self.timeline.take_off(chip.uid, at_s)
        for spot in sunk:
            self.timeline.lay(spot, at_s)

    def stock_tray(self, at_s: float) -> None:
        """Brings the tray to its float: surplus chips go to the cage, missing ones come from it."""
        surplus, missing = self.holdings.tray_needs()
        self.take_off_table(surplus, at_s)
        self.put_down(self.holdings.withdraw(missing), TRAY, at_s)
