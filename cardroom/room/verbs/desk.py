"""What the verbs of the room work with: the journal, the house's options, people's names, the tables."""

from __future__ import annotations

import contextlib
import getpass
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import typer

from betline.bus import MqttBus
from betline.joining import VISIT_S, BrokerChoice, enter, join
from betline.login import LoginError, check_private
from betline.messages.room import DrawToCome, RoomHead
from betline.options import (
    FAILED,
    UserError,
    namespace,
)
from betline.people.record import PeopleError, Person
from betline.people.roll import read_staff
from betline.people.srp import verifier_of
from betline.settings import load_table
from betline.settings.model import nearest
from betline.topics import SiteNamespace
from cardroom.room.errors import RoomError
from cardroom.room.events import Event, MovesOrdered, WentOut
from cardroom.room.holds import Events, States, halting, none_to_wait_for
from cardroom.room.journal import RoomJournal, Who
from cardroom.room.moves import carry_out
from cardroom.room.pits import Bridges
from cardroom.room.room import Game, Room
from cardroom.room.rules import RoomRules
from cardroom.room.tables import SENDER, BusTables, OnBus, Signer
from cardroom.room.verbs.holding import hold_tables, tell_last_two
from table_controller.levels.clock import Period, periods_of

MINUTE_MS: Final = 60_000


@dataclass
class Desk:
    """One person at work on one room."""

    path: Path
    by: str
    rules: RoomRules
    as_json: bool
    site: str
    broker: BrokerChoice
    people: Path
    pin_file: Path | None
    wait_s: float
    key: Path | None = None
    pits: Mapping[str, tuple[str, ...]] | None = None
    """The tables of each pit by the site's file; None where none was named."""
    _bridges: Bridges | None = None
    _tables: BusTables | None = None
    _signer: Signer | None = field(default=None, init=False)
    _periods: dict[str, tuple[Period, ...]] = field(default_factory=dict, init=False)

    def now_ms(self) -> int:
        """The wall clock."""
        return time.time_ns() // 1_000_000

    def room(self) -> Room:
        """The room as it stands, with the tables that are cut off now."""
        with self.journal() as journal:
            return self.now(journal.room())

    def newest(self, room: Room, read: tuple[int, str] | None) -> tuple[Room, tuple[int, str]]:
        """The room as it stands and the journal's head, read anew where that is not the one read before."""
        with self.journal() as journal:
            head = journal.head()
            return (room if head == read else self.now(journal.room())), head

    def now(self, room: Room) -> Room:
        """A room with the tables that are cut off now."""
        cut = self.cut()
        there = {name: cut[name] for name, table in room.tables.items() if name in cut and not table.by_hand}
        return replace(room, cut=there)

    def cut(self) -> Mapping[str, str]:
        """The tables whose pit is cut off from the site now, and the pits; none where no site file was named."""
        if self.pits is None:
            return {}
        if self._bridges is None:
            address = self.broker.with_settings(None).address("floor", "console")
            bus = MqttBus(address.host, address.port, SiteNamespace(self.site), SENDER, login=address.login)
            self._bridges = Bridges(bus, self.site, self.pits)
            enter(bus, VISIT_S)
            self._bridges.wait()
        return self._bridges.cut()

    def journal(self) -> RoomJournal:
        """The room's journal, opened; who asks closes it."""
        return RoomJournal(self.path, self.key)

    def names(self, who: Who | None = None) -> dict[str, str]:
        """Id: name of players and dealers, or of these alone."""
        with self.journal() as journal:
            return journal.names(who)

    def player(self, name: str, who: Who = "player") -> str:
        """The id of a player or dealer who is known; raises RoomError, which names the nearest one."""
        there = self.names(who)
        for person, one in there.items():
            if one.casefold() == " ".join(name.split()).casefold():
                return person
        hint = nearest(name, there.values()) if there else "nobody has been entered yet."
        raise RoomError("unknown", f"There is no {who} {name}; {hint}")

    def person(self, name: str) -> str:
        """The id of a player, or of a dealer where no player is called so; raises RoomError."""
        dealers = {one.casefold(): dealer for dealer, one in self.names("dealer").items()}
        wanted = " ".join(name.split()).casefold()
        players = {one.casefold() for one in self.names("player").values()}
        return dealers[wanted] if wanted in dealers and wanted not in players else self.player(name)

    def new_player(self, name: str, who: Who = "player") -> str:
        """The id of a player or dealer, who may be new."""
        with self.journal() as journal:
            return journal.id_of(name, who)

    def game(self, room: Room, name: str | None) -> Game:
        """The game that is meant, or the only one; raises RoomError."""
        if name is not None:
            return room.game(name)
        if len(room.games) != 1:
            there = ", ".join(sorted(room.games)) or "none yet: betline room game adds one"
            raise RoomError("game", f"Say which game is meant, with --game: {there}.")
        return next(iter(room.games.values()))

    def clocked(self, room: Room, name: str | None) -> Game:
        """The game that is meant, or the only one with a clock: a tournament, or with levels; raises RoomError."""
        found = [one for one in room.games.values() if one.terms.levels or one.terms.kind == "tournament"]
        return found[0] if name is None and len(found) == 1 else self.game(room, name)

    def periods(self, game: Game) -> tuple[Period, ...]:
        """The levels of a game, read once; none where it has none. Raises SettingsError."""
        levels = game.terms.levels
        if levels and levels not in self._periods:
            self._periods[levels] = periods_of(load_table(levels).levels)
        return self._periods.get(levels, ())

    def decide(self, decision: Callable[[Room], Iterable[Event]], role: str = "floor") -> Room:
        """Decides on the room as it is now, and writes it into the journal, in the name of who did it."""
        by = self.signed_by(role)
        with self.journal() as journal:
            return self.now(journal.append(lambda room: decision(self.now(room)), by))

    def order(self, decision: Callable[[Room], Iterable[Event]], *, plan: bool = False) -> None:
        """Orders moves, asks the tables, and tells what was done; with `plan` only what would be ordered.

        Raises RoomError (`cut-off`) where somebody would move to or from a table that is cut off.
        """
        if plan:
            room = self.room()
            events = _reached(room, decision(room))
            self.tell(
                {"moves": [self._move(one, "planned") for one in _moves(events)]}, self._lines(events, "would go to")
            )
            return
        ordered: list[Event] = []

        def noted(room: Room) -> Iterable[Event]:
            ordered.extend(_reached(room, decision(room)))
            return ordered

        room = self.decide(noted)
        self.carry_out(room, ordered)

    def carry_out(self, room: Room, ordered: Iterable[Event]) -> None:
        """Carries out all moves that are ordered, and tells of these; exits with FAILED where one was not done."""
        by, names = self.signed_by("floor"), self.names()

        def append(event: Event) -> Room:
            with self.journal() as journal:
                return self.now(journal.append(lambda _: (event,), by))

        room, failed = carry_out(append, room, self.tables, names)
        held = tell_last_two(self, hold_tables(self, self.halts_now(self.hands_now(room)), room.tables))
        ordered = tuple(ordered)
        rows = [self._move(one, failed.get(one["player"], "")) for one in _moves(ordered)]
        placed = [(names[who], place) for event in ordered if isinstance(event, WentOut) for who, place in event.places]
        lines = [f"{name} is out in place {place}." for name, place in placed]
        lines += [
            f"{row['player']}: {row['from'] or 'no seat'} -> {row['to'] or 'no seat'}"
            + (f"   NOT DONE: {row['not_done']}" if row["not_done"] else "")
            for row in rows
        ]
        lines += [f"Play halts at table {table}: {why}." for table, why in sorted(held.halts.items())]
        data: dict[str, object] = {"moves": rows} | ({"out": dict(placed)} if placed else {})
        data |= {"halted": dict(held.halts)} if held.halts else {}
        left_out = dict(sorted(room.cut.items()))
        data |= {"cut_off": left_out} if left_out else {}
        lines += [f"Table {name} is cut off with its pit {pit}, and not counted on." for name, pit in left_out.items()]
        self.tell(data, lines or ["Nobody moves."])
        if failed:
            raise UserError(
                f"Not done, {len(failed)}: {next(iter(failed.values()))} Later: betline room moves --carry-out.",
                FAILED,
            )

    @property
    def tables(self) -> BusTables:
        """The tables on the bus; each is joined when it is first asked."""
        if self._tables is None:
            self._tables = BusTables(self._join, self.wait_s)
        return self._tables

    def hands_now(self, room: Room) -> Room:
        """Hand for hand: lets the others go on where the tables that they waited for are closed, or empty."""
        for name in [game.name for game in room.games.values() if game.hand_for_hand]:
            if not none_to_wait_for(room, room.game(name), (), self.rules, {}, self.now_ms()):
                continue
            states = self.tables.states([one.name for one in room.tables_of(name) if not one.by_hand])

            def decision(now: Room, name: str = name, states: States = states) -> Events:
                game = now.game(name)
                return none_to_wait_for(now, game, self.periods(game), self.rules, states, self.now_ms())

            room = self.decide(decision)
        return room

    def halts_now(self, room: Room) -> Room:
        """Notes at which tables play halts from now on, and where it goes on."""
        events = halting(room, self.rules)
        return self.decide(lambda now: halting(now, self.rules)) if events else room

    def tell_head(self) -> None:
        """Says at the tables that were joined how far the journal is, and which draws are to come."""
        with self.journal() as journal:
            head, committed = journal.head_sealed(), journal.room().committed
        if head is not None and self._tables is not None:
            draws = tuple(DrawToCome(game=game, digest=digest) for game, digest in sorted(committed.items()))
            self._tables.tell(
                RoomHead(
                    journal=head.journal, journal_seq=head.seq, journal_head=head.hash, journal_seal=head.seal,
                    draws=draws,
                )
            )  # fmt: skip

    def close(self) -> None:
        """Leaves the bus, after the tables have heard how far the journal is."""
        if self._tables is not None:
            with contextlib.suppress(RoomError):
                self.tell_head()
            self._tables.close()
            self._tables = None
        if self._bridges is not None:
            self._bridges.close()
            self._bridges = None

    def signed_by(self, role: str) -> str:
        """Who does this: a person of the staff with the PIN, where staff are enrolled; raises UserError."""
        try:
            staff = read_staff(self.people)
            if not staff:
                return self.by
            person = staff.named(self.by)
        except PeopleError as error:
            raise UserError(str(error), FAILED) from None
        if role == "floor" and person.role != "floor":
            raise UserError(
                f"{person.name} is {person.role}: this is for the floor; say --by NAME of the floor.", FAILED
            )
        if self._signer is None:
            self._signer = Signer(person.name, proven(person, self.pin_file))
        return person.id

    def tell(self, data: object, lines: Iterable[str]) -> None:
        """Prints one JSON document, or lines for people."""
        if self.as_json:
            typer.echo(json.dumps(data, ensure_ascii=False))
            return
        for line in lines:
            typer.echo(line)

    def _join(self, name: str) -> OnBus:
        names = namespace(self.site, name)
        address = self.broker.with_settings(None).address("floor", "console")
        return OnBus(join(address, names, SENDER, patience_s=VISIT_S), name, self.signs, cut=self.cut)

    def signs(self) -> Signer | None:
        """Who signs at the tables; None where no staff are enrolled here. Raises UserError."""
        self.signed_by("any")
        return self._signer

    def _move(self, move: Mapping[str, Any], not_done: str) -> dict[str, Any]:
        return {**move, "player": self.names().get(move["player"], move["player"]), "not_done": not_done}

    def _lines(self, events: Iterable[Event], verb: str) -> list[str]:
        rows = [self._move(one, "") for one in _moves(events)]
        return [f"{row['player']} {verb} {row['to'] or 'no seat'}" for row in rows] or ["Nobody moves."]


def proven(person: Person, pin_file: Path | None) -> str:
    """The PIN of a person, asked or from a private file, that proves who it is; raises UserError."""
    if person.pin is None:
        raise UserError(f"{person.name} has no PIN: betline people pin {person.name}.", FAILED)
    if pin_file is not None:
        try:
            check_private(pin_file)
            pin = pin_file.read_text(encoding="utf-8").strip()
        except (LoginError, OSError, UnicodeDecodeError) as error:
            raise UserError(f"--pin-file: {error}") from None
    else:
        try:
            pin = getpass.getpass(f"PIN of {person.name}: ")
        except EOFError:
            raise UserError(f"No terminal to ask for the PIN of {person.name}: give it with --pin-file FILE.") from None
    if verifier_of(pin, person.pin.salt) != person.pin.verifier:
        raise UserError(f"That is not the PIN of {person.name}; nothing was done.", FAILED)
    return pin


def time_of(at_ms: int | None) -> str:
    """A time of day for people."""
    return "-" if at_ms is None else datetime.fromtimestamp(at_ms / 1000).astimezone().strftime("%H:%M:%S")


def _reached(room: Room, events: Iterable[Event]) -> tuple[Event, ...]:
    """The same events; raises RoomError (`cut-off`) where one moves somebody to or from a table that is cut off.

    Who goes out, or leaves, has done so: that seat is given up when the line is back.
    """
    found = tuple(events)
    for one in found:
        for move in one.moves if isinstance(one, MovesOrdered) and one.why not in ("out", "leave") else ():
            for place in (move.source, move.to):
                if place is not None:
                    room.require_reached(place.table)
    return found


def _moves(events: Iterable[Event]) -> list[dict[str, Any]]:
    return [
        {
            "player": move.player,
            "from": None if move.source is None else str(move.source),
            "to": None if move.to is None else str(move.to),
            "why": event.why,
            "rule": event.rule,
            "seed": event.seed,
        }
        for event in events
        if isinstance(event, MovesOrdered)
        for move in event.moves
    ]
