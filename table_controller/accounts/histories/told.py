"""The hands of a journal as they were played: forced bets, acts, streets, runs of the board and awards, in order.

What was taken back or put right is not in it: a hand is told as it stands in the books at its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from betline.steps import Award, ChopBlinds, Deal, FouledDeck, Misdeal, NextHand, RunIt, step_to_mapping
from table_controller.betting import ActionKind, Hand, PayoutKind, Post
from table_controller.journal.entries import HandBegan
from table_controller.rulings.table import Table
from table_controller.rulings.values.state import State
from table_controller.session.fold import History, base_before
from table_controller.session.replay import Replay


@dataclass(frozen=True, slots=True)
class Acted:
    """What a seat did in the betting; ``to`` is its bet of the round afterwards, 0 for a fold."""

    street: str
    seat: int
    kind: ActionKind
    to: int
    in_turn: bool


@dataclass(frozen=True, slots=True)
class Dealt:
    """A street was dealt, on which board: the first is 1, more there are where the board was run again (R-268)."""

    street: str
    board: int


@dataclass(frozen=True, slots=True)
class RunAgain:
    """All in the pot agreed to deal the rest of the board so many times (R-268)."""

    times: int


@dataclass(frozen=True, slots=True)
class Awarded:
    """The pots were awarded; ``pots`` are the winning seats of each, by board where there was more than one."""

    pots: Any


@dataclass(frozen=True, slots=True)
class Chopped:
    """All had folded to the blinds, who took theirs back (R-204): the end of the hand, which nobody won."""


Place = tuple[int | None, str, int]
Event = Acted | Dealt | RunAgain | Awarded | Chopped


@dataclass(frozen=True, slots=True)
class Told:
    """One hand from the forced bets to the last pot, or to the blinds that were chopped."""

    hand_no: int
    began_ms: int
    start: State
    """After the forced bets and straddles."""
    end: State
    """With the pots paid out; where the blinds were chopped, just before they went back."""
    events: tuple[Event, ...]
    persons: Mapping[int, str]
    cards: Mapping[Place, str] = field(default_factory=dict)
    """The cards that lay face up, as far as the house kept them and they are known, by seat, street and board."""

    @property
    def mucked(self) -> frozenset[int]:
        """The seats that put their hands into the muck unseen at the showdown."""
        return frozenset(one.seat for one in self.end.cards if one.seat is not None and not one.count)

    @property
    def hand(self) -> Hand:
        """The hand at its end."""
        assert self.end.hand is not None
        return self.end.hand

    @property
    def chopped(self) -> bool:
        """Whether the blinds were chopped."""
        return Chopped() in self.events

    def finishing(self, seat: int) -> int:
        """The stack of a seat after the hand."""
        return self.hand.starting_stacks[seat] if self.chopped else self.hand.stack(seat)

    @property
    def posts(self) -> tuple[Post, ...]:
        """The forced bets but the antes of the game."""
        return () if self.start.placed is None else self.start.placed.posts

    @property
    def runs(self) -> int:
        """How often the board was run; 1 where nobody agreed on more."""
        return next((one.times for one in self.events if isinstance(one, RunAgain)), 1)

    @property
    def won(self) -> dict[int, int]:
        """What each seat won of the pots."""
        found: dict[int, int] = {}
        for payout in self.hand.payouts:
            if payout.kind is PayoutKind.POT:
                found[payout.seat] = found.get(payout.seat, 0) + payout.amount
        return found


def told_hands(history: History, hand_no: int | None = None) -> Iterator[Told]:
    """The hands that are over, in order; with a number that one only.

    Raises JournalError (``damaged``) for entries that no controller writes.
    """
    began = {one.hand_no: (recorded.seq, recorded.at_ms) for recorded, one in _beginnings(history)}
    if hand_no is not None:
        began = {number: found for number, found in began.items() if number == hand_no}
    if not began:
        return
    base = base_before(history, min(seq for seq, _ in began.values()))
    replay = Replay(base.book)
    ended: dict[int, tuple[Table, Mapping[int, str], Mapping[str, str]]] = {}
    for recorded in history.entries(base.seq):
        replay.take(recorded)
        book = replay.book
        ended = {number: one for number, one in ended.items() if number <= book.hand_no}
        if book.table is not None and book.hand_no in began and replay.stands is None:
            ended[book.hand_no] = (book.table, book.seated, book.opened)
    for number, (table, persons, opened) in ended.items():
        if table.state.hand is not None and table.state.hand.hand_over:
            cards = {one.place: opened[one.seal] for one in table.state.cards if one.seal in opened}
            yield replace(_told(number, began[number][1], _chain(table), persons), cards=cards)
        elif (before := _before_the_chop(table)) is not None:
            told = _told(number, began[number][1], before, persons)
            yield replace(told, events=(*told.events, Chopped()))


def _beginnings(history: History) -> Iterator[tuple[Any, HandBegan]]:
    for recorded in history.newest(HandBegan.kind):
        if isinstance(one := recorded.entry, HandBegan):
            yield recorded, one


def _before_the_chop(table: Table) -> list[Table] | None:
    """The tables of a hand whose blinds were chopped, but the chop and what came after it; else nothing."""
    chain = _chain(table)
    ends = [place for place, one in enumerate(chain) if isinstance(one.step, ChopBlinds)]
    return chain[: ends[-1]] if ends else None


def _told(number: int, began_ms: int, chain: Sequence[Table], persons: Mapping[int, str]) -> Told:
    start, events = chain[0].state, list[Event]()
    for before, after in pairwise(chain):
        found = _events(before.state, after)
        if not events and not found and after.state.hand is not None and not after.state.hand.acts:
            start = after.state
        events += found
    return Told(number, began_ms, start, chain[-1].state, tuple(events), persons)


def _chain(table: Table) -> list[Table]:
    """The tables of the hand, from the forced bets on."""
    chain = [table]
    while not isinstance(chain[-1].step, NextHand | Misdeal | FouledDeck) and chain[-1].before is not None:
        chain.append(chain[-1].before)
    return chain[::-1]


def _events(before: State, after: Table) -> list[Event]:
    step = after.step
    if isinstance(step, RunIt):
        return [RunAgain(step.times)]
    if isinstance(step, Award):
        return [Awarded(step_to_mapping(step)["award"])]
    found: list[Event] = list(_acts(before.hand, after.state.hand))
    if isinstance(step, Deal):
        board = 1 if before.runs is None else before.runs.board
        found.append(Dealt(step.street, board))
    return found


def _acts(was: Hand | None, now: Hand | None) -> Iterator[Acted]:
    """What happened in the betting between two moments of a street, in turn."""
    if was is None or now is None or was.street != now.street or was.hand_over:
        return
    last = now.last_act
    if now.acts == was.acts + 1 and last is not None:
        to = 0 if last.kind is ActionKind.FOLD else last.to
        yield Acted(was.street, last.seat, last.kind, to, was.next_seat == last.seat)
        return
    place = was.seats.index(was.next_seat) if was.next_seat is not None else 0
    level = was.level
    for seat in (*was.seats[place:], *was.seats[:place]):
        if seat in was.in_hand and seat not in now.in_hand:
            yield Acted(was.street, seat, ActionKind.FOLD, 0, in_turn=seat == was.next_seat)
        elif now.acted_at(seat) != was.acted_at(seat) and now.acts > was.acts:
            to = now.bet(seat)
            kind = ActionKind.CHECK if to == was.bet(seat) else ActionKind.RAISE if to > level else ActionKind.CALL
            level = max(level, to)
            yield Acted(was.street, seat, kind, to, in_turn=True)
