"""What people do between hands, chips and keys, and the books of a hand compared with what is on the table."""

from __future__ import annotations

from collections.abc import Iterable

from betline.messages.table import SeatState
from betline.steps import Command, Game, Leave, Rebuy, Return, SitDown, SitOut
from virtual_table.play.dealer import Dealer
from virtual_table.play.link import ControllerLink
from virtual_table.play.pace import Pace
from virtual_table.play.report import Report, Wrong
from virtual_table.scripts.script import Change, HandScript
from virtual_table.table import bank
from virtual_table.table.dealer_motions import pay_out, take_in
from virtual_table.table.world import World

DEALT_IN = ("in", "folded", "all-in")
BOOKS_WAIT_S = 5.0
_COUNTED = {SitDown: "seated", Rebuy: "rebuys", Leave: "left", SitOut: "away", Return: "back"}
"""What the report calls them."""


class BetweenHands:
    """Seats people, sends them off and counts the chips, with which the controller's books must agree."""

    def __init__(self, world: World, link: ControllerLink, dealer: Dealer, report: Report, pace: Pace) -> None:
        self._world = world
        self._link = link
        self._dealer = dealer
        self._report = report
        self._pace = pace
        self._bought = 0
        self.hand_s = 0.0
        """When the hand began."""

    def seat_everybody(self, people: Iterable[SitDown]) -> None:
        """Everybody sits down before the first hand, the chips there already."""
        for sits in people:
            self._dealer.key(sits, counted=False)
            self._bought += sits.stack

    def change(self, changes: Iterable[Change]) -> None:
        """People come, go and buy chips, one after the other; the dealer moves the chips and keys it."""
        for change in changes:
            self._pace.pause(self._pace.pauses.look_s)
            match change:
                case SitDown(seat=seat, stack=stack):
                    self._buys(seat, stack)
                case Rebuy(seat=seat, amount=amount):
                    self._buys(seat, amount)
                case Leave(seat=seat):
                    self._cashes_out(seat)
            self._keys(change)
            self._count(_COUNTED[type(change)])

    def choose(self, game: str) -> None:
        """The dealer chooses the game of the next hand."""
        self._keys(Game(name=game))
        self._count("games")

    # --- books and table compared

    def check_positions(self, script: HandScript) -> None:
        """Button, blinds and who is dealt in, as the players know them."""

        def published() -> tuple[object, ...]:
            state = self._link.state
            if state is None:
                return ()
            dealt = frozenset(seat.seat for seat in state.seats if seat.status in DEALT_IN)
            return state.button, state.small_blind, state.big_blind, dealt

        assert script.blinds is not None
        meant = (script.button, *script.blinds, frozenset(script.seats))
        if not self._dealer.wait(lambda: published() == meant, BOOKS_WAIT_S):
            self._wrong(f"{script.title}: button, blinds and seats should be {meant}, they are {published()}")

    def check_posts(self, script: HandScript) -> None:
        """Every forced bet, as the players know it."""
        meant = {**dict.fromkeys(script.seats, 0), **script.posts, **script.straddles}

        def published() -> dict[int, int]:
            return {seat.seat: seat.bet for seat in self._seats() if seat.seat in meant}

        if not self._dealer.wait(lambda: published() == meant, BOOKS_WAIT_S):
            self._wrong(f"{script.title}: the posts should be {meant}, the books have {published()}")
        assert script.blinds is not None
        self._report.evening["posts"] += len(set(script.posts) - set(script.blinds))

    def check_stacks(self, script: HandScript) -> None:
        """What everybody has at the end of the hand: in the script, in the books, and in chips on the table."""
        books = {seat.seat: seat.stack for seat in self._seats() if seat.status != "empty"}
        self._report.finishing_stacks = books
        if script.finishing is None:
            return
        for seat, meant in {**script.finishing, **script.out}.items():
            lies = self._world.value(self._world.stack(seat))
            if not meant == lies == books.get(seat):
                self._wrong(
                    f"{script.title}: seat {seat} should end with {meant}; "
                    f"{lies} are on the table, the books have {books.get(seat)}",
                    seat,
                )
        if script.setup is None:
            self._check_total(script, books)

    def _check_total(self, script: HandScript, books: dict[int, int]) -> None:
        """No chip of the players is lost or doubled: what was bought and not cashed in is on the table."""
        seats = [seat.number for seat in self._world.table.seats]
        lies = sum(self._world.value((*self._world.stack(seat), *self._world.bets(seat))) for seat in seats)
        lies += self._world.value(self._world.pot())
        if not self._bought == lies == sum(books.values()):
            self._wrong(
                f"{script.title}: {self._bought} were bought; {lies} are on the table, "
                f"the books have {sum(books.values())}"
            )

    def _wrong(self, sentence: str, seat: int | None = None) -> None:
        self._report.is_wrong(Wrong("books", seat, self.hand_s, sentence))

    # --- chips

    def _buys(self, seat: int, amount: int) -> None:
        chips = self._world.from_tray(bank.breakdown(amount, self._world.chip_set), self._pace.now_s())
        self._pace.until(pay_out(self._world, seat, chips, self._pace.now_s()).end_s)
        self._bought += amount

    def _cashes_out(self, seat: int) -> None:
        stack = self._world.stack(seat)
        if stack:
            self._bought -= self._world.value(stack)
            self._pace.until(take_in(self._world, seat, self._pace.now_s()).end_s)

    def _seats(self) -> tuple[SeatState, ...]:
        state = self._link.state
        return state.seats if state else ()

    def _keys(self, command: Command) -> None:
        self._dealer.pause()
        self._dealer.key(command)

    def _count(self, what: str) -> None:
        self._report.evening[what] += 1
