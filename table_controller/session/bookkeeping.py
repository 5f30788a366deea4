"""How the journal's entries change the book: the live session and a restarted one both go through `after`.

So a restart cannot come to another state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from betline.messages.table import Ruling as RulingMessage
from betline.steps import (
    Award,
    ChopBlinds,
    CorrectButton,
    Count,
    Deal,
    FouledDeck,
    KillHand,
    Misdeal,
    NamePlayer,
    NextHand,
    Override,
    ReopenAward,
    SitDown,
    Step,
    Undo,
)
from table_controller.betting import PayoutKind
from table_controller.journal.entries import (
    Announced,
    Answered,
    AskedStraddle,
    AskedWhatLies,
    AskedWhichFirst,
    CardsOpened,
    CardsOut,
    ClockSet,
    DealerNamed,
    Entry,
    FeltMoved,
    GameChosen,
    HoldSet,
    MinutesPassed,
    Named,
    Obeyed,
    Observed,
    PlayerClockSet,
    SetUp,
    Stepped,
    TurnBegan,
    WordsWait,
    clear_person,
)
from table_controller.journal.errors import JournalError
from table_controller.levels import Mark, Played
from table_controller.rulings.table import Outcome, Table
from table_controller.rulings.values.state import SeatChange
from table_controller.sensing.observations import Covered, Observation
from table_controller.session.book import AS_TODAY, NO_STEPS, PLAYS_ON, BlindRaise, Book, Done, Told, WhichFirst, Words
from table_controller.session.written import merged

RULINGS_SHOWN = 12
COMMANDS_REMEMBERED = 500
_ROUND_ENDS = (Deal, CorrectButton, ChopBlinds)


def after(old: Book, entry: Entry, outcome: Outcome | None = None) -> Book:
    """The book after an entry; ``outcome`` is that of its step, which without it is worked out now.

    Raises JournalError (``damaged``) where the step cannot be taken from here.
    """
    match entry:
        case Stepped():
            return _stepped(old, entry, outcome)
        case SetUp():
            return _set_up(old, entry)
        case Obeyed():
            no_step = entry.verb if entry.verb in NO_STEPS else old.no_step
            return replace(old, done=_remembered(old.done, entry), no_step=no_step)
        case Observed(observation=observation):
            return _observed(old, observation)
        case FeltMoved(changed=changed):
            return replace(old, felt=merged(old.felt, changed))
        case CardsOut(out=out):
            return replace(old, cards_out=out, cards_said=out)
        case CardsOpened(cards=cards):
            return replace(old, opened={**old.opened, **{one.seal: one.cards for one in cards}})
        case Named(seat=seat, name=name):
            return _with_person(old, seat, clear_person(name))
        case WordsWait():
            return replace(old, words={**old.words, entry.seat: Words(entry.text, entry.first)})
        case AskedWhichFirst():
            asked = WhichFirst(entry.id, entry.seat, entry.text, entry.sentence)
            return replace(old, which_first=asked)
        case AskedWhatLies():
            return replace(old, doubt=entry)
        case AskedStraddle():
            asking = BlindRaise(entry.id, entry.seat, entry.to, entry.choices)
            others = [one for one in old.blind_raises if one.seat != asking.seat]
            return replace(old, blind_raises=(*others, asking))
        case Answered():
            return _answered(old, entry)
        case MinutesPassed(at_ms=at_ms):
            return replace(old, time_ms=at_ms)
        case ClockSet():
            mark = Mark(entry.period, entry.left_ms, entry.since_ms)
            return replace(old, clock=mark, clock_told=Told(*entry.told))
        case PlayerClockSet():
            used = old.banks_used
            if entry.bank and entry.clock is not None:
                used = {**used, entry.clock.seat: used.get(entry.clock.seat, 0) + 1}
            return replace(old, player_clock=entry.clock, banks_used=used)
        case HoldSet(hold=hold, by=by):
            return replace(old, hold=hold, hold_ended=by if hold is None else "")
        case GameChosen(game=game):
            return replace(old, chosen=game)
        case DealerNamed(person=person):
            return replace(old, dealer=person)
        case TurnBegan():
            return replace(old, played=_played(entry), chosen=None)
        case Announced():
            return replace(old, announced=entry)
    return old


def _set_up(old: Book, entry: SetUp) -> Book:
    table = Table.begin(entry.setup)
    hand = table.state.hand
    return replace(
        _new_round(old),
        table=table,
        hand_no=old.hand_no + (hand is not None),
        act_no=0,
        rulings=(),
        from_file=entry.from_file,
        cards_out=entry.setup.start is not None,
        persons=entry.people,
        before=None,
    )


def _stepped(old: Book, entry: Stepped, outcome: Outcome | None) -> Book:
    step = entry.step
    if isinstance(step, Undo):
        back = undone(old, step.count)
        return replace(back, taken_back=(*old.taken_back, _last(old, step.count))) if entry.command else back
    if old.table is None:
        raise JournalError("damaged", "The journal holds a step before any table was set up.")
    if outcome is None:
        outcome = old.table.apply(step)
    if outcome.error is not None:
        raise JournalError("damaged", f"The journal holds a step that is refused here: {outcome.error.sentence}")
    begins = begins_a_hand(step, old.table)
    before = replace(old, before=None) if begins and isinstance(step, NextHand) else old
    book = _new_round(old) if begins or isinstance(step, _ROUND_ENDS) else old
    if isinstance(step, ReopenAward) and old.award is not None:
        book = _as_in(old, old.award)
    elif isinstance(step, Award):
        book = replace(book, award=replace(old, before=None, award=None))
    book = replace(book, table=outcome.table, before=before, felt_act=entry.felt_act, rules_question=None)
    last = Done(step, entry.source, entry.felt_act, entry.command)
    book = replace(book, last=last, cards_said=False, no_step="", taken_back=_still_back(old, step))
    book = replace(book, doubt=None if _settles_doubt(old, step) else old.doubt)
    if isinstance(step, SitDown | NamePlayer):
        book = _with_person(book, step.seat, step.player)
    if isinstance(step, SitDown):
        unused = {seat: used for seat, used in book.banks_used.items() if seat != step.seat}
        book = replace(book, banks_used=unused)
    book = _with_seat_changes(book, old.table)
    if begins:
        book = replace(book, hand_no=old.hand_no + 1, act_no=0, cards_out=False, rulings=(), declined=(), opened={})
    for ruling in entry.rulings:
        book = _ruled(book, ruling, entry.source)
    if entry.moves:
        return _moved(book, entry.moves)
    return _uncalled_since(book, old, step.seat if isinstance(step, KillHand | Override) else None)


def _settles_doubt(old: Book, step: Step) -> bool:
    """Whether a step makes the question about a seat's chips void: an act waits for a count of its seat only."""
    doubt = old.doubt
    return doubt is not None and not (doubt.act is not None and doubt.question == "count" and isinstance(step, Count))


def _ruled(book: Book, ruling: RulingMessage, source: str) -> Book:
    book = replace(book, act_no=ruling.act_no, rulings=(*book.rulings, ruling)[-RULINGS_SHOWN:])
    seat = ruling.seat
    if seat is None or ruling.ruling in ("none", "floor"):
        return book
    keyed = dict(book.keyed)
    if source in ("keyed", "words", "floor") and ruling.to:
        keyed[seat] = book.bet_of(seat)
    else:
        keyed.pop(seat, None)
    words = {key: value for key, value in book.words.items() if key != seat}
    if ruling.instead_of is not None:
        return replace(book, keyed=keyed, words=words, which_first=None)
    owes, due = {**book.owes, seat: ruling.owes}, {**book.change_due, seat: ruling.returned}
    return replace(book, keyed=keyed, owes=_some(owes), change_due=_some(due), words=words, which_first=None)


def _moved(book: Book, moves: Mapping[int, int]) -> Book:
    """What moves comes to what was open: a seat that owes takes less change, and the other way."""
    owes, due = dict(book.owes), dict(book.change_due)
    for seat, amount in moves.items():
        open_now = owes.get(seat, 0) - due.get(seat, 0) + amount
        owes[seat], due[seat] = max(open_now, 0), max(-open_now, 0)
    return replace(book, owes=_some(owes), change_due=_some(due))


def _uncalled_since(book: Book, old: Book, reported: int | None) -> Book:
    """An uncalled part went back in the books; on the felt the dealer must still give back what of it lies there.

    Of the seat `reported` the ruling has said so already.
    """
    hand = None if book.table is None else book.table.state.hand
    was = None if old.table is None else old.table.state.hand
    if hand is None or was is None or book.hand_no != old.hand_no:
        return book
    back: dict[int, int] = {}
    for payout in hand.payouts[len(was.payouts) :]:
        if payout.kind is PayoutKind.UNCALLED and payout.seat != reported:
            back[payout.seat] = back.get(payout.seat, 0) - payout.amount
    return _moved(book, back)


def _observed(old: Book, seen: Observation) -> Book:
    if not isinstance(seen, Covered):
        return old
    seat, amount = seen.seat, seen.amount
    owes, due = dict(old.owes), dict(old.change_due)
    if seen.why == "owed":
        owes[seat] = max(0, owes.get(seat, 0) - amount)
    elif seen.why == "change":
        due[seat] = max(0, due.get(seat, 0) - amount)
    due[seat] = due.get(seat, 0) + seen.over
    table = old.table if old.table is None or seen.why != "owed" else old.table.paid(seat, amount)
    return replace(old, table=table, owes=_some(owes), change_due=_some(due))


def _answered(old: Book, entry: Answered) -> Book:
    if entry.choice == PLAYS_ON:
        return replace(old, declined=(*old.declined, entry.id))
    rules = old.rules_question
    if rules is not None and rules.id == entry.id:
        return _by_rules_of(old, rules.today if entry.choice == AS_TODAY else None)
    open_yet = tuple([one for one in old.blind_raises if one.id != entry.id])
    doubt = None if old.doubt is None or old.doubt.id == entry.id else old.doubt
    return replace(old, which_first=None, blind_raises=open_yet, doubt=doubt)


def _by_rules_of(old: Book, today: Book | None) -> Book:
    """The hand as recorded, or as today's rules have it: then what stacks differ by must move."""
    kept = replace(old, rules_question=None)
    if today is None or today.table is None or old.table is None:
        return kept
    now, then = today.table.state.stacks, old.table.state.stacks
    moves = _some({seat: stack - now.get(seat, stack) for seat, stack in then.items()})
    table = replace(today.table, replaced=old.table)
    book = replace(
        _as_in(kept, today), table=table, before=kept, act_no=max(old.act_no, today.act_no), owes=old.owes,
        change_due=old.change_due,
    )  # fmt: skip
    return _moved(book, moves) if moves else book


def undone(old: Book, count: int) -> Book:
    """The book with so many steps taken back; raises JournalError (``damaged``) where it holds fewer."""
    book = old
    for _ in range(count):
        if book.before is None:
            raise JournalError("damaged", "The journal takes back a step that it does not hold.")
        book = book.before
    return _as_in(old, book)


def _last(old: Book, count: int) -> tuple[Done, ...]:
    """The last so many steps, oldest first."""
    found: list[Done] = []
    book = old
    while len(found) < count and book.before is not None and book.last is not None:
        found.append(book.last)
        book = book.before
    return tuple(reversed(found))


def _still_back(old: Book, step: Step) -> tuple[tuple[Done, ...], ...]:
    """What is still taken back after a step: what came before it where it puts the newest back, else nothing."""
    if not old.taken_back or old.taken_back[-1][0].step != step:
        return ()
    *earlier, (_, *left) = old.taken_back
    return (*earlier, tuple(left)) if left else tuple(earlier)


def _as_in(now: Book, book: Book) -> Book:
    """An earlier book, with what no taking back of steps concerns."""
    return replace(
        book,
        act_no=now.act_no if book.hand_no == now.hand_no else book.act_no,
        cards_out=now.cards_out if book.hand_no == now.hand_no else book.cards_out,
        done=now.done,
        felt=now.felt,
        announced=now.announced,
        dealer=now.dealer,
        clock=now.clock,
        clock_told=now.clock_told,
        player_clock=now.player_clock,
        banks_used=now.banks_used,
        hold=now.hold,
        hold_ended=now.hold_ended,
        chosen=now.chosen if book.hand_no == now.hand_no else now.chosen or book.chosen,
        which_first=None,
        doubt=None,
        rules_question=None,
        blind_raises=(),
        words={},
    )


def _with_person(book: Book, seat: int, person: str) -> Book:
    others = {key: value for key, value in book.persons.items() if key != seat}
    return replace(book, persons={**others, seat: person} if person else others)


def _with_seat_changes(book: Book, before: Table) -> Book:
    """Names and used time banks go with the players who have changed seats since a table."""
    changes = () if book.table is None else book.table.state.seat_changes[len(before.state.seat_changes) :]
    persons, used = dict(book.persons), dict(book.banks_used)
    for change in changes:
        for kept in (persons, used):
            _moved_along(kept, change)
    return replace(book, persons=persons, banks_used=used) if changes else book


def _new_round(book: Book) -> Book:
    return replace(
        book,
        keyed={},
        owes={},
        change_due={},
        words={},
        which_first=None,
        doubt=None,
        rules_question=None,
        blind_raises=(),
        felt_act=None,
    )


def begins_a_hand(step: Step, before: Table) -> bool:
    """Whether a step that is accepted begins a hand with a number of its own; one that is dealt again has one too."""
    return isinstance(step, Misdeal | FouledDeck) or (isinstance(step, NextHand) and before.state.between_hands)


def _remembered(done: Mapping[str, Mapping[str, str]], entry: Obeyed) -> dict[str, Mapping[str, str]]:
    found = {**done, entry.id: {"verb": entry.verb, "sentence": entry.sentence, "sender": entry.sender}}
    for oldest in list(found)[: max(0, len(found) - COMMANDS_REMEMBERED)]:
        del found[oldest]
    return found


def _played(entry: TurnBegan) -> Played:
    return Played(
        game=entry.game, hands=entry.hands, orbits=entry.orbits, first_button=entry.first_button, button=entry.button,
        seats=entry.seats,
    )  # fmt: skip


def _moved_along(kept: dict[int, Any], change: SeatChange) -> None:
    """What is kept of a seat is that of the other one now."""
    mine = kept.pop(change.seat, None)
    kept.pop(change.to, None)
    if mine is not None:
        kept[change.to] = mine


def _some(amounts: Mapping[int, int]) -> dict[int, int]:
    return {seat: amount for seat, amount in amounts.items() if amount}
