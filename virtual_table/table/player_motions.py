"""What players do at the virtual table: bet, take back, knock, muck, splash, protect their cards, put phones down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from betline.geometry import Point, centroid
from virtual_table.table.holdings import POT, bet_place, cards_place, stack_place
from virtual_table.table.layout import CARD_MM, PHONE_MM
from virtual_table.table.line_truth import Held
from virtual_table.table.motion import Carry, Throw
from virtual_table.table.people import seat_heading
from virtual_table.table.things import Chip, Motion, WorldError
from virtual_table.table.timeline import PhoneStay
from virtual_table.table.visit import Carried
from virtual_table.table.world import World, exclusive

PhoneSpot = Literal["rail", "felt", "zone"]
PHONE_LEAD_MM = PHONE_MM[0] / 2 + 7.0
"""How far the end of a phone that lies across is from its middle, the phone a little askew."""
_STANDS = 3  # chips at the bottom of a pile that do not topple


@exclusive
def push(
    world: World,
    seat: int,
    groups: Sequence[Chip] | Sequence[Sequence[Chip]],
    at_s: float,
    linger_s: float = 0.0,
) -> Motion:
    """A seat bets chips of its stack in one forward motion, or in one motion for each of several groups.

    Between two motions the hand goes back to the stack. More than a handful is pushed over the felt. The hand rests on
    the bet for ``linger_s`` before it leaves.
    """
    strokes_of = _grouped(groups)
    world.require_seat(seat)
    world.holdings.require((chip for group in strokes_of for chip in group), stack_place(seat))
    if not strokes_of:
        raise WorldError("no-chips", f"Seat {seat} cannot push nothing: give at least one chip.")
    visit = world.start_visit(world.hand_of(seat), at_s, (chip for group in strokes_of for chip in group))
    placed: list[Sequence[Carried]] = []
    for group in strokes_of:
        visit.pick(group)
        placed.append(visit.place(group, bet_place(seat), apart=True))
        visit.builder.wait(visit.rng.uniform(0.0, 0.06))
    visit.builder.wait(linger_s)
    arm = visit.finish()
    strokes = tuple(world.line_truth.stroke(seat, arm, carried) for carried in placed)
    end = arm.path.end_s
    motion = Motion(
        "push", f"seat-{seat}", seat, visit.start_s, strokes[0].cross_s, visit.rest_s, end, visit.chips, strokes
    )
    world.line_truth.note_hand(seat, arm, visit.carried)
    for stroke in strokes:
        world.line_truth.note("chips_crossing", seat, stroke.cross_s, stroke.rest_s, stroke.chips)
    if len(strokes) > 1:
        world.line_truth.note("string_suspect", seat, strokes[1].cross_s, strokes[-1].rest_s, visit.chips)
    world.line_truth.note("bet_settled", seat, motion.cross_s, motion.rest_s, visit.chips)
    return world.scheduled(motion)


@exclusive
def swap_for_recent(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> tuple[Chip, ...]:
    """A seat swaps chips of its stack with the others for the same kinds that moved last, and returns what it has for
    each; a chip for which nobody has another it keeps. They change places between the stacks, where no reader is.
    """
    world.require_seat(seat)
    world.holdings.require(chips, stack_place(seat))
    others = [
        (world.holdings.rests_s[chip.uid], chip, place)
        for other in world.table.seats
        if other.number != seat
        for place in (stack_place(other.number),)
        for chip in world.holdings.at(place)
        if world.holdings.rests_s[chip.uid] <= at_s
    ]
    others.sort(key=lambda other: other[0])
    had = []
    for mine in chips:
        found = next((other for other in reversed(others) if other[1].key == mine.key), None)
        if found is None or world.holdings.rests_s[mine.uid] > at_s:
            had.append(mine)
            continue
        others.remove(found)
        _, theirs, place = found
        for chip, where in ((mine, place), (theirs, stack_place(seat))):
            world.lift(chip, at_s)
            world.put_down([chip], where, at_s)
        had.append(theirs)
    return tuple(had)


@exclusive
def pull_back(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """A seat takes chips of its bet back into its stack. ``cross_s`` is when the first of them comes back over
    the line.
    """
    world.require_seat(seat)
    world.require_chips(chips, bet_place(seat))
    visit = world.start_visit(world.hand_of(seat), at_s, chips)
    visit.pick(chips)
    carried = visit.place(chips, stack_place(seat))
    arm = visit.finish()
    cross = world.line_truth.comes_back(seat, arm.path, carried)
    world.line_truth.note_hand(seat, arm, carried)
    world.line_truth.note("chips_retracted", seat, cross, visit.rest_s, visit.chips)
    return world.scheduled(
        Motion("pull_back", f"seat-{seat}", seat, visit.start_s, cross, visit.rest_s, arm.path.end_s, visit.chips)
    )


@exclusive
def fake(world: World, seat: int, at_s: float) -> Motion:
    """A seat's hand goes over its line as if to bet, releases nothing and comes back."""
    world.require_seat(seat)
    visit = world.start_visit(world.hand_of(seat), at_s)
    builder, place = visit.builder, world.table.seat(seat)
    spot = seat_heading(world.table, seat).offset(
        centroid(place.line_mm), visit.rng.uniform(10.0, 60.0), visit.rng.uniform(-45.0, 45.0)
    )
    there = builder.reach((*spot, visit.rng.uniform(20.0, 60.0)))
    builder.wait(visit.rng.uniform(0.1, 0.4))
    arm = visit.finish()
    spans = world.line_truth.note_hand(seat, arm)
    cross = spans[0][0] if spans else there
    return world.scheduled(Motion("fake", f"seat-{seat}", seat, visit.start_s, cross, there, arm.path.end_s))


@exclusive
def reach_over(world: World, seat: int, other: int, at_s: float) -> Motion:
    """A seat's arm goes over another seat's bet zone, touches nothing and comes back.

    It leaves no truth event: whether its fingers graze its own zone on the way is not judged.
    """
    world.require_seat(seat)
    world.require_seat(other)
    visit = world.start_visit(world.hand_of(seat), at_s)
    builder = visit.builder
    there = builder.reach((*centroid(world.table.seat(other).bet_zone_mm), visit.rng.uniform(30.0, 70.0)))
    builder.wait(visit.rng.uniform(0.1, 0.5))
    end = visit.finish().path.end_s
    return world.scheduled(Motion("reach_over", f"seat-{seat}", seat, visit.start_s, there, there, end))


@exclusive
def tap(world: World, seat: int, at_s: float, times: int = 2) -> Motion:
    """A seat knocks on the felt at the line: the fingers touch down ``times`` times and go away."""
    world.require_seat(seat)
    visit = world.start_visit(world.hand_of(seat), at_s)
    builder = visit.builder
    line = world.table.seat(seat).line_mm
    ahead, aside = visit.rng.uniform(-15.0, 15.0), visit.rng.uniform(-45.0, 45.0)
    spot = seat_heading(world.table, seat).offset(centroid(line), ahead, aside)
    first = touched = builder.reach((*spot, 0.0), arc_mm=45.0)
    for _ in range(times - 1):
        builder.move((*spot, 35.0), visit.rng.uniform(0.09, 0.14))
        touched = builder.move((*spot, 0.0), visit.rng.uniform(0.08, 0.12))
    builder.wait(visit.rng.uniform(0.02, 0.08))
    arm = visit.finish()
    spans = world.line_truth.note_hand(seat, arm)
    cross = spans[0][0] if spans else touched
    world.line_truth.note("tap_suspect", seat, first, touched)
    return world.scheduled(Motion("tap", f"seat-{seat}", seat, visit.start_s, cross, touched, arm.path.end_s))


@exclusive
def muck(world: World, seat: int, at_s: float) -> Motion:
    """A seat throws its cards away: the hand pushes them over the line and they glide to the muck."""
    world.require_cards(seat)
    place = world.table.seat(seat)
    if world.holdings.at(cards_place(seat)):
        raise WorldError("protected", f"Seat {seat} has a chip on its cards: take it off first.")
    visit = world.start_visit(world.hand_of(seat), max(at_s, world.cards.lie_s([seat])))
    builder, facing = visit.builder, seat_heading(world.table, seat)
    builder.reach((*place.cards_mm, 0.0))
    grasp = builder.wait(visit.rng.uniform(0.08, 0.18))
    let_go = builder.move((*facing.offset(centroid(place.line_mm), visit.rng.uniform(0.0, 40.0)), 5.0), 0.32)
    visit.hold(grasp, let_go)
    arm = visit.finish()
    path = arm.path
    _, rest = world.cards.throw_away(seat, grasp, let_go, path, visit.rng)
    spans = world.line_truth.note_hand(seat, arm, [Held(grasp, let_go, path.at, CARD_MM[1] / 2)])
    cross = spans[0][0] if spans else let_go
    world.line_truth.note("cards_mucked", seat, cross, rest)
    return world.scheduled(Motion("muck", f"seat-{seat}", seat, visit.start_s, cross, rest, path.end_s))


@exclusive
def splash(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """A seat throws chips of its stack past its own zone into the pot."""
    world.require_seat(seat)
    world.require_chips(chips, stack_place(seat))
    visit = world.start_visit(world.hand_of(seat), at_s, chips)
    visit.pick(chips)
    line = centroid(world.table.seat(seat).line_mm)
    facing = seat_heading(world.table, seat)
    carried, thrown = visit.throw(
        chips, POT, facing.offset(line, visit.rng.uniform(-45.0, 15.0), visit.rng.uniform(-30.0, 30.0))
    )
    visit.builder.move((*facing.offset(line, visit.rng.uniform(0.0, 45.0)), 45.0), 0.12)
    arm = visit.finish()
    ways: list[Carry | Throw] = [*(one.along(arm.path) for one in carried), *(one.throw for one in thrown)]
    cross, rest = world.line_truth.crosses(seat, ways), max(one.throw.end_s for one in thrown)
    world.line_truth.note_hand(seat, arm, carried)
    # They do cross the line, though they never lie behind it: to report that too is not wrong.
    world.line_truth.note("chips_crossing", seat, cross, rest, chips, judged=False)
    world.line_truth.note("splash", seat, cross, rest, chips)
    return world.scheduled(
        Motion("splash", f"seat-{seat}", seat, visit.start_s, cross, rest, arm.path.end_s, tuple(chips))
    )


@exclusive
def topple(world: World, seat: int, count: int, at_s: float) -> Motion:
    """Up to ``count`` chips fall off the tallest pile of a seat's bet, when its hand is away."""
    world.require_seat(seat)
    pile = world.holdings.tallest(bet_place(seat))
    falling = pile[max(_STANDS, len(pile) - count) :]
    if not falling:
        raise WorldError("no-pile", f"Seat {seat} has no pile in its bet that is high enough to topple.")
    rng = world.next_rng()
    start = world.earliest_s(f"seat-{seat}", at_s, falling)
    foot = world.holdings.spots[pile[0].uid]
    stood = {chip.uid: world.holdings.take(chip)[0] for chip in reversed(falling)}
    spots = {spot.uid: spot for spot in world.holdings.scatter(falling, bet_place(seat), (foot.x_mm, foot.y_mm))}
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
        world.timeline.carry(chip, throw)
        world.timeline.lay(spot, end)
        world.holdings.rests_s[chip.uid] = end
        ends.append(end)
    world.line_truth.note("bet_amended", seat, start, max(ends), falling)
    return world.scheduled(Motion("topple", f"seat-{seat}", seat, start, start, max(ends), max(ends), falling))


@exclusive
def push_in(world: World, seat: int, at_s: float) -> Motion:
    """A seat pushes its own bet into the pot, which is the dealer's job."""
    world.require_seat(seat)
    bets = world.holdings.at(bet_place(seat))
    world.require_chips(bets, bet_place(seat))
    visit = world.start_visit(world.hand_of(seat), at_s, bets)
    visit.pick(bets)
    carried = visit.place(bets, POT)
    arm = visit.finish()
    world.line_truth.note_hand(seat, arm, carried)
    began = world.line_truth.leaves_place(arm.path, carried)
    world.line_truth.note("bet_pushed_in", seat, began, visit.rest_s, bets)
    return world.scheduled(
        Motion("push_in", f"seat-{seat}", seat, visit.start_s, began, visit.rest_s, arm.path.end_s, bets)
    )


@exclusive
def over_and_back(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """A seat takes chips of its stack over the line in its hand, releases none and puts them back."""
    world.require_seat(seat)
    world.require_chips(chips, stack_place(seat))
    visit = world.start_visit(world.hand_of(seat), at_s, chips)
    place = world.table.seat(seat)
    visit.pick(chips)
    facing = seat_heading(world.table, seat)
    spot = facing.offset(centroid(place.line_mm), visit.rng.uniform(35.0, 80.0), visit.rng.uniform(-45.0, 45.0))
    there = visit.builder.reach((*spot, visit.rng.uniform(0.0, 25.0)), arc_mm=10.0)
    visit.builder.wait(visit.rng.uniform(0.15, 0.6))
    carried = visit.place(chips, stack_place(seat))
    arm = visit.finish()
    world.line_truth.note_hand(seat, arm, carried)
    cross = world.line_truth.crosses(seat, [one.along(arm.path) for one in carried])
    back = world.line_truth.comes_back(seat, arm.path, carried, there)
    world.line_truth.note("chips_over_line_in_hand", seat, cross, back, chips)
    return world.scheduled(
        Motion("over_and_back", f"seat-{seat}", seat, visit.start_s, cross, visit.rest_s, arm.path.end_s, tuple(chips))
    )


@exclusive
def protect(world: World, seat: int, at_s: float) -> Motion:
    """A seat lays the top chip of its stack on its cards."""
    world.require_cards(seat)
    if world.holdings.at(cards_place(seat)):
        raise WorldError("protected", f"Seat {seat} has a chip on its cards already.")
    chips = world.holdings.at(stack_place(seat))[-1:]
    world.require_chips(chips, stack_place(seat))
    motion = _move_chip(world, "protect", seat, chips, cards_place(seat), max(at_s, world.cards.lie_s([seat])))
    world.line_truth.note("protector", seat, motion.rest_s, motion.rest_s, chips)
    return motion


@exclusive
def unprotect(world: World, seat: int, at_s: float) -> Motion:
    """A seat takes the chip off its cards back to its stack."""
    world.require_seat(seat)
    chips = world.holdings.at(cards_place(seat))
    world.require_chips(chips, cards_place(seat))
    return _move_chip(world, "unprotect", seat, chips, stack_place(seat), at_s)


def _move_chip(world: World, kind: str, seat: int, chips: Sequence[Chip], where: str, at_s: float) -> Motion:
    visit = world.start_visit(world.hand_of(seat), at_s, chips)
    visit.pick(chips)
    carried = visit.place(chips, where)
    arm = visit.finish()
    world.line_truth.note_hand(seat, arm, carried)
    rest = visit.rest_s
    return world.scheduled(Motion(kind, f"seat-{seat}", seat, visit.start_s, rest, rest, arm.path.end_s, tuple(chips)))


@exclusive
def put_phone(world: World, seat: int, spot: PhoneSpot, at_s: float) -> Motion:
    """A seat puts its phone on the rail, on the felt beside its cards or into its bet zone; the screen flickers."""
    world.require_seat(seat)
    if seat in world.phones:
        raise WorldError("has-phone", f"Seat {seat} has put its phone down already.")
    where = _phone_place(world, seat, spot)
    visit = world.start_visit(world.hand_of(seat), at_s)
    lies = visit.builder.reach((*where, 0.0), arc_mm=60.0)
    visit.builder.wait(visit.rng.uniform(0.1, 0.2))
    visit.hold(visit.start_s, lies)
    arm = visit.finish()
    turn = seat_heading(world.table, seat).turn_rad + math.pi / 2 + visit.rng.uniform(-0.2, 0.2)
    glow = tuple(visit.rng.choice((0.0, 0.05, visit.rng.uniform(0.3, 1.0))) for _ in range(11))
    high_mm = 25.0 if spot == "rail" else 0.0
    stay = PhoneStay(where, turn, high_mm, arm.path, visit.start_s, lies, visit.rng.uniform(0.7, 2.2), glow)
    world.phones[seat] = stay
    world.timeline.phone(stay)
    world.line_truth.note_hand(seat, arm, [Held(visit.start_s, lies, stay.at, PHONE_LEAD_MM)])
    if spot != "rail":
        world.line_truth.note("unknown_object", seat, lies, lies, judged=spot == "zone")
    return world.scheduled(Motion("put_phone", f"seat-{seat}", seat, visit.start_s, lies, lies, arm.path.end_s))


@exclusive
def take_phone(world: World, seat: int, at_s: float) -> Motion:
    """A seat takes its phone away."""
    stay = world.phones.get(seat)
    if stay is None:
        raise WorldError("no-phone", f"Seat {seat} has no phone on the table.")
    visit = world.start_visit(world.hand_of(seat), at_s)
    visit.builder.reach((*stay.at_mm, 0.0))
    taken = visit.builder.wait(visit.rng.uniform(0.08, 0.16))
    end = taken + 10.0
    visit.hold(taken, end)
    arm = visit.finish()
    stay.taken(taken, arm.path)
    del world.phones[seat]
    world.line_truth.note_hand(seat, arm, [Held(taken, arm.path.end_s, stay.at, PHONE_LEAD_MM)])
    return world.scheduled(Motion("take_phone", f"seat-{seat}", seat, visit.start_s, taken, taken, arm.path.end_s))


def _phone_place(world: World, seat: int, spot: PhoneSpot) -> Point:
    place = world.table.seat(seat)
    facing = seat_heading(world.table, seat)
    if spot == "zone":
        return centroid(place.bet_zone_mm)
    if spot == "rail":
        return facing.offset(place.rail_mm, -0.5 * world.table.felt.rail_width_mm, 60.0)
    return facing.offset(place.cards_mm, -25.0, 115.0)


def _grouped(groups: Sequence[Chip] | Sequence[Sequence[Chip]]) -> tuple[tuple[Chip, ...], ...]:
    """The chips of each motion: loose chips make one motion together, empty groups none."""
    alone = tuple(item for item in groups if isinstance(item, Chip))
    together = tuple(tuple(item) for item in groups if not isinstance(item, Chip) and item)
    return (alone, *together) if alone else together
