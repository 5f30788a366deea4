"""The dealer at the table of a test: cards, bets and pots that go their way, and keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from betline.messages.common import Reply
from betline.messages.table import TableState
from betline.settings import STREETS
from virtual_table.play.cashier import Cashier
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.table.bank import BankError
from virtual_table.table.dealer_motions import clear_cards, deal_board, deal_cards, gather, push_pot
from virtual_table.table.things import WorldError
from virtual_table.table.world import World

BOARD_CARDS: Final = {"flop": 3, "turn": 1, "river": 1}
_STREETS: Final = frozenset(street for names in STREETS.values() for street in names)
OVER: Final = ("hand-over", "idle")
ROUND_OVER: Final = ("round-over", "showdown", *OVER)
PATIENCE_S: Final = 10.0


class Host(Protocol):
    """What the dealer needs of the table."""

    world: World
    cashier: Cashier

    @property
    def clock_s(self) -> float: ...

    @property
    def state(self) -> TableState: ...

    def note(self, line: str) -> None: ...

    def act_begins(self, seat: int, line: str) -> None: ...

    def until(self, moment_s: float) -> None: ...

    def key(self, verb: str, **args: object) -> Reply: ...

    def wait_state(self, *phases: str) -> bool: ...

    def wait_base_line(self) -> None: ...


class Dealer:
    """What the dealer's hands do and what he keys. What he does is over when the call returns."""

    def __init__(self, host: Host) -> None:
        self._host = host

    def keys(self, verb: str, **args: Any) -> Reply:
        """A command of the bus by its verb, as the console sends it; the answer. The verbs are in the bus document.

        Of a seat that it names it is the act: what is expected then is about this seat.
        """
        seat = args.get("seat")
        if isinstance(seat, int):
            self._host.act_begins(seat, f"DEALER  keys {verb} for seat {seat}")
        return self._host.key(verb, **args)

    def answers(self, choice: str, kind: str | None = None) -> Reply:
        """Answers the oldest open question, or the oldest of a kind; raises LabError where none is asked."""
        asked = [one for one in self._host.state.questions if kind in (None, one.kind)]
        if not asked:
            raise LabError(f"Nothing {'' if kind is None else f'of the kind {kind} '}is asked.")
        return self.keys("answer", question=asked[0].id, choice=choice)

    def deals_cards(self, seats: Sequence[int], each: int = 2) -> None:
        """Deals cards to these seats, in this order."""
        self._note(f"deals to {' '.join(map(str, seats))}")
        self._host.until(self._moved(lambda at_s: deal_cards(self._host.world, at_s, seats, each).end_s))

    def gathers(self) -> None:
        """Gives back what nobody called or must be returned, and sweeps the bets into the pot."""
        if self._host.state.phase not in OVER:
            self.gives_back()
        self._note("gathers the bets")
        self._host.until(self._moved(lambda at_s: gather(self._host.world, at_s).end_s))

    def gives_back(self) -> None:
        """Each seat gets back what lies before it beyond its bet in the books, with change where it takes that."""
        for seat in self._host.state.seats:
            surplus = self._host.world.value(self._host.world.bets(seat.seat)) - seat.bet
            if surplus > 0:
                self._note(f"gives {surplus} back to seat {seat.seat}")
                self._host.until(
                    self._moved(lambda _, n=seat.seat, s=surplus: self._host.cashier.give_back(n, s).end_s)
                )

    def deals(self, street: str, *, first: int | None = None, keyed: bool = True) -> None:
        """Gathers the bets, deals a street and keys it; the next chips are acts when this returns.

        Board cards, in stud a card to everybody in the hand, of whom ``first`` begins; cards that are drawn are left
        out, for nothing follows from them.
        """
        if street not in _STREETS:
            raise LabError(f"{street} is no street: it is one of {', '.join(sorted(_STREETS))}.")
        self._host.wait_state(*ROUND_OVER)
        self.gathers()
        self._note(f"deals the {street}")
        world = self._host.world
        if street in BOARD_CARDS:
            self._host.until(self._moved(lambda at_s: deal_board(world, BOARD_CARDS[street], at_s).end_s))
        elif street in STREETS["stud"]:
            seats = [seat.seat for seat in self._host.state.seats if world.hole_cards(seat.seat)]
            self._host.until(self._moved(lambda at_s: deal_cards(world, at_s, seats, 1, more=True).end_s))
        if keyed and self._host.state.street != street:
            reply = self.keys("deal", street=street, **({} if first is None else {"first": first}))
            if not reply.ok and self._host.state.street != street:  # the camera may have seen the cards
                raise LabError(f"{street} was refused ({reply.code}): {reply.sentence}")
        self._host.wait_base_line()

    def pushes_pot(self, seat: int, amount: int | None = None) -> None:
        """Pushes the pot to a seat, or so much of it; what sensors make of it is theirs."""
        world = self._host.world
        pot = world.pot()
        if not pot:
            raise LabError("There is no pot to push: gather the bets first.")
        self._note(f"pushes {'the pot' if amount is None else amount} to seat {seat}")
        chips = pot if amount is None else self._from_pot(amount)
        self._host.until(self._moved(lambda at_s: push_pot(world, seat, chips, at_s).end_s))

    def awards(self, *winners: int) -> None:
        """The pots that are open to these seats are theirs: gathers, keys it where the hand is not over, and pays."""
        self._host.wait_state(*ROUND_OVER)
        self.gathers()
        state = self._host.state
        if state.phase not in OVER:
            pots = [[seat for seat in winners if seat in pot.seats] or list(pot.seats) for pot in state.pots]
            reply = self.keys("award", pots=pots)
            if not reply.ok:
                raise LabError(f"The award was refused ({reply.code}): {reply.sentence}")
            self._host.wait_state(*OVER)
        self.pays()

    def pays(self) -> None:
        """Pushes what the books say that each seat gets of the pot, once the hand is over."""
        for push in self._host.state.payouts:
            if isinstance(push.to, int) and not push.done:
                self.pushes_pot(push.to, push.amount)

    def clears(self) -> None:
        """Takes all cards off the table."""
        self._host.until(self._moved(lambda at_s: clear_cards(self._host.world, at_s).end_s))

    def _from_pot(self, amount: int) -> Any:
        try:
            return self._host.cashier.from_pot(amount)
        except BankError as error:
            raise LabError(str(error)) from None

    def _note(self, what: str) -> None:
        self._host.note(f"DEALER  {what}")

    def _moved(self, motion: Any) -> float:
        try:
            return float(motion(self._host.clock_s))
        except (WorldError, BankError) as error:
            raise LabError(str(error)) from None
