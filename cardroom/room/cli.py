"""`betline room`: the work of a cardroom's floor."""

from __future__ import annotations

import typer

from cardroom.room.verbs import balancing, books, games, house, leading, lists, money, rotation, seats, timing

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _room() -> None:
    """The floor of a cardroom: players, seats, waiting lists, tournaments, dealers, chips.

    What is decided stands in the room's journal; tables on the bus are asked, and have done it when they say so.
    """


for _name, _verb in {
    "game": games.game,
    "table": games.table,
    "enter": games.enter,
    "players": games.players,
    "draw": seats.draw,
    "seat": seats.seat,
    "move": seats.move,
    "balance": balancing.balance,
    "worst": balancing.worst,
    "break": balancing.breaking,
    "redraw": balancing.redraw,
    "out": seats.out,
    "moves": seats.moves,
    "halt": leading.halt,
    "wait": lists.wait,
    "arrive": lists.arrive,
    "call": lists.call,
    "pass": lists.passes,
    "off": lists.off,
    "waiting": lists.waiting_list,
    "must-move": lists.must_move,
    "clock": timing.clock,
    "hand-for-hand": timing.hand_for_hand,
    "lead": leading.lead,
    "inventory": house.inventory,
    "count": house.count,
    "figures": house.figures,
    "log": books.log,
    "undo": books.undo,
    "verify": books.verify,
    "commit": books.commit,
    "proof": books.proof,
    "check-draw": books.check_draw,
    "erase": books.erase,
}.items():
    app.command(_name)(_verb)
app.add_typer(money.app, name="payouts")
app.add_typer(rotation.app, name="rotation")
