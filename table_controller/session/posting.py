"""Chips before the cards are out: what is due, a straddle, a sleeper to be asked about, or too early (R-043).

What a seat must post (blinds, antes, missed and dead ones, a kill, a rock) is paid first; only what lies there beyond
it can be a straddle, and only where chips were put out for it and not one chip that wants change.
"""

from __future__ import annotations

from betline.messages.table import Alert
from betline.steps import Straddle, Undo
from table_controller.betting import Hand, Illegal, PostKind
from table_controller.journal.entries import Answered, AskedStraddle, Source
from table_controller.positions import StraddleKind
from table_controller.positions.straddles import least_straddle, straddles
from table_controller.rulings.acts.dealer import may_straddle
from table_controller.rulings.values.ruling import Refusal
from table_controller.rulings.values.state import State
from table_controller.sensing import observations as seen
from table_controller.sensing.amounts import exactly
from table_controller.session.draft import NO_TABLE, Draft

STRADDLES = (StraddleKind.LIVE, StraddleKind.MISSISSIPPI)
NO_BET = "no-bet"
_VOLUNTARY = (PostKind.STRADDLE, PostKind.SLEEPER)
_CHANGE_DUE, _EARLY = "change-due", "early-chips"


def straddle(draft: Draft, asked: Straddle, source: Source) -> Refusal | None:
    """Posts a straddle: the least one where no size is given, of the kind that the seat may where none is named."""
    seat = asked.seat
    if draft.table is None:
        return NO_TABLE
    if _stands(draft.table.state, asked):
        return Refusal("not-open", f"Go on: the straddle of seat {seat} is posted already.")
    refusals = []
    for kind in (StraddleKind(asked.kind),) if asked.kind else STRADDLES:
        try:
            hand, placed = may_straddle(draft.table.state)
            least = least_straddle(draft.table.state.house, draft.table.state.structure, placed, seat, kind)
        except Illegal as refusal:
            refusals.append(Refusal(refusal.code, refusal.sentence))
            continue
        refused = draft.apply(_step(seat, asked.to or least, kind), source)
        if refused is None:
            _tell_who_is_displaced(draft, hand, seat)
            return None
        refusals.insert(0, refused)
    return refusals[0] if not asked.kind and refusals[0].code != "not-open" else refusals[-1]


def _stands(state: State, asked: Straddle) -> bool:
    """Whether that straddle has been posted: chips and key may say the same (R-043)."""
    posts = () if state.placed is None else straddles(state.placed)
    return any(post.seat == asked.seat and asked.to in (0, post.amount) for post in posts)


def posted(draft: Draft, report: seen.Posted) -> None:
    """Rules on chips that came in front of a seat while the hand is posted."""
    seat = report.seat
    state = None if draft.table is None else draft.table.state
    if draft.table is None or state is None or state.hand is None:
        return
    if seat not in state.hand.seats:
        _too_early(draft, seat, sum(report.pushed), f"Seat {seat} is not in the hand.")
        return
    due = _put_in(state.hand, seat)
    lying = _lying(draft, seat, due)
    beyond = sum(lying) - due
    if beyond <= 0:
        if not report.pushed:
            _taken_back(draft, state, seat, -beyond)
        return
    if due and exactly(lying, due) is None:
        sentence = f"Seat {seat} put out {sum(lying)} where {due} are due: give back {beyond}."
        draft.alert(Alert(severity="warning", code=_CHANGE_DUE, seat=seat, sentence=sentence))
        return
    to = state.hand.bet(seat) + beyond
    legal = [kind for kind in StraddleKind if draft.table.apply(_step(seat, to, kind)).error is None]
    if StraddleKind.SLEEPER in legal:
        _ask(draft, seat, to, [*[kind for kind in STRADDLES if kind in legal][:1], StraddleKind.SLEEPER])
    elif legal:
        straddle(draft, _step(seat, to, legal[0]), "chips")
    elif not _made_more(draft, seat, to):
        refusal = straddle(draft, Straddle(seat=seat, to=to), "chips")
        _too_early(draft, seat, beyond, "" if refusal is None else refusal.sentence)


def answered(draft: Draft, question: str, choice: str) -> Refusal | None:
    """The dealer says what chips before the cards are."""
    asked = next(one for one in draft.book.blind_raises if one.id == question)
    if choice == NO_BET:
        draft.note(Answered(id=question, choice=choice))
        _too_early(draft, asked.seat, asked.to, "Give them back.")
        return None
    refusal = straddle(draft, _step(asked.seat, asked.to, StraddleKind(choice)), "chips")
    if refusal is None:
        draft.note(Answered(id=question, choice=choice))
    return refusal


def _put_in(hand: Hand, seat: int) -> int:
    """All that a seat has put in by the books, dead money too."""
    return hand.starting_stacks[seat] - hand.stack(seat)


def _lying(draft: Draft, seat: int, due: int) -> tuple[int, ...]:
    """The chips that the seat has put out for this hand; what was due and lay there before it began is among them."""
    account = draft.sensing.accounts[seat]
    chips = tuple(account.counted.values())
    zone = draft.sensing.zones.get(f"seat-{seat}")
    before = tuple([zone.present.get(uid) or 0 for uid in sorted(account.base)]) if zone is not None else ()
    return (*chips, *before) if due and sum(before) == due else chips


def _taken_back(draft: Draft, state: State, seat: int, missing: int) -> None:
    """A straddle stands until the dealer takes it back; a lost reading takes back nothing."""
    straddles = () if state.placed is None else state.placed.posts
    if missing and any(post.seat == seat and post.kind in _VOLUNTARY for post in straddles):
        sentence = f"Seat {seat} took back {missing} of its straddle, which stands: give it back, or undo it."
        draft.alert(Alert(severity="warning", code="chips-taken-back", seat=seat, sentence=sentence))


def _made_more(draft: Draft, seat: int, to: int) -> bool:
    """More chips of the seat that straddled last: its straddle is made anew where that is legal."""
    table = draft.table
    step = None if table is None else table.step
    if table is None or table.before is None or not isinstance(step, Straddle) or step.seat != seat:
        return False
    again = _step(seat, to, StraddleKind(step.kind))
    if table.before.apply(again).error is not None:
        return False
    return (draft.apply(Undo(count=1), "house") or draft.apply(again, "chips")) is None


def _ask(draft: Draft, seat: int, to: int, kinds: list[StraddleKind]) -> None:
    choices = [*(kind.value for kind in kinds), NO_BET]
    draft.note(AskedStraddle(id=f"straddle-{draft.book.hand_no}-{seat}-{to}", seat=seat, to=to, choices=tuple(choices)))


def _step(seat: int, to: int, kind: StraddleKind) -> Straddle:
    return Straddle(seat=seat, to=to, kind=kind.value)


def _too_early(draft: Draft, seat: int, value: int, why: str) -> None:
    reason = f" {why.rstrip('.')}." if why else ""
    then = "" if draft.book.cards_out else " D asks what it is."
    sentence = f"Seat {seat} put out {value} before the cards were out: it is no act.{reason}{then}"
    draft.alert(Alert(severity="warning", code=_EARLY, seat=seat, sentence=sentence))


def _tell_who_is_displaced(draft: Draft, before: Hand, seat: int) -> None:
    """A straddle on the button puts others aside: their chips go back (R-195)."""
    hand = None if draft.table is None else draft.table.state.hand
    if hand is None:
        return
    for other in hand.seats:
        back = _put_in(before, other) - _put_in(hand, other)
        if other != seat and back > 0:
            sentence = f"Seat {other}'s straddle is put aside: give back {back}."
            draft.alert(Alert(severity="warning", code=_CHANGE_DUE, seat=other, sentence=sentence))
