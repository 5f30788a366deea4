"""One virtual poker table in millimetres: chips, cards and hands, moved by scheduled motions.

The world has no clock: each motion is scheduled from a time that the caller gives, and what is where can be asked for
any time since the last but one gathering of bets (see `World.forget`). What `stack`, `bets`, `pot` and `tray` answer
is the state after everything scheduled so far. The same seed and the same calls make the same world to the last
tremor. Readers, camera and players may call from threads of their own.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar, cast

from betline.settings import ChipSet, TableSettings
from virtual_table import bank
from virtual_table.cards import Cards
from virtual_table.holdings import POT, TRAY, Holdings, bet_place, stack_place
from virtual_table.layout import board_places, deck_place, inward_distance_mm
from virtual_table.motion import HandPath, PathBuilder, first_time
from virtual_table.people import dealer_hands, player_hands, seat_heading
from virtual_table.things import (
    BY_DEALER,
    Chip,
    Motion,
    Scene,
    Stroke,
    TruthEvent,
    TruthType,
    WorldError,
)
from virtual_table.timeline import HandVisit, Timeline
from virtual_table.visit import Carried, Hand, Visit

FINGERS_MM = 30.0
"""How far the fingertips reach past the point that they grip at."""

_DEALER_PACE = 0.8
_SWEEP_PACE = 0.6
_SWEEP_LIFT_MM = 34.0

_Method = TypeVar("_Method", bound=Callable[..., Any])


def _alone(method: _Method) -> _Method:
    """Only one thread at a time inside the world."""

    @functools.wraps(method)
    def locked(self: World, *args: Any, **kwargs: Any) -> Any:
        with self._lock:
            return method(self, *args, **kwargs)

    return cast(_Method, locked)


class World:
    """One table and everything on it.

    Methods that are asked for the impossible raise `WorldError` and change nothing.
    """

    def __init__(self, table: TableSettings, chip_set: ChipSet, seed: int) -> None:
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
        self._truth: list[TruthEvent] = []
        self._gathered_s = -math.inf
        self._stock_tray(-math.inf)

    # What there is

    @_alone
    def stack(self, seat: int) -> tuple[Chip, ...]:
        """The chips of a seat's stack, pile by pile, each from the bottom."""
        return self._holdings.at(stack_place(seat))

    @_alone
    def bets(self, seat: int) -> tuple[Chip, ...]:
        """The chips in a seat's bet zone."""
        return self._holdings.at(bet_place(seat))

    @_alone
    def pot(self) -> tuple[Chip, ...]:
        """The chips in the middle."""
        return self._holdings.at(POT)

    @_alone
    def tray(self) -> tuple[Chip, ...]:
        """The chips in the dealer's tray."""
        return self._holdings.at(TRAY)

    @_alone
    def chips(self) -> tuple[Chip, ...]:
        """Every chip that exists, those in the cage included."""
        return self._holdings.all_chips()

    @staticmethod
    def value(chips: Iterable[Chip]) -> int:
        """What the chips are worth together, in the smallest unit."""
        return bank.value(chips)

    @_alone
    def cards(self, seat: int) -> int:
        """How many hole cards a seat has in front of it."""
        return len(self._cards.held.get(seat, ()))

    @_alone
    def free_s(self, seat: int | None) -> float:
        """When a seat's arm (None: the dealer's arms) has nothing more to do; -inf where it never had."""
        return self._free_s.get(f"seat-{seat}" if seat else BY_DEALER, -math.inf)

    # What is seen

    @_alone
    def in_field(self, zone: str, t_s: float) -> tuple[tuple[str, float], ...]:
        """UIDs in the field of an antenna zone (``seat-3``, ``pot``, ``tray``), each with its coupling, 0.5 to 1.

        In the field is what lies in the zone, and what is carried over it less than 25 mm high.
        """
        try:
            return self._timeline.in_field(zone, t_s)
        except KeyError:
            raise WorldError("unknown-zone", f"This table has no zone {zone}.") from None

    @_alone
    def scene(self, t_s: float) -> Scene:
        """What a camera could see at that time."""
        return self._timeline.scene(t_s)

    @_alone
    def truth(self, from_s: float = -math.inf, to_s: float = math.inf) -> tuple[TruthEvent, ...]:
        """What happened at the lines and began in that span, in order: to score a camera by."""
        events = [event for event in self._truth if from_s <= event.t_first < to_s]
        return tuple(sorted(events, key=lambda event: event.t_first))

    @_alone
    def forget(self, before_s: float) -> None:
        """Drops what was over before that time. `gather` does it by itself, for the time before the gathering
        that went before it.
        """
        self._timeline.forget(before_s)

    @_alone
    def forget_truth(self, before_s: float) -> None:
        """Drops truth events that began before that time, where nobody scores them."""
        self._truth = [event for event in self._truth if event.t_first >= before_s]

    # Chips without hands

    @_alone
    def fill_stack(self, seat: int, amount: int, at_s: float = -math.inf) -> tuple[Chip, ...]:
        """Puts a plausible mix of chips from the cage on a seat's stack, between hands; returns them.

        Raises BankError where the chip set cannot make the amount.
        """
        place = self._seat_place(seat, stack_place)
        chips = self._holdings.withdraw(bank.breakdown(amount, self.chip_set))
        self._put_down(chips, place, at_s)
        return chips

    @_alone
    def stock_cage(self, each: int) -> None:
        """Has so many chips of each type made for the cage, so that a register written now knows them."""
        self._holdings.stock_cage(each)

    @_alone
    def clear_stack(self, seat: int, at_s: float) -> None:
        """Takes a seat's whole stack off the table into the cage, between hands."""
        self._off_table(self._holdings.at(self._seat_place(seat, stack_place)), at_s)

    @_alone
    def recolour_stack(self, seat: int, at_s: float) -> bool:
        """Makes a seat's stack a plausible mix again, between hands, no hand moving; False where it is one."""
        place = self._seat_place(seat, stack_place)
        change = bank.recolour(self._holdings.at(place), self.chip_set)
        if change is None:
            return False
        self._off_table(change.take, at_s)
        self._put_down(self._holdings.withdraw(change.give), place, at_s)
        return True

    @_alone
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

    # What players do

    @_alone
    def push(self, seat: int, groups: Sequence[Chip] | Sequence[Sequence[Chip]], at_s: float) -> Motion:
        """A seat bets chips of its stack in one forward motion, or in one motion for each of several groups.

        Between two motions the hand goes back to the stack. More than a handful is pushed over the felt.
        """
        strokes_of = _grouped(groups)
        self._seat_place(seat, bet_place)
        self._holdings.require((chip for group in strokes_of for chip in group), stack_place(seat))
        if not strokes_of:
            raise WorldError("no-chips", f"Seat {seat} cannot push nothing: give at least one chip.")
        visit, rng = self._visit(self._hands[seat], at_s, (chip for group in strokes_of for chip in group))
        start = visit.builder.now_s
        placed: list[tuple[Carried, ...]] = []
        for group in strokes_of:
            visit.pick(group)
            placed.append(visit.place(group, bet_place(seat), apart=True))
            visit.builder.wait(rng.uniform(0.0, 0.06))
        path = visit.finish()
        strokes = tuple(self._stroke(seat, path, carried) for carried in placed)
        motion = Motion(
            "push", f"seat-{seat}", seat, start, strokes[0].cross_s, visit.rest_s, path.end_s, visit.chips, strokes
        )
        self._tell_hand(seat, path)
        for stroke in strokes:
            self._tell("chips_crossing", seat, stroke.cross_s, stroke.rest_s, stroke.chips)
        if len(strokes) > 1:
            self._tell("string_suspect", seat, strokes[1].cross_s, strokes[-1].rest_s, visit.chips)
        self._tell("bet_settled", seat, motion.cross_s, motion.rest_s, visit.chips)
        return self._done(motion)

    @_alone
    def pull_back(self, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
        """A seat takes chips of its bet back into its stack. ``cross_s`` is when the first of them comes back over
        the line.
        """
        self._seat_place(seat, bet_place)
        self._require_some(chips, bet_place(seat))
        visit, _ = self._visit(self._hands[seat], at_s, chips)
        start = visit.builder.now_s
        visit.pick(chips)
        carried = visit.place(chips, stack_place(seat))
        path = visit.finish()
        cross = self._crosses_back(seat, path, carried)
        self._tell_hand(seat, path)
        self._tell("chips_retracted", seat, cross, visit.rest_s, visit.chips)
        return self._done(
            Motion("pull_back", f"seat-{seat}", seat, start, cross, visit.rest_s, path.end_s, visit.chips)
        )

    @_alone
    def tap(self, seat: int, at_s: float, times: int = 2) -> Motion:
        """A seat knocks on the felt at the line: the fingers touch down ``times`` times and go away."""
        self._seat_place(seat, bet_place)
        visit, rng = self._visit(self._hands[seat], at_s)
        builder = visit.builder
        start = builder.now_s
        line = self.table.seat(seat).line_mm
        ahead, aside = rng.uniform(-15.0, 15.0), rng.uniform(-45.0, 45.0)
        spot = seat_heading(self.table, seat).offset(_middle(line), ahead, aside)
        touched = builder.reach((*spot, 0.0), arc_mm=45.0)
        for _ in range(times - 1):
            builder.move((*spot, 35.0), rng.uniform(0.09, 0.14))
            touched = builder.move((*spot, 0.0), rng.uniform(0.08, 0.12))
        builder.wait(rng.uniform(0.02, 0.08))
        path = visit.finish()
        spans = self._tell_hand(seat, path)
        cross = spans[0][0] if spans else touched
        self._tell("tap_suspect", seat, cross, touched)
        return self._done(Motion("tap", f"seat-{seat}", seat, start, cross, touched, path.end_s))

    @_alone
    def muck(self, seat: int, at_s: float) -> Motion:
        """A seat throws its cards away: the hand pushes them over the line and they glide to the muck."""
        place = self.table.seat(self._require_cards(seat))
        visit, rng = self._visit(self._hands[seat], at_s)
        builder, facing = visit.builder, seat_heading(self.table, seat)
        start = builder.now_s
        builder.reach((*place.cards_mm, 0.0))
        grasp = builder.wait(rng.uniform(0.08, 0.18))
        let_go = builder.move((*facing.offset(_middle(place.line_mm), rng.uniform(0.0, 40.0)), 5.0), 0.32)
        visit.hold(grasp, let_go)
        path = visit.finish()
        _, rest = self._cards.throw_away(seat, grasp, let_go, path, rng)
        spans = self._tell_hand(seat, path)
        cross = spans[0][0] if spans else let_go
        self._tell("cards_mucked", seat, cross, rest)
        return self._done(Motion("muck", f"seat-{seat}", seat, start, cross, rest, path.end_s))

    # What the dealer does

    @_alone
    def deal_cards(self, at_s: float, seats: Sequence[int], each: int = 2) -> Motion:
        """The dealer deals ``each`` cards to the seats, round by round in the order given."""
        for seat in seats:
            self._seat_place(seat, bet_place)
            if self._cards.held.get(seat):
                raise WorldError("has-cards", f"Seat {seat} still has cards: clear them first.")
        visit, rng = self._visit(self._dealer_right, at_s)
        builder, deck = visit.builder, deck_place(self.table)
        start = builder.now_s
        ready = builder.reach((*deck, 15.0))
        rest = self._cards.deal(seats, each, builder, rng) if seats else ready
        visit.hold(ready, builder.now_s)
        path = visit.finish()
        self._hold_deck(start, ready, builder.now_s, rng)
        self._tell("cards_dealt", None, ready, rest, by_dealer=True)
        return self._done(Motion("deal_cards", BY_DEALER, None, start, rest, rest, path.end_s))

    @_alone
    def deal_board(self, cards: int | Sequence[str], at_s: float) -> Motion:
        """The dealer puts board cards down: a number of them, or their names (``Ah``, ``Td``)."""
        faces: Sequence[str] = ["??"] * cards if isinstance(cards, int) else cards
        room = len(board_places(self.table)) - len(self._cards.board)
        if not 0 < len(faces) <= room:
            raise WorldError("no-room", f"The board has room for {room} more cards, not for {len(faces)}.")
        visit, rng = self._visit(self._dealer_right, at_s)
        builder = visit.builder
        start = builder.now_s
        ready = builder.reach((*deck_place(self.table), 15.0))
        rest = self._cards.deal_board(faces, builder, rng)
        visit.hold(ready, rest)
        path = visit.finish()
        self._hold_deck(start, ready, builder.now_s, rng)
        return self._done(Motion("deal_board", BY_DEALER, None, start, rest, rest, path.end_s))

    @_alone
    def gather(self, at_s: float) -> Motion:
        """The dealer sweeps all bets into the pot, each hand along its side of the table.

        What was over before the gathering that went before is forgotten.
        """
        seats = [seat for seat in self.table.seats if self._holdings.at(bet_place(seat.number))]
        chips = [chip for seat in seats for chip in self._holdings.at(bet_place(seat.number))]
        start = self._begin(BY_DEALER, at_s, chips)
        ends: list[tuple[float, float]] = []
        touched: list[float] = []
        for hand, left in ((self._dealer_left, True), (self._dealer_right, False)):
            side = [seat.number for seat in seats if (seat.rail_mm[0] < 0) is left]
            if not side:
                continue
            visit = Visit(
                hand, self._holdings, self._timeline, start, self._next_rng(), _SWEEP_PACE, lift_mm=_SWEEP_LIFT_MM
            )
            swept: list[Chip] = []
            for seat in side if left else reversed(side):
                bets = self._holdings.at(bet_place(seat))
                touched.append(visit.pick(bets))
                swept += bets
            visit.place(swept, POT)
            ends.append((visit.rest_s, visit.finish().end_s))
        rest = max((rested for rested, _ in ends), default=start)
        if touched:
            self._tell("pot_swept", None, min(touched), rest, chips, by_dealer=True)
        self._timeline.forget(self._gathered_s)
        self._gathered_s = min(start, at_s)
        end = max((ended for _, ended in ends), default=start)
        return self._done(Motion("gather", BY_DEALER, None, start, rest, rest, end, tuple(chips)))

    @_alone
    def exchange(
        self,
        seat: int,
        give: Sequence[Chip],
        take: Sequence[Chip],
        at_s: float,
        change: Sequence[Chip] = (),
        bank_place: str = TRAY,
    ) -> Motion:
        """The dealer makes change in one visit: ``give`` comes to where ``take`` lay (the seat's bet or its stack),
        ``change`` to the seat's stack, and ``take`` goes to ``bank_place`` (the tray or the pot).

        What the dealer gives lies in the tray or the pot (see `from_tray`); both sides are worth the same.
        """
        self._seat_place(seat, bet_place)
        self._holdings.require([*give, *change], TRAY, POT)
        where = self._holdings.where(take[0]) if take else None
        if where not in (bet_place(seat), stack_place(seat)):
            raise WorldError("chip-elsewhere", f"What the dealer takes must lie in seat {seat}'s bet or stack.")
        self._holdings.require(take, where)
        if bank_place not in (TRAY, POT):
            raise WorldError("unknown-place", f"The dealer takes chips to the tray or the pot, not to {bank_place}.")
        given = bank.value(give) + bank.value(change)
        if given != bank.value(take):
            raise WorldError(
                "uneven", f"The dealer would give {given} for {bank.value(take)}: give as much as is taken."
            )
        visit, _ = self._visit(self._dealer_hand(seat), at_s, [*give, *take, *change])
        start = visit.builder.now_s
        visit.pick([*give, *change])
        if give:
            visit.place(give, where, apart=True)
        if change:
            visit.place(change, stack_place(seat))
        taken = visit.pick(take)
        visit.place(take, bank_place)
        path = visit.finish()
        if where == bet_place(seat):
            self._tell("bet_amended", seat, taken, visit.rest_s, visit.chips, by_dealer=True)
        return self._done(Motion("exchange", BY_DEALER, seat, start, taken, visit.rest_s, path.end_s, visit.chips))

    @_alone
    def change_pot(self, give: Sequence[Chip], take: Sequence[Chip], at_s: float) -> Motion:
        """The dealer changes chips of the pot for chips of the tray of the same worth."""
        self._holdings.require(give, TRAY)
        self._require_some(take, POT)
        if bank.value(give) != bank.value(take):
            raise WorldError("uneven", f"The dealer would give {bank.value(give)} for {bank.value(take)}.")
        visit, _ = self._visit(self._dealer_right, at_s, [*give, *take])
        start = visit.builder.now_s
        visit.pick(give)
        visit.place(give, POT, apart=True)
        taken = visit.pick(take)
        visit.place(take, TRAY)
        path = visit.finish()
        return self._done(Motion("change_pot", BY_DEALER, None, start, taken, visit.rest_s, path.end_s, visit.chips))

    @_alone
    def return_bet(self, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
        """The dealer gives chips of a seat's bet back to its stack (the part that nobody called)."""
        self._seat_place(seat, bet_place)
        self._require_some(chips, bet_place(seat))
        visit, _ = self._visit(self._dealer_hand(seat), at_s, chips)
        start = visit.builder.now_s
        visit.pick(chips)
        carried = visit.place(chips, stack_place(seat))
        path = visit.finish()
        cross = self._crosses_back(seat, path, carried)
        self._tell("chips_retracted", seat, cross, visit.rest_s, visit.chips, by_dealer=True)
        return self._done(Motion("return_bet", BY_DEALER, seat, start, cross, visit.rest_s, path.end_s, visit.chips))

    @_alone
    def push_pot(self, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
        """The dealer pushes chips of the pot to a seat's stack."""
        self._seat_place(seat, stack_place)
        self._require_some(chips, POT)
        visit, _ = self._visit(self._dealer_hand(seat), at_s, chips)
        start = visit.builder.now_s
        visit.pick(chips)
        visit.place(chips, stack_place(seat))
        path = visit.finish()
        return self._done(
            Motion("push_pot", BY_DEALER, seat, start, visit.rest_s, visit.rest_s, path.end_s, visit.chips)
        )

    @_alone
    def clear_cards(self, at_s: float) -> Motion:
        """The dealer takes all cards off the table and puts the tray in order for the next hand."""
        visit, rng = self._visit(self._dealer_right, at_s)
        builder = visit.builder
        start = builder.now_s
        reached = builder.reach((*self.table.muck_mm, 0.0))
        rest = self._cards.clear(reached, rng)
        builder.move((*deck_place(self.table), 15.0), max(0.3, rest - reached))
        path = visit.finish()
        self._stock_tray(path.end_s)
        return self._done(Motion("clear_cards", BY_DEALER, None, start, rest, rest, path.end_s))

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
        pace = _DEALER_PACE if hand.owner == BY_DEALER else 1.0
        return Visit(hand, self._holdings, self._timeline, start, rng, pace), rng

    def _done(self, motion: Motion) -> Motion:
        self._free_s[motion.actor] = motion.end_s
        return motion

    def _dealer_hand(self, seat: int) -> Hand:
        return self._dealer_left if self.table.seat(seat).rail_mm[0] < 0 else self._dealer_right

    def _hold_deck(self, start_s: float, ready_s: float, until_s: float, rng: Random) -> None:
        """The dealer's other hand holds the deck meanwhile."""
        hand, deck = self._dealer_left, deck_place(self.table)
        builder = PathBuilder(start_s, (*hand.home_mm, 40.0), rng)
        builder.move((deck[0] - 30.0, deck[1] - 25.0, 20.0), ready_s - start_s)
        builder.wait(until_s - builder.now_s)
        builder.move((*hand.home_mm, 40.0), 0.4)
        closed = ((ready_s, until_s),)
        self._timeline.visit(HandVisit(hand.owner, hand.shoulder_mm, builder.build(), closed, hand.right, hand.looks))

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
        self._holdings.to_cage(chips)
        for chip in chips:
            self._timeline.take_off(chip.uid, at_s)

    def _stock_tray(self, at_s: float) -> None:
        """Brings the tray to its float: what is too much goes to the cage, what is missing comes from there."""
        surplus, missing = self._holdings.tray_needs()
        self._off_table(surplus, at_s)
        self._put_down(self._holdings.withdraw(missing), TRAY, at_s)

    # Truth at the line

    def _inward(self, seat: int) -> Callable[[tuple[float, ...]], float]:
        line, ahead = self.table.seat(seat).line_mm, seat_heading(self.table, seat).ahead
        return lambda at: inward_distance_mm(line, ahead, (at[0], at[1]))

    def _stroke(self, seat: int, path: HandPath, carried: Sequence[Carried]) -> Stroke:
        inward, radius = self._inward(seat), self.chip_set.diameter_mm / 2
        start, rest = carried[0].start_s, max(one.end_s for one in carried)
        ways = [one.along(path) for one in _one_a_pile(carried)]
        cross = first_time(lambda t: any(inward(way.at(t)) + radius > 0 for way in ways), start, rest)
        back = first_time(lambda t: inward(path.at(t)) + FINGERS_MM <= 0, rest, path.end_s)
        return Stroke(
            rest if cross is None else cross,
            rest,
            path.end_s if back is None else back,
            tuple(one.chip for one in carried),
        )

    def _crosses_back(self, seat: int, path: HandPath, carried: Sequence[Carried]) -> float:
        inward, radius = self._inward(seat), self.chip_set.diameter_mm / 2
        start, rest = carried[0].start_s, max(one.end_s for one in carried)
        ways = [one.along(path) for one in _one_a_pile(carried)]
        cross = first_time(lambda t: any(inward(way.at(t)) - radius < 0 for way in ways), start, rest)
        return rest if cross is None else cross

    def _tell_hand(self, seat: int, path: HandPath) -> list[tuple[float, float]]:
        """Notes each span in which the seat's fingers are past its line; returns the spans."""
        inward = self._inward(seat)
        spans: list[tuple[float, float]] = []
        t = path.start_s
        while True:
            entered = first_time(lambda at: inward(path.at(at)) + FINGERS_MM > 0, t, path.end_s)
            if entered is None:
                return spans
            left = first_time(lambda at: inward(path.at(at)) + FINGERS_MM <= 0, entered + 0.002, path.end_s)
            t = path.end_s if left is None else left
            spans.append((entered, t))
            self._tell("hand_entered", seat, entered, entered)
            self._tell("hand_left", seat, t, t)
            if left is None:
                return spans

    def _tell(
        self,
        kind: TruthType,
        seat: int | None,
        first_s: float,
        done_s: float,
        chips: Iterable[Chip] = (),
        by_dealer: bool = False,
    ) -> None:
        self._truth.append(TruthEvent(kind, seat, first_s, done_s, tuple(chip.uid for chip in chips), by_dealer))


def _grouped(groups: Sequence[Chip] | Sequence[Sequence[Chip]]) -> tuple[tuple[Chip, ...], ...]:
    """The chips of each motion: chips that are not grouped make one motion, empty groups none."""
    alone = tuple(item for item in groups if isinstance(item, Chip))
    together = tuple(tuple(item) for item in groups if not isinstance(item, Chip) and item)
    return (alone, *together) if alone else together


def _one_a_pile(carried: Sequence[Carried]) -> list[Carried]:
    """One chip of each pile that is put down: the others are above it."""
    lowest: dict[tuple[int, int], Carried] = {}
    for one in carried:
        lowest.setdefault((round(one.target.x_mm / 20.0), round(one.target.y_mm / 20.0)), one)
    return list(lowest.values())


def _middle(line: tuple[tuple[float, float], tuple[float, float]]) -> tuple[float, float]:
    return ((line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2)
