"""Why the right answer is right: the ruling, its arithmetic, the rules in our words, the floor, and other houses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from betline.rule_texts import text_of
from table_controller.announce.turn import why_no_raise
from table_controller.betting import Hand, Limit
from table_controller.rulings import RulingKind
from table_controller.rulings.values.reckoning import Reckoned
from table_controller.rulings.values.situation import SIZED_BY
from table_controller.rulings.values.state import State
from table_controller.tools.rule.options import OtherRuling, other_houses, other_rulings
from table_controller.tools.rule.story import Story, replayed_under
from table_controller.training import telling
from table_controller.training.asking import Question, questions_of
from table_controller.training.moments import Moment

_OF_THE_ACT: Final = frozenset({"what", "amount", "money", "binding"})
_OFFERS: Final = re.compile(r"; the floor may choose [^.]*\.$")
_NUMBER: Final = re.compile(r"(?<![\d,.])\d{4,}(?!\d|,\d)")
_CHOICES: Final = {
    "check": "a check", "call": "a full call", "fold": "a fold", "withdraw": "everything back, with every option open",
    "live": "a live hand with every option", "passive": "a live hand that may not bet or raise", "dead": "a dead hand",
}  # fmt: skip
_BIG_BET: Final = (Limit.NO_LIMIT, Limit.POT_LIMIT)
_NO_NEWS: Final = "a legal size"
MOST_HOUSES: Final = 3


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is said after an answer; each part may be empty."""

    why: str
    arithmetic: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    """Number and text."""
    floor: str
    elsewhere: tuple[str, ...]
    """What it would be where a house has another option."""


def explained(question: Question) -> Explanation:
    """The explanation of a question's right answer."""
    moment = question.moment
    if question.kind in _OF_THE_ACT:
        why, steps, cites = _of_the_act(moment, settled=question.kind == "binding")
        arithmetic = tuple([_reckoned(step) for step in steps])
    else:
        why, arithmetic, cites = _of_the_turn(question)
    rules = tuple([(shown(rule), text_of(rule)) for rule in dict.fromkeys(cites) if text_of(rule)])
    return Explanation(why, arithmetic, rules, _floor(question), tuple(_elsewhere(question)))


def shown(rule: str) -> str:
    """A rule's number as people write it."""
    return rule.replace("TDA-", "TDA ")


def _of_the_act(moment: Moment, *, settled: bool) -> tuple[str, tuple[Reckoned, ...], tuple[str, ...]]:
    outcome = moment.outcome
    ruling, reckoning = outcome.ruling, outcome.ruling.reckoning if outcome.ruling else ()
    if settled:
        one = outcome.settled[0]
        ruling, reckoning = one.ruling, (*one.reckoning, *(one.ruling.reckoning if one.ruling else ()))
        if ruling is None:
            why = f"The act of seat {one.seat} out of turn does not bind: the action to it has changed."
            return why, reckoning, ("TDA-53",)
    if ruling is None:
        return "", (), ()
    why = grouped(_OFFERS.sub(".", ruling.sentence))
    told = tuple([step for step in reckoning if step.outcome != _NO_NEWS])
    return why, told, (*ruling.cites, *[step.rule for step in told])


def _reckoned(step: Reckoned) -> str:
    amounts = ", ".join(f"{name} {amount:,}" for name, amount in step.amounts)
    what = step.what[:1].upper() + step.what[1:]
    return f"{what}: {amounts}; {grouped(step.outcome)}." if amounts else f"{what}: {grouped(step.outcome)}."


def grouped(text: str) -> str:
    """The text with its amounts as people write them: 9,000."""
    return _NUMBER.sub(lambda found: f"{int(found.group()):,}", text)


# --- the turn, and the pots


def _of_the_turn(question: Question) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    state = question.moment.after.state
    hand = state.hand
    if hand is None:
        return "", (), ()
    if question.kind in ("pots", "who", "uncalled"):
        return _pots(question, hand)
    seat = hand.next_seat
    if question.kind == "next":
        return _next(question.moment, hand)
    if seat is None:
        return "", (), ()
    limit = hand.structure.limit
    sized = SIZED_BY[limit] if question.kind == "most" or limit not in _BIG_BET else "TDA-43"
    lines: list[str] = []
    if question.kind in ("call", "say"):
        lines.append(_call(hand, seat))
    if question.kind in ("least", "say", "may"):
        lines += _least(state, hand)
    if question.kind == "most":
        lines += _most(state, hand)
    if question.kind == "least" and question.mode == "player" and hand.bet(seat) and state.raise_range:
        least = state.raise_range[0]
        lines.append(f"{hand.bet(seat):,} is out already: {least:,} - {hand.bet(seat):,} = {least - hand.bet(seat):,}.")
    refused = why_no_raise(state) if question.kind == "may" else ""
    numbers = tuple([number.replace(" ", "-") for number in re.findall(r"TDA \d+|R-\d+", refused)])
    cites = ("TDA-41",) if question.kind == "call" else (sized,) if not refused else numbers
    return grouped(refused), tuple(lines), cites


def _call(hand: Hand, seat: int) -> str:
    call, bet = hand.to_call or 0, hand.bet(seat)
    if call < hand.level - bet:
        return f"The bet is {hand.level:,}, but seat {seat} has only {call:,} left: that is its call."
    rest = f", of which {bet:,} is out: {hand.level:,} - {bet:,} = {call:,}" if bet else ""
    return f"The bet to match is {hand.level:,}{rest}."


def _least(state: State, hand: Hand) -> list[str]:
    bounds = state.raise_range
    if bounds is None:
        return []
    level, step, least = hand.level, hand.last_raise, bounds[0]
    if not level:
        return [f"Nobody has bet: the smallest bet is {least:,}."]
    if level + step == least:
        return [f"The bet is {level:,} and the last full bet or raise was {step:,}: {level:,} + {step:,} = {least:,}."]
    return [f"The bet is {level:,}; a full raise here makes it {least:,}."]


def _most(state: State, hand: Hand) -> list[str]:
    bounds, pot = state.raise_range, hand.pot_bet
    if bounds is None:
        return []
    if pot is None:
        return [f"The bet is {hand.level:,}; the rules of this game allow no more than {bounds[1]:,}."]
    parts = [
        f"three times the last bet to match, 3 x {pot.last_wager:,}",
        f"what else went in this round, {pot.trail:,}",
    ]
    parts.append(f"what lay there before it or counts as if it did, {pot.start:,}")
    total = 3 * pot.last_wager + pot.trail + pot.start
    lines = [f"The pot bet is {parts[0]}, plus {parts[1]}, plus {parts[2]}: {total:,}."]
    if pot.rounded:
        lines.append(f"This house rounds the pot up by {pot.rounded:,}: {pot.maximum:,}.")
    return lines


def _next(moment: Moment, hand: Hand) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    ruling = moment.outcome.ruling
    alerts = moment.outcome.alerts
    if "out-of-turn" in alerts and hand.next_seat is not None:
        why = f"An act out of turn does not move the action: it is still on seat {hand.next_seat}."
        return why, (), ("TDA-53",)
    if hand.hand_over:
        return "Everybody else has folded: the last hand wins.", (), ()
    if hand.next_seat is None:
        return "Everybody who has a hand and chips has acted and has matched the bet.", (), ()
    if ruling is not None and ruling.ruling is RulingKind.NONE and ruling.seat == hand.next_seat:
        return f"Seat {hand.next_seat} has not acted yet, so the action stays there.", (), ruling.cites
    why = f"Play goes clockwise, past folded and all-in hands, until the bet is matched: seat {hand.next_seat} is next."
    if hand.option:
        why += " A blind or straddle is no act: it still has its option."
    return why, (), ()


def _pots(question: Question, hand: Hand) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    put_in = ", ".join(f"seat {seat} {amount:,}" for seat, amount in sorted(hand.contributions.items()) if amount)
    lines = [f"Put in over the hand, without what goes back: {put_in}."]
    if hand.dead_money:
        lines.append(f"Dead money in the main pot: {hand.dead_money:,}.")
    for place, pot in enumerate(hand.pots):
        name = "Main pot" if not place else "Side pot" if len(hand.pots) == 2 else f"Side pot {place}"
        seats = (
            " and ".join([", ".join(map(str, pot.seats[:-1])), str(pot.seats[-1])])
            if len(pot.seats) > 1
            else pot.seats[0]
        )
        lines.append(f"{name}: {pot.amount:,}, for seats {seats}.")
    if question.kind == "uncalled":
        return "What nobody matched is no part of any pot: it goes back.", tuple(lines), ()
    why = (
        "Each all-in caps a pot: up to its amount everybody's chips go into that pot, folded ones too; what is above "
        "it makes the next one. Only live hands that paid into a pot in full can win it."
    )
    return why, tuple(lines), ("TDA-21",)


# --- the floor, and other houses


def _floor(question: Question) -> str:
    if question.kind not in _OF_THE_ACT:
        return ""
    ruling = question.moment.outcome.ruling
    if ruling is None or not ruling.offers:
        return f"The floor may rule otherwise where fairness asks for it ({shown('TDA-1')})."
    offers = [in_words(offer) for offer in ruling.offers]
    listed = f"{', '.join(offers[:-1])} or {offers[-1]}" if len(offers) > 1 else offers[0]
    return f"The floor may make it {listed}."


def in_words(offer: str) -> str:
    """What the floor may choose, as people say it: "a raise to 900"."""
    kind, _, size = offer.partition(":")
    if size:
        return f"a bet of {int(size):,}" if kind == "bet" else f"a raise to {int(size):,}"
    return _CHOICES.get(kind, kind)


def _elsewhere(question: Question) -> Iterator[str]:
    """What the same act would be in a house with another option, where the answer is another."""
    found: dict[str, str] = {}
    moment, story = question.moment, question.moment.story
    others = other_rulings(story) if question.kind in _OF_THE_ACT else _other_turns(story)
    for other in others:
        outcome = other.outcome
        if outcome.error is not None or (outcome.ruling is not None and outcome.ruling.ruling is RulingKind.ILLEGAL):
            continue
        there = replace(moment, story=replace(story, outcomes=(*story.outcomes[:-1], outcome)))
        same = [
            one for one in questions_of(there, question.topic, frozenset({question.kind}), question.mode)
            if one.id == question.id
        ]  # fmt: skip
        if same and same[0].right == question.right:
            continue
        ruling = outcome.ruling
        told = ruling is not None and question.kind in _OF_THE_ACT
        answer = same[0].right_text if same else telling.ruled_as(ruling, outcome) if told and ruling else ""
        if answer:
            answer = answer.strip('"')
            text = answer[:1].upper() + answer[1:]
            found.setdefault(text, f"house option {other.option}: {_value(other.other)}; {other.rule}")
    for text, option in list(found.items())[:MOST_HOUSES]:
        yield f"{text.rstrip('.')} ({option})."


def _other_turns(story: Story) -> Iterator[OtherRuling]:
    """The same story under each other value of each option, where it comes to the same step."""
    for house, as_ruled in other_houses(story.setup.house):
        again = replayed_under(story, house)
        if again is not None:
            yield as_ruled(again.outcome)


def _value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
