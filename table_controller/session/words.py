"""Words and the chips they belong to (R-020, R-036, R-040).

Words are keyed after the chips have landed, so the time of a key never says which came first. Where both orders give
the same ruling nothing is asked; else the act is ruled as if the words came first, and the dealer may say otherwise.
"""

from __future__ import annotations

from dataclasses import replace

from betline.messages.table import Alert
from betline.steps import Act, First, Says, Undo
from table_controller.journal.entries import Answered, AskedWhichFirst, Heard, Source, WordsWait
from table_controller.rulings.table import Outcome, Table
from table_controller.session.draft import NO_TABLE, Draft
from table_controller.session.history import last_chips

Response = tuple[str, str]
"""The code and the sentence of a reply."""

ORDERS: tuple[First, ...] = ("says", "chips", "both")


def say(draft: Draft, said: Says) -> Response:
    """A seat has said something: with chips that still move, with chips ruled on just now, or by itself."""
    seat, text, first = said.seat, said.text, said.first
    if draft.table is None:
        return NO_TABLE.code, NO_TABLE.sentence
    if seat in draft.sensing.accounts:
        pushed = draft.sensing.pushed(seat, draft.now.mono_ns)
        if not pushed.stale and (pushed.values or pushed.unknown):
            draft.note(WordsWait(seat=seat, text=text, first=first))
            return "ok", f"Seat {seat}: {text!r} is ruled with its chips when these have settled."
    earlier = None if _gathered(draft, seat) else last_chips(draft.book, seat)
    if earlier is not None and draft.table.state.next_seat != seat:
        before, after = earlier
        act = after.table.step if after.table is not None else None
        if isinstance(act, Act) and act.says is None and before.table is not None:
            return _late(draft, replace(act, says=text), first, before.table, is_last=after.table is draft.table)
    refusal = draft.apply(Act(seat=seat, says=text), "words")
    return ("ok", f"Seat {seat}: {text}.") if refusal is None else (refusal.code, refusal.sentence)


def _gathered(draft: Draft, seat: int) -> bool:
    """Whether the betting is over and the dealer has taken the seat's chips: what it says now is of the next street."""
    hand, account = None if draft.table is None else draft.table.state.hand, draft.sensing.accounts.get(seat)
    if hand is None or hand.next_seat is not None or account is None or not account.counted:
        return False
    pot = draft.sensing.zones.get("pot")
    return account.counted.keys() <= account.gone.keys() | (pot.present.keys() if pot is not None else set())


def combine(draft: Draft, act: Act, text: str, first: First | None, felt_act: int | None) -> None:
    """Rules on chips that have settled together with the words that were keyed for them."""
    if draft.table is None:
        return
    spoken = replace(act, says=text)
    unlike = _unlike(draft.table, spoken) if first is None and act.motions else None
    chosen = spoken if not act.motions else replace(spoken, first=first or "says")
    source: Source = "chips" if act.motions else "words"
    refusal = draft.apply(chosen, source, felt_act)
    if refusal is not None:
        draft.alert(Alert(severity="error", code=refusal.code, seat=act.seat, sentence=refusal.sentence))
        return
    if unlike is not None:
        _ask(draft, act.seat, text, unlike)


def answered(draft: Draft, choice: str) -> Response:
    """The dealer says which came first: the last act is ruled again."""
    asked = draft.book.which_first
    table = draft.table
    if asked is None or table is None or choice not in ORDERS:
        return "no-question", "This question has been answered, or another act has come since."
    step = table.step
    if not isinstance(step, Act) or step.seat != asked.seat or step.says is None:
        return "too-late", f"Undo to it first: another step has come since seat {asked.seat} spoke."
    first = next(order for order in ORDERS if order == choice)
    felt_act = draft.book.felt_act
    if step.first == first:
        draft.note(Answered(id=asked.id, choice=choice))
        return "ok", f"Seat {asked.seat}: it stands."
    refusal = draft.apply(Undo(count=1), "keyed") or draft.apply(replace(step, first=first), "chips", felt_act)
    if refusal is not None:
        return refusal.code, refusal.sentence
    draft.note(Answered(id=asked.id, choice=choice))
    return "ok", f"Seat {asked.seat}: ruled again."


def _late(draft: Draft, act: Act, first: First | None, before: Table, *, is_last: bool) -> Response:
    """Words keyed after their chips were ruled on: nothing changes where they agree, else the act is ruled again."""
    heard = replace(act, first=first or "says")
    again, stands = before.apply(heard), before.apply(replace(act, says=None, first="says"))
    if again.ruling is not None and "not-understood" in again.ruling.alerts:
        return "unsupported", f"{act.says!r} is not understood; the chips of seat {act.seat} stand as they were ruled."
    if _gist(again) == _gist(stands) or again.error is not None:
        if again.error is not None:
            return again.error.code, again.error.sentence
        draft.note(Heard(seat=act.seat, text=str(act.says)))
        return "ok", f"Seat {act.seat}: {act.says}, as its chips were ruled."
    if not is_last:
        sentence = again.ruling.sentence if again.ruling is not None else ""
        return (
            "too-late",
            f"Others have acted on seat {act.seat}'s chips as they were ruled. With the words: {sentence}",
        )
    unlike = _unlike(before, act) if first is None else None
    felt_act = draft.book.felt_act
    refusal = draft.apply(Undo(count=1), "keyed") or draft.apply(heard, "chips", felt_act)
    if refusal is not None:
        return refusal.code, refusal.sentence
    if unlike is not None:
        _ask(draft, act.seat, str(act.says), unlike)
    return "ok", f"Seat {act.seat}: {act.says}, ruled with its chips."


def _unlike(table: Table, act: Act) -> str | None:
    """What the act would be had the chips come first, where that differs from the words first."""
    says, chips = table.apply(replace(act, first="says")), table.apply(replace(act, first="chips"))
    if _gist(says) == _gist(chips):
        return None
    return chips.ruling.sentence if chips.ruling is not None else "it would be refused"


def _gist(outcome: Outcome) -> tuple[object, ...]:
    ruling = outcome.ruling
    if ruling is None or outcome.error is not None:
        return (outcome.error.code if outcome.error else None,)
    return ruling.ruling, ruling.to, ruling.returned, ruling.owes


def _ask(draft: Draft, seat: int, text: str, otherwise: str) -> None:
    book = draft.book
    draft.note(
        AskedWhichFirst(
            id=f"first-{book.hand_no}-{book.act_no}-{seat}",
            seat=seat,
            text=text,
            sentence=f"Seat {seat} said {text!r}: before its chips, after them, or together? After: {otherwise}",
        )
    )
