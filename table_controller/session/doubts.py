"""What lies before a seat against the books and against a key: asked, and nothing is ruled on it before (R-042, R-074).

No antenna sees a stack, so the books may have it wrong: more chips than a seat should have, or an all-in of which less
lies there, prove it. A key and the chips that belong to it may disagree: then a person is asked for `KEY_OR_FELT_NS`,
and after that the key stands (a key counts more than a reading).
"""

from __future__ import annotations

from betline.messages.table import Alert
from betline.steps import Act, Count, Undo
from betline.units import NS_PER_MS
from table_controller.betting import Hand
from table_controller.journal.entries import Answered, AskedWhatLies, Source
from table_controller.rulings.values.ruling import Refusal, Ruling, RulingKind
from table_controller.sensing.amounts import without
from table_controller.session import words
from table_controller.session.draft import NO_TABLE, Draft

KEY_OR_FELT_NS = 3_000 * NS_PER_MS
KEEP = "keep-the-key"
_UNCERTAIN = (RulingKind.NONE, RulingKind.FLOOR, RulingKind.ILLEGAL)


def more_than_the_books(draft: Draft, act: Act, felt_act: int) -> bool:
    """Whether chips in turn are more than their seat can have; then they wait for a count."""
    hand = None if draft.table is None else draft.table.state.hand
    if draft.table is None or hand is None or hand.next_seat != act.seat:
        return False
    seat = act.seat
    has = hand.bet(seat) + hand.stack(seat)
    lies = draft.table.state.laid.get(seat, hand.bet(seat)) + sum(act.pushed) - sum(act.takes_back)
    if lies <= has:
        return False
    _ask_count(draft, seat, (lies, has), f"the books say {has}, {lies} lie there.", act, felt_act)
    return True


def less_than_said(draft: Draft, seat: int) -> None:
    """Asks for a count where a seat said that it is all-in and its chips, put out with the words, are fewer."""
    hand = None if draft.table is None else draft.table.state.hand
    step = None if draft.table is None else draft.table.step
    if hand is None or not isinstance(step, Act) or step.says is None or seat not in hand.all_in:
        return
    owes = draft.book.owes.get(seat, 0)
    if step.motions and owes:
        lies = hand.bet(seat) - owes
        _ask_count(draft, seat, (lies, hand.bet(seat)), f"{lies} or {hand.bet(seat)}?")


def differs(draft: Draft, seat: int, lies: int) -> bool:
    """Whether a person is asked now, since so much lies there for an act that was keyed or said and is the last one."""
    table = draft.table
    step = None if table is None else table.step
    before = draft.book.before
    if table is None or not isinstance(step, Act) or step.seat != seat or before is None or before.table is None:
        return False
    hand, ruled = table.state.hand, table.ruling
    if hand is None or ruled is None:
        return False
    if ruled.all_in:
        bet = hand.bet(seat)
        what = f"{lies} or {bet}?" if lies < bet else f"the books say {bet}, {lies} lie there."
        _ask_count(draft, seat, (lies, bet), what)
        return True
    was = before.table.state.hand
    if step.action is None or was is None or step.action == "fold":
        return False
    account = draft.sensing.accounts[seat]
    chips = without(tuple(account.counted.values()), was.bet(seat) + account.dead_here)
    act = Act(seat=seat, motions=(tuple(sorted(chips, reverse=True)),)) if chips else None
    felt = None if act is None else before.table.apply(act)
    if act is None or felt is None or felt.error is not None or felt.ruling is None:
        return False
    if felt.ruling.ruling in _UNCERTAIN or (felt.ruling.ruling, felt.ruling.to) == (ruled.ruling, ruled.to):
        return False
    choice = _named(felt.ruling)
    keyed = _named(ruled).replace("-", " ")
    sentence = f"Seat {seat}: you keyed {keyed}; {lies} lie there: {choice.replace('-', ' ')}? U takes the key back."
    draft.note(
        AskedWhatLies(
            id=f"felt-{draft.book.hand_no}-{draft.book.act_no}-{seat}-{lies}", question="key-or-felt", seat=seat,
            sentence=sentence, choices=(choice, KEEP), act=act, asked_ns=draft.now.mono_ns,
        )
    )  # fmt: skip
    return True


def answered(draft: Draft, choice: str) -> Refusal | None:
    """A person has counted, or says whether the key or the chips hold."""
    doubt = draft.book.doubt
    if doubt is None:
        return Refusal("no-question", "Read the screen again: this question has been answered.")
    if choice == KEEP:
        _key_stands(draft, doubt)
        return None
    draft.note(Answered(id=doubt.id, choice=choice))
    if doubt.question == "key-or-felt" and isinstance(doubt.act, Act):
        return draft.apply(Undo(count=1), "keyed") or draft.apply(doubt.act, "chips")
    if isinstance(doubt.act, Act):
        return _corrected(draft, doubt.seat, int(choice)) or _rule(draft, doubt.act, doubt.felt_act)
    if choice == doubt.choices[-1]:
        return None
    step = None if draft.table is None else draft.table.step
    if not isinstance(step, Act) or step.seat != doubt.seat:
        return Refusal("too-late", f"Another step has come since: count seat {doubt.seat} and correct its bet.")
    source: Source = "words" if step.says is not None else "keyed"
    felt_act = draft.book.felt_act
    return (
        draft.apply(Undo(count=1), "keyed")
        or _corrected(draft, doubt.seat, int(choice))
        or draft.apply(step, "chips" if step.motions else source, felt_act)
    )


def counted(draft: Draft) -> None:
    """After the dealer counted a stack by hand: chips that waited for that are ruled on."""
    doubt = draft.book.doubt
    if doubt is None or not isinstance(doubt.act, Act) or doubt.question != "count":
        return
    draft.note(Answered(id=doubt.id, choice="counted"))
    if not more_than_the_books(draft, doubt.act, doubt.felt_act or 0):
        refusal = _rule(draft, doubt.act, doubt.felt_act)
        if refusal is not None:
            draft.alert(Alert(severity="error", code=refusal.code, seat=doubt.seat, sentence=refusal.sentence))


def replaced(draft: Draft, amends: int | None) -> bool:
    """Whether a chip that came late belongs to an act that waits for a count: it is ruled on with it."""
    doubt = draft.book.doubt
    if doubt is None or doubt.act is None or amends is None or doubt.felt_act != amends:
        return False
    draft.note(Answered(id=doubt.id, choice="another-chip"))
    return True


def settled(draft: Draft, seat: int) -> None:
    """The chips have come to what was keyed, as where a player makes change: nobody is asked any more."""
    doubt = draft.book.doubt
    if doubt is None or doubt.question != "key-or-felt" or doubt.seat != seat:
        return
    if draft.sensing.accounts[seat].total == draft.book.bet_of(seat):
        draft.note(Answered(id=doubt.id, choice=KEEP))


def lapse(draft: Draft) -> bool:
    """Whether the time to answer for the chips is over: then the key stands."""
    doubt = draft.book.doubt
    if doubt is None or doubt.question != "key-or-felt":
        return False
    if 0 <= draft.now.mono_ns - doubt.asked_ns < KEY_OR_FELT_NS:
        return False
    _key_stands(draft, doubt)
    return True


def _key_stands(draft: Draft, doubt: AskedWhatLies) -> None:
    draft.note(Answered(id=doubt.id, choice=KEEP))
    lies, bet = draft.sensing.accounts[doubt.seat].total, draft.book.bet_of(doubt.seat)
    to_do = f"put {bet - lies} more in" if lies < bet else f"give {lies - bet} back"
    sentence = f"Seat {doubt.seat}: {to_do}, or U: the key stands for {bet}, {lies} lie there."
    draft.alert(Alert(severity="warning", code="ledger-off", seat=doubt.seat, sentence=sentence))


def _ask_count(
    draft: Draft, seat: int, figures: tuple[int, int], what: str, act: Act | None = None, felt_act: int | None = None
) -> None:
    lies, books = figures
    draft.note(
        AskedWhatLies(
            id=f"count-{draft.book.hand_no}-{draft.book.act_no}-{seat}-{lies}", question="count", seat=seat,
            sentence=f"Count seat {seat}: {what}", choices=(str(lies), str(books)), act=act, felt_act=felt_act,
            asked_ns=draft.now.mono_ns,
        )
    )  # fmt: skip


def _corrected(draft: Draft, seat: int, has: int) -> Refusal | None:
    """The books after a count: the seat has so much, its bet of this round included."""
    hand: Hand | None = None if draft.table is None else draft.table.state.hand
    if hand is None:
        return NO_TABLE
    stack = has - hand.bet(seat)
    return None if stack == hand.stack(seat) else draft.apply(Count(seat=seat, stack=stack), "keyed")


def _rule(draft: Draft, act: Act, felt_act: int | None) -> Refusal | None:
    spoken = draft.book.words.get(act.seat)
    if spoken is None:
        return draft.apply(act, "chips", felt_act)
    words.combine(draft, act, spoken.text, spoken.first, felt_act)
    return None


def _named(ruling: Ruling) -> str:
    match ruling.ruling:
        case RulingKind.CALL | RulingKind.BET:
            return f"{ruling.ruling}-{ruling.to}"
        case RulingKind.RAISE | RulingKind.COMPLETE:
            return f"{ruling.ruling}-to-{ruling.to}"
    return str(ruling.ruling)
