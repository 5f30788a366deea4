"""What is going to happen at the virtual table, as data: a hand with every act that its players mean, and who wins.

A script comes from a PHH file, a case file or random play; the director acts it out physically. Amounts are whole chips
of the smallest unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from betline.settings import GameSettings
from betline.steps import Leave, Rebuy, Return, Setup, SitDown, SitOut

Kind = Literal["fold", "check", "call", "bet", "raise"]
Change = SitDown | Leave | SitOut | Return | Rebuy


class ScriptError(Exception):
    """A script cannot be acted out; the text says what is not supported or wrong."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a player acts, if the script says so: chips by motion, words, chips taken back, a gesture."""

    motions: tuple[tuple[int, ...], ...] = ()
    says: str | None = None
    chips_first: bool = False
    takes_back: tuple[int, ...] = ()
    gesture: Literal["tap", "muck"] | None = None


@dataclass(frozen=True, slots=True)
class PlayerAct:
    """What a player means to do: ``to`` is its bet of this round afterwards (its present one after a fold or check)."""

    seat: int
    kind: Kind
    to: int
    all_in: bool = False
    manner: Manner | None = None


@dataclass(frozen=True, slots=True)
class StreetDealt:
    """The bets are gathered and the board gets ``cards`` more cards; ``betting`` is false when the rest is run out."""

    street: str
    cards: int
    betting: bool = True


@dataclass(frozen=True, slots=True)
class Awarded:
    """The winners of each pot, main pot first; empty if all folded to one seat."""

    pots: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Chopped:
    """The blinds, alone in the hand, take their bets back, and the hand is over."""


Step = PlayerAct | StreetDealt | Awarded | Chopped


@dataclass(frozen=True, slots=True)
class HandScript:
    """One hand: who sits with what, and what happens.

    ``hole_cards`` is the number of cards each player gets, ``setup`` is the command that puts the controller's table
    into the state before the first step; where it is None the hand begins with ``next-hand`` from where the last one
    ended. ``changes`` are made between the hands before it, and ``chosen`` is the name of another game that the
    dealer chooses then. ``antes`` is all dead money, ``dead`` the part of it that are missed blinds. ``posts`` are
    the other forced bets by seat, in posting order, and ``straddles`` come after them. ``blinds`` are the seats of
    the small and the big blind, None where the script does not say. A ``bomb_pot`` is a hand for which everybody
    antes so much and that begins on the flop, without blinds (R-303). ``out`` has the stacks of those at the table
    who are not dealt in; ``finishing`` is what each seat in the hand must have in the end, None where the script does
    not say.
    """

    title: str
    game: GameSettings
    seats: Mapping[int, int]
    button: int
    steps: tuple[Step, ...]
    hole_cards: int = 2
    antes: Mapping[int, int] = field(default_factory=dict)
    dead: Mapping[int, int] = field(default_factory=dict)
    posts: Mapping[int, int] = field(default_factory=dict)
    bomb_pot: int = 0
    pot: int = 0
    setup: Setup | None = None
    changes: tuple[Change, ...] = ()
    chosen: str | None = None
    straddles: Mapping[int, int] = field(default_factory=dict)
    blinds: tuple[int | None, int | None] | None = None
    out: Mapping[int, int] = field(default_factory=dict)
    player_order: tuple[int, ...] = ()
    finishing: Mapping[int, int] | None = None

    @property
    def amounts(self) -> tuple[int, ...]:
        """Every amount that chips must be able to make."""
        wagers = tuple(step.to for step in self.steps if isinstance(step, PlayerAct))
        forced = (*self.antes.values(), *self.posts.values(), *self.straddles.values())
        return (*self.seats.values(), *forced, self.pot, *wagers)

    @property
    def named_chips(self) -> frozenset[int]:
        """The values of chips that the script itself puts out or takes back."""
        manners = [step.manner for step in self.steps if isinstance(step, PlayerAct) and step.manner is not None]
        return frozenset(chip for one in manners for chips in (*one.motions, one.takes_back) for chip in chips)


@dataclass(frozen=True, slots=True)
class Playable:
    """The hands of a file, in order, and what of it nobody can act out: a sentence each, with name and reason."""

    hands: tuple[HandScript, ...]
    skipped: tuple[str, ...] = ()
