"""Random evenings as a controller journals them, with what each person brought and took away told beside the ledger."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from betline.steps import SitDown, parse_step
from table_controller.journal.entries import Entry, Recorded
from table_controller.rulings.values.state import State
from table_controller.session.book import Book
from table_controller.session.draft import Draft
from table_controller.session.written import setup_to_data
from tests.unit.rulings.evening import Evening
from tests.unit.session.desk import START_MS, Desk

MINUTE_MS = 60_000


def recorded(entries: Iterable[Entry], began_ms: int = START_MS) -> list[Recorded]:
    """Entries as the file gives them back, one a minute."""
    return [
        Recorded(number, began_ms + number * MINUTE_MS, 0, one.kind, json.loads(json.dumps(one.data)), "", "")
        for number, one in enumerate(entries, 1)
    ]


class Story:
    """An evening's journal. What came in and went out is kept by table, so that undo goes back to what was."""

    def __init__(self, seed: int, steps: int) -> None:
        evening = Evening(seed)
        evening.play(steps)
        desk = Desk()
        self.draft = Draft(Book(), desk.session.sensing, desk.session.sensors, desk.now)
        persons = {str(seat): f"p-{seat}" for seat in evening.setup.seats if seat % 2}
        setup = setup_to_data(evening.setup)
        self.draft.note("setup", {"setup": setup, "persons": persons, "from_file": False})
        self.kinds: set[str] = set()
        self._kept: list[State] = [self.state]
        self._cash: dict[int, dict[str, int]] = {
            id(self.state): {f"{self._who(seat)}": -stack for seat, stack in evening.setup.seats.items()}
        }
        for written in evening.told:
            self._tell(written)

    @property
    def state(self) -> State:
        table = self.draft.book.table
        assert table is not None
        return table.state

    @property
    def cash(self) -> Mapping[str, int]:
        """What went out to people less what came from them, markers between them too; seats for who has no name."""
        return self._cash[id(self.state)]

    @property
    def entries(self) -> list[Recorded]:
        return recorded(self.draft.entries)

    def _tell(self, written: dict[str, Any]) -> None:
        before, who = self.state, {seat: self._who(seat) for seat in self.state.players}
        refused = self.draft.apply(parse_step(written), "keyed")
        assert refused is None, (written, refused)
        self.kinds |= written.keys()
        if id(self.state) in self._cash:
            return
        self._kept.append(self.state)
        cash = dict(self._cash[id(before)])
        for one, amount in self._flows(before, written, who):
            cash[one] = cash.get(one, 0) + amount
        self._cash[id(self.state)] = cash

    def _flows(self, before: State, written: dict[str, Any], who: Mapping[int, str]) -> list[tuple[str, int]]:
        kind, value = next(iter(written.items()))
        match kind:
            case "sits":
                sits = parse_step(written)
                assert isinstance(sits, SitDown)
                return [(sits.player or f"seat-{sits.seat}", -sits.stack)]
            case "leaves":
                return [(who[value], before.stacks[value])]
            case "adds" | "behind":
                return [(who[value["seat"]], -value["amount"])]
            case "borrows":
                lender = [] if value["from"] == "pot" else [(who[value["from"]], value["amount"])]
                return [(who[value["seat"]], -value["amount"]), *lender]
        return []

    def _who(self, seat: int) -> str:
        return self.draft.book.seated.get(seat, f"seat-{seat}")

    def holdings(self) -> dict[str, int]:
        """What people would take if the hand in progress were called off."""
        hand = self.state.hand
        found = self.state.stacks
        if hand is not None and not hand.hand_over:
            found |= hand.starting_stacks
        return {self._who(seat): stack for seat, stack in found.items()}
