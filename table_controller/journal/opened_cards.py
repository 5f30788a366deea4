"""Whether the cards that were opened are those that were sealed."""

from __future__ import annotations

import json
import sqlite3

from table_controller.cards.seals import Place, Secret, opens
from table_controller.journal.entries import CardsOpened, Stepped

_STEPS = f"SELECT payload FROM entry WHERE kind = '{Stepped.kind}' AND payload LIKE '%\"lays_cards\"%' AND seq < ?"
_OPENED = f"SELECT seq, payload FROM entry WHERE kind = '{CardsOpened.kind}' ORDER BY seq"


def cards_broken(database: sqlite3.Connection) -> tuple[int, str] | None:
    """The first entry that opens a seal with other cards, or one that nobody made, and what is wrong; None else."""
    for seq, payload in database.execute(_OPENED):
        opened = CardsOpened.read(json.loads(payload))
        sealed = {json.loads(row)["step"]["lays_cards"].get("seal") for (row,) in database.execute(_STEPS, (seq,))}
        for one in opened.cards:
            place = Place(opened.hand_no, one.seat, one.street, one.board)
            where = f"the {one.street}" if one.seat is None else f"the hand of seat {one.seat}"
            if one.seal not in sealed:
                return seq, f"Entry {seq} opens {where} of hand {opened.hand_no}, which nobody had sealed."
            if not opens(place, Secret(one.salt, one.cards), one.seal):
                return seq, f"Entry {seq} opens {where} of hand {opened.hand_no} with other cards than were sealed."
    return None
