"""A ruling of a journal as a case: the hand's setup, its acts up to that ruling, and what it was or should have been.

A hand is told as shortly as it comes out so: from its button where that posts what was posted then, else from the table
between two hands, else with one or more hands before it. Each form is played, and the first that comes to the recorded
blinds, stacks and rulings is taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from betline.cases import CaseError, Result, parse_cases
from betline.cases.expect import read_expect
from betline.fields import FieldError
from betline.messages.table import Ruling
from betline.options import FAILED, UserError
from betline.settings import HouseRules, load_house_rules
from betline.steps import NextHand, Return, SitOut, Step, TableSetup, Undo, step_to_mapping
from betline.steps.codec import record
from betline.steps.setup import LastHand
from table_controller.betting import Illegal
from table_controller.journal.entries import HandBegan, HandOver, SetUp, Stepped
from table_controller.journal.errors import JournalError
from table_controller.rulings import Outcome, Table
from table_controller.rulings.values.state import State
from table_controller.session.fold import History, base_before
from table_controller.session.replay import Replay
from table_controller.tools.cases import run_case

HANDS_BACK: Final = 3
"""So many hands before the one that is asked for may be told with it."""
EXPECTED: Final = ("ruling", "to", "adds", "returned", "owes", "all_in", "offers", "cites")
_PLACES: Final = Path("the case")


@dataclass(frozen=True, slots=True)
class Told:
    """One hand of the journal as it went."""

    hand_no: int
    before: State | None
    """The table between two hands, from which it began; None where a setup began it."""
    setup: TableSetup | None
    began: HandBegan
    first: NextHand | None
    steps: tuple[Stepped, ...]
    begun: State
    """The table when its forced bets were posted."""
    between: tuple[Stepped, ...] = ()
    """What was done after it, before the next one."""


@dataclass(frozen=True, slots=True)
class Made:
    """A case, and how it goes today."""

    text: str
    result: Result
    ruling: Ruling
    """The ruling that it is about, as it was recorded."""
    faithful: bool
    """All before it comes out as it was recorded."""


def case_of_hand(history: History, hand: int, act: int | None = None, should: Mapping[str, Any] | None = None) -> Made:
    """The case of a ruling: act `act` of the hand, the last one where none is named. `should` is what it must be.

    Raises UserError where there is no such hand or ruling, or `should` is no expectation.
    """
    told = _told(history, hand)
    steps, ruling = _up_to(told[-1], act)
    expect = _expected(ruling, should)
    best: Made | None = None
    for setup, play in _forms(told, steps):
        made = _made(setup, play, expect, ruling, told[-1])
        if made is not None and (made.faithful or best is None):
            best = made
            if made.faithful:
                break
    if best is None:
        raise UserError(f"Hand {hand} cannot be told as a case: its table is none that a case can begin with.", FAILED)
    return best


def read_should(text: str) -> dict[str, Any]:
    """What a ruling should have been, `ruling=call,to=1100`; raises UserError for what is no expectation."""
    found: dict[str, Any] = {}
    for part in _parts(text):
        key, equals, value = part.partition("=")
        if not equals:
            raise UserError(f"--should {part} is not KEY=VALUE; write it like --should ruling=call,to=1100.")
        found[key.strip()] = yaml.safe_load(value)
    try:
        read_expect(found, ())
    except FieldError as error:
        key = str(error.path[0]) if error.path else ""
        raise UserError(f"--should: {key}: {error.sentence}") from None
    return found


def _parts(text: str) -> list[str]:
    """The text at its commas, but not within brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[{") - (letter in "]}")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _told(history: History, hand: int) -> list[Told]:
    """The hand, and up to so many before it, the oldest first."""
    numbers = {one.entry.hand_no: one.seq for one in history.newest(HandBegan.kind) if isinstance(one.entry, HandBegan)}
    if hand not in numbers:
        listed = f"hands {min(numbers)} to {max(numbers)}" if numbers else "no hands"
        raise UserError(f"There is no hand {hand}; there are {listed}.", FAILED)
    first = min((seq for number, seq in numbers.items() if hand - HANDS_BACK <= number <= hand), default=0)
    base = base_before(history, first)
    told: list[Told] = []
    for one in _hands(history, base.seq, Replay(base.book)):
        told.append(one)
        if one.hand_no == hand:
            break
    return told[-HANDS_BACK - 1 :]


@dataclass(slots=True)
class _Hand:
    began: HandBegan
    before: State | None
    setup: TableSetup | None
    first: NextHand | None
    begun: State
    steps: list[Stepped] = field(default_factory=list)
    between: list[Stepped] = field(default_factory=list)
    over: bool = False

    def told(self) -> Told:
        return Told(
            self.began.hand_no, self.before, self.setup, self.began, self.first, tuple(self.steps), self.begun,
            tuple(self.between),
        )  # fmt: skip


def _hands(history: History, after: int, replay: Replay) -> Iterator[Told]:
    """The hands of a journal in order; each is handed out when the next one begins, or at the end."""
    hand: _Hand | None = None
    before: State | None = None
    last: Stepped | SetUp | None = None
    for recorded in history.entries(after):
        entry = recorded.entry
        if isinstance(entry, Stepped | SetUp):
            table, last = replay.book.table, entry
            before = None if table is None or isinstance(entry, SetUp) else table.state
        replay.take(recorded)
        if isinstance(entry, HandBegan):
            if hand is not None:
                hand.between = hand.between[:-1] if isinstance(last, Stepped) else hand.between
                yield hand.told()
            begun = replay.book.table
            if begun is None:
                raise JournalError("damaged", f"The journal has a hand {entry.hand_no} without a table.")
            first = last.step if isinstance(last, Stepped) and isinstance(last.step, NextHand) else None
            setup = last.setup if isinstance(last, SetUp) else None
            hand = _Hand(entry, before, setup, first, begun.state)
        elif isinstance(entry, Stepped) and hand is not None:
            (hand.between if hand.over else hand.steps).append(entry)
        elif isinstance(entry, HandOver) and hand is not None:
            hand.over = True
    if hand is not None:
        yield hand.told()


def _up_to(hand: Told, act: int | None) -> tuple[list[Stepped], Ruling]:
    """The steps of a hand up to a ruling of it, and that ruling."""
    ruled = [(place, one.ruling) for place, one in enumerate(hand.steps) if one.ruling is not None]
    wanted = [(place, one) for place, one in ruled if act is None or one.act_no == act]
    if not wanted:
        numbers = sorted({one.act_no for _, one in ruled})
        listed = f"acts {numbers[0]} to {numbers[-1]}" if numbers else "no ruling"
        raise UserError(f"Hand {hand.hand_no} has {listed}, no act {act}.", FAILED)
    place, ruling = wanted[-1]
    return list(hand.steps[: place + 1]), ruling


def _expected(ruling: Ruling, should: Mapping[str, Any] | None) -> dict[str, Any]:
    if should:
        return dict(should)
    said = ruling.model_dump(mode="json")
    needless = {"offers": [], "cites": [], "all_in": False, "owes": 0, "returned": 0}
    return {key: said[key] for key in EXPECTED if key not in needless or said[key] != needless[key]}


def _forms(told: Sequence[Told], steps: Sequence[Stepped]) -> Iterator[tuple[TableSetup, list[Step]]]:
    """Setups and plays that may tell the hand, the shortest first."""
    hand, acts = told[-1], [one.step for one in steps]
    state = hand.before
    if hand.setup is not None:
        yield hand.setup, acts
    elif state is not None and hand.first is not None and hand.began.button is not None:
        game = hand.first.game or state.game
        house = hand.first.house or state.house
        yield TableSetup(game=game, house=house, seats=dict(hand.began.seats), button=hand.began.button), acts
    for back in range(1, len(told) + 1):
        first = told[-back]
        setup = _between(first) if first.setup is None else first.setup
        if setup is None or setup == hand.setup:
            continue
        play: list[Step] = list(_absent(first))
        for one in told[-back:]:
            play += [one.first] if one.first is not None else []
            play += acts if one is hand else [step.step for step in (*one.steps, *one.between)]
        yield setup, play


def _between(hand: Told) -> TableSetup | None:
    """The table between two hands, from which a hand began."""
    state = hand.before
    if state is None or hand.first is None:
        return None
    last = state.last
    if last is None:
        button = hand.first.button
        last_hand = None if button is None else LastHand(button=button, small_blind=None, big_blind=None)
    else:
        last_hand = LastHand(button=last.button, small_blind=last.small_blind, big_blind=last.big_blind)
    if last_hand is None:
        return None
    players = state.players
    return TableSetup(
        game=state.game,
        house=state.house,
        seats={seat: player.stack for seat, player in players.items()},
        last_hand=last_hand,
        missed={seat: player.missed for seat, player in players.items() if player.missed},
        rock=state.rock,
        kill=state.kills.seat,
        legs=dict(state.kills.legs),
        in_front=dict(state.in_front),
    )


def _absent(hand: Told) -> Iterator[Step]:
    """Who was away before a hand began, and who had just come back: a setup says of that only which blinds are owed."""
    players = {} if hand.before is None else hand.before.players
    for seat, player in players.items():
        if player.away and not player.missed:
            yield SitOut(seat=seat)
        if player.returns is not None:
            yield Return(seat=seat, post=player.returns.post, buys_button=player.returns.buys_button)


def _made(setup: TableSetup, play: list[Step], expect: dict[str, Any], ruling: Ruling, hand: Told) -> Made | None:
    """The case in one form; None where that makes no table."""
    text = _text(setup, play, expect, ruling)
    try:
        (case,) = parse_cases(text, _PLACES)
        result = run_case(case)
        faithful = _is_faithful(setup, play, hand)
    except (CaseError, Illegal):
        return None
    return Made(text, result, ruling, faithful)


def _is_faithful(setup: TableSetup, play: Sequence[Step], hand: Told) -> bool:
    """Whether a form comes to the hand as it began, and to its recorded rulings before the last one."""
    table = Table.begin(setup)
    outcomes: list[Outcome] = []
    began = table if setup.button is not None else None
    for step in play:
        outcome = table.apply(step)
        if outcome.error is not None:
            return False
        table = outcome.table
        outcomes.append(outcome)
        if isinstance(step, NextHand):
            began = table
    if began is None or _posted(began.state) != _posted(hand.begun):
        return False
    own = outcomes[-len(_own(play, hand)) :]
    recorded = hand.steps[: len(own)]
    return all(_same(was, now) for was, now in zip(recorded[:-1], own[:-1], strict=True))


def _own(play: Sequence[Step], hand: Told) -> list[Step]:
    """The steps of the hand itself: those behind the last beginning of one."""
    begins = [number for number, step in enumerate(play) if isinstance(step, NextHand)]
    return list(play[begins[-1] + 1 :]) if begins and hand.first is not None else list(play)


def _posted(state: State) -> tuple[object, ...]:
    """How a hand stands when its forced bets are posted."""
    placed, hand = state.placed, state.hand
    if placed is None or hand is None:
        return ()
    places = (placed.button, placed.small_blind, placed.big_blind)
    return (*places, hand.bets, hand.stacks, hand.pot, hand.street, state.next_seat)


def _same(was: Stepped, now: Outcome) -> bool:
    if was.ruling is None or now.ruling is None:
        return isinstance(was.step, Undo) or (was.ruling is None) == (now.ruling is None)
    recorded, today = was.ruling, now.ruling
    return (recorded.ruling, recorded.to, recorded.returned) == (str(today.ruling), today.to, today.returned)


# --- writing


def _text(setup: TableSetup, play: Sequence[Step], expect: Mapping[str, Any], ruling: Ruling) -> str:
    """The file of one case."""
    lines = [
        f"- id: hand-{ruling.hand_no}-act-{ruling.act_no}",
        "  source: journal",
        f"  note: {_flow(f'Recorded: {ruling.sentence}')}",
    ]
    for key, value in record(TableSetup, "case").write(setup).items():
        lines.append(f"  {key}: {_flow(_short_house(setup.house) if key == 'house' else value)}")
    lines.append("  play:")
    lines += [f"    - {_flow(step_to_mapping(step))}" for step in play]
    lines.append(f"    - expect: {_flow(dict(expect))}")
    return "\n".join(lines) + "\n"


def _short_house(house: HouseRules) -> dict[str, Any]:
    """The house by its profile and what is different there."""
    written = json.loads(house.model_dump_json())
    profiles = {name: json.loads(load_house_rules(name).model_dump_json()) for name in ("tda", "cash", "home")}
    differing = {
        name: {key: value for key, value in written.items() if rules.get(key) != value}
        for name, rules in profiles.items()
    }
    name = min(differing, key=lambda one: len(differing[one]))
    return {"profile": name, **differing[name]}


def _flow(value: object) -> str:
    """Plain data in one line of YAML."""
    plain = json.loads(json.dumps(value))
    text = yaml.safe_dump(_seats(plain), default_flow_style=True, sort_keys=False, width=10**6, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...").rstrip()


def _seats(value: object) -> object:
    """Numbers as keys where JSON has words of digits."""
    if isinstance(value, dict):
        named = {int(key) if key.isdecimal() else key: _seats(item) for key, item in value.items()}
        return dict(sorted(named.items())) if all(isinstance(key, int) for key in named) else named
    return [_seats(item) for item in value] if isinstance(value, list) else value
