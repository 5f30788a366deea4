"""The ledger: who bought, cashed out, borrowed and won what, as a fold over the journal's entries.

Where the chips were after each step is recorded with it; nothing is ruled again, so a mended rule changes no account.
Files of before version 3 have no such record: there the table is replayed with its recorded rulings. What was taken
back, put right or fouled counts for nothing. A hand in progress counts as if its chips still lay before their players.
Where old hands were pruned, what the players had by then counts as bought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from betline.steps import (
    Award,
    Borrow,
    ChangeSeat,
    KeepSeat,
    Leave,
    MoneyBehind,
    MoveChips,
    NamePlayer,
    NextHand,
    Rebuy,
    ReopenAward,
    SitDown,
    Step,
    Undo,
)
from table_controller.journal.entries import (
    Checkpoint,
    Entry,
    HandBegan,
    HandOver,
    Money,
    Named,
    Recorded,
    SetUp,
    Stepped,
    clear_person,
)
from table_controller.journal.errors import JournalError
from table_controller.session.book import Book
from table_controller.session.checkpoint import book_of
from table_controller.session.money import money_of
from table_controller.session.replay import Replay

EVENING_GAP_MS = 6 * 3_600_000
"""A table that nobody has touched for so long: who then comes, once no chips lie there, begins another evening."""
MAX_UNDONE = 400
"""Steps that one undo can take back, and more than a hand has."""
DIFFERENCE = "difference"
"""Chips by which a count differed from the books (R-074): where it is less than 0, more were there than was brought."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A person in a seat: from which hand on, and which was the last, None while it goes on; 0 where none was."""

    seat: int
    from_ms: int
    from_hand: int
    to_ms: int | None = None
    to_hand: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What one person brought, took away and has now; all in chips."""

    person: str
    """The person's id; empty for one who gave no name."""
    stays: tuple[Stay, ...] = ()
    bought: int = 0
    cashed_out: int = 0
    on_table: int = 0
    borrowed: int = 0
    """Against markers, to the pot as well."""
    lent: int = 0
    received: int = 0
    """From other players, less what went to them, outside betting (R-298)."""
    given: int = 0
    """To the tray, the kitty or the rake by the player's own hand: tips, food, less what came from there."""
    charged: int = 0
    """As time charge (R-285)."""

    @property
    def result(self) -> int:
        """What the person has won; less than 0 is lost. Markers are counted as paid."""
        return self.cashed_out + self.on_table + self.lent - self.bought - self.borrowed

    @property
    def claim(self) -> int:
        """What a bank that sold every chip for cash still owes the person; less than 0 is owed to it."""
        return self.on_table + self.lent - self.borrowed


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """An evening's accounts, in the order of coming. All results, and all that the house has, make 0."""

    accounts: Mapping[str, Account]
    """By the person's id, of who gave no name by the seat."""
    places: Mapping[str, int]
    """What has gone to `rake`, `time`, `kitty`, `tray`, lost in a `race`, and lies in the `pot` with no owner."""
    to_ms: int | None
    to_hand: int
    in_hand: bool
    """A hand goes on at the end of the journal."""

    @property
    def stays(self) -> tuple[Stay, ...]:
        """Everybody's, in the order of the accounts."""
        return tuple([stay for account in self.accounts.values() for stay in account.stays])

    @property
    def from_ms(self) -> int:
        """When the first of them came; 0 where nobody has."""
        return min([stay.from_ms for stay in self.stays], default=0)

    @property
    def from_hand(self) -> int:
        """The first hand that somebody of them could play."""
        return min([stay.from_hand for stay in self.stays], default=1)

    @property
    def house(self) -> dict[str, int]:
        """The places of the house and what could not be accounted for, those that are not 0."""
        lost = -sum(account.result for account in self.accounts.values()) - sum(self.places.values())
        return {place: amount for place, amount in {**self.places, DIFFERENCE: lost}.items() if amount}


def ledger_of(entries: Iterable[Recorded], *, whole: bool = False) -> Ledger:
    """The ledger of the last evening of a journal, or of the `whole` of it.

    Raises JournalError (``damaged``) for entries that no controller writes.
    """
    chips, page = _Chips(), _Page(whole=whole)
    earlier: list[_Page] = []
    awarded: _Page | None = None
    before = 0
    for recorded in entries:
        pruned, before = recorded.seq != before + 1, recorded.seq
        if recorded.kind not in _TOLD:
            continue
        entry = recorded.entry
        old, new = chips.after(recorded, entry)
        try:
            match entry:
                case Checkpoint() if pruned:
                    people = book_of(entry).persons
                    page = page.at(recorded.at_ms).set_up(_Lying(new.hand_no), new, people, recorded.at_ms)
                case SetUp():
                    earlier.clear()
                    page = page.at(recorded.at_ms).set_up(old, new, entry.people, recorded.at_ms)
                case Named():
                    page = page.at(recorded.at_ms).named(entry.seat, clear_person(entry.name))
                case Stepped(step=Undo(count=count)) if count <= len(earlier):
                    page = page.at(recorded.at_ms).as_before(earlier[-count])
                    del earlier[-count:]
                case Stepped(step=ReopenAward()) if awarded is not None:
                    earlier = [*earlier[-MAX_UNDONE:], page]
                    page = page.at(recorded.at_ms).as_before(awarded)
                case Stepped():
                    awarded = page if isinstance(entry.step, Award) else awarded
                    earlier = [*earlier[-MAX_UNDONE:], page]
                    page = page.at(recorded.at_ms).stepped(entry.step, old, new, recorded.at_ms)
        except (KeyError, IndexError, ValueError) as error:
            raise JournalError("damaged", f"The journal holds what no controller writes ({error!r}).") from error
    return page.closed(chips.now)


_TOLD = frozenset({one.kind for one in (SetUp, Stepped, Named, Checkpoint, HandBegan, HandOver)})


@dataclass(frozen=True, slots=True)
class _Lying:
    """Where the chips are at a moment, and the hand."""

    hand_no: int = 0
    money: Money = field(default_factory=Money)


class _Chips:
    """Where the chips are, entry by entry: as it is recorded, in an old file by replaying it."""

    def __init__(self) -> None:
        self.now = _Lying()
        self._replay: Replay | None = None

    def after(self, recorded: Recorded, entry: Entry) -> tuple[_Lying, _Lying]:
        """Where they were before an entry, and where they are after it."""
        old = self.now
        if isinstance(entry, SetUp | Checkpoint) and entry.money is not None:
            self._replay = None
        elif isinstance(entry, SetUp) and self._replay is None:
            self._replay = Replay(Book(hand_no=old.hand_no))
        if self._replay is not None:
            self._replay.take(recorded)
            book = self._replay.book
            self.now = _Lying(book.hand_no, money_of(book.table))
        elif isinstance(entry, SetUp):
            money = entry.money or old.money
            self.now = _Lying(old.hand_no + money.in_hand, money)
        elif isinstance(entry, Stepped | Checkpoint):
            self.now = _Lying(entry.hand_no, entry.money or old.money)
        return old, self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """The ledger while it is made; `on_table` of its accounts stays 0 until it is closed."""

    whole: bool
    accounts: Mapping[str, Account] = field(default_factory=dict)
    seated: Mapping[int, str] = field(default_factory=dict)
    """Whose account it is, by seat."""
    offset: Mapping[str, int] = field(default_factory=dict)
    """What the places got at earlier tables, less what they had when this evening or its present table began."""
    touched_ms: int | None = None
    rested: bool = False
    """Nobody had touched the table for hours, and no hand has begun since."""

    def at(self, at_ms: int) -> _Page:
        """The page at the time of an entry."""
        long_ago = self.touched_ms is not None and at_ms - self.touched_ms >= EVENING_GAP_MS
        return replace(self, touched_ms=at_ms, rested=self.rested or long_ago)

    def as_before(self, then: _Page) -> _Page:
        """The page of an earlier step at this time: what came since was taken back."""
        return replace(then, touched_ms=self.touched_ms, rested=self.rested)

    def set_up(self, old: _Lying, new: _Lying, people: Mapping[int, str], at_ms: int) -> _Page:
        """Another table: all that lay on the old one is cashed out, all on the new one is bought."""
        page, had = self._ended_at(old, at_ms), old.money.places
        if self.rested and not self.whole:
            page = page._another_evening(old)
        has = new.money.places
        offset = {place: page.offset.get(place, 0) + had.get(place, 0) - has.get(place, 0) for place in {**had, **has}}
        page = replace(page, offset={**page.offset, **offset}, rested=False)
        for seat, stack in new.money.seats.items():
            unnamed = self.seated.get(seat, "")
            key = unnamed if unnamed in page.accounts and not page.accounts[unnamed].person else None
            page = page._sat(seat, people.get(seat, ""), stack, Stay(seat, at_ms, old.hand_no + 1), key)
        return page

    def named(self, seat: int, person: str) -> _Page:
        """Version 1 of the journal had the name after the player had sat down."""
        key = self.seated.get(seat)
        if key is None or not person or person == key:
            return self
        mine, known = self.accounts[key], self.accounts.get(person, Account(person=person))
        others = {one: account for one, account in self.accounts.items() if one != key}
        merged = replace(
            known,
            stays=(*known.stays, *mine.stays),
            **{name: getattr(known, name) + getattr(mine, name) for name in _FLOWS},
        )
        return replace(self, accounts={**others, person: merged}, seated={**self.seated, seat: person})

    def stepped(self, step: Step, old: _Lying, new: _Lying, at_ms: int) -> _Page:
        """The page after a step that was accepted."""
        page = self._with_goings(step, old, new, at_ms)
        match step:
            case SitDown():
                if self.rested and not self.whole and not any(old.money.seats.values()):
                    page = page._another_evening(old)
                page = page._sat(step.seat, step.player, step.stack, Stay(step.seat, at_ms, old.hand_no + 1))
            case NamePlayer():
                page = page.named(step.seat, step.player)
            case Leave():
                if step.seat in page.seated and step.seat not in new.money.seats:
                    page = page._flowed(step.seat, cashed_out=old.money.seats[step.seat])
            case ChangeSeat():
                if step.to in new.money.seats:
                    page = page._changed_seat(step.seat, step.to)
            case Rebuy() | MoneyBehind():
                page = page._flowed(step.seat, bought=step.amount)
            case Borrow():
                page = page._flowed(step.seat, borrowed=step.amount)
                if isinstance(step.source, int):
                    page = page._flowed(step.source, lent=step.amount)
            case MoveChips():
                page = page._moved(step)
            case NextHand():
                page = replace(page, rested=False)
        for seat in new.money.seats.keys() - page.seated.keys():
            page = page._back(seat)
        for seat, charge in _charges(old, new).items():
            page = page._flowed(seat, charged=charge)
        for seat in page.seated.keys() - new.money.seats.keys():
            page = page._left(seat, at_ms, old.hand_no)
        return page

    def closed(self, now: _Lying) -> Ledger:
        """The ledger, with what everybody has now."""
        holdings, places = now.money.seats, now.money.places
        accounts = dict(self.accounts)
        for seat, key in self.seated.items():
            gone = seat in now.money.leaving and not now.money.in_hand
            cashed_out = accounts[key].cashed_out + (holdings[seat] if gone else 0)
            accounts[key] = replace(accounts[key], on_table=0 if gone else holdings[seat], cashed_out=cashed_out)
        accounts = {
            key: one for key, one in accounts.items() if one.on_table or any(getattr(one, name) for name in _FLOWS)
        }
        return Ledger(
            accounts=accounts,
            places={
                place: amount
                for place in {**self.offset, **places}
                if (amount := self.offset.get(place, 0) + places.get(place, 0))
            },
            to_ms=self.touched_ms,
            to_hand=now.hand_no,
            in_hand=now.money.in_hand,
        )

    def _with_goings(self, step: Step, old: _Lying, new: _Lying, at_ms: int) -> _Page:
        """Who was to leave or to change seats after the hand has done so with the first step that came after it."""
        page, asked = self, step.seat if isinstance(step, ChangeSeat | KeepSeat) else None
        if old.money.in_hand:
            return page
        for seat in old.money.leaving:
            if seat not in new.money.leaving and seat != asked:
                page = page._flowed(seat, cashed_out=old.money.seats[seat])._left(seat, at_ms, old.hand_no)
        for seat, to in old.money.moving.items():
            if seat not in new.money.moving and to in new.money.seats and seat != asked:
                page = page._changed_seat(seat, to)
        return page

    def _changed_seat(self, seat: int, to: int) -> _Page:
        """The same stay in another seat."""
        key = self.seated[seat]
        account = self.accounts[key]
        *earlier, stay = account.stays
        account = replace(account, stays=(*earlier, replace(stay, seat=to)))
        others = {place: one for place, one in self.seated.items() if place != seat}
        return replace(self, accounts={**self.accounts, key: account}, seated={**others, to: key})

    def _another_evening(self, old: _Lying) -> _Page:
        """An empty page; who still has a seat, without chips, keeps it."""
        page = _Page(
            whole=False,
            touched_ms=self.touched_ms,
            offset={place: -amount for place, amount in old.money.places.items()},
        )
        for seat, key in self.seated.items():
            stay = Stay(seat, self.touched_ms or 0, old.hand_no + 1)
            page = page._sat(seat, self.accounts[key].person, 0, stay)
        return page

    def _sat(self, seat: int, person: str, stack: int, stay: Stay, key: str | None = None) -> _Page:
        """Who gave a name has one account, whoever gave none a new one at every coming, or that of `key`."""
        if person:
            key = person
        elif key is None:
            number = next(n for n in count(1) if _unnamed(seat, n) not in self.accounts)
            key = _unnamed(seat, number)
        known = self.accounts.get(key, Account(person=person))
        account = replace(known, stays=(*known.stays, stay), bought=known.bought + stack)
        return replace(self, accounts={**self.accounts, key: account}, seated={**self.seated, seat: key})

    def _left(self, seat: int, at_ms: int, hand_no: int) -> _Page:
        key = self.seated[seat]
        account = self.accounts[key]
        *earlier, stay = account.stays
        account = replace(account, stays=(*earlier, replace(stay, to_ms=at_ms, to_hand=hand_no)))
        others = {place: one for place, one in self.seated.items() if place != seat}
        return replace(self, accounts={**self.accounts, key: account}, seated=others)

    def _back(self, seat: int) -> _Page:
        """A reopened award brings back who went out of the event with it: the last one in the seat has not left."""
        gone = {
            key: account.stays[-1].to_ms or 0
            for key, account in self.accounts.items()
            if account.stays[-1].seat == seat
        }
        key = max(gone, key=lambda one: gone[one])
        *earlier, stay = self.accounts[key].stays
        account = replace(self.accounts[key], stays=(*earlier, replace(stay, to_ms=None, to_hand=None)))
        return replace(self, accounts={**self.accounts, key: account}, seated={**self.seated, seat: key})

    def _ended_at(self, old: _Lying, at_ms: int) -> _Page:
        """Everybody takes what lay there and goes."""
        page, holdings = self, old.money.seats
        for seat in self.seated:
            page = page._flowed(seat, cashed_out=holdings[seat])._left(seat, at_ms, old.hand_no)
        return page

    def _moved(self, step: MoveChips) -> _Page:
        source, to = step.source, step.to
        if isinstance(source, int) and isinstance(to, int):
            return self._flowed(source, received=-step.amount)._flowed(to, received=step.amount)
        if isinstance(source, int):
            return self._flowed(source, given=step.amount)
        return self._flowed(to, given=-step.amount) if isinstance(to, int) else self

    def _flowed(self, seat: int, **flows: int) -> _Page:
        key = self.seated[seat]
        account = self.accounts[key]
        account = replace(account, **{name: getattr(account, name) + amount for name, amount in flows.items()})
        return replace(self, accounts={**self.accounts, key: account})


_FLOWS = ("bought", "cashed_out", "borrowed", "lent", "received", "given", "charged")


def _unnamed(seat: int, number: int) -> str:
    return f"seat-{seat}" if number == 1 else f"seat-{seat}-{number}"


def _charges(old: _Lying, new: _Lying) -> dict[int, int]:
    """What the time charge took in a step, by seat; less than 0 where that was taken back."""
    before, after = old.money.charges, new.money.charges
    found = {seat: after.get(seat, 0) - before.get(seat, 0) for seat in {**before, **after}}
    return {seat: charge for seat, charge in found.items() if charge}
