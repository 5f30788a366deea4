"""How people handle chips and hands beside the plain acts: they toss, rest on their bet, hover, fidget, show cards.

What is at the line when they do is noted like that of any other motion.
"""

from __future__ import annotations

from collections.abc import Sequence

from betline.geometry import Point, centroid
from virtual_table.table.holdings import bet_place, cards_place, stack_place
from virtual_table.table.layout import CARD_MM
from virtual_table.table.line_truth import Held
from virtual_table.table.motion import Carry, Throw
from virtual_table.table.people import seat_heading
from virtual_table.table.things import Chip, Motion, Stroke, WorldError
from virtual_table.table.world import World, exclusive


@exclusive
def toss(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """A seat throws chips from behind its line into its own bet zone, where they lie as they fall."""
    world.require_seat(seat)
    world.require_chips(chips, stack_place(seat))
    visit = world.start_visit(world.hand_of(seat), at_s, chips)
    visit.pick(chips)
    line, facing = centroid(world.table.seat(seat).line_mm), seat_heading(world.table, seat)
    carried, thrown = visit.throw(
        chips, bet_place(seat), facing.offset(line, visit.rng.uniform(-110.0, -45.0), visit.rng.uniform(-40.0, 40.0))
    )
    visit.builder.move((*facing.offset(line, visit.rng.uniform(-60.0, -30.0)), 45.0), 0.12)
    arm = visit.finish()
    ways: list[Carry | Throw] = [*(one.along(arm.path) for one in carried), *(one.throw for one in thrown)]
    cross, rest = world.line_truth.crosses(seat, ways), max(one.throw.end_s for one in thrown)
    world.line_truth.note_hand(seat, arm, carried)
    stroke = Stroke(cross, rest, max(rest, visit.rest_s), tuple(chips))
    world.line_truth.note("chips_crossing", seat, cross, rest, chips)
    world.line_truth.note("bet_settled", seat, cross, rest, chips)
    motion = Motion("toss", f"seat-{seat}", seat, visit.start_s, cross, rest, arm.path.end_s, tuple(chips), (stroke,))
    return world.scheduled(motion)


@exclusive
def top_up(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """A seat puts chips of its stack on top of the tallest pile of its bet."""
    world.require_seat(seat)
    world.require_chips(chips, stack_place(seat))
    if not world.holdings.at(bet_place(seat)):
        raise WorldError("no-pile", f"Seat {seat} has no bet to put chips on.")
    visit = world.start_visit(world.hand_of(seat), at_s, chips)
    visit.pick(chips)
    carried = visit.place(chips, bet_place(seat), on_top=True)
    arm = visit.finish()
    stroke = world.line_truth.stroke(seat, arm, carried)
    world.line_truth.note_hand(seat, arm, carried)
    world.line_truth.note("chips_crossing", seat, stroke.cross_s, stroke.rest_s, chips)
    world.line_truth.note("bet_settled", seat, stroke.cross_s, stroke.rest_s, chips)
    end = arm.path.end_s
    return world.scheduled(
        Motion("top_up", f"seat-{seat}", seat, visit.start_s, stroke.cross_s, visit.rest_s, end, visit.chips, (stroke,))
    )


@exclusive
def hover(world: World, seat: int, at_s: float, seconds: float) -> Motion:
    """A seat's hand stays above its own bet zone for a while, touches nothing and goes."""
    world.require_seat(seat)
    visit = world.start_visit(world.hand_of(seat), at_s)
    facing, middle = seat_heading(world.table, seat), centroid(world.table.seat(seat).bet_zone_mm)
    spot = facing.offset(middle, visit.rng.uniform(-30.0, 30.0), visit.rng.uniform(-40.0, 40.0))
    there = visit.builder.reach((*spot, visit.rng.uniform(15.0, 70.0)))
    visit.builder.wait(seconds)
    arm = visit.finish()
    spans = world.line_truth.note_hand(seat, arm)
    cross = spans[0][0] if spans else there
    return world.scheduled(Motion("hover", f"seat-{seat}", seat, visit.start_s, cross, there, arm.path.end_s))


@exclusive
def fidget(world: World, seat: int, at_s: float, seconds: float) -> Motion:
    """A seat's hand is busy behind its line, over stack and cards, and never still for long."""
    world.require_seat(seat)
    visit = world.start_visit(world.hand_of(seat), at_s)
    builder, rng, place = visit.builder, visit.rng, world.table.seat(seat)
    facing = seat_heading(world.table, seat)
    spots: tuple[Point, ...] = (centroid(place.stack_zone_mm), place.cards_mm)
    there = builder.now_s
    while builder.now_s < at_s + seconds:
        there = builder.reach(
            (
                *facing.offset(rng.choice(spots), rng.uniform(-50.0, -10.0), rng.uniform(-60.0, 60.0)),
                rng.uniform(10, 60),
            )
        )
        builder.wait(rng.uniform(0.05, 0.7))
    arm = visit.finish()
    world.line_truth.note_hand(seat, arm)
    return world.scheduled(Motion("fidget", f"seat-{seat}", seat, visit.start_s, there, there, arm.path.end_s))


@exclusive
def take_back_from_afar(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """A seat's hand goes past its bet towards the pot, comes back to the bet and takes chips of it home."""
    world.require_seat(seat)
    world.require_chips(chips, bet_place(seat))
    visit = world.start_visit(world.hand_of(seat), at_s, chips)
    facing, middle = seat_heading(world.table, seat), centroid(world.table.seat(seat).bet_zone_mm)
    visit.builder.reach((*facing.offset(middle, visit.rng.uniform(110.0, 170.0), visit.rng.uniform(-30.0, 30.0)), 40.0))
    visit.builder.wait(visit.rng.uniform(0.05, 0.5))
    visit.pick(chips)
    carried = visit.place(chips, stack_place(seat))
    arm = visit.finish()
    cross = world.line_truth.comes_back(seat, arm.path, carried)
    world.line_truth.note_hand(seat, arm, carried)
    world.line_truth.note("chips_retracted", seat, cross, visit.rest_s, visit.chips)
    return world.scheduled(
        Motion("take_back_from_afar", f"seat-{seat}", seat, visit.start_s, cross, visit.rest_s, arm.path.end_s)
    )


@exclusive
def show(world: World, seat: int, at_s: float) -> Motion:
    """A seat pushes its cards face up into its own bet zone, where they stay."""
    world.require_cards(seat)
    if world.holdings.at(cards_place(seat)):
        raise WorldError("protected", f"Seat {seat} has a chip on its cards: take it off first.")
    place, facing = world.table.seat(seat), seat_heading(world.table, seat)
    visit = world.start_visit(world.hand_of(seat), max(at_s, world.cards.lie_s([seat])))
    builder = visit.builder
    builder.reach((*place.cards_mm, 0.0))
    grasp = builder.wait(visit.rng.uniform(0.08, 0.18))
    side = visit.rng.choice((-1.0, 1.0))
    spot = facing.offset(
        centroid(place.bet_zone_mm), visit.rng.uniform(-20.0, 20.0), side * visit.rng.uniform(0.0, 60.0)
    )
    let_go = builder.move((*spot, 5.0), visit.rng.uniform(0.35, 0.6))
    builder.wait(visit.rng.uniform(0.05, 0.2))
    visit.hold(grasp, let_go)
    arm = visit.finish()
    world.cards.push_out(seat, grasp, let_go, arm.path)
    world.line_truth.note_hand(seat, arm, [Held(grasp, let_go, arm.path.at, CARD_MM[1] / 2)])
    return world.scheduled(Motion("show", f"seat-{seat}", seat, visit.start_s, let_go, let_go, arm.path.end_s))
