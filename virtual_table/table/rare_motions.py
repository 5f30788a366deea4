"""What happens now and then at the virtual table: splashes, stacks that topple, protectors, phones, bets pushed in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from betline.geometry import Point, centroid
from virtual_table.table.holdings import POT, bet_place, cards_place, stack_place
from virtual_table.table.layout import PHONE_MM
from virtual_table.table.line_truth import Held
from virtual_table.table.motion import Carry, Throw
from virtual_table.table.people import seat_heading
from virtual_table.table.stage import Stage, alone
from virtual_table.table.things import Chip, Motion, WorldError
from virtual_table.table.timeline import PhoneStay

PhoneSpot = Literal["rail", "felt", "zone"]
PHONE_LEAD_MM = PHONE_MM[0] / 2 + 7.0
"""How far a phone that lies across is ahead of its middle, a little askew."""
_STANDS = 3  # chips of a pile that do not topple


class RareMotions(Stage):
    """Motions of the seats that the rules frown at, and of things by themselves."""

    @alone
    def splash(self, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
        """A seat throws chips of its stack past its own zone into the pot."""
        self._require_some(chips, self._seat_place(seat, stack_place))
        visit, rng = self._visit(self._hands[seat], at_s, chips)
        start = visit.builder.now_s
        visit.pick(chips)
        line = centroid(self.table.seat(seat).line_mm)
        facing = seat_heading(self.table, seat)
        carried, thrown = visit.throw(
            chips, POT, facing.offset(line, rng.uniform(-45.0, 15.0), rng.uniform(-30.0, 30.0))
        )
        visit.builder.move((*facing.offset(line, rng.uniform(0.0, 45.0)), 45.0), 0.12)
        arm = visit.finish()
        ways: list[Carry | Throw] = [*(one.along(arm.path) for one in carried), *(one.throw for one in thrown)]
        cross, rest = self._truth.crosses(seat, ways), max(one.throw.end_s for one in thrown)
        self._truth.hand(seat, arm, carried)
        # They do cross the line, though they never lie behind it: who says that too is not wrong.
        self._truth.tell("chips_crossing", seat, cross, rest, chips, judged=False)
        self._truth.tell("splash", seat, cross, rest, chips)
        return self._done(Motion("splash", f"seat-{seat}", seat, start, cross, rest, arm.path.end_s, tuple(chips)))

    @alone
    def topple(self, seat: int, count: int, at_s: float) -> Motion:
        """So many chips fall off the tallest pile of a seat's bet, when its hand is away."""
        pile = self._holdings.tallest(self._seat_place(seat, bet_place))
        falling = pile[max(_STANDS, len(pile) - count) :]
        if not falling:
            raise WorldError("no-pile", f"Seat {seat} has no pile in its bet that is high enough to topple.")
        rng = self._next_rng()
        start = self._begin(f"seat-{seat}", at_s, falling)
        foot = self._holdings.spots[pile[0].uid]
        stood = {chip.uid: self._holdings.take(chip)[0] for chip in reversed(falling)}
        spots = {spot.uid: spot for spot in self._holdings.scatter(falling, bet_place(seat), (foot.x_mm, foot.y_mm))}
        ends = []
        for chip in falling:
            above, spot = stood[chip.uid], spots[chip.uid]
            end = start + rng.uniform(0.22, 0.5)
            throw = Throw(
                start,
                end,
                (above.x_mm, above.y_mm, above.z_mm),
                (spot.x_mm, spot.y_mm, spot.z_mm),
                0.0,
                above.turn_rad,
                spot.turn_rad,
            )
            self._timeline.carry(chip, throw)
            self._timeline.lay(spot, end)
            self._holdings.rests_s[chip.uid] = end
            ends.append(end)
        self._truth.tell("bet_amended", seat, start, max(ends), falling)
        return self._done(Motion("topple", f"seat-{seat}", seat, start, start, max(ends), max(ends), falling))

    @alone
    def push_in(self, seat: int, at_s: float) -> Motion:
        """A seat pushes its own bet into the pot, which is the dealer's to do."""
        bets = self._holdings.at(self._seat_place(seat, bet_place))
        self._require_some(bets, bet_place(seat))
        visit, _ = self._visit(self._hands[seat], at_s, bets)
        start = visit.builder.now_s
        visit.pick(bets)
        carried = visit.place(bets, POT)
        arm = visit.finish()
        self._truth.hand(seat, arm, carried)
        began = self._truth.leaves_place(arm.path, carried)
        self._truth.tell("bet_pushed_in", seat, began, visit.rest_s, bets)
        return self._done(Motion("push_in", f"seat-{seat}", seat, start, began, visit.rest_s, arm.path.end_s, bets))

    @alone
    def over_and_back(self, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
        """A seat takes chips of its stack over the line in its hand, releases none and puts them back."""
        self._require_some(chips, self._seat_place(seat, stack_place))
        visit, rng = self._visit(self._hands[seat], at_s, chips)
        start, place = visit.builder.now_s, self.table.seat(seat)
        visit.pick(chips)
        facing = seat_heading(self.table, seat)
        spot = facing.offset(centroid(place.line_mm), rng.uniform(35.0, 80.0), rng.uniform(-45.0, 45.0))
        there = visit.builder.reach((*spot, rng.uniform(0.0, 25.0)), arc_mm=10.0)
        visit.builder.wait(rng.uniform(0.15, 0.6))
        carried = visit.place(chips, stack_place(seat))
        arm = visit.finish()
        self._truth.hand(seat, arm, carried)
        cross = self._truth.crosses(seat, [one.along(arm.path) for one in carried])
        back = self._truth.comes_back(seat, arm.path, carried, there)
        self._truth.tell("chips_over_line_in_hand", seat, cross, back, chips)
        return self._done(
            Motion("over_and_back", f"seat-{seat}", seat, start, cross, visit.rest_s, arm.path.end_s, tuple(chips))
        )

    @alone
    def protect(self, seat: int, at_s: float) -> Motion:
        """A seat lays the top chip of its stack on its cards."""
        self._require_cards(seat)
        if self._holdings.at(cards_place(seat)):
            raise WorldError("protected", f"Seat {seat} has a chip on its cards already.")
        chips = self._holdings.at(stack_place(seat))[-1:]
        self._require_some(chips, stack_place(seat))
        motion = self._move_chip("protect", seat, chips, cards_place(seat), max(at_s, self._cards.lie_s([seat])))
        self._truth.tell("protector", seat, motion.rest_s, motion.rest_s, chips)
        return motion

    @alone
    def unprotect(self, seat: int, at_s: float) -> Motion:
        """A seat takes the chip off its cards back to its stack."""
        chips = self._holdings.at(self._seat_place(seat, cards_place))
        self._require_some(chips, cards_place(seat))
        return self._move_chip("unprotect", seat, chips, stack_place(seat), at_s)

    def _move_chip(self, kind: str, seat: int, chips: Sequence[Chip], where: str, at_s: float) -> Motion:
        visit, _ = self._visit(self._hands[seat], at_s, chips)
        start = visit.builder.now_s
        visit.pick(chips)
        carried = visit.place(chips, where)
        arm = visit.finish()
        self._truth.hand(seat, arm, carried)
        rest = visit.rest_s
        return self._done(Motion(kind, f"seat-{seat}", seat, start, rest, rest, arm.path.end_s, tuple(chips)))

    @alone
    def put_phone(self, seat: int, spot: PhoneSpot, at_s: float) -> Motion:
        """A seat puts its phone on the rail, on the felt beside its cards or into its bet zone; the screen flickers."""
        if seat in self._phones:
            raise WorldError("has-phone", f"Seat {seat} has put its phone down already.")
        where = self._phone_place(seat, spot)
        visit, rng = self._visit(self._hands[seat], at_s)
        start = visit.builder.now_s
        lies = visit.builder.reach((*where, 0.0), arc_mm=60.0)
        visit.builder.wait(rng.uniform(0.1, 0.2))
        visit.hold(start, lies)
        arm = visit.finish()
        turn = seat_heading(self.table, seat).turn_rad + math.pi / 2 + rng.uniform(-0.2, 0.2)
        glow = tuple(rng.choice((0.0, 0.05, rng.uniform(0.3, 1.0))) for _ in range(11))
        high_mm = 25.0 if spot == "rail" else 0.0
        stay = PhoneStay(where, turn, high_mm, arm.path, start, lies, rng.uniform(0.7, 2.2), glow)
        self._phones[seat] = stay
        self._timeline.phone(stay)
        self._truth.hand(seat, arm, [Held(start, lies, stay.at, PHONE_LEAD_MM)])
        if spot != "rail":
            self._truth.tell("unknown_object", seat, lies, lies, judged=spot == "zone")
        return self._done(Motion("put_phone", f"seat-{seat}", seat, start, lies, lies, arm.path.end_s))

    @alone
    def take_phone(self, seat: int, at_s: float) -> Motion:
        """A seat takes its phone away."""
        stay = self._phones.get(seat)
        if stay is None:
            raise WorldError("no-phone", f"Seat {seat} has no phone on the table.")
        visit, rng = self._visit(self._hands[seat], at_s)
        start = visit.builder.now_s
        visit.builder.reach((*stay.at_mm, 0.0))
        taken = visit.builder.wait(rng.uniform(0.08, 0.16))
        end = taken + 10.0
        visit.hold(taken, end)
        arm = visit.finish()
        stay.taken(taken, arm.path)
        del self._phones[seat]
        self._truth.hand(seat, arm, [Held(taken, arm.path.end_s, stay.at, PHONE_LEAD_MM)])
        return self._done(Motion("take_phone", f"seat-{seat}", seat, start, taken, taken, arm.path.end_s))

    def _phone_place(self, seat: int, spot: PhoneSpot) -> Point:
        place = self.table.seat(seat)
        facing = seat_heading(self.table, seat)
        if spot == "zone":
            return centroid(place.bet_zone_mm)
        if spot == "rail":
            return facing.offset(place.rail_mm, -0.5 * self.table.felt.rail_width_mm, 60.0)
        return facing.offset(place.cards_mm, -25.0, 115.0)
