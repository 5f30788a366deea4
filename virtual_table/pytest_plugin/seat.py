"""A seat at the table of a test: what its player does, and what lies before it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Literal, Protocol

from betline.messages.common import Reply
from betline.messages.table import SeatState
from virtual_table.play.cashier import Cashier
from virtual_table.play.players import NoSuchChips, Plan, plan
from virtual_table.pytest_plugin.failures import LabError
from virtual_table.scripts.script import Kind, PlayerAct
from virtual_table.table.bank import BankError
from virtual_table.table.player_motions import muck, over_and_back, pull_back, push, splash, tap
from virtual_table.table.things import Chip, Motion, WorldError
from virtual_table.table.world import World

First = Literal["says", "chips", "both"]


class Host(Protocol):
    """What a seat needs of its table."""

    world: World
    cashier: Cashier

    @property
    def clock_s(self) -> float: ...

    def act_begins(self, seat: int, line: str) -> None:
        """From here on what the controller says is about this act."""
        ...

    def until(self, moment_s: float) -> None: ...

    def key(self, verb: str, **args: object) -> Reply: ...

    def books(self, seat: int) -> SeatState: ...

    def level(self) -> int: ...

    def to_call(self, seat: int) -> int: ...


class Seat:
    """One seat. What it does takes as long as it takes people, and is over when the call returns."""

    def __init__(self, host: Host, number: int) -> None:
        self._host = host
        self.number = number

    # --- what its player does

    def pushes(self, *chips: int | Sequence[int], motions: int = 1) -> None:
        """Chips of these values cross the line; a list of values is a motion of its own, or so many `motions` are made.

        The dealer makes change first for a chip that the stack has not.
        """
        groups = self._groups(chips, motions)
        self._begins(f"pushes {_listed(groups)}")
        picked = self._pick(groups)
        self._does(lambda at_s: push(self._host.world, self.number, picked, at_s))

    def takes_back(self, *chips: int) -> None:
        """Chips of these values that lie before the seat come back over the line."""
        self._begins(f"takes back {_values(chips)}")
        mine = self._of(self._host.world.bets(self.number), chips)
        self._does(lambda at_s: pull_back(self._host.world, self.number, mine, at_s))

    def carries_back(self, *chips: int) -> None:
        """Chips go over the line in the hand and back, and are never released."""
        self._begins(f"carries {_values(chips)} over the line and back")
        [picked] = self._pick([chips])
        self._does(lambda at_s: over_and_back(self._host.world, self.number, picked, at_s))

    def tosses(self, *chips: int) -> None:
        """Chips of these values are thrown into the pot."""
        self._begins(f"tosses {_values(chips)} into the pot")
        [picked] = self._pick([chips])
        self._does(lambda at_s: splash(self._host.world, self.number, picked, at_s))

    def says(self, words: str, first: First | None = None) -> Reply:
        """The player says something, and the dealer keys it; `first` says whether words or chips came first."""
        self._begins(f'says "{words}"')
        return self._host.key("says", seat=self.number, text=words, **({} if first is None else {"first": first}))

    def taps(self, *, keyed: bool = True) -> None:
        """The player knocks on the felt, and the dealer keys it, unless he leaves it to the camera."""
        self._begins("taps")
        self._does(lambda at_s: tap(self._host.world, self.number, at_s))
        if keyed:
            self._host.key("act", seat=self.number, gesture="tap")

    def mucks(self, *, keyed: bool = True) -> None:
        """The player throws the cards away, and the dealer keys it, unless he leaves it to camera and chips."""
        self._begins("mucks")
        self._does(lambda at_s: muck(self._host.world, self.number, at_s))
        if keyed:
            self._host.key("act", seat=self.number, gesture="muck")

    # --- what it means, done so that nobody can take it for anything else

    def checks(self) -> None:
        """As `taps`."""
        self.taps()

    def folds(self) -> None:
        """As `mucks`."""
        self.mucks()

    def calls(self) -> None:
        """Pushes exactly what it costs to call."""
        self._acts("call", self._host.books(self.number).bet + self._host.to_call(self.number))

    def bets(self, to: int) -> None:
        """Bets so much."""
        self._acts("bet", to)

    def raises(self, to: int) -> None:
        """Raises to so much, with words first where the chips alone could be taken for a call."""
        self._acts("raise", to)

    def goes_all_in(self) -> None:
        """Says so, and pushes the whole stack."""
        self.says("all in")
        whole = self._host.world.stack(self.number)
        self._does(lambda at_s: push(self._host.world, self.number, whole, at_s))

    # --- what is to be known of it

    @property
    def uids(self) -> tuple[str, ...]:
        """The tags of the chips that lie before it."""
        return tuple(chip.uid for chip in self._host.world.bets(self.number))

    @property
    def chips(self) -> tuple[int, ...]:
        """The values of these chips, largest first."""
        return tuple(sorted((chip.value for chip in self._host.world.bets(self.number)), reverse=True))

    @property
    def stack_uids(self) -> tuple[str, ...]:
        """The tags of the chips of its stack."""
        return tuple(chip.uid for chip in self._host.world.stack(self.number))

    @property
    def stack(self) -> int:
        """What its stack on the felt is worth."""
        return self._host.world.value(self._host.world.stack(self.number))

    @property
    def books(self) -> SeatState:
        """What the controller has of it."""
        return self._host.books(self.number)

    # --- how it is done

    def _acts(self, kind: Kind, to: int) -> None:
        host, seat = self._host, self.number
        self._begins(f"means to {kind}, to {to}")
        act, bet = PlayerAct(seat, kind, to), host.books(seat).bet
        how = self._plan(act, bet)
        if how.says is not None:
            host.key("says", seat=seat, text=how.says)
        self._does(lambda at_s: push(host.world, seat, how.motions, at_s))

    def _plan(self, act: PlayerAct, bet: int) -> Plan:
        world, chance = self._host.world, Random(f"{act}")
        try:
            return plan(act, world.stack(self.number), bet, self._host.level(), chance)
        except NoSuchChips:
            self._exact(act.to - bet)
            return plan(act, world.stack(self.number), bet, self._host.level(), chance)

    def _exact(self, amount: int) -> None:
        try:
            self._host.cashier.exact(self.number, amount)
        except BankError as error:
            raise LabError(str(error)) from None

    def _begins(self, what: str) -> None:
        if self.books.status == "empty":
            raise LabError(f"Nobody sits at seat {self.number}: name it in @pytest.mark.betline(seats={{...}}).")
        self._host.act_begins(self.number, f"PLAYER  seat {self.number} {what}")

    def _does(self, motion: object) -> None:
        assert callable(motion)
        try:
            done: Motion = motion(self._host.clock_s)
        except WorldError as error:
            raise LabError(str(error)) from None
        self._host.until(done.end_s)

    def _pick(self, groups: Sequence[Sequence[int]]) -> list[tuple[Chip, ...]]:
        asked, there = sum(map(sum, groups)), self._host.world.value(self._host.world.stack(self.number))
        if asked > there:
            raise LabError(f"Seat {self.number} has {there:,} in its stack; {_listed(groups)} is {asked:,}.")
        used: list[Chip] = []
        picked = []
        for values in groups:
            mine = []
            for value in values:
                try:
                    chip = self._host.cashier.one_worth(self.number, value, used)
                except BankError as error:
                    raise LabError(str(error)) from None
                used.append(chip)
                mine.append(chip)
            picked.append(tuple(mine))
        return picked

    def _of(self, lying: Sequence[Chip], values: Sequence[int]) -> tuple[Chip, ...]:
        left, found = list(lying), []
        for value in values:
            chip = next((chip for chip in left if chip.value == value), None)
            if chip is None:
                there = _values([chip.value for chip in lying]) or "nothing"
                raise LabError(
                    f"Seat {self.number} has no {value} before it that it could take back; {there} lies there."
                )
            left.remove(chip)
            found.append(chip)
        return tuple(found)

    def _groups(self, chips: Sequence[int | Sequence[int]], motions: int) -> list[list[int]]:
        if not chips:
            raise LabError(f"Seat {self.number} cannot push nothing: name the values of its chips.")
        alone = [chip for chip in chips if isinstance(chip, int)]
        if len(alone) == len(chips):
            if not 1 <= motions <= len(alone):
                raise LabError(f"{len(alone)} chips cannot be pushed in {motions} motions.")
            share, more = divmod(len(alone), motions)
            ends = [0]
            for number in range(motions):
                ends.append(ends[-1] + share + (number < more))
            return [alone[start:end] for start, end in pairwise(ends)]
        if alone or motions != 1:
            raise LabError("Name the chips of each motion as a list, or name chips and how many motions; not both.")
        return [list(group) for group in chips if not isinstance(group, int)]


def _values(chips: Sequence[int]) -> str:
    return " ".join(str(chip) for chip in chips)


def _listed(groups: Sequence[Sequence[int]]) -> str:
    return ", then ".join(_values(group) for group in groups)
