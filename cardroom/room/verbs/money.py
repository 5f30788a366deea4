"""The prize pool: what is paid for which place, chops, and paying out."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.room import events as e
from cardroom.room import prizes
from cardroom.room.errors import RoomError
from cardroom.room.room import Game, Room
from cardroom.room.tournament import tournament
from cardroom.room.verbs.desk import Desk
from cardroom.room.verbs.options import GameOption, at_desk, wrong_usage

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _payouts() -> None:
    """The prize pool of a tournament, its prizes, chops and who was paid."""


@app.command("show")
@at_desk
def show(desk: Desk, game: GameOption = None) -> None:
    """Show the pool, the prizes (as they would be, until they are fixed), the places and who was paid.

    Example: betline room payouts show --json
    """
    room = desk.room()
    of = tournament(room, desk.game(room, game).name)
    names, fixed = desk.names(), bool(of.prizes)
    if not of.entries:
        raise RoomError("nobody", f"Nobody has entered {of.name} yet.")
    planned = of.prizes or prizes.fixing(of, desk.rules).prizes
    paid = prizes.payouts(of)
    rows = [
        {"place": place, "player": names.get(who, who), "prize": paid.get(who, 0), "paid": who in of.paid}
        for who, place in sorted(of.places.items(), key=lambda one: (one[1], one[0]))
    ]
    pool = prizes.pool_of(of)
    data = {
        "game": of.name,
        "entries": sum(of.entries.values()),
        "collected": of.pool,
        "fees": of.fees,
        "pool": pool,
        "overlay": pool - of.pool,
        "fixed": fixed,
        "prizes": planned,
        "left": len(of.alive),
        "places": rows,
    }
    lines = [
        f"{of.name}: entries {data['entries']}, pool {pool}"
        + (f" ({data['overlay']} of it from the house)" if data["overlay"] else "")
        + ("." if fixed else ", not fixed yet."),
        *(f"  place {number:>3}  {prize}" for number, prize in enumerate(planned, 1)),
        *(
            f"  {row['place']:>3}  {row['player']!s:<24}  {row['prize']}{'  paid' if row['paid'] else ''}"
            for row in rows
        ),
    ]
    desk.tell(data, lines)


@app.command("fix")
@at_desk
def fix(
    desk: Desk,
    game: GameOption = None,
    shares: Annotated[str, typer.Option("--shares", metavar="50,30,20", help="In percent; default the house's.")] = "",
) -> None:
    """Fix the prizes when registration is over; nobody can enter any more.

    Example: betline room payouts fix

    Example: betline room payouts fix --shares 50,30,20
    """
    parts = [_part(one) for one in shares.split(",")] if shares else []

    def decision(room: Room) -> tuple[e.Event, ...]:
        return (prizes.fixing(tournament(room, desk.game(room, game).name), desk.rules, parts),)

    room = desk.decide(decision)
    of = desk.game(room, game)
    lines = [f"place {number:>3}  {prize}" for number, prize in enumerate(of.prizes, 1)]
    desk.tell({"game": of.name, "prizes": of.prizes}, lines)


@app.command("chop")
@at_desk
def chop(
    desk: Desk,
    stacks: Annotated[list[str], typer.Argument(metavar="PLAYER=CHIPS", help="Everybody who is left, with the stack.")],
    game: GameOption = None,
    model: Annotated[str, typer.Option("--model", metavar="icm|chips", help="How it is worked out.")] = "icm",
) -> None:
    """Propose a chop by ICM or by chip count; nothing is decided before all agree (payouts agree).

    Example: betline room payouts chop Ann=50000 Bob=30000 --model icm
    """
    room = desk.room()
    of = tournament(room, desk.game(room, game).name)
    found = _amounts(desk, stacks)
    if set(found) != set(of.alive):
        raise RoomError("chop", "Name everybody who is still in, and nobody else.")
    if model not in ("icm", "chips"):
        wrong_usage(f"--model {model} is none; say icm or chips.")
    left = prizes.prizes_left(of)
    amounts = prizes.chop_by_icm(found, left) if model == "icm" else prizes.chop_by_chips(found, left)
    names = desk.names()
    rows = {names[who]: amount for who, amount in sorted(amounts.items(), key=lambda one: -one[1])}
    desk.tell(
        {"game": of.name, "model": model, "proposal": rows}, [f"{name:<24}  {amount}" for name, amount in rows.items()]
    )


@app.command("agree")
@at_desk
def agree(
    desk: Desk,
    amounts: Annotated[list[str], typer.Argument(metavar="PLAYER=MONEY", help="Everybody who is left.")],
    game: GameOption = None,
) -> None:
    """All who are left have agreed to a chop: each is paid that, and all that is left to pay is in it.

    Example: betline room payouts agree Ann=700 Bob=500
    """
    found = _amounts(desk, amounts)
    room = desk.decide(
        lambda room: (prizes.agreeing(tournament(room, desk.game(room, game).name), found),)
    )  # fmt: skip
    of: Game = desk.game(room, game)
    desk.tell(
        {"game": of.name, "agreed": True}, ["The chop is agreed; betline room payouts pay NAME notes each payment."]
    )


@app.command("pay")
@at_desk
def pay(
    desk: Desk,
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The player, by name.")],
    game: GameOption = None,
) -> None:
    """Note that a player was paid the prize.

    Example: betline room payouts pay Ann
    """
    who = desk.player(player)
    room = desk.decide(lambda room: (prizes.paying(tournament(room, desk.game(room, game).name), who),))
    amount = desk.game(room, game).paid[who]
    desk.tell({"player": player, "paid": amount}, [f"{player} is paid {amount}."])


def _amounts(desk: Desk, texts: list[str]) -> dict[str, int]:
    found = {}
    for one in texts:
        name, _, amount = one.rpartition("=")
        if not name or not amount.isdecimal():
            wrong_usage(f"{one}: write PLAYER=AMOUNT.")
        found[desk.player(name)] = int(amount)
    return found


def _part(text: str) -> int:
    """A share in percent, with up to two places, in hundredths of a percent."""
    whole, _, rest = text.strip().partition(".")
    if not whole.isdecimal() or not (rest == "" or (rest.isdecimal() and len(rest) <= 2)):
        wrong_usage(f"--shares {text}: write percents such as 50,30,20 or 37.5.")
    return int(whole) * 100 + int(rest.ljust(2, "0") or 0)
