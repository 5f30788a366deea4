"""The rule table: the rules on an act in turn, in the order in which they are asked; the first that answers decides.

Each rule is one function, named for what it says and citing where it stands. To check one against the rule book, find
its name here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from table_controller.rulings.acts import chips, declared, gestures
from table_controller.rulings.values.motions import largest_first
from table_controller.rulings.values.reckoning import Reckoned
from table_controller.rulings.values.ruling import RulingKind, Verdict
from table_controller.rulings.values.situation import Situation
from table_controller.rulings.values.words import Verb

Rule: TypeAlias = Callable[[Situation], Verdict | None]

RULES: tuple[Rule, ...] = (
    gestures.fold_after_pulling_back,
    gestures.fold_after_declaring,
    gestures.muck_is_a_fold,
    gestures.tap_over_a_covering_chip,
    gestures.tap_is_a_check,
    declared.not_understood,
    declared.said_fold,
    declared.said_check,
    declared.said_call,
    declared.said_all_in,
    declared.said_pot,
    declared.completing_what_is_complete,
    declared.amount_stays_unclear,
    declared.declared_raise_of_an_amount,
    declared.the_least_was_declared,
    declared.one_size_alone_needs_no_amount,
    declared.declared_raise_with_chips,
    declared.declared_without_an_amount,
    declared.an_amount_alone,
    chips.pulled_back_alone,
    chips.nothing_counts,
    chips.tiny_chip,
    chips.undercall,
    chips.unopened_chips_are_a_bet,
    chips.big_blind_adds_a_chip,
    chips.same_denomination,
    chips.prior_chips_combine,
    chips.single_overchip,
    chips.every_chip_is_needed,
    chips.last_chips_are_all_in,
    chips.several_chips,
)


def decide(s: Situation) -> Verdict:
    """What the rules make of an act in turn; what surrounds every act is added: order of words and chips, strings."""
    if s.act.splashes and not declared.names_its_amount(s):
        return splashed_without_an_amount(s)
    if s.carried:
        return carried_over_the_line(s)
    if s.said is not None and s.chips and (s.said.unclear or declared.amount_is_unclear(s)):
        return chips_with_unclear_words(s)
    verdict, rule = _first(s)
    cites, alerts, reckoning = verdict.cites, verdict.alerts, verdict.reckoning
    if s.standing.no_raise and s.chips:
        cites = (s.standing.no_raise_by, *cites)
    if s.act.says is not None and s.act.motions:
        cites = (*cites, "TDA-40")
    if s.string:
        cites, alerts = (*cites, "TDA-56"), (*alerts, "string-bet")
        reckoning = (_string(s), *reckoning)
    if s.act.splashes:
        alerts = (*alerts, "splash")
    return replace(
        verdict, cites=tuple(dict.fromkeys(cites)), alerts=tuple(dict.fromkeys(alerts)), reckoning=reckoning,
        rule=rule.__name__,
    )  # fmt: skip


def splashed_without_an_amount(s: Situation) -> Verdict:
    """Chips thrown into the pot cannot be counted: the floor decides unless an amount was declared (R-068)."""
    counted, _ = _first(_without_unclear_words(s))
    passive = () if counted.kind is RulingKind.BET and s.said is not None else ("call" if s.facing else "check",)
    alerts = ("splash", "not-understood") if s.said is not None and s.said.unclear else ("splash",)
    return Verdict(
        kind=RulingKind.FLOOR, why="threw chips into the pot without naming an amount", alerts=alerts,
        offers=tuple(dict.fromkeys((*passive, *_offers(s, counted)))), rule=splashed_without_an_amount.__name__,
        reckoning=counted.reckoning,
    )  # fmt: skip


def chips_with_unclear_words(s: Situation) -> Verdict:
    """Words that nobody understood came with chips: the floor decides what they mean (TDA 40-A; R-021)."""
    counted, _ = _first(_without_unclear_words(s))
    passive = "call" if s.facing else "check"
    return Verdict(
        kind=RulingKind.FLOOR, why="the words that came with the chips were not understood", cites=("TDA-40",),
        alerts=("not-understood",), offers=tuple(dict.fromkeys((*_offers(s, counted), passive, "withdraw"))),
        rule=chips_with_unclear_words.__name__, reckoning=counted.reckoning,
    )  # fmt: skip


def _without_unclear_words(s: Situation) -> Situation:
    """The act without words that are not understood; a "bet" or "raise" in them stands."""
    said = s.said
    if said is None or not (said.unclear or declared.amount_is_unclear(s)):
        return s
    no_verb = said.verb in (Verb.UNCLEAR, Verb.AMOUNT)
    return replace(s, said=None if no_verb else replace(said, amount=None, unclear=False))


def carried_over_the_line(s: Situation) -> Verdict:
    """Chips went over the line and back in the hand: the floor decides whether they are committed (R-050)."""
    released = replace(s, carried=())
    committed = replace(released, chips=largest_first(s.chips + s.carried))
    offers = dict.fromkeys((*_offers(s, decide(committed)), *_offers(s, decide(released))))
    return Verdict(
        kind=RulingKind.FLOOR, why="carried chips over the line and back", cites=("TDA-42",),
        offers=tuple(offers), rule=carried_over_the_line.__name__,
    )  # fmt: skip


def _offers(s: Situation, verdict: Verdict) -> tuple[str, ...]:
    """What the floor may choose where it follows a verdict."""
    match verdict.kind:
        case RulingKind.BET:
            return (f"{'raise' if s.hand.level else 'bet'}:{verdict.to}",)
        case RulingKind.NONE:
            return ("withdraw",)
        case RulingKind.FLOOR:
            return verdict.offers
    return (verdict.kind.value,)


def _string(s: Situation) -> Reckoned:
    counted, pushed = sum(s.chips), sum(s.act.pushed)
    amounts = (("put out", pushed), ("first motion", counted), ("later motions", pushed - counted))
    return Reckoned("TDA-56", "the motions", amounts, "later motions do not count")


def _first(s: Situation) -> tuple[Verdict, Rule]:
    for rule in RULES:
        verdict = rule(s)
        if verdict is not None:
            return verdict, rule
    raise AssertionError("the last rule always answers")
