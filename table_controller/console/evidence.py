"""What stands beside an act that the floor is to rule on: the rules it was ruled by, and what was seen of it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from betline.messages.recall import RecalledAct, RecalledHand
from betline.messages.table import Ruling
from betline.rule_texts import text_of

PICTURE = "betline vision ring show"


def beside(ruling: Ruling, hands: Iterable[RecalledHand]) -> tuple[str, ...]:
    """The lines: how it was ruled, each rule with its number, when it was, and the evidence as the journal has it."""
    return tuple(_lines(ruling, _recalled(ruling, hands)))


def _lines(ruling: Ruling, act: RecalledAct | None) -> Iterator[str]:
    yield f"Ruled: {ruling.sentence}"
    for rule in ruling.cites:
        text = text_of(rule)
        yield f"{rule.replace('-', ' ', 1) if rule.startswith('TDA') else rule}: {text}" if text else rule
    if act is None:
        return
    by = f", by {act.by}" if act.by else ""
    yield f"{act.at[11:23]}  Journal: entry {act.seq}, {act.source or 'told'}{by}"
    yield from act.evidence
    if act.pictures:
        yield f"Picture: {PICTURE} {act.pictures[-1]}"
    elif not act.evidence:
        yield "No sensor saw it."


def _recalled(ruling: Ruling, hands: Iterable[RecalledHand]) -> RecalledAct | None:
    """The journal's act of a ruling, the newest where it was ruled anew."""
    for hand in hands:
        if hand.hand == ruling.hand_no:
            for act in reversed(hand.acts):
                if any((one.act_no, one.seat) == (ruling.act_no, ruling.seat) for one in act.rulings):
                    return act
    return None
