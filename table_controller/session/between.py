"""What dealer and floor settle beside the acts: before the cards, between hands and in disputes, a function a verb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from betline import steps
from table_controller.session import commands, posting, public
from table_controller.session.draft import NO_TABLE, Draft
from table_controller.session.terms import Terms
from table_controller.session.words import Answer


def _done(draft: Draft, step: steps.Step, sentence: str) -> Answer:
    refusal = draft.apply(step, "keyed")
    return ("ok", sentence) if refusal is None else (refusal.code, refusal.sentence)


def _ruled(draft: Draft, step: steps.Step) -> Answer:
    """A step that comes to a ruling is answered with the ruling's sentence."""
    before = draft.book.act_no
    answer = _done(draft, step, "Done.")
    return answer if answer[0] != "ok" else _ruling_since(draft, before)


def _ruling_since(draft: Draft, act_no: int) -> Answer:
    return "ok", next(ruling.sentence for ruling in draft.book.rulings if ruling.act_no > act_no)


# --- before the cards and in a hand


def _straddle(draft: Draft, args: commands.Straddle, _terms: Terms) -> Answer:
    before = draft.book.act_no
    refusal = posting.straddle(draft, args.seat, args.to, args.kind, "keyed")
    return _ruling_since(draft, before) if refusal is None else (refusal.code, refusal.sentence)


def _bring_in(draft: Draft, args: commands.SeatArgs, _terms: Terms) -> Answer:
    """Who must bring it in is known by its card: the cards are out."""
    posting_yet = public.phase(draft.book) == "posting"
    answer = _ruled(draft, steps.BringIn(seat=args.seat))
    if answer[0] == "ok" and posting_yet:
        draft.note("cards-out", {"by": "dealer"})
    return answer


def _chop(draft: Draft, _args: commands.NoArgs, _terms: Terms) -> Answer:
    return _done(draft, steps.ChopBlinds(), "The blinds are chopped: each goes back to its seat.")


def _button(draft: Draft, args: commands.SeatArgs, _terms: Terms) -> Answer:
    return _done(draft, steps.CorrectButton(seat=args.seat), f"The button is before seat {args.seat}: post again.")


def _misdeal(draft: Draft, _args: commands.NoArgs, _terms: Terms) -> Answer:
    return _done(draft, steps.Misdeal(), "Misdeal: every chip goes back. Post and deal the same hand again.")


def _fouled(draft: Draft, _args: commands.NoArgs, _terms: Terms) -> Answer:
    return _done(draft, steps.FouledDeck(), "Fouled deck: every chip goes back. Post and deal the same hand again.")


def _kills(draft: Draft, args: commands.KillHand, _terms: Terms) -> Answer:
    return _ruled(draft, steps.KillHand(seat=args.seat, why=args.why))


def _expires(draft: Draft, args: commands.ClockExpired, _terms: Terms) -> Answer:
    if draft.table is None:
        return NO_TABLE.code, NO_TABLE.sentence
    seat = args.seat or draft.table.state.next_seat
    if seat is None:
        return "not-open", "No clock runs: nobody is to act."
    return _ruled(draft, steps.ClockExpired(seat=seat))


def _reopens(draft: Draft, _args: commands.NoArgs, _terms: Terms) -> Answer:
    return _done(draft, steps.ReopenAward(), "The award is taken back: award the pots again.")


def _counts(draft: Draft, args: commands.Count, _terms: Terms) -> Answer:
    what = f"{args.stack} behind" if args.bet is None else f"a bet of {args.bet}"
    return _done(
        draft, steps.Count(seat=args.seat, bet=args.bet, stack=args.stack), f"Seat {args.seat} has {what}, by count."
    )


# --- between hands


def _behind(draft: Draft, args: commands.MoneyBehind, _terms: Terms) -> Answer:
    answer = _done(draft, steps.MoneyBehind(seat=args.seat, amount=args.amount), "")
    if answer[0] != "ok" or draft.table is None:
        return answer
    return "ok", f"Seat {args.seat} plays {draft.table.state.stacks[args.seat]}, of it {args.amount} behind."


def _borrows(draft: Draft, args: commands.Borrow, _terms: Terms) -> Answer:
    step = steps.Borrow(seat=args.seat, amount=args.amount, source=args.source, declined=args.declined)
    lender = "the pot" if args.source == "pot" else f"seat {args.source}"
    return _done(draft, step, f"Seat {args.seat} borrows {args.amount} from {lender}.")


def _penalty(draft: Draft, args: commands.Penalty, _terms: Terms) -> Answer:
    hands = "1 hand" if args.hands == 1 else f"{args.hands} hands"
    sentence = f"Seat {args.seat} is away for {hands}." if args.hands else f"Seat {args.seat}'s penalty is lifted."
    return _done(draft, steps.Penalty(seat=args.seat, hands=args.hands), sentence)


def _rock(draft: Draft, args: commands.SeatArgs, _terms: Terms) -> Answer:
    return _done(draft, steps.TakeRock(seat=args.seat), f"Seat {args.seat} has the rock.")


def _kill(draft: Draft, args: commands.SeatArgs, _terms: Terms) -> Answer:
    return _done(draft, steps.KillPot(seat=args.seat), f"Seat {args.seat} kills the next hand.")


def _moves(draft: Draft, args: commands.MoveChips, _terms: Terms) -> Answer:
    step = steps.MoveChips(source=args.source, to=args.to, amount=args.amount, why=args.why)
    why = f" ({args.why})" if args.why else ""
    return _done(draft, step, f"{args.amount} from {_place(args.source)} to {_place(args.to)}{why}.")


def _place(place: int | str) -> str:
    return f"seat {place}" if isinstance(place, int) else f"the {place}"


def _race(draft: Draft, args: commands.ColorUp, _terms: Terms) -> Answer:
    answer = _done(draft, steps.ColorUp(remove=args.remove, wins=args.wins, to=args.to), "")
    if answer[0] != "ok" or draft.table is None:
        return answer
    won = f"; one of {draft.table.state.least_chip} to seat {', '.join(map(str, args.wins))}" if args.wins else ""
    return "ok", f"The {args.remove}s have left the table{won}."


def _last_two(draft: Draft, _args: commands.NoArgs, _terms: Terms) -> Answer:
    return _done(draft, steps.LastTwo(), "Two players are left: nothing caps the raises.")


VERBS: dict[str, Callable[[Draft, Any, Terms], Answer]] = {
    "straddle": _straddle,
    "bring-in": _bring_in,
    "chop": _chop,
    "button": _button,
    "misdeal": _misdeal,
    "fouled": _fouled,
    "kills": _kills,
    "expires": _expires,
    "reopens": _reopens,
    "counts": _counts,
    "behind": _behind,
    "borrows": _borrows,
    "penalty": _penalty,
    "rock": _rock,
    "kill": _kill,
    "moves": _moves,
    "race": _race,
    "last-two": _last_two,
}
