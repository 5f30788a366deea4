"""The suite `journal`: a journal of thousands of hands as a controller writes it, and the start of the next one on it.

Hands are played by keys through the real session: six-handed, with raises, words, folds, showdowns, and now and then
a player who leaves and another who comes. They are the last ones of the file; the hands before them are the same ones
under other numbers, for a session takes longer to play a hand than the store to keep it. A hand's entries go to the
file in one transaction; how fast entries are appended is measured apart, on a second file, with one transaction a
command as the controller does it (WAL, synchronous=FULL). A start opens the file, checks the chain from the last
checkpoint but one, and folds from the last one to a session that can go on; the file is in the system's cache. The
start is timed in mid-hand, several times, and the time in the middle counts; the same on the first tenth of the hands
shows that it does not grow with the file.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

from betline.bench import Figure, Progress, Report
from betline.messages.common import Reply
from betline.options import UserError
from betline.settings import load_house_rules, load_table
from betline.steps import read_command
from betline.units import NS_PER_MS, NS_PER_S
from table_controller.journal.entries import Entry, HandBegan, HandOver, Stepped
from table_controller.journal.store import Journal
from table_controller.rulings.values.state import State
from table_controller.session import Book, Keyed, Now, Session, Terms
from table_controller.session.fold import resume

TABLE = "bench/home-six"
HANDS, FULL_HANDS = 5_000, 50_000
PLAYED = 250
"""Hands that the session really plays."""
APPENDED_HANDS = 50
STARTS = 7
BEGAN_MS = 1_700_000_000_000
SECOND_MS = 1_000
STACK = 200
TARGET_MS = 1_000
Hand: TypeAlias = list[tuple[Entry, ...]]
"""The entries of each command of a hand."""


def measure(progress: Progress, *, full: bool) -> Report:
    """Writes the file, starts on it, and appends to another one."""
    hands = FULL_HANDS if full else HANDS
    with tempfile.TemporaryDirectory(prefix="betline-bench-") as folder:
        file = Path(folder) / "six.journal"
        evening = Evening(hands - PLAYED)
        played = _played(evening, progress)
        going = evening.begin_hand()
        early = Path(folder) / "early.journal"
        _written(early, hands // 10, played, going, progress)
        early_ms = _start_ms(early)
        _written(file, hands, played, going, progress)
        late_ms = _start_ms(file)
        bytes_per_hand = file.stat().st_size / hands
        progress.at(hands, hands, "appending as the controller does")
        entries_per_s, appended = _appended(Path(folder) / "appended.journal", played[:APPENDED_HANDS])
    json = {
        "hands": hands,
        "startup_ms": round(late_ms, 1),
        "entries_per_s": round(entries_per_s),
        "bytes_per_hand": round(bytes_per_hand),
    }
    figures = (
        Figure(f"start after {hands} hands", f"{late_ms:.0f} ms", f"under {TARGET_MS} ms", late_ms < TARGET_MS),
        Figure(f"start after {hands // 10} hands", f"{early_ms:.0f} ms"),
        Figure("entries appended a second", f"{entries_per_s:.0f}"),
        Figure("bytes a hand", f"{bytes_per_hand:.0f}"),
    )
    said = f"{hands} hands of six, {PLAYED} of them played; {STARTS} starts; {appended} entries appended by command."
    return Report(json, figures, (said,))


class Evening:
    """A table that is dealt by keys after so many hands; every command is a step of the real session."""

    def __init__(self, hands_before: int = 0) -> None:
        table = load_table("home-six").model_copy(update={"cameras": ()})
        self.terms = Terms(table, load_house_rules(table.house.profile, table.house.options))
        self.session = replace(Session.new(self.terms), book=Book(hand_no=hands_before))
        self._chance = random.Random(1)
        self._numbers = count(1)
        self._now_ms = BEGAN_MS

    @property
    def now(self) -> Now:
        """The evening's own time: a command a second."""
        return Now(self._now_ms, self._now_ms * NS_PER_MS)

    def hands(self) -> Iterator[Hand]:
        """Hand by hand the entries of each command."""
        came = [self._must("sit-down", seat=seat, stack=STACK) for seat in self.terms.seats]
        yield [*came, *self._hand()]
        while True:
            yield self._hand()

    def begin_hand(self) -> Hand:
        """A hand with one act, which goes on."""
        found = [self._must("next-hand"), self._must("cards-out")]
        seat = self.session.table_state(1, 1, "").to_act
        return [*found, self.key("act", seat=seat, action="call")]

    def _hand(self) -> Hand:
        found = [*self._comings(), self._must("next-hand"), self._must("cards-out")]
        while True:
            book = self.session.book
            state = None if book.table is None else book.table.state
            if state is None or state.hand is None or state.between_hands:
                return found
            if state.next_seat is not None:
                found.append(self._act(state, state.next_seat))
            elif state.hand.betting_over:
                pots = [[self._chance.choice(pot.seats)] for pot in state.hand.pots]
                found.append(self.key("award", pots=pots) or self._must("deal"))
            else:
                found.append(self._must("deal"))

    def _comings(self) -> Hand:
        """Who is short gets chips, and now and then somebody goes and another comes."""
        book = self.session.book
        stacks = {} if book.table is None else book.table.state.stacks
        found = [self.key("rebuy", seat=seat, amount=STACK - had) for seat, had in stacks.items() if had < STACK // 4]
        if self._chance.random() < 0.05:
            seat = self._chance.choice(self.terms.seats)
            found += [self.key("leave", seat=seat), self.key("sit-down", seat=seat, stack=STACK)]
        return [entries for entries in found if entries]

    def _act(self, state: State, seat: int) -> tuple[Entry, ...]:
        draw, sizes = self._chance.random(), state.raise_range
        wager = "bet" if state.hand is not None and not state.hand.level else "raise"
        tried: tuple[Entry, ...] = ()
        if draw < 0.12 and sizes is not None:
            tried = self.key("says", seat=seat, text=f"{wager} {'to ' if wager == 'raise' else ''}{sizes[0]}")
        elif draw < 0.2 and sizes is not None:
            tried = self.key("act", seat=seat, action=wager, to=min(2 * sizes[0], sizes[1]))
        elif draw < 0.55:
            tried = self.key("act", seat=seat, action="call")
        return tried or self.key("passive", seat=seat) or self._must("act", seat=seat, action="fold")

    def _must(self, verb: str, **args: Any) -> tuple[Entry, ...]:
        """A command that this table has to obey."""
        found = self.key(verb, **args)
        if not found:
            raise UserError(f"The evening of the benchmark has stopped: {verb} was refused.")
        return found

    def key(self, verb: str, **args: Any) -> tuple[Entry, ...]:
        """One command; nothing where it is refused."""
        self._now_ms += SECOND_MS
        number = next(self._numbers)
        fresh = {seat: f"p-{number}-{seat}" for seat in (0, *self.terms.seats)}
        keyed = Keyed(f"c{number:08}", read_command(verb, args), "dealer", self.now.mono_ns + NS_PER_S, fresh)
        handled = self.session.handle(keyed, self.now)
        self.session = handled.session
        return handled.entries if any(isinstance(one, Reply) and one.ok for one in handled.messages) else ()


def _played(evening: Evening, progress: Progress) -> list[Hand]:
    """The hands that the session plays."""
    found = []
    for number, hand in enumerate(islice(evening.hands(), PLAYED), 1):
        found.append(hand)
        progress.at(number, 2 * PLAYED, f"playing hand {number} of {PLAYED}")
    return found


def _written(file: Path, hands: int, played: Sequence[Hand], going: Hand, progress: Progress) -> None:
    """Writes so many hands and one that goes on."""
    journal = Journal.open(file, TABLE, BEGAN_MS, 1)
    for number in range(hands):
        later = (hands - number - 1) // PLAYED * PLAYED
        hand = played[(number - hands) % PLAYED]
        journal.append([_numbered(entry, later) for entries in hand for entry in entries], BEGAN_MS + number, number)
        if number % 20 == 0:
            progress.at(hands + number, 2 * hands, f"keeping hand {number + 1} of {hands}")
    for entries in going:
        journal.append(entries, BEGAN_MS + hands, hands)
    journal.close()


def _numbered(entry: Entry, later: int) -> Entry:
    """An entry of a hand that is to stand so many hands earlier."""
    if later and isinstance(entry, Stepped | HandBegan | HandOver):
        return replace(entry, hand_no=entry.hand_no - later)
    return entry


def _start_ms(file: Path) -> float:
    """The time of a start, the middle one of several."""
    terms = Evening().terms
    found = []
    for _ in range(STARTS):
        began_s = perf_counter()
        journal = Journal.open(file, TABLE, BEGAN_MS, 1)
        resume(terms, journal, Now(BEGAN_MS, 1))
        found.append((perf_counter() - began_s) * 1_000)
        journal.close()
    return median(found)


def _appended(file: Path, played: Sequence[Hand]) -> tuple[float, int]:
    """Entries a second with a transaction a command, and how many were appended."""
    commands = [entries for hand in played for entries in hand]
    journal = Journal.open(file, TABLE, BEGAN_MS, 1)
    began_s = perf_counter()
    for number, entries in enumerate(commands):
        journal.append(entries, BEGAN_MS + number, number)
    spent_s = perf_counter() - began_s
    journal.close()
    total = sum(map(len, commands))
    return total / spent_s, total
