"""Which house options decided a ruling: the same act is ruled on under every other value of every option.

An option with a list of values is tried with each of them: the whole story is replayed, and where it then comes to
the same moment, the last act's ruling there is what the house would have ruled. Where the option would have changed
the story before it, the act is ruled on as the hand stands, under the other value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args, get_origin

from pydantic import ValidationError

from betline.settings import HouseRules
from betline.steps import Act, ClockExpired, FloorDecision
from table_controller.positions import options_of
from table_controller.rulings import Outcome, Table
from table_controller.tools.rule.story import Story, replayed_under


@dataclass(frozen=True, slots=True)
class OtherRuling:
    """What another value of one option makes of the act."""

    option: str
    rule: str
    """The R-numbers of the option."""
    value: object
    """What the house has."""
    other: object
    outcome: Outcome


def other_rulings(story: Story) -> tuple[OtherRuling, ...]:
    """Each other value of an option under which the last act is ruled otherwise; none where the step is no act."""
    if not isinstance(story.step, Act | ClockExpired | FloorDecision):
        return ()
    asked = _weight(story.outcome)
    return tuple(
        [
            other
            for house, as_ruled in other_houses(story.before.state.house)
            if _weight((other := as_ruled(_under(story, house))).outcome) != asked
        ]
    )


def other_houses(house: HouseRules) -> Iterator[tuple[HouseRules, Callable[[Outcome], OtherRuling]]]:
    """Each house that differs in one option from this one, and what makes an outcome its ruling."""
    for option, info in HouseRules.model_fields.items():
        value = getattr(house, option)
        for other in values_of(info.annotation):
            if other == value and type(other) is type(value):
                continue
            try:
                changed = HouseRules.model_validate({**house.model_dump(exclude_unset=True), option: other})
            except ValidationError:
                continue
            yield changed, partial(OtherRuling, option, info.description or "", value, other)


def values_of(annotation: object) -> tuple[Any, ...]:
    """The values of an option that has a list of them; none for an amount or a range."""
    return tuple(_values(annotation))


def _values(annotation: object) -> Iterator[Any]:
    if annotation is bool:
        yield from (True, False)
    elif annotation is type(None):
        yield None
    elif get_origin(annotation) is Literal:
        yield from get_args(annotation)
    else:
        for part in get_args(annotation):
            yield from _values(part)


def _under(story: Story, house: HouseRules) -> Outcome:
    again = replayed_under(story, house)
    if again is not None:
        return again.outcome
    return _in_place(story.before, house).apply(story.step)


def _in_place(table: Table, house: HouseRules) -> Table:
    """The hand as it stands under other house rules."""
    state = table.state
    options = options_of(house, last_two=state.last_two)
    hand = None if state.hand is None else state.hand.with_options(options)
    return replace(table, state=state._replace(house=house, options=options, hand=hand))


def _weight(outcome: Outcome) -> tuple[object, ...]:
    """What of a ruling players pay or lose by."""
    ruling, error = outcome.ruling, outcome.error
    return (
        None if error is None else error.code,
        None
        if ruling is None
        else (ruling.ruling, ruling.seat, ruling.to, ruling.adds, ruling.returned, ruling.owes, set(ruling.offers)),
        tuple([(settled.seat, settled.binding) for settled in outcome.settled]),
        outcome.table.state.may,
    )
