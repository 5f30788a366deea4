"""The sentence with which a step that was keyed is answered: how it was ruled, or what it has done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from betline import steps
from betline.messages.table import Ruling
from betline.steps import Step
from table_controller.rulings.redo.otherwise import moves_in_words
from table_controller.session import public
from table_controller.session.book import Book
from table_controller.session.draft import Draft
from table_controller.session.named import named

DONE = "Done."


def sentence_of(draft: Draft, step: Step, old: Book) -> str:
    """The answer to a step that the table has accepted; `old` is the book before it."""
    words = _SENTENCES.get(type(step))
    return ruled(draft) if words is None else words(draft, step, old)


def ruled(draft: Draft) -> str:
    """How the acts were ruled, for the answer to a key of the dealer."""
    return _ruled(draft) or DONE


def _ruled(draft: Draft) -> str:
    """Every act that is ruled on now, and what moves where an earlier one is ruled otherwise."""
    rulings = [message for message in draft.effects if isinstance(message, Ruling)]
    named = {ruling.seat for ruling in rulings if ruling.owes or ruling.returned}
    moves = [moves_in_words(seat, amount) for seat, amount in draft.moves.items() if seat not in named]
    return " ".join((*[ruling.sentence for ruling in rulings if ruling.sentence], *moves))


def _put_right(draft: Draft, _step: Step, _old: Book) -> str:
    return _ruled(draft) or "Nothing is ruled otherwise."


def _lay_cards(_draft: Draft, step: steps.LayCards, _old: Book) -> str:
    """Without the cards: whoever reads replies may not know them yet."""
    if step.seat is not None:
        return f"Seat {step.seat} shows its hand." if step.count else f"Seat {step.seat} mucks unseen."
    board = f" of board {step.board}" if step.board else ""
    return f"The {step.street}{board} lies there."


def _deal(draft: Draft, step: steps.Deal, old: Book) -> str:
    owed = ", ".join(f"seat {seat} {amount}" for seat, amount in public.debts(old, draft.sensing).items())
    return f"The {step.street} is dealt; still owed: {owed}." if owed else DONE


def _pass_out(draft: Draft, _step: steps.PassOut, _old: Book) -> str:
    hand = None if draft.table is None else draft.table.state.hand
    return DONE if hand is None else f"Passed out: {hand.carried} lie in the next hand's pot."


def _money_behind(draft: Draft, step: steps.MoneyBehind, _old: Book) -> str:
    stacks = {} if draft.table is None else draft.table.state.stacks
    return f"Seat {step.seat} plays {stacks[step.seat]}, of it {step.amount} behind."


def _color_up(draft: Draft, step: steps.ColorUp, _old: Book) -> str:
    winners = ", ".join(map(str, step.wins))
    won = f"; one of {draft.table.state.least_chip} to seat {winners}" if winners and draft.table is not None else ""
    return f"The {step.remove}s have left the table{won}."


def _count(_draft: Draft, step: steps.Count, _old: Book) -> str:
    what = f"{step.stack} behind" if step.bet is None else f"a bet of {step.bet}"
    return f"Seat {step.seat} has {what}, by count."


def _sit_down(_draft: Draft, step: steps.SitDown, _old: Book) -> str:
    return f"Seat {step.seat} sits down with {step.stack:,}."


def _leave(draft: Draft, step: steps.Leave, old: Book) -> str:
    players = {} if draft.table is None else draft.table.state.players
    if step.seat in players:
        return f"Seat {step.seat} leaves after the hand. U takes it back."
    stack = 0 if old.table is None else old.table.state.stacks.get(step.seat, 0)
    return f"Seat {step.seat} leaves with {stack:,}."


def _change_seat(draft: Draft, step: steps.ChangeSeat, _old: Book) -> str:
    state = None if draft.table is None else draft.table.state
    if state is None or step.to not in state.players:
        return f"Seat {step.seat} moves to seat {step.to} after the hand. U takes it back."
    arrival = state.players[step.to].arrival
    how = ""
    if arrival is not None and arrival.moved:
        hands = "1 hand" if arrival.moved == 1 else f"{arrival.moved} hands"
        posts = f"posts {state.structure.big_blind:,}, for the big blind is {hands} farther off"
        how = f" and {posts}" if arrival.post else f" and waits {hands}: the big blind is farther off"
    return f"Seat {step.seat} moves to seat {step.to}{how}."


def _name_player(draft: Draft, step: steps.NamePlayer, _old: Book) -> str:
    name = draft.names.get(step.player, "")
    return f"Seat {step.seat} is {name}." if name else f"Seat {step.seat} has no name."


def _penalty(_draft: Draft, step: steps.Penalty, _old: Book) -> str:
    hands = "1 hand" if step.hands == 1 else f"{step.hands} hands"
    return f"Seat {step.seat} is away for {hands}." if step.hands else f"Seat {step.seat}'s penalty is lifted."


def _borrow(_draft: Draft, step: steps.Borrow, _old: Book) -> str:
    return f"Seat {step.seat} borrows {step.amount} from {_place(step.source)}."


def _move_chips(_draft: Draft, step: steps.MoveChips, _old: Book) -> str:
    why = f" ({step.why})" if step.why else ""
    return f"{step.amount} from {_place(step.source)} to {_place(step.to)}{why}."


def _place(place: int | str) -> str:
    return f"seat {place}" if isinstance(place, int) else f"the {place}"


_SENTENCES: dict[type[Step], Callable[[Draft, Any, Book], str]] = {
    steps.CorrectBet: _put_right,
    steps.CorrectRecord: _put_right,
    steps.Override: _put_right,
    steps.Deal: _deal,
    steps.LayCards: _lay_cards,
    steps.RunIt: lambda _draft, step, _old: f"It is run {step.times} times: deal board 1 first.",
    steps.PassOut: _pass_out,
    steps.MoneyBehind: _money_behind,
    steps.ColorUp: _color_up,
    steps.Count: _count,
    steps.SitDown: _sit_down,
    steps.NamePlayer: _name_player,
    steps.Leave: _leave,
    steps.ChangeSeat: _change_seat,
    steps.KeepSeat: lambda _draft, step, _old: f"Seat {step.seat} stays.",
    steps.Penalty: _penalty,
    steps.Borrow: _borrow,
    steps.MoveChips: _move_chips,
    steps.Undo: lambda _draft, step, old: f"Took back: {named(old, step.count)}.",
    steps.ChopBlinds: lambda *_: "The blinds are chopped: each goes back to its seat.",
    steps.CorrectButton: lambda _draft, step, _old: f"The button is before seat {step.seat}: post again.",
    steps.Misdeal: lambda *_: "Misdeal: every chip goes back. Post and deal the same hand again.",
    steps.FouledDeck: lambda *_: "Fouled deck: every chip goes back. Post and deal the same hand again.",
    steps.ReopenAward: lambda *_: "The award is taken back: award the pots again.",
    steps.TakeRock: lambda _draft, step, _old: f"Seat {step.seat} has the rock.",
    steps.KillPot: lambda _draft, step, _old: f"Seat {step.seat} kills the next hand.",
    steps.LastTwo: lambda *_: "Two players are left: nothing caps the raises.",
}
