"""What the dealer does at the virtual table: cards, gathering, change, bets returned, pots pushed."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from virtual_table.table import bank
from virtual_table.table.holdings import POT, TRAY, bet_place, stack_place
from virtual_table.table.layout import BurnPlace, board_places, deck_place
from virtual_table.table.motion import PathBuilder
from virtual_table.table.things import BY_DEALER, Chip, Motion, WorldError
from virtual_table.table.timeline import HandVisit
from virtual_table.table.visit import HOME_HEIGHT_MM
from virtual_table.table.world import World, exclusive

_SWEEP_PACE = 0.6
_SWEEP_LIFT_MM = 34.0


@exclusive
def deal_cards(world: World, at_s: float, seats: Sequence[int], each: int = 2, *, more: bool = False) -> Motion:
    """The dealer deals ``each`` cards to the seats, round by round in the order given; ``more`` to those they have."""
    for seat in seats:
        world.require_seat(seat)
        if world.cards.held.get(seat) and not more:
            raise WorldError("has-cards", f"Seat {seat} still has cards: clear them first.")
    visit = world.start_visit(world.dealer_right, at_s)
    builder, deck = visit.builder, deck_place(world.table)
    ready = builder.reach((*deck, 15.0))
    rest = world.cards.deal(seats, each, builder, visit.rng) if seats else ready
    visit.hold(ready, builder.now_s)
    done = builder.now_s
    path = visit.finish().path
    end = max(path.end_s, _hold_deck(world, visit.start_s, ready, done, visit.rng))
    for seat in seats:
        lies = world.cards.lies_s(seat)
        world.line_truth.note("cards_dealt", seat, min(lies), max(lies), by_dealer=True)
    return world.scheduled(Motion("deal_cards", BY_DEALER, None, visit.start_s, rest, rest, end))


@exclusive
def deal_board(world: World, cards: int | Sequence[str], at_s: float, burn: BurnPlace | None = None) -> Motion:
    """The dealer puts board cards down: a number of them, or their names (``Ah``, ``Td``); before them, in the same
    visit, a burn card where ``burn`` says.
    """
    faces: Sequence[str] = ["??"] * cards if isinstance(cards, int) else cards
    room = len(board_places(world.table)) - len(world.cards.board)
    if not 0 < len(faces) <= room:
        raise WorldError("no-room", f"The board has room for {room} more cards, not for {len(faces)}.")
    visit = world.start_visit(world.dealer_right, at_s)
    builder = visit.builder
    held = builder.reach((*deck_place(world.table), 15.0))
    if burn is not None:
        world.cards.burn(burn, builder, visit.rng)
    first, rest = world.cards.deal_board(faces, builder, visit.rng)
    visit.hold(held, rest)
    done = builder.now_s
    path = visit.finish().path
    end = max(path.end_s, _hold_deck(world, visit.start_s, held, done, visit.rng))
    world.line_truth.note("board_dealt", 0, first, rest, by_dealer=True, count=len(faces))
    return world.scheduled(Motion("deal_board", BY_DEALER, None, visit.start_s, rest, rest, end))


@exclusive
def gather(world: World, at_s: float, only: Sequence[int] | None = None) -> Motion:
    """The dealer sweeps all bets into the pot, or those of some seats, each hand along its side of the table.

    Forgets what was over before the previous gathering.
    """
    asked = [seat for seat in world.table.seats if only is None or seat.number in only]
    seats = [seat for seat in asked if world.holdings.at(bet_place(seat.number))]
    chips = [chip for seat in seats for chip in world.holdings.at(bet_place(seat.number))]
    start = world.earliest_s(BY_DEALER, at_s, chips)
    ends: list[tuple[float, float]] = []
    for hand in (world.dealer_left, world.dealer_right):
        side = [seat.number for seat in seats if world.dealer_hand(seat.number) is hand]
        if not side:
            continue
        visit = world.start_visit(hand, start, dealer_pace=_SWEEP_PACE, lift_mm=_SWEEP_LIFT_MM)
        swept: dict[int, tuple[Chip, ...]] = {}
        for seat in side if hand is world.dealer_left else reversed(side):
            swept[seat] = world.holdings.at(bet_place(seat))
            visit.pick(swept[seat])
        carried = visit.place([chip for bets in swept.values() for chip in bets], POT)
        path = visit.finish().path
        ends.append((visit.rest_s, path.end_s))
        for seat, bets in swept.items():
            left_s = world.line_truth.leaves_place(path, [one for one in carried if one.chip in bets])
            world.line_truth.note("pot_swept", seat, left_s, visit.rest_s, bets, by_dealer=True)
    rest = max((rested for rested, _ in ends), default=start)
    world.gathered(min(start, at_s))
    end = max((ended for _, ended in ends), default=start)
    return world.scheduled(Motion("gather", BY_DEALER, None, start, rest, rest, end, tuple(chips)))


@exclusive
def take_to_pot(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """The dealer takes some of the chips before a seat into the pot: dead money beside a bet."""
    world.require_seat(seat)
    world.require_chips(chips, bet_place(seat))
    visit = world.start_visit(world.dealer_hand(seat), at_s, chips)
    taken = visit.pick(chips)
    carried = visit.place(chips, POT)
    path = visit.finish().path
    left_s = world.line_truth.leaves_place(path, carried)
    world.line_truth.note("bet_amended", seat, left_s, visit.rest_s, chips, by_dealer=True)
    return world.scheduled(
        Motion("take_to_pot", BY_DEALER, seat, visit.start_s, taken, visit.rest_s, path.end_s, tuple(chips))
    )


@exclusive
def exchange(
    world: World,
    seat: int,
    give: Sequence[Chip],
    take: Sequence[Chip],
    at_s: float,
    change: Sequence[Chip] = (),
    bank_place: str = TRAY,
) -> Motion:
    """The dealer makes change in one visit: ``give`` goes where ``take`` lay (the seat's bet or its stack), ``change``
    to the seat's stack, and ``take`` to ``bank_place`` (the tray or the pot).

    What the dealer gives must lie in the tray or the pot (see `World.from_tray`); both sides are worth the same.
    """
    world.require_seat(seat)
    world.holdings.require([*give, *change], TRAY, POT)
    where = world.holdings.where(take[0]) if take else None
    if where not in (bet_place(seat), stack_place(seat)):
        raise WorldError("chip-elsewhere", f"What the dealer takes must lie in seat {seat}'s bet or stack.")
    world.holdings.require(take, where)
    if bank_place not in (TRAY, POT):
        raise WorldError("unknown-place", f"The dealer takes chips to the tray or the pot, not to {bank_place}.")
    given = bank.value(give) + bank.value(change)
    if given != bank.value(take):
        raise WorldError("uneven", f"The dealer would give {given} for {bank.value(take)}: give as much as is taken.")
    visit = world.start_visit(world.dealer_hand(seat), at_s, [*give, *take, *change])
    visit.pick([*give, *change])
    given_now = visit.place(give, where, apart=True) if give else ()
    if change:
        visit.place(change, stack_place(seat))
    taken = visit.pick(take)
    carried = visit.place(take, bank_place)
    path = visit.finish().path
    if where == bet_place(seat):
        began = world.line_truth.leaves_place(path, carried)
        if given_now:
            began = min(began, world.line_truth.comes_into_zone(seat, path, given_now))
        world.line_truth.note("bet_amended", seat, began, visit.rest_s, visit.chips, by_dealer=True)
    return world.scheduled(
        Motion("exchange", BY_DEALER, seat, visit.start_s, taken, visit.rest_s, path.end_s, visit.chips)
    )


@exclusive
def change_pot(world: World, give: Sequence[Chip], take: Sequence[Chip], at_s: float) -> Motion:
    """The dealer changes chips of the pot for chips of the tray worth the same."""
    world.holdings.require(give, TRAY)
    world.require_chips(take, POT)
    if bank.value(give) != bank.value(take):
        raise WorldError("uneven", f"The dealer would give {bank.value(give)} for {bank.value(take)}.")
    visit = world.start_visit(world.dealer_right, at_s, [*give, *take])
    visit.pick(give)
    visit.place(give, POT, apart=True)
    taken = visit.pick(take)
    visit.place(take, TRAY)
    path = visit.finish().path
    return world.scheduled(
        Motion("change_pot", BY_DEALER, None, visit.start_s, taken, visit.rest_s, path.end_s, visit.chips)
    )


@exclusive
def return_bet(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """The dealer gives chips of a seat's bet back to its stack (the part that nobody called)."""
    world.require_seat(seat)
    world.require_chips(chips, bet_place(seat))
    visit = world.start_visit(world.dealer_hand(seat), at_s, chips)
    visit.pick(chips)
    carried = visit.place(chips, stack_place(seat))
    path = visit.finish().path
    cross = world.line_truth.comes_back(seat, path, carried)
    world.line_truth.note("chips_retracted", seat, cross, visit.rest_s, visit.chips, by_dealer=True)
    return world.scheduled(
        Motion("return_bet", BY_DEALER, seat, visit.start_s, cross, visit.rest_s, path.end_s, visit.chips)
    )


@exclusive
def push_pot(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """The dealer pushes chips of the pot to a seat's stack."""
    world.require_seat(seat)
    world.require_chips(chips, POT)
    motion, began = _carry(world, "push_pot", seat, chips, stack_place(seat), at_s)
    world.line_truth.note("pot_pushed", seat, began, motion.rest_s, chips, by_dealer=True)
    return motion


@exclusive
def pay_out(world: World, seat: int, chips: Sequence[Chip], at_s: float) -> Motion:
    """The dealer takes chips that a player has bought from the tray to its stack (see `World.from_tray`), then brings
    the tray to its float: change in the next hand comes out of chips that the tray's reader has heard.
    """
    world.require_seat(seat)
    world.require_chips(chips, TRAY)
    motion = _carry(world, "pay_out", seat, chips, stack_place(seat), at_s)[0]
    world.stock_tray(motion.end_s)
    return motion


@exclusive
def take_in(world: World, seat: int, at_s: float) -> Motion:
    """The dealer takes the whole stack of a player who leaves to the tray, then brings the tray to its float."""
    world.require_seat(seat)
    chips = world.holdings.at(stack_place(seat))
    world.require_chips(chips, stack_place(seat))
    motion, _ = _carry(world, "take_in", seat, chips, TRAY, at_s)
    world.stock_tray(motion.end_s)
    return motion


def _carry(world: World, kind: str, seat: int, chips: Sequence[Chip], where: str, at_s: float) -> tuple[Motion, float]:
    """Moves chips in one visit; returns the motion, and when the first chip has left its place."""
    visit = world.start_visit(world.dealer_hand(seat), at_s, chips)
    visit.pick(chips)
    carried = visit.place(chips, where)
    path = visit.finish().path
    rest = visit.rest_s
    motion = world.scheduled(Motion(kind, BY_DEALER, seat, visit.start_s, rest, rest, path.end_s, visit.chips))
    return motion, world.line_truth.leaves_place(path, carried)


@exclusive
def clear_cards(world: World, at_s: float) -> Motion:
    """The dealer takes all cards off the table and puts the tray in order for the next hand."""
    visit = world.start_visit(world.dealer_right, max(at_s, world.cards.lie_s()))
    builder = visit.builder
    reached = builder.reach((*world.table.muck_mm, 0.0))
    rest = world.cards.clear(reached, visit.rng)
    builder.move((*deck_place(world.table), 15.0), max(0.3, rest - reached))
    path = visit.finish().path
    world.stock_tray(path.end_s)
    return world.scheduled(Motion("clear_cards", BY_DEALER, None, visit.start_s, rest, rest, path.end_s))


def _hold_deck(world: World, start_s: float, ready_s: float, until_s: float, rng: Random) -> float:
    """The dealer's other hand holds the deck meanwhile; returns when it is back."""
    hand, deck = world.dealer_left, deck_place(world.table)
    builder = PathBuilder(start_s, (*hand.home_mm, HOME_HEIGHT_MM), rng)
    builder.move((deck[0] - 30.0, deck[1] - 25.0, 20.0), ready_s - start_s)
    builder.wait(until_s - builder.now_s)
    back = builder.move((*hand.home_mm, HOME_HEIGHT_MM), 0.4)
    closed = ((ready_s, until_s),)
    path = builder.build()
    world.timeline.visit(HandVisit(hand.owner, hand.shoulder_mm, path, closed, hand.right, hand.looks))
    return back
