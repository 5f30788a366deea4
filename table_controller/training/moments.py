"""The moments of a case that can be asked about: a table, an act, what became of it, and what the case says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from betline.cases import Case, Expect
from betline.settings import HouseRules, load_house_rules
from betline.settings.load import PROFILES
from betline.steps import Act, BringIn, Deal, Step, Straddle, TableSetup
from table_controller.betting import Illegal
from table_controller.rulings import Outcome, RulingKind, Table
from table_controller.tools.answers import TooManyChips, check_chips
from table_controller.tools.rule.story import Story

TOLD = (Act, Deal, Straddle, BringIn)
"""Steps that a story of this training may have."""


@dataclass(frozen=True, slots=True)
class House:
    """The rules that a room plays by, and what it calls them."""

    name: str
    rules: HouseRules

    @property
    def title(self) -> str:
        """The rules as a dealer names them."""
        titles = {"tda": "tournament rules", "cash": "cardroom cash rules", "home": "home-game rules"}
        return titles.get(self.name, "the rules of this house")


@dataclass(frozen=True, slots=True)
class Moment:
    """The last step of a story, under the rules of a house, and the keys of the case's `expect` that follow it."""

    case: str
    number: int
    """Of the step in the case, from 1."""
    house: House
    story: Story
    expected: frozenset[str]

    @property
    def before(self) -> Table:
        """The table that the step comes to."""
        return self.story.before

    @property
    def step(self) -> Step:
        """What happens."""
        return self.story.step

    @property
    def outcome(self) -> Outcome:
        """What becomes of it."""
        return self.story.outcome

    @property
    def after(self) -> Table:
        """The table after it."""
        return self.story.outcome.table

    @property
    def physical(self) -> Act | None:
        """The act where it is one of chips, words or cards that must be ruled on; None for any other step."""
        step = self.step
        return step if isinstance(step, Act) and step.action is None and not step.pays else None


def own_house(setup: TableSetup) -> House:
    """The shipped rules that a case is nearest to; what it sets otherwise is left out."""
    told = setup.house.model_dump()
    profiles = [House(name, load_house_rules(name)) for name in PROFILES]
    return min(profiles, key=lambda one: sum(told[key] != value for key, value in one.rules.model_dump().items()))


def moments_of(case: Case, house: House | None = None) -> Iterator[Moment]:
    """The moments of a case under the rules of a house, by default its own profile.

    A story that these rules refuse, or leave to the floor before its end, ends there.
    """
    kept = house or own_house(case.setup)
    setup = replace(case.setup, house=kept.rules)
    try:
        begun = Table.begin(setup)
    except Illegal:
        return
    steps: list[Step] = []
    outcomes: list[Outcome] = []
    entries = [*case.play, None]
    for place, (entry, following) in enumerate(pairwise(entries)):
        if entry is None or isinstance(entry, Expect):
            continue
        table = outcomes[-1].table if outcomes else begun
        outcome = _told(table, entry)
        if outcome is None:
            return
        steps.append(entry)
        outcomes.append(outcome)
        if isinstance(following, Expect):
            story = Story(setup, tuple(steps), begun, tuple(outcomes))
            yield Moment(case.id, place + 1, kept, story, frozenset(following.values))
        if outcome.table.state.floor is not None:
            return


def _told(table: Table, step: Step) -> Outcome | None:
    """What becomes of a step; None where the story cannot be told on."""
    if not isinstance(step, TOLD):
        return None
    try:
        check_chips(step, table.state)
    except TooManyChips:
        return None
    outcome = table.apply(step)
    refused = outcome.error is not None or (
        outcome.ruling is not None and outcome.ruling.ruling is RulingKind.ILLEGAL
    )  # fmt: skip
    return None if refused else outcome
