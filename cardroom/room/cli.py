"""`betline room`: the work of a cardroom's floor."""

from __future__ import annotations

import typer

from cardroom.room.verbs import seats

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _room() -> None:
    """The floor of a cardroom: players, seats, waiting lists, tournaments, dealers, chips.

    What is decided stands in the room's journal; tables on the bus are asked, and have done it when they say so.
    """


for _name, _verb in {
    "game": seats.game,
    "table": seats.table,
    "enter": seats.enter,
    "players": seats.players,
    "draw": seats.draw,
    "seat": seats.seat,
    "move": seats.move,
    "balance": seats.balance,
    "worst": seats.worst,
    "break": seats.breaking,
    "redraw": seats.redraw,
    "out": seats.out,
    "moves": seats.moves,
}.items():
    app.command(_name)(_verb)
