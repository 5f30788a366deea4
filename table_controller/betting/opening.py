"""How a hand begins: with its forced bets, or in the middle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from table_controller.betting import moves, turns
from table_controller.betting.acts import Illegal
from table_controller.betting.forced import Post, PostKind, clockwise, post_all, standard_posts
from table_controller.betting.state import ACTS_LAST, NOBODY, Setup, State
from table_controller.betting.structure import BettingOptions, PotLimitAnte, Structure


def start(
    structure: Structure,
    options: BettingOptions,
    stacks: Mapping[int, int],
    button: int,
    posts: Sequence[Post] | None,
    carried: int,
) -> State:
    """The state after the forced bets; see `Hand.start`."""
    _check_seats(stacks, button, least=1)
    seats = clockwise(tuple(stacks), button)
    players = len(seats)
    position_of = {seat: position for position, seat in enumerate(seats)}
    starting = tuple([stacks[seat] for seat in seats])
    playable, reserve = _capped(starting, structure.cap, (0,) * players)
    if posts is None:
        posts = standard_posts(structure, options, seats, button)
    if structure.bring_in and any(post.kind not in (PostKind.ANTE, PostKind.DEAD) for post in posts):
        raise Illegal(
            "unsupported", "A game with a bring-in has no other live bets: leave the bring-in or the posts out."
        )
    forced = post_all(structure, options, playable, position_of, button, posts)
    blinds = _blinds_due(structure.blinds, players)
    posted = sum([post.kind is PostKind.BLIND for post in posts])
    acted = tuple(forced.acted)
    if acted.count(ACTS_LAST) > 1:
        raise Illegal("unsupported", "Only one seat can wait to act until everybody else has.")
    setup = Setup(
        structure=structure,
        options=options,
        button=button,
        seats=seats,
        position_of=position_of,
        starting=starting,
        reserve=reserve,
        big_blind=forced.big_blind,
        small_blinds=forced.small_blinds,
        vacant_blinds=tuple(sorted(blinds)[: max(len(blinds) - posted, 0)]),
        missing_blinds=max(sum(blinds) - forced.blinds_in, 0),
        uncounted_ante=forced.table_ante if options.pot_limit_ante is PotLimitAnte.NOT_COUNTED else 0,
        blind_opened=forced.level > 0,
        last_to_act=acted.index(ACTS_LAST) if ACTS_LAST in acted else NOBODY,
    )
    everyone = (1 << players) - 1
    able = sum([1 << p for p in range(players) if forced.behind[p]])
    wagers = tuple(forced.wagers)
    size, largest = structure.bet_ranges[0]
    raises = forced.straddles if options.straddle_counts_as_raise else 0
    turn = NOBODY
    if not structure.bring_in:
        first = (forced.first_after + 1) % players
        turn = turns.next_to_act(first, able, everyone, forced.level, wagers, acted, setup.last_to_act)
    return moves.settled(
        State(
            setup=setup,
            street=0,
            behind=tuple(forced.behind),
            wagers=wagers,
            paid=tuple(forced.paid),
            acted=acted,
            live=everyone,
            able=able,
            dead=forced.dead + carried,
            pot=forced.dead + carried + sum(forced.paid) + sum(wagers),
            level=forced.level,
            last_raise=forced.last_raise if setup.big_bet else min(max(forced.last_raise, forced.opening_bet), largest),
            full=forced.level if forced.level >= size else 0,
            raises=raises,
            capped=not setup.big_bet and moves.caps(options, raises, players, able),
            entrants=players,
            turn=turn,
        )
    )


def _blinds_due(blinds: tuple[int, ...], players: int) -> tuple[int, ...]:
    """The blinds of the structure that this many players post: the last two heads-up."""
    return tuple([amount for amount in blinds[-2 if players == 2 else 0 :] if amount])


def resume(
    structure: Structure,
    options: BettingOptions,
    stacks: Mapping[int, int],
    button: int,
    pot: int,
    paid: Mapping[int, int] | None,
    folded: Sequence[int],
    carried: int,
) -> State:
    """The state between two rounds; see `Hand.resume`."""
    _check_seats(stacks, button, least=0)
    seats = clockwise(tuple(stacks), button)
    players = len(seats)
    position_of = {seat: position for position, seat in enumerate(seats)}
    shares = _shares(pot, paid, seats)
    if unknown := [seat for seat in folded if seat not in position_of]:
        raise Illegal("setup", f"Seat {unknown[0]} has folded but is not in the hand.")
    behind = tuple([stacks[seat] for seat in seats])
    playable, reserve = _capped(behind, structure.cap, shares)
    live = sum([1 << p for p, seat in enumerate(seats) if seat not in folded])
    if not live & (live - 1):
        raise Illegal("setup", "At least two seats must still be in the hand.")
    level, uneven = _levelled(shares, behind, live)
    setup = Setup(
        structure=structure,
        options=options,
        button=button,
        seats=seats,
        position_of=position_of,
        starting=tuple(map(sum, zip(behind, shares, strict=True))),
        reserve=reserve,
    )
    return State(
        setup=setup,
        street=0,
        behind=playable,
        wagers=(0,) * players,
        paid=level,
        acted=(0,) * players,
        live=live,
        able=sum([1 << p for p in range(players) if live >> p & 1 and playable[p]]),
        dead=carried + uneven,
        pot=pot + carried,
        entrants=players,
    )


def _levelled(paid: tuple[int, ...], behind: tuple[int, ...], live: int) -> tuple[tuple[int, ...], int]:
    """What caps a pot, and the dead money: only an all-in hand caps one (R-260).

    Between rounds players with chips have matched each other, so what one of them has in beyond the others was an ante
    or a dead post.
    """
    hands = [p for p in range(len(paid)) if live >> p & 1]
    if not all(behind[p] for p in hands):
        return paid, 0
    least = min([paid[p] for p in hands])
    level = tuple([min(amount, least) if live >> p & 1 else amount for p, amount in enumerate(paid)])
    return level, sum(paid) - sum(level)


def _check_seats(stacks: Mapping[int, int], button: int, *, least: int) -> None:
    if len(stacks) < 2:
        raise Illegal("setup", "A hand needs at least two seats.")
    for seat in (*stacks, button):
        if not 1 <= seat <= 10:
            raise Illegal("setup", f"Seats are 1 to 10, not {seat}.")
    for seat, stack in stacks.items():
        if stack < least:
            raise Illegal("setup", f"Seat {seat} has {stack} chips and cannot be dealt in.")


def _capped(stacks: tuple[int, ...], cap: int | None, paid: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What each may still bet, and what a cap game keeps out of it (R-126)."""
    if cap is None:
        return stacks, (0,) * len(stacks)
    playable = tuple([min(stack, max(cap - gone, 0)) for stack, gone in zip(stacks, paid, strict=True)])
    return playable, tuple([stack - part for stack, part in zip(stacks, playable, strict=True)])


def _shares(pot: int, paid: Mapping[int, int] | None, seats: tuple[int, ...]) -> tuple[int, ...]:
    if pot < 0:
        raise Illegal("setup", f"The pot cannot be {pot}.")
    if paid is None:
        each, over = divmod(pot, len(seats))
        if over:
            raise Illegal("setup", f"{len(seats)} seats cannot have put in equal shares of {pot}: say who put in what.")
        return (each,) * len(seats)
    if unknown := [seat for seat in paid if seat not in seats]:
        raise Illegal("setup", f"Seat {unknown[0]} has put in chips but is not in the hand.")
    shares = tuple([paid.get(seat, 0) for seat in seats])
    if min(shares) < 0 or sum(shares) != pot:
        raise Illegal("setup", f"The seats have put in {sum(shares)}, which does not make a pot of {pot}.")
    return shares
