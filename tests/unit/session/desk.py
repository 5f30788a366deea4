"""A table on a desk: hand-written readings and keys into a session, with the journal's entries kept in memory."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from betline.messages.common import Body, Reply
from betline.messages.table import Alert, Announcement, Ruling
from betline.settings import HouseRules, TableSettings, load_chip_set, load_house_rules, load_table
from betline.steps import read_command
from betline.units import NS_PER_MS
from table_controller.journal.entries import Entry, Recorded
from table_controller.sensing.belief import ChipSeen, ZoneReading
from table_controller.session import Input, Keyed, Now, Present, Session, Terms, Tick
from table_controller.session.fold import Resumed, resume

ROUND_MS = 70
START_MS = 1_700_000_000_000
GAME = {"limit": "pot-limit", "blinds": [1, 2], "streets": "omaha"}
FOUR = {"1": 200, "2": 200, "3": 200, "4": 200}


def home_table() -> TableSettings:
    """The shipped home table without its camera: readers and keys only."""
    return load_table("home-six").model_copy(update={"cameras": ()})


def terms(table: TableSettings | None = None, **options: Any) -> Terms:
    """The terms of a table, with some house rules set otherwise."""
    table = table or home_table()
    house: HouseRules = load_house_rules(table.house.profile, {**table.house.options, **options})
    return Terms(table, house)


class Pages:
    """Entries as the journal's file gives them back: through JSON, numbered from 1."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.recorded = [
            Recorded(number, START_MS, 0, entry.kind, json.loads(json.dumps(entry.data)), "", "")
            for number, entry in enumerate(entries, 1)
        ]

    def entries(self, after: int = 0) -> Iterator[Recorded]:
        return iter(self.recorded[after:])

    def newest(self, kind: str, before: int | None = None, after: int = 0) -> Iterator[Recorded]:
        between = self.recorded[after : None if before is None else before - 1]
        return (one for one in reversed(between) if one.kind == kind)


class Desk:
    """Drives one session; everything that it journals and tells is kept."""

    def __init__(self, at: Terms | None = None) -> None:
        self.terms = at or terms()
        self.session = Session.new(self.terms)
        self.entries: list[Entry] = []
        self.told: list[Body] = []
        self.now_ms = 0.0
        self.chips = load_chip_set(self.terms.table.chip_set)
        self.lying: dict[str, dict[str, tuple[int, int]]] = {}
        self.rounds: dict[str, int] = {}
        self.readers = {antenna.zone: reader.id for reader in self.terms.table.readers for antenna in reader.antennas}
        self._number = 0

    @property
    def now(self) -> Now:
        return Now(START_MS + int(self.now_ms), int(self.now_ms * 1e6))

    def give(self, given: Input) -> tuple[Body, ...]:
        handled = self.session.handle(given, self.now)
        self.session = handled.session
        self.entries += handled.entries
        self.told += handled.messages
        return handled.messages

    def key(self, verb: str, *, command_id: str | None = None, late_ms: int = 0, **args: Any) -> Reply:
        """Keys a command; the time goes on a little."""
        self._number += 1
        self.now_ms += 5
        name = command_id or f"command-{self._number}"
        fresh = {seat: f"p-{self._number}-{seat}" for seat in range(11)}
        expires_ns = self.now.mono_ns + (10_000 - late_ms) * NS_PER_MS
        keyed = Keyed(name, read_command(verb, args), "dealer", expires_ns, fresh, salt=f"{self._number:032x}")
        return next(message for message in self.give(keyed) if isinstance(message, Reply))

    def begin(self, seats: Mapping[str, int] = FOUR, game: Mapping[str, Any] = GAME, **more: Any) -> None:
        """A hand with its blinds on the felt and its cards out."""
        self.key("setup", game=game, seats=seats, button=1, **more)
        hand = self.hand
        for seat in hand.seats:
            if hand.bet(seat):
                self.push(seat, *[1] * hand.bet(seat))
        self.play(8)
        self.key("cards-out")

    @property
    def hand(self) -> Any:
        table = self.session.book.table
        assert table is not None
        return table.state.hand

    def push(self, seat: int, *values: int) -> list[str]:
        """Chips come to lie in front of a seat."""
        zone = self.lying.setdefault(f"seat-{seat}", {})
        uids = []
        for value in values:
            self._number += 1
            uid = f"E0040000{self._number:08X}"
            zone[uid] = (value, self.rounds.get(f"seat-{seat}", 0) + 1)
            uids.append(uid)
        return uids

    def play(self, rounds: int = 8) -> None:
        """The readers go round, nobody misses anything."""
        for _ in range(rounds):
            self.now_ms += ROUND_MS
            for zone, reader in self.readers.items():
                self.rounds[zone] = self.rounds.get(zone, 0) + 1
                self.give(replace(self._reading(zone), reader=reader))
            self.give(Tick())

    def wait(self, milliseconds: float) -> None:
        """Time goes by in silence."""
        for _ in range(int(milliseconds // 100)):
            self.now_ms += 100
            self.give(Tick())

    def presence(self, name: str, kind: Any, state: Any) -> None:
        self.give(Present(name, kind, state))

    def restarted(self) -> Session:
        """What a controller that was killed now would go on with."""
        return self.resumed().session

    def resumed(self) -> Resumed:
        """The same, with what a start journals and tells."""
        return resume(self.terms, Pages(self.entries), self.now)

    def restart(self) -> None:
        resumed = self.resumed()
        self.session = resumed.session.called(self.session.names).knowing(self.session.secrets)  # files have them
        self.entries += resumed.entries

    def _reading(self, zone: str) -> ZoneReading:
        number = self.rounds[zone]
        chips = tuple(
            ChipSeen(uid, value, min(8, number - since + 1), min(8, number - since + 1), 0)
            for uid, (value, since) in self.lying.get(zone, {}).items()
        )
        return ZoneReading(zone, "boot", number, chips, self.now.mono_ns)

    # --- what was told

    def heard(self, kind: type[Any]) -> list[Any]:
        return [message for message in self.told if type(message) is kind]

    @property
    def rulings(self) -> list[tuple[int | None, str, int]]:
        return [(one.seat, one.ruling, one.to) for one in self.heard(Ruling)]

    @property
    def announced(self) -> str:
        return str(self.heard(Announcement)[-1].text)

    @property
    def alerts(self) -> list[str]:
        return [one.code for one in self.heard(Alert)]

    @property
    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.entries]
