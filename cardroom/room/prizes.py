"""Entries, the prize pool and who is paid what. Pure: money is whole units, and every share adds up to the pool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Literal

from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.room import Game
from cardroom.room.rules import WHOLE, RoomRules

MOST_ICM = 15
"""Players for whom ICM is computed: each more doubles the work."""


def entering(
    game: Game, player: str, what: Literal["entry", "re-entry", "add-on"], level: int | None, *, seated: bool
) -> e.Entered:
    """A player buys an entry, another one after going out, or an add-on (TDA 8); `level` None: play has not begun.

    Raises RoomError (`closed`, `entered`, `not-out`, `re-entries`, `add-on`).
    """
    terms = game.terms
    if terms.kind != "tournament":
        raise RoomError("not-tournament", f"{game.name} is a cash game: betline room wait puts a player on its list.")
    if what == "add-on":
        return _add_on(game, player, seated=seated)
    if game.prizes:
        raise RoomError("closed", f"The prizes of {game.name} are fixed: nobody can enter any more.")
    if level is not None and level > terms.late_to_level:
        end = f"closed with level {terms.late_to_level}" if terms.late_to_level else "closed when play began"
        raise RoomError("closed", f"Registration for {game.name} {end}.")
    times = game.entries.get(player, 0)
    if what == "entry" and times:
        raise RoomError("entered", "That player has entered already; after going out it is a re-entry (--re-entry).")
    if what == "re-entry":
        if player not in game.out:
            raise RoomError("not-out", "Only who has entered and is out can enter again.")
        if times > terms.re_entries:
            raise RoomError("re-entries", f"{terms.re_entries} re-entries are allowed in {game.name}; they are used.")
    return e.Entered(game=game.name, player=player, what=what, paid=terms.buy_in, fee=terms.fee, chips=terms.stack)


def _add_on(game: Game, player: str, *, seated: bool) -> e.Entered:
    terms = game.terms
    if not terms.add_on:
        raise RoomError("add-on", f"{game.name} has no add-on.")
    if not seated or player in game.out or player in game.add_ons:
        raise RoomError("add-on", "An add-on is sold once to a player who has a seat.")
    return e.Entered(
        game=game.name, player=player, what="add-on", paid=terms.add_on, fee=0, chips=terms.add_on_chips
    )  # fmt: skip


def pool_of(game: Game) -> int:
    """The prize pool: what was paid in, or what the house has guaranteed if that is more."""
    return max(game.pool, game.terms.guarantee)


def shares(entries: int, rules: RoomRules) -> tuple[int, ...]:
    """The shares of the paid places with so many entries, in hundredths of a percent."""
    row = next((row for row in rules.payouts if entries <= row.entries_to), rules.payouts[-1])
    return row.shares


def prizes(pool: int, parts: Sequence[int], unit: int, rest_to: Literal["first", "last"]) -> tuple[int, ...]:
    """A pool by its parts in hundredths of a percent, each prize a multiple of the unit; the rest goes to one place.

    Raises RoomError (`unit`) where the unit is too large for the last place to get anything.
    """
    found = [pool * part // WHOLE // unit * unit for part in parts]
    if not found[-1]:
        raise RoomError("unit", f"A pool of {pool} in units of {unit} leaves nothing for the last place; pay fewer.")
    found[0 if rest_to == "first" else -1] += pool - sum(found)
    if found != sorted(found, reverse=True):
        raise RoomError("unit", "What rounding leaves would pay the last place more than the one before; pay it first.")
    return tuple(found)


def fixing(game: Game, rules: RoomRules, parts: Sequence[int] = ()) -> e.PayoutsFixed:
    """The prizes are fixed, and registration is closed by that; raises RoomError (`nobody`, `unit`, `fixed`)."""
    if game.prizes:
        raise RoomError(
            "fixed", f"The prizes of {game.name} are fixed already; betline room undo takes the last step back."
        )
    sold = sum(game.entries.values())
    if not sold:
        raise RoomError("nobody", f"Nobody has entered {game.name} yet.")
    wanted = tuple(parts) or shares(sold, rules)
    if sum(wanted) != WHOLE or len(wanted) > len(game.entries):
        raise RoomError(
            "shares", f"The shares must come to 100 % for no more places than players ({len(game.entries)})."
        )
    found = prizes(pool_of(game), wanted, rules.payout_unit, rules.payout_rest)
    return e.PayoutsFixed(game=game.name, pool=pool_of(game), prizes=found)


def going_out(game: Game, knocked: Iterable[tuple[e.Knocked, str]], rules: RoomRules) -> e.WentOut:
    """Players went out in one hand: each with the stack at its start and the table; who had more is placed better.

    Equal stacks are tied. Hand for hand, players of several tables are tied where the house says so. Raises RoomError
    (`not-in`) for one who is not in the tournament, `no-chips` for one who had none, `all-out` where nobody would be
    left.
    """
    found = sorted(knocked, key=lambda one: (-one[0].stack, one[0].player))
    alive = set(game.alive)
    for one, _ in found:
        if one.player not in alive:
            raise RoomError("not-in", "Somebody of these is not in the tournament any more, or never was.")
    if not all(one.stack for one, _ in found):
        raise RoomError("no-chips", "Who goes out had chips at the start of that hand: say how many, PLAYER=STACK.")
    if len({one.player for one, _ in found}) < len(found):
        raise RoomError("not-in", "Name each player once.")
    if len(found) >= len(alive):
        raise RoomError("all-out", "One player must be left: the last one has won.")
    tables = {table for _, table in found}
    if len(tables) > 1 and not game.hand_for_hand:
        raise RoomError("tables", "Players of several tables went out in different hands; say one table at a time.")
    tied = rules.same_hand == "tie" or (len(tables) > 1 and rules.hand_for_hand_ties)
    best, places = len(alive) - len(found) + 1, list[tuple[str, int]]()
    for _, same in groupby(found, key=lambda one: 0 if tied else one[0].stack):
        group = [one.player for one, _ in same]
        places += [(player, best) for player in group]
        best += len(group)
    return e.WentOut(game=game.name, places=tuple(places), chips={one.player: one.stack for one, _ in found})


def payouts(game: Game) -> dict[str, int]:
    """What each player who is placed is paid: ties share the prizes of as many places, odd units go to the first ids.

    After a chop those who agreed are paid that.
    """
    found = dict(game.chop)
    by_place = sorted(game.places.items(), key=lambda one: (one[1], one[0]))
    for place, group in groupby(by_place, key=lambda one: one[1]):
        players = [player for player, _ in group if player not in game.chop]
        together = sum(game.prizes[place - 1 : place - 1 + len(players)])
        each, odd = divmod(together, len(players)) if players else (0, 0)
        found |= {player: each + (number < odd) for number, player in enumerate(players)}
    return {player: amount for player, amount in found.items() if amount}


def paying(game: Game, player: str) -> e.Paid:
    """A prize is paid out; raises RoomError (`no-prize`, `paid`)."""
    amount = payouts(game).get(player, 0)
    if not amount:
        raise RoomError("no-prize", "That player has no prize, or is still in.")
    if player in game.paid:
        raise RoomError("paid", f"That player was paid {game.paid[player]} already.")
    return e.Paid(game=game.name, player=player, amount=amount)


def chop_by_chips(stacks: Mapping[str, int], left: Sequence[int]) -> dict[str, int]:
    """A chop by chip count: everybody gets the last of the prizes that are left, the rest goes by stacks."""
    _check_chop(stacks, left)
    least = left[len(stacks) - 1]
    rest = sum(left) - least * len(stacks)
    whole = sum(stacks.values())
    return {
        player: least + amount
        for player, amount in _rounded({player: rest * stack / whole for player, stack in stacks.items()}, rest).items()
    }


def chop_by_icm(stacks: Mapping[str, int], left: Sequence[int]) -> dict[str, int]:
    """A chop by the Independent Chip Model: what each could expect if places were drawn by chips (Malmuth-Harville).

    First place goes to each by the share of the chips, second by the share of those that are left, and so on.
    """
    _check_chop(stacks, left)
    players = sorted(stacks)
    if len(players) > MOST_ICM:
        raise RoomError(
            "chop", f"ICM is worked out for up to {MOST_ICM} players; use --model chips for {len(players)}."
        )
    whole, everyone = sum(stacks.values()), 2 ** len(players)
    reached, taken, hopes = [0.0] * everyone, [0] * everyone, dict.fromkeys(players, 0.0)
    reached[0] = 1.0
    for gone in range(everyone - 1):
        place = gone.bit_count()
        for number, player in enumerate(players):
            if not gone >> number & 1:
                then = gone | 1 << number
                chance = reached[gone] * stacks[player] / (whole - taken[gone])
                reached[then] += chance
                taken[then] = taken[gone] + stacks[player]
                hopes[player] += chance * left[place]
    return _rounded(hopes, sum(left[: len(players)]))


def agreeing(game: Game, amounts: Mapping[str, int]) -> e.ChopAgreed:
    """All who are left have agreed; raises RoomError (`chop`) where it is not all of them, or not all of the money."""
    left = prizes_left(game)
    if set(amounts) != set(game.alive):
        raise RoomError("chop", "Everybody who is still in must agree, and nobody else: name an amount for each.")
    if sum(amounts.values()) != sum(left) or min(amounts.values()) < 0:
        raise RoomError("chop", f"The amounts come to {sum(amounts.values())}, and {sum(left)} are left to pay.")
    return e.ChopAgreed(game=game.name, amounts=tuple(sorted(amounts.items())))


def prizes_left(game: Game) -> tuple[int, ...]:
    """The prizes of those who are still in, the first place first, 0 where a place is not paid; raises RoomError."""
    if not game.prizes:
        raise RoomError("prizes", f"The prizes of {game.name} are not fixed yet: betline room payouts fix.")
    number = len(game.alive)
    return (game.prizes + (0,) * number)[:number]


def on_the_bubble(game: Game) -> bool:
    """Whether the next who goes out is the last without a prize."""
    return bool(game.prizes) and len(game.alive) == len(game.prizes) + 1


def _check_chop(stacks: Mapping[str, int], left: Sequence[int]) -> None:
    if len(left) < len(stacks) or not stacks or min(stacks.values()) < 1:
        raise RoomError("chop", "A chop needs the stack of everybody who is still in, each above 0: PLAYER=CHIPS.")


def _rounded(amounts: Mapping[str, float], whole: int) -> dict[str, int]:
    """Whole units that add up: those whose fraction is largest get one more."""
    found = {player: int(amount) for player, amount in amounts.items()}
    order = sorted(amounts, key=lambda player: (found[player] - amounts[player], player))
    for player in order[: whole - sum(found.values())]:
        found[player] += 1
    return found
