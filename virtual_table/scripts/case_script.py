"""A case file as a script: the chips and words of its steps, and the meaning that its expectations give them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from betline.cases import Case, Expect, read_file
from betline.steps import Act, Award, Deal, Setup, Step, TableSetup
from virtual_table.scripts.expected_chips import ExpectedChips
from virtual_table.scripts.script import (
    Awarded,
    HandScript,
    Kind,
    Manner,
    Playable,
    PlayerAct,
    ScriptError,
    StreetDealt,
)
from virtual_table.scripts.script import Step as ScriptStep

_KINDS = ("fold", "check", "call", "bet", "raise")
_BOARD_CARDS = {"flop": 3, "turn": 1, "river": 1}


def scripts_of(path: Path) -> Playable:
    """The scripts of a case file, one for each case that virtual players can act out.

    Raises CaseError for a broken file, ScriptError where they can act out none of its cases.
    """
    hands, skipped = [], []
    for case in read_file(path):
        try:
            hands.append(script_of(case))
        except ScriptError as error:
            skipped.append(str(error))
    if skipped and not hands:
        raise ScriptError(f"No case of {path.name} can be acted out. {skipped[0]}")
    return Playable(tuple(hands), tuple(skipped))


def script_of(case: Case) -> HandScript:
    """The script of one case; raises ScriptError."""
    setup = case.setup
    if setup.button is None or setup.game.streets not in ("holdem", "omaha"):
        raise ScriptError(f"{case.id}: the virtual table only acts out hold'em and Omaha hands with a named button.")
    if setup.in_front or setup.missed:
        raise ScriptError(f"{case.id}: the virtual table begins without chips in front of seats and missed blinds.")
    chips, posts, antes, pot = _before_the_first_act(case.id, setup)
    steps = tuple(_CaseReader(case, chips).steps())
    return HandScript(
        title=case.id,
        game=setup.game,
        seats=setup.seats,
        button=setup.button,
        steps=steps,
        hole_cards=4 if setup.game.streets == "omaha" else 2,
        antes=antes,
        posts=posts,
        pot=pot,
        setup=Setup.of(setup),
        player_order=tuple(sorted(setup.seats)),
    )


def _before_the_first_act(name: str, setup: TableSetup) -> tuple[ExpectedChips, dict[int, int], dict[int, int], int]:
    """The chips when the first player acts: forced bets posted, or a pot from earlier streets."""
    assert setup.button is not None
    if setup.start is not None:
        return ExpectedChips(setup.seats, setup.start.pot), {}, {}, setup.start.pot
    game = setup.game
    if (game.ante and game.ante_by != "each") or len(game.blinds) != 2:
        raise ScriptError(f"{name}: the virtual table only posts two blinds, and antes paid by each player.")
    chips = ExpectedChips(setup.seats)
    antes = {seat: min(game.ante, stack) for seat, stack in setup.seats.items() if game.ante}
    for seat, ante in antes.items():
        chips.post(seat, ante, dead=True)
    order = [seat for seat in sorted(setup.seats) if seat > setup.button]
    order += [seat for seat in sorted(setup.seats) if seat <= setup.button]
    payers = (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
    posts = {seat: min(blind, chips.stacks[seat]) for seat, blind in zip(payers, game.blinds, strict=True)}
    for seat, blind in posts.items():
        chips.post(seat, blind)
    return chips, posts, antes, 0


class _CaseReader:
    """Goes through the entries of a case and keeps count of the chips."""

    def __init__(self, case: Case, chips: ExpectedChips) -> None:
        self._case = case
        self._chips = chips

    def steps(self) -> Iterator[ScriptStep]:
        entries = self._case.play
        for number, entry in enumerate(entries):
            if isinstance(entry, Expect):
                continue
            following = entries[number + 1] if number + 1 < len(entries) else None
            expected = following.values if isinstance(following, Expect) else {}
            yield self._step(entry, dict(expected), number + 1)

    def _step(self, step: Step, expected: dict[str, object], number: int) -> ScriptStep:
        match step:
            case Act():
                return self._act(step, expected, number)
            case Deal(street=street) if street in _BOARD_CARDS:
                self._close_round()
                return StreetDealt(street, _BOARD_CARDS[street])
            case Award(pots=pots) if all(len(pot) == 1 for pot in pots):
                return Awarded(tuple(tuple(name for name in pot[0] if isinstance(name, int)) for pot in pots))
        raise self._cannot(number, "this kind of step cannot be acted out")

    def _act(self, act: Act, expected: dict[str, object], number: int) -> PlayerAct:
        if act.carries_back or act.splashes or act.changes or act.accepted or act.pays or act.first == "both":
            raise self._cannot(number, "this act has parts that no virtual player can do")
        kind, to = self._meaning(act, expected, number)
        everything = kind not in ("fold", "check") and to == self._chips.bets[act.seat] + self._chips.stacks[act.seat]
        if kind not in ("fold", "check"):
            self._chips.bet_to(act.seat, to)
        manner = None
        if act.action is None:
            manner = Manner(
                motions=act.motions,
                says=act.says,
                chips_first=act.first == "chips",
                takes_back=act.takes_back,
                gesture=act.gesture,
            )
        return PlayerAct(act.seat, kind, to, all_in=everything and act.action is not None, manner=manner)

    def _meaning(self, act: Act, expected: dict[str, object], number: int) -> tuple[Kind, int]:
        """What the act counts as, from the expectation after it or from what was keyed."""
        bet, stack, level = self._chips.bets[act.seat], self._chips.stacks[act.seat], self._chips.level
        kind = expected.get("ruling", act.action)
        to = expected.get("to", act.to)
        if kind == "all-in":
            kind, to = ("call" if bet + stack <= level else "raise" if level else "bet"), bet + stack
        if kind not in _KINDS:
            raise self._cannot(number, "no expectation after it says what it counts as")
        if kind in ("fold", "check"):
            to = bet
        elif to is None and kind == "call":
            to = min(level, bet + stack)
        if not isinstance(to, int):
            raise self._cannot(number, "no expectation after it says the amount")
        return cast(Kind, kind), to

    def _close_round(self) -> None:
        back = self._chips.uncalled()
        if back is not None:
            self._chips.take_back(*back)
        self._chips.gather()

    def _cannot(self, number: int, why: str) -> ScriptError:
        return ScriptError(f"{self._case.id}, step {number}: {why}.")
