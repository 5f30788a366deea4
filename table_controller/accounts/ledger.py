"""The ledger: who bought, cashed out, borrowed and won what, as a fold over the journal's entries.

The tables before and after each step are those of a restart, so that what was taken back, put right or fouled counts
for nothing here either. A hand in progress counts as if its chips still lay in front of their players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from betline.fields import FieldError
from betline.steps import Borrow, Leave, MoneyBehind, MoveChips, NextHand, Rebuy, SitDown, Step, parse_step
from table_controller.journal.entries import JournalError, Recorded
from table_controller.rulings.values.state import State
from table_controller.session.book import Book

EVENING_GAP_MS = 6 * 3_600_000
"""A table that nobody has touched for so long: who then comes, once no chips lie there, begins another evening."""
POT = "pot"
"""Where chips are that nobody has won: carried to the next hand (R-307)."""
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

    Raises JournalError (``ruled-otherwise``, ``damaged``) where the entries cannot be told again.
    """
    book, page = Book(), _Page(whole=whole)
    told = _Told()
    try:
        for recorded in entries:
            if recorded.kind not in ("setup", "step", "named"):
                continue
            old, book = book, book.after(recorded.entry)
            page = page.at(recorded.at_ms)
            if recorded.kind == "setup":
                page = page.set_up(old, book, recorded.at_ms)
            elif recorded.kind == "named":
                page = page.named(recorded.data["seat"], book.seated.get(recorded.data["seat"], ""))
            else:
                step = parse_step(recorded.data["step"])
                page = told.page(book, page) or page.stepped(step, old, book, recorded.at_ms)
            told.keep(book, page)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, FieldError) as error:
        raise JournalError("damaged", f"The journal holds what no controller writes ({error!r}).") from error
    return page.closed(book)


class _Told:
    """The pages that belong to states of the table: undo brings such a state again."""

    HANDS = 3
    """So many hands back at most."""

    def __init__(self) -> None:
        self._pages: dict[int, tuple[State, int, _Page]] = {}
        self._hand_no = 0

    def page(self, book: Book, now: _Page) -> _Page | None:
        """The page of this very state at this time, None where it has not been there."""
        found = self._pages.get(id(_state(book)))
        return None if found is None else replace(found[2], touched_ms=now.touched_ms, rested=now.rested)

    def keep(self, book: Book, page: _Page) -> None:
        """Keeps the state too, so that its identity stays its own."""
        if (state := _state(book)) is None:
            return
        if book.hand_no != self._hand_no:
            self._hand_no = book.hand_no
            oldest = book.hand_no - self.HANDS
            self._pages = {key: kept for key, kept in self._pages.items() if kept[1] > oldest}
        self._pages[id(state)] = (state, book.hand_no, page)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """The ledger while it is told; `on_table` of its accounts stays 0 until it is closed."""

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

    def set_up(self, old: Book, new: Book, at_ms: int) -> _Page:
        """Another table: all that lay on the old one is cashed out, all on the new one is bought."""
        page, had = self._ended_at(old, at_ms), _places(old)
        if self.rested and not self.whole:
            page = page._another_evening(old)
        has = _places(new)
        offset = {place: page.offset.get(place, 0) + had.get(place, 0) - has.get(place, 0) for place in {**had, **has}}
        page = replace(page, offset={**page.offset, **offset}, rested=False)
        for seat, stack in _holdings(new).items():
            unnamed = self.seated.get(seat, "")
            key = unnamed if unnamed in page.accounts and not page.accounts[unnamed].person else None
            page = page._sat(seat, new.persons.get(seat, ""), stack, Stay(seat, at_ms, old.hand_no + 1), key)
        return page

    def named(self, seat: int, person: str) -> _Page:
        """Version 1 of the journal told the name after the player had sat down."""
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

    def stepped(self, step: Step, old: Book, new: Book, at_ms: int) -> _Page:
        """The page after a step that was accepted."""
        page = self
        match step:
            case SitDown():
                if self.rested and not self.whole and not any(_holdings(old).values()):
                    page = self._another_evening(old)
                page = page._sat(step.seat, step.player, step.stack, Stay(step.seat, at_ms, old.hand_no + 1))
            case Leave():
                if step.seat not in _holdings(new):
                    page = page._flowed(step.seat, cashed_out=_holdings(old)[step.seat])
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
        for seat in _holdings(new).keys() - page.seated.keys():
            page = page._back(seat)
        for seat, charge in _charges(old, new).items():
            page = page._flowed(seat, charged=charge)
        for seat in page.seated.keys() - _holdings(new).keys():
            if seat in _leaving(old):
                page = page._flowed(seat, cashed_out=_holdings(old)[seat])
            page = page._left(seat, at_ms, old.hand_no)
        return page

    def closed(self, book: Book) -> Ledger:
        """The ledger, with what everybody has now."""
        holdings, places = _holdings(book), _places(book)
        accounts = dict(self.accounts)
        for seat, key in self.seated.items():
            accounts[key] = replace(accounts[key], on_table=holdings[seat])
        accounts = {
            key: one for key, one in accounts.items() if one.on_table or any(getattr(one, name) for name in _FLOWS)
        }
        hand = None if book.table is None else book.table.state.hand
        return Ledger(
            accounts=accounts,
            places={
                place: amount
                for place in {**self.offset, **places}
                if (amount := self.offset.get(place, 0) + places.get(place, 0))
            },
            to_ms=self.touched_ms,
            to_hand=book.hand_no,
            in_hand=hand is not None and not hand.hand_over,
        )

    def _another_evening(self, old: Book) -> _Page:
        """An empty page; who still has a seat, without chips, keeps it."""
        page = _Page(
            whole=False,
            touched_ms=self.touched_ms,
            offset={place: -amount for place, amount in _places(old).items()},
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

    def _ended_at(self, book: Book, at_ms: int) -> _Page:
        """Everybody takes what lay there and goes."""
        page, holdings = self, _holdings(book)
        for seat in self.seated:
            page = page._flowed(seat, cashed_out=holdings[seat])._left(seat, at_ms, book.hand_no)
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


def _state(book: Book) -> State | None:
    return None if book.table is None else book.table.state


def _holdings(book: Book) -> dict[int, int]:
    """What each seat has: its stack, in a hand that goes on with what it has put in."""
    state = _state(book)
    if state is None:
        return {}
    found = {seat: stack for seat, stack in state.stacks.items() if seat in state.players}
    if state.hand is not None and not state.between_hands:
        found.update(state.hand.starting_stacks)
    return found


def _leaving(book: Book) -> frozenset[int]:
    """Who has said that it leaves when a hand that was dealt again is over."""
    state = _state(book)
    return frozenset() if state is None else frozenset(seat for seat, one in state.players.items() if one.leaving)


def _places(book: Book) -> dict[str, int]:
    """What has left the stacks for the house, and what lies in the pot with no owner."""
    state = _state(book)
    if state is None:
        return {}
    hand = state.hand
    pot = state.carried if hand is None else hand.carried
    if hand is not None and not hand.hand_over:
        pot = hand.pot - sum(stack - hand.stack(seat) for seat, stack in hand.starting_stacks.items())
    return {**state.house_money, POT: pot}


def _charges(old: Book, new: Book) -> dict[int, int]:
    """What the time charge took in a step, by seat; less than 0 where that was taken back."""
    before, after = ({} if (state := _state(book)) is None else state.time_charges for book in (old, new))
    if before is after:
        return {}
    found = {seat: after.get(seat, 0) - before.get(seat, 0) for seat in {**before, **after}}
    return {seat: charge for seat, charge in found.items() if charge}
