"""Plausible wrong answers, reckoned from the amounts that people get wrong; none means what is right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

from betline.steps import Act
from table_controller.betting import Hand
from table_controller.rulings.values.state import State
from table_controller.rulings.values.words import Verb, heard


class Choice(NamedTuple):
    """One answer to choose: what stands there, and what it means, by which two choices are told apart."""

    text: str
    meaning: str


CHOICES = 4


def mixed(right: Choice, wrong: Iterable[Choice], chance: Random) -> tuple[Choice, ...]:
    """The right choice and up to three others of different meaning, the likeliest first, in an order by chance."""
    others: dict[str, Choice] = {}
    for choice in wrong:
        if choice.meaning != right.meaning and choice.text != right.text:
            others.setdefault(choice.meaning, choice)
    found = [right, *list(others.values())[: CHOICES - 1]]
    chance.shuffle(found)
    return tuple(found)


def totals(state: State, hand: Hand, act: Act) -> Iterator[int]:
    """Totals that an act is taken for by mistake, the likeliest first: legal in size or not, within the stack."""
    seat, level, pushed = act.seat, hand.level, sum(act.pushed)
    has = hand.bet(seat) + hand.stack(seat)
    said = heard(act)
    words = int(said.amount) if said is not None and said.amount is not None else 0
    least, most = state.raise_range or (level + hand.last_raise, has)
    pot = hand.pot_bet
    everything = has if said is not None and said.verb is Verb.ALL_IN else 0
    found = (
        hand.bet(seat) + pushed, words, everything, least, pushed, level + words if words else 0,
        level + pushed if pushed else 0, 2 * level, 0 if pot is None else min(pot.maximum, most),
        sum(act.motions[0]) if act.motions else 0, level + hand.pot, 2 * least,
    )  # fmt: skip
    yield from dict.fromkeys([total for total in found if level < total <= has])


def sizes(hand: Hand, seat: int, least: int) -> Iterator[int]:
    """Amounts that are taken for the least raise by mistake."""
    level, bet = hand.level, hand.bet(seat)
    opening = hand.structure.big_blind
    found = (
        2 * level,
        level + opening,
        level + hand.last_raise,
        least - bet,
        least + opening,
        level + 1,
        least + level,
    )
    yield from dict.fromkeys([size for size in found if size != least and size > level])
