"""What players do at the virtual table: bet, take back, knock, throw their cards away."""

from __future__ import annotations

from collections.abc import Sequence

from betline.geometry import centroid
from virtual_table.table.holdings import bet_place, cards_place, stack_place
from virtual_table.table.layout import CARD_MM
from virtual_table.table.line_truth import Held
from virtual_table.table.people import seat_heading
from virtual_table.table.stage import Stage, alone
from virtual_table.table.things import Chip, Motion, WorldError
from virtual_table.table.visit import Carried


class PlayerMotions(Stage):
    """The motions of the seats."""

    @alone
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
        placed: list[Sequence[Carried]] = []
        for group in strokes_of:
            visit.pick(group)
            placed.append(visit.place(group, bet_place(seat), apart=True))
            visit.builder.wait(rng.uniform(0.0, 0.06))
        arm = visit.finish()
        strokes = tuple(self._truth.stroke(seat, arm, carried) for carried in placed)
        end = arm.path.end_s
        motion = Motion(
            "push", f"seat-{seat}", seat, start, strokes[0].cross_s, visit.rest_s, end, visit.chips, strokes
        )
        self._truth.hand(seat, arm, visit.carried)
        for stroke in strokes:
            self._truth.tell("chips_crossing", seat, stroke.cross_s, stroke.rest_s, stroke.chips)
        if len(strokes) > 1:
            self._truth.tell("string_suspect", seat, strokes[1].cross_s, strokes[-1].rest_s, visit.chips)
        self._truth.tell("bet_settled", seat, motion.cross_s, motion.rest_s, visit.chips)
        return self._done(motion)

    @alone
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
        arm = visit.finish()
        cross = self._truth.comes_back(seat, arm.path, carried)
        self._truth.hand(seat, arm, carried)
        self._truth.tell("chips_retracted", seat, cross, visit.rest_s, visit.chips)
        return self._done(
            Motion("pull_back", f"seat-{seat}", seat, start, cross, visit.rest_s, arm.path.end_s, visit.chips)
        )

    @alone
    def fake(self, seat: int, at_s: float) -> Motion:
        """A seat's hand goes over its line as if to bet, lets nothing go and comes back."""
        self._seat_place(seat, bet_place)
        visit, rng = self._visit(self._hands[seat], at_s)
        builder, place = visit.builder, self.table.seat(seat)
        start = builder.now_s
        spot = seat_heading(self.table, seat).offset(
            centroid(place.line_mm), rng.uniform(10.0, 60.0), rng.uniform(-45.0, 45.0)
        )
        there = builder.reach((*spot, rng.uniform(20.0, 60.0)))
        builder.wait(rng.uniform(0.1, 0.4))
        arm = visit.finish()
        spans = self._truth.hand(seat, arm)
        cross = spans[0][0] if spans else there
        return self._done(Motion("fake", f"seat-{seat}", seat, start, cross, there, arm.path.end_s))

    @alone
    def reach_over(self, seat: int, other: int, at_s: float) -> Motion:
        """A seat's arm goes over another seat's bet zone, touches nothing and comes back.

        No truth is told of it: whether its fingers graze the own zone on the way is not worth judging.
        """
        self._seat_place(seat, bet_place)
        self._seat_place(other, bet_place)
        visit, rng = self._visit(self._hands[seat], at_s)
        builder = visit.builder
        start = builder.now_s
        there = builder.reach((*centroid(self.table.seat(other).bet_zone_mm), rng.uniform(30.0, 70.0)))
        builder.wait(rng.uniform(0.1, 0.5))
        end = visit.finish().path.end_s
        return self._done(Motion("reach_over", f"seat-{seat}", seat, start, there, there, end))

    @alone
    def tap(self, seat: int, at_s: float, times: int = 2) -> Motion:
        """A seat knocks on the felt at the line: the fingers touch down ``times`` times and go away."""
        self._seat_place(seat, bet_place)
        visit, rng = self._visit(self._hands[seat], at_s)
        builder = visit.builder
        start = builder.now_s
        line = self.table.seat(seat).line_mm
        ahead, aside = rng.uniform(-15.0, 15.0), rng.uniform(-45.0, 45.0)
        spot = seat_heading(self.table, seat).offset(centroid(line), ahead, aside)
        first = touched = builder.reach((*spot, 0.0), arc_mm=45.0)
        for _ in range(times - 1):
            builder.move((*spot, 35.0), rng.uniform(0.09, 0.14))
            touched = builder.move((*spot, 0.0), rng.uniform(0.08, 0.12))
        builder.wait(rng.uniform(0.02, 0.08))
        arm = visit.finish()
        spans = self._truth.hand(seat, arm)
        cross = spans[0][0] if spans else touched
        self._truth.tell("tap_suspect", seat, first, touched)
        return self._done(Motion("tap", f"seat-{seat}", seat, start, cross, touched, arm.path.end_s))

    @alone
    def muck(self, seat: int, at_s: float) -> Motion:
        """A seat throws its cards away: the hand pushes them over the line and they glide to the muck."""
        place = self.table.seat(self._require_cards(seat))
        if self._holdings.at(cards_place(seat)):
            raise WorldError("protected", f"Seat {seat} has a chip on its cards: take it off first.")
        visit, rng = self._visit(self._hands[seat], max(at_s, self._cards.lie_s([seat])))
        builder, facing = visit.builder, seat_heading(self.table, seat)
        start = builder.now_s
        builder.reach((*place.cards_mm, 0.0))
        grasp = builder.wait(rng.uniform(0.08, 0.18))
        let_go = builder.move((*facing.offset(centroid(place.line_mm), rng.uniform(0.0, 40.0)), 5.0), 0.32)
        visit.hold(grasp, let_go)
        arm = visit.finish()
        path = arm.path
        _, rest = self._cards.throw_away(seat, grasp, let_go, path, rng)
        spans = self._truth.hand(seat, arm, [Held(grasp, let_go, path.at, CARD_MM[1] / 2)])
        cross = spans[0][0] if spans else let_go
        self._truth.tell("cards_mucked", seat, cross, rest)
        return self._done(Motion("muck", f"seat-{seat}", seat, start, cross, rest, path.end_s))


def _grouped(groups: Sequence[Chip] | Sequence[Sequence[Chip]]) -> tuple[tuple[Chip, ...], ...]:
    """The chips of each motion: chips that are not grouped make one motion, empty groups none."""
    alone = tuple(item for item in groups if isinstance(item, Chip))
    together = tuple(tuple(item) for item in groups if not isinstance(item, Chip) and item)
    return (alone, *together) if alone else together
