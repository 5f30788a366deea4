"""A ruling explained to people: what happened, the ruling, its arithmetic, the rules, the house, and who is next."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import yaml

from betline.rule_texts import text_of
from betline.steps import Act, ClockExpired, FloorDecision, Override, Step, step_to_mapping
from table_controller.announce.phrases import spoken
from table_controller.announce.turn import turn_of
from table_controller.rulings import Outcome, Ruling
from table_controller.rulings.redo.otherwise import moves_in_words
from table_controller.rulings.values.reckoning import Reckoned
from table_controller.rulings.values.sentences import verb
from table_controller.tools.rule.options import OtherRuling
from table_controller.tools.rule.story import Story
from table_controller.tools.rule.texts import meaning_of, rule_named

WIDTH = 100


def explained(story: Story, others: Iterable[OtherRuling]) -> str:
    """The whole page."""
    outcome = story.outcome
    ruling = outcome.ruling
    parts = [
        *[f"Step {refused.number} was refused, the story goes on: {refused.sentence}" for refused in story.refused],
        f"{_scene(story)} {happened(story.step)}",
        "",
        *_ruled(outcome),
    ]
    if ruling is not None:
        amounts = [] if outcome.error is not None else _amounts(ruling)
        parts += [*amounts, *_decided_by(ruling), *_reckoned(ruling.reckoning)]
    else:
        parts += _reckoned(outcome.reckoning)
    for settled in outcome.settled:
        how = "is binding" if settled.binding else "is not binding: its chips go back, and all its options are open"
        parts += ["", f"The act of seat {settled.seat} out of turn {how}."]
        if settled.ruling is not None:
            parts += [settled.ruling.sentence]
        parts += _reckoned((*settled.reckoning, *(settled.ruling.reckoning if settled.ruling else ())))
    parts += _otherwise(outcome)
    parts += [*_rules(outcome), *_alerts(outcome), *_house(outcome, others), *_next(story)]
    return "\n".join(parts)


def happened(step: Step) -> str:
    """What a step says, in a sentence."""
    if isinstance(step, ClockExpired):
        return f"The clock of seat {step.seat} has run out."
    if isinstance(step, Override):
        to = "" if step.to is None else f" to {step.to}"
        return f"The floor ({step.by}) rules on seat {step.seat}: {step.ruling}{to}, {step.why}."
    if isinstance(step, FloorDecision):
        return f"The floor decides: {step.ruling}{'' if step.to is None else f' to {step.to}'}."
    if not isinstance(step, Act):
        return f"Step: {yaml.safe_dump(step_to_mapping(step), default_flow_style=True, width=1000).strip()}"
    return f"Seat {step.seat} {_joined(_parts_of(step))}."


_DOES = {
    "check": "checks", "call": "calls", "bet": "bets", "raise": "raises", "complete": "completes", "fold": "folds",
    "all-in": "goes all-in",
}  # fmt: skip


def _parts_of(act: Act) -> list[str]:
    parts = []
    if act.action is not None:
        to = "" if act.to is None else f" {act.to}" if act.action == "bet" else f" to {act.to}"
        unnoticed = ", an illegal size that nobody noticed" if act.accepted else ""
        parts.append(f"{_DOES[act.action]}{to}{unnoticed}, as keyed")
    if act.gesture is not None:
        parts.append("taps the table" if act.gesture == "tap" else "pushes the cards away")
    if act.pays:
        parts.append(f"pays {_chips(act.pays)} of what it owes")
    if act.takes_back:
        parts.append(f"pulls back {_chips(act.takes_back)}")
    if act.changes is not None:
        parts.append(f"gives {_chips(act.changes.gives)} for {_chips(act.changes.takes)} out of the pot")
    pushes = [f"{'then' if number else 'pushes'} {_chips(motion)}" for number, motion in enumerate(act.motions)]
    if act.splashes:
        pushes.append(f"throws {_chips(act.splashes)} into the pot")
    if act.carries_back:
        pushes.append(f"carries {_chips(act.carries_back)} over the line and back")
    says = [f'says "{act.says}"'] if act.says is not None else []
    if pushes and says and act.first == "both":
        return [*parts, *says, f"at the same time {_joined(pushes)}"]
    if act.first == "chips" and pushes:
        return [*parts, *pushes, *says]
    return [*parts, *says, *pushes] if says else [*parts, *pushes, *(["says nothing"] if pushes else [])]


def _chips(chips: tuple[int, ...]) -> str:
    kinds = [(chip, chips.count(chip)) for chip in sorted(set(chips), reverse=True)]
    listed = " + ".join([str(chip) if count == 1 else f"{count} x {chip}" for chip, count in kinds])
    return listed if len(chips) == 1 else f"{listed} = {sum(chips)}"


def _joined(parts: list[str]) -> str:
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _scene(story: Story) -> str:
    """Where the act comes: the game, the street, what its seat faces."""
    state = story.before.state
    game = state.game
    blinds = f" {'-'.join(map(str, game.blinds))}" if game.blinds else ""
    hand = state.hand
    if hand is None or hand.hand_over:
        return f"{game.limit}{blinds}, between hands."
    if hand.next_seat is None:
        return f"{game.limit}{blinds}, {hand.street}, pot {hand.pot}, no action."
    facing = f"facing {hand.level}, {hand.to_call} to call" if hand.to_call else "with nothing to call"
    waits = "" if state.floor is None else f" The floor is deciding on seat {state.floor.seat}."
    return f"{game.limit}{blinds}, {hand.street}, pot {hand.pot}: seat {hand.next_seat} to act, {facing}.{waits}"


def _ruled(outcome: Outcome) -> list[str]:
    if outcome.error is not None:
        return [f"ILLEGAL ({outcome.error.code}): {outcome.error.sentence}", "The table is unchanged."]
    if outcome.ruling is None:
        done = "Done." if outcome.reckoning else "Done. This step is not a player's act, so there is no ruling."
        return [done]
    return _wrapped(f"{outcome.ruling.ruling.upper()}: {outcome.ruling.sentence}", "")


def _amounts(ruling: Ruling) -> list[str]:
    named = [
        ("bet this round", ruling.to),
        ("adds", ruling.adds),
        ("goes back", ruling.returned),
        ("owes", ruling.owes),
    ]
    listed = ", ".join(f"{name} {amount}" for name, amount in named)
    return ["", "Amounts", f"  {listed}{', all-in' if ruling.all_in else ''}"]


def _decided_by(ruling: Ruling) -> list[str]:
    rule = rule_named(ruling.rule)
    if rule is None:
        return []
    return ["", "Decided by", *_wrapped(f"{rule.__name__.replace('_', ' ')}: {meaning_of(rule)}", "  ")]


def _reckoned(steps: Iterable[Reckoned]) -> list[str]:
    lines = []
    for step in steps:
        amounts = ", ".join(f"{name} {amount}" for name, amount in step.amounts)
        lines += _wrapped(f"{step.what} ({_shown(step.rule)}): {amounts}: {step.outcome}", "  ")
    return ["", "Reckoning", *lines] if lines else []


def _otherwise(outcome: Outcome) -> list[str]:
    """What is ruled otherwise after a correction or the floor's override, and the chips that must move for it."""
    lines = [line for one in outcome.otherwise for line in _wrapped(one.sentence, "  ")]
    lines += [f"  {moves_in_words(seat, amount)}" for seat, amount in outcome.moves.items()]
    return ["", "Ruled otherwise", *lines] if lines else []


def _rules(outcome: Outcome) -> list[str]:
    rulings = [outcome.ruling, *[settled.ruling for settled in outcome.settled]]
    named = [rule for one in rulings if one is not None for rule in (*one.cites, *[r.rule for r in one.reckoning])]
    named = [*outcome.cites, *named, *[one.rule for one in outcome.reckoning]]
    named += [step.rule for settled in outcome.settled for step in settled.reckoning]
    lines = [line for rule in dict.fromkeys(named) for line in _wrapped(f"{_shown(rule):<7} {text_of(rule)}", "  ", 8)]
    return ["", "Rules", *lines] if lines else []


def _alerts(outcome: Outcome) -> list[str]:
    return ["", "Alerts", f"  {', '.join(outcome.alerts)}"] if outcome.alerts else []


def _house(asked: Outcome, others: Iterable[OtherRuling]) -> list[str]:
    lines = []
    for other in others:
        setting = f"{other.option} is {_value(other.value)} ({other.rule}); with {_value(other.other)}"
        otherwise, state = _in_short(other.outcome), other.outcome.table.state
        if otherwise == _in_short(asked):
            otherwise += f"; seat {state.next_seat} may then {', '.join(sorted(state.may))}"
        lines += _wrapped(f"{setting}: {otherwise}", "  ")
    return ["", "House options that decided", *lines] if lines else []


def _in_short(outcome: Outcome) -> str:
    """A ruling in a few words."""
    if outcome.error is not None:
        return f"illegal ({outcome.error.code})"
    ruling = outcome.ruling
    if ruling is None:
        return "done"
    text = f"seat {ruling.seat} {verb(ruling)}"
    for amount, what in ((ruling.returned, "goes back"), (ruling.owes, "owed")):
        text += f", {amount} {what}" if amount else ""
    if ruling.offers:
        text += f", who may choose {', '.join(ruling.offers)}"
    for settled in outcome.settled:
        text += f"; the act of seat {settled.seat} out of turn is {'' if settled.binding else 'not '}binding"
    return text


def _next(story: Story) -> list[str]:
    state = story.outcome.table.state
    turn = turn_of(state)
    if state.floor is not None:
        line = f"The floor decides on seat {state.floor.seat}: {', '.join(state.floor.verdict.offers)}."
    elif turn is not None:
        line = f"{spoken(turn)}.{_pot_bet(story)}"
    elif state.between_hands:
        line = "Begin the next hand: this one is over."
    elif state.hand is not None and state.hand.betting_over:
        line = "The betting of the hand is over."
    else:
        line = "The betting round is over."
    return ["", "Next", f"  {line}"]


def _pot_bet(story: Story) -> str:
    """How the pot bet of the next seat comes out, in pot-limit."""
    hand = story.outcome.table.state.hand
    pot = None if hand is None else hand.pot_bet
    if pot is None:
        return ""
    rounded = f" + {pot.rounded} by rounding" if pot.rounded else ""
    return f" The pot bet: 3 x {pot.last_wager} + trail {pot.trail} + start {pot.start}{rounded} = {pot.maximum}."


def _value(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(rule: str) -> str:
    return rule.replace("TDA-", "TDA ")


def _wrapped(text: str, indent: str, hanging: int = 2) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + " " * hanging)
