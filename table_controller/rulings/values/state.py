"""The table at one moment: who sits where, the hand, and what waits for a player or the floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from betline.fields import Chips
from betline.settings import GameSettings, HouseRules
from betline.steps import Act, NextHand
from table_controller.betting import ActionKind, BettingOptions, Hand, PostKind, Structure
from table_controller.betting.forced import ante_payer
from table_controller.positions import KillRecord, Player, Positions
from table_controller.rulings.values.lying import Laid
from table_controller.rulings.values.reckoning import Reckoning
from table_controller.rulings.values.ruling import NOTHING_STANDING, Ruling, Settled, Standing, Verdict
from table_controller.rulings.values.run_out import Runs
from table_controller.rulings.values.words import Verb, heard

AGGRESSIVE = frozenset({ActionKind.BET, ActionKind.RAISE, ActionKind.COMPLETE})


@dataclass(frozen=True, slots=True)
class Held:
    """An act out of turn that waits for its seat, and the bets that it knew of (R-220)."""

    act: Act
    aggressive_acts: int
    binds_anyway: bool = False
    """It binds whatever the action becomes: a fold (R-221), a call of an amount not yet known (R-034)."""
    past_skipped: bool = False
    """Substantial action went past a skipped hand with it: it binds, to what it knew of (TDA 53-B)."""
    taken_back: int = 0
    """What the seat has taken back of its chips since: owed again where the act binds (TDA 53-A)."""


@dataclass(frozen=True, slots=True)
class Early:
    """An act out of turn, a fold too: whose turn it was, and how far the street was when it was made (R-224)."""

    seat: int
    turn: int
    with_chips: bool
    acts: int
    acts_with_chips: int


@dataclass(frozen=True, slots=True)
class FloorQuestion:
    """A ruling that waits for a human, and the act that it is about."""

    seat: int
    act: Act
    verdict: Verdict
    taken_back: int = 0
    """What the seat took back of its chips while the act was held."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A stack that left the table, from which seat, when, and whose it was where somebody said so."""

    seat: int
    stack: int
    minute: int
    person: str = ""


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A player went from one seat to another."""

    seat: int
    to: int


@dataclass(frozen=True, slots=True)
class Taking:
    """What the house took out of a pot; 0 is the main pot."""

    pot: int
    rake: int
    """The drop is in it."""
    kitty: int
    drop: int = 0

    @property
    def amount(self) -> int:
        """All of it."""
        return self.rake + self.kitty


BOMB_POT_STREET = "flop"
_NONE: Mapping[Any, Any] = MappingProxyType({})


class State(NamedTuple):
    """Each step that is accepted makes a new one; a tuple, because every act does.

    Make one with keywords. Every question is answered in seats and whole chips.
    """

    game: GameSettings
    house: HouseRules
    structure: Structure
    options: BettingOptions
    players: Mapping[int, Player]
    """Who sits at the table; a stack here is that between hands, of a seat in the hand `stacks` has the present one."""
    last: Positions | None = None
    """Of the hand before the present one, or of the last hand while none is in progress."""
    placed: Positions | None = None
    """Of the present hand."""
    due: Positions | None = None
    """Of the present hand without kill, rock and straddles."""
    kills: KillRecord = KillRecord()
    rock: int | None = None
    """Who holds the rock (R-200)."""
    hand: Hand | None = None
    standing: Standing = NOTHING_STANDING
    held: tuple[Held, ...] = ()
    early: tuple[Early, ...] = ()
    """Acts out of turn of this street, in order."""
    floor: FloorQuestion | None = None
    laid: Mapping[int, int] = _NONE
    """What lies in front of seats that have not put in all of their bet of this street yet; ask `owed`."""
    in_front: Mapping[int, Chips] = _NONE
    """Chips not changed yet: what really lies in front of these seats."""
    bets_made: tuple[int, ...] = ()
    """The bets to match on this street so far, the opening bet first."""
    redealt: bool = False
    """The present hand is dealt again as it was, after a misdeal or with a new deck (TDA 35-C; R-292)."""
    waits: NextHand | None = None
    """The game and the house rules that were named before a hand was dealt again: they hold from the one after it."""
    entered: Mapping[int, Player] = _NONE
    """The players as they were before the forced bets of the present hand."""
    runs: Runs | None = None
    """The rest of the board is dealt more than once in the present hand (R-268)."""
    cards: tuple[Laid, ...] = ()
    """What lies face up in the present hand, as far as the house keeps cards."""
    bomb_pot: int | None = None
    """What everybody put in, where the present hand is a bomb pot (R-303)."""
    borrowed: Mapping[int, int] = _NONE
    """What seats have borrowed in this hand, at open stakes (R-283)."""
    borrowed_to_raise: frozenset[int] = frozenset()
    absent: frozenset[int] = frozenset()
    """Seats of the present hand whose players were away when it was dealt (R-194)."""
    carried: int = 0
    """What nobody won in an earlier hand: it waits for the next one, or lies in the pot of the present one (R-307)."""
    left: tuple[Departure, ...] = ()
    """Who has left and with what, the last one last (R-282)."""
    seat_changes: tuple[SeatChange, ...] = ()
    """Who has changed seats, the last one last."""
    minutes: int = 0
    time_paid: int = 0
    """The minute up to which the time charge has been collected (R-285)."""
    time_charges: Mapping[int, int] = _NONE
    """What the time charge has taken from each seat so far, whoever sat there."""
    least_chip: int = 0
    """The smallest denomination in play since the last colour-up; 0 before the first (R-300)."""
    house_money: Mapping[str, int] = _NONE
    """What has gone from the table to `rake`, `time`, `kitty` and `tray`, less what came from there.

    What a `race` cost the stacks is there as well, and chips `removed` with a player who is out (R-203).

    The stacks, the pot, what is carried and this make what players have brought, less what they have taken away.
    """
    takings: tuple[Taking, ...] = ()
    """What the house took out of the pots of the last hand."""
    last_two: bool = False

    @property
    def between_hands(self) -> bool:
        """No hand is in progress: every pot is paid."""
        return self.hand is None or self.hand.hand_over

    @property
    def may_be_redealt(self) -> bool:
        """The hand is dealt again and nobody has acted in it: who goes now has been dealt in all the same."""
        hand = self.hand
        if not self.redealt or hand is None or hand.hand_over or self.held or self.floor is not None:
            return False
        of_the_absent = len(hand.folded & self.absent)
        return hand.acts == of_the_absent and hand.street == self.first_street

    @property
    def first_street(self) -> str:
        """Where the betting of the present hand began."""
        return self.structure.streets[0] if self.bomb_pot is None else BOMB_POT_STREET

    @property
    def next_seat(self) -> int | None:
        """The seat that acts now, or that the floor rules on; None when the round is over."""
        if self.floor is not None:
            return self.floor.seat
        return None if self.hand is None else self.hand.next_seat

    @property
    def stacks(self) -> dict[int, int]:
        """What every seat has behind."""
        found = {seat: player.stack for seat, player in sorted(self.players.items())}
        if self.hand is not None:
            found.update(self.hand.stacks)
        return found

    @property
    def may(self) -> frozenset[ActionKind]:
        """The actions open to the seat to act."""
        if self.hand is None:
            return frozenset()
        may = self.hand.may
        if self.standing.no_raise:
            may -= AGGRESSIVE
        if self.standing.declared is not None and may & AGGRESSIVE:
            may &= AGGRESSIVE
        if self.standing.no_fold:
            may -= {ActionKind.FOLD}
        return may

    @property
    def raise_range(self) -> tuple[int, int] | None:
        """The least and the most that the seat to act may make it; None where it may not bet or raise."""
        return None if self.hand is None or self.standing.no_raise else self.hand.raise_range

    @property
    def substantial(self) -> bool:
        """Whether substantial action has taken place on this street; after an act out of turn, from it on (R-224)."""
        hand = self.hand
        if hand is None:
            return False
        past = self.gone_past
        if not past:
            return hand.substantial
        acts = hand.acts - past[0].acts + len(self.held)
        held_with_chips = sum(puts_chips(held.act) for held in self.held)
        return self.is_substantial(acts, hand.acts_with_chips - past[0].acts_with_chips + held_with_chips)

    @property
    def gone_past(self) -> tuple[Early, ...]:
        """The acts out of turn that have gone past the seat to act."""
        if not self.early or self.hand is None or (turn := self.hand.next_seat) is None:
            return ()
        return tuple([early for early in self.early if (turn - early.turn) % 10 < (early.seat - early.turn) % 10])

    def is_substantial(self, acts: int, with_chips: int) -> bool:
        """Whether so many acts, of which some put chips in, are substantial action (TDA 36; R-224)."""
        if self.house.substantial_action == "wsop-live":
            return acts >= 2
        return acts >= 3 or (acts >= 2 and with_chips >= 1)

    @property
    def posts(self) -> dict[int, tuple[int, ...]]:
        """Blinds, missed blinds and posts of each seat in this hand, largest first; no antes, no straddles."""
        if self.hand is None or self.placed is None:
            return {}
        found: dict[int, list[int]] = {}
        left = {seat: self.players[seat].stack for seat in self.hand.seats}
        if self.structure.ante and self.structure.ante_by == "each":
            left = {seat: stack - min(stack, self.structure.ante) for seat, stack in left.items()}
        elif self.structure.ante and self.house.big_blind_ante_order == "ante-first" and self.placed.posts:
            payer = ante_payer(self.structure, self.placed.posts, self.placed.button)
            if payer in left:
                left[payer] -= min(left[payer], self.structure.ante)
        for post in self.placed.posts:
            paid = min(post.amount, left[post.seat])
            left[post.seat] -= paid
            if paid and post.kind in (PostKind.BLIND, PostKind.LIVE, PostKind.DEAD):
                found.setdefault(post.seat, []).append(paid)
        return {seat: tuple(sorted(amounts, reverse=True)) for seat, amounts in found.items()}

    def owed(self, seat: int) -> int:
        """What the seat must still put in for its bet of this round; an uncalled part is not owed any more."""
        if self.hand is None or seat not in self.laid:
            return 0
        return max(self.hand.bet(seat) - self.laid[seat], 0)

    def with_laid(self, seat: int, amount: int | None) -> State:
        """So much lies in front of a seat that owes more; None where all of its bet lies there."""
        if self.laid.get(seat) == amount:
            return self
        others = {other: lies for other, lies in self.laid.items() if other != seat}
        return self._replace(laid=others if amount is None else {**others, seat: amount})

    def is_payment(self, act: Act) -> bool:
        """Whether chips only pay what their seat owes: it says so, or its turn is past and nothing but chips came."""
        if act.pays:
            return True
        only_chips = bool(act.motions) and not (act.says or act.takes_back or act.carries_back or act.changes)
        turn = None if self.hand is None else self.hand.next_seat
        return only_chips and act.seat != turn and not act.splashes and self.owed(act.seat) > 0

    def with_hand(self, hand: Hand) -> State:
        """The hand after an act: what stood for the seat to act is done with."""
        same_street = self.hand is not None and hand.street == self.hand.street
        bets_made = self.bets_made if same_street else ()
        if hand.level > (bets_made[-1] if bets_made else 0):
            bets_made = (*bets_made, hand.level)
        in_front = self.in_front if same_street else {}
        early = self.early if same_street else ()
        return self._replace(
            hand=hand, standing=NOTHING_STANDING, in_front=in_front, bets_made=bets_made, early=early,
            laid=self.laid if same_street else {},
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a step comes to: the state after it, the ruling where it was an act, held acts that it settled."""

    state: State
    ruling: Ruling | None = None
    alerts: tuple[str, ...] = ()
    settled: tuple[Settled, ...] = ()
    cites: tuple[str, ...] = ()
    """Of a step that is no act: the rules that it follows."""
    reckoning: Reckoning = ()
    """Of a step that is no act: the arithmetic."""


def puts_chips(act: Act) -> bool:
    """Whether an act out of turn would put chips in."""
    if act.motions or act.splashes:
        return True
    said = heard(act)
    return said is not None and said.verb not in (Verb.CHECK, Verb.FOLD)
