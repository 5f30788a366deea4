"""What a command leaves open is filled in before its step goes to the table: the street, the seat, the person's id.

The journal so has every step whole. What is done here besides belongs to the same act: a player who sits down at a
table that has not begun begins it, and the minutes pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from betline import steps
from betline.steps import Step
from betline.steps.setup import TableSetup
from table_controller.rulings.acts.run_out import streets_to_come
from table_controller.rulings.between.stacks import is_playing
from table_controller.rulings.between.stakes import least_and_most
from table_controller.rulings.values.ruling import Refusal
from table_controller.session import minutes, rebuys, seating
from table_controller.session.draft import NO_TABLE, NOTHING_LEFT, Draft
from table_controller.session.inputs import NO_SEAT
from table_controller.session.terms import Terms


def filled(draft: Draft, step: Step, terms: Terms) -> Step | Refusal:
    """The whole step, or why it cannot be done at all."""
    fill = _FILLS.get(type(step))
    return step if fill is None else fill(draft, step, terms)


def _deal(draft: Draft, step: steps.Deal, _terms: Terms) -> Step | Refusal:
    hand = None if draft.table is None else draft.table.state.hand
    if draft.table is None or hand is None:
        return NO_TABLE
    following = streets_to_come(draft.table.state)
    return replace(step, street=step.street or (following[0] if following else hand.street))


def _clock_expired(draft: Draft, step: steps.ClockExpired, _terms: Terms) -> Step | Refusal:
    if draft.table is None:
        return NO_TABLE
    seat = step.seat or draft.table.state.next_seat
    return Refusal("not-open", "No clock runs: nobody is to act.") if seat is None else replace(step, seat=seat)


def _correct_record(draft: Draft, step: steps.CorrectRecord, _terms: Terms) -> Step | Refusal:
    return replace(step, street=step.street or draft.book.street)


def _undo(draft: Draft, step: steps.Undo, _terms: Terms) -> Step | Refusal:
    book = draft.book
    for _ in range(step.count):
        if book.before is None:
            return NOTHING_LEFT
        book = book.before
    return step


def _sit_down(draft: Draft, step: steps.SitDown, terms: Terms) -> Step | Refusal:
    refused = seating.no_such_seat(terms, [step.seat])
    if refused is None and draft.table is None:
        setup = TableSetup(game=terms.game, house=terms.house, seats={})
        refused = seating.set_up(draft, setup, {}, from_file=True)
    if refused is not None:
        return refused
    minutes.pass_to_the_seat(draft)
    person = draft.person(step.seat, step.player, draft.book.seated.values())
    return replace(step, player=person, stack=step.stack or _starting_stack(draft, terms))


def _starting_stack(draft: Draft, terms: Terms) -> int:
    """The table's starting stack, or what of it the house's buy-in allows (R-281)."""
    limits = None if draft.table is None else least_and_most(draft.table.state)
    stack = terms.table.starting_stack
    return stack if limits is None else min(max(stack, limits[0]), limits[1])


def _name_player(draft: Draft, step: steps.NamePlayer, _terms: Terms) -> Step | Refusal:
    others = [person for seat, person in draft.book.seated.items() if seat != step.seat]
    return replace(step, player=draft.person(step.seat, step.player, others))


def _leave(draft: Draft, step: steps.Leave, _terms: Terms) -> Step | Refusal:
    if draft.table is not None and is_playing(draft.table.state, step.seat):
        return replace(step, after_hand=True)
    minutes.pass_to_the_seat(draft)
    return step


def _rebuy(draft: Draft, step: steps.Rebuy, terms: Terms) -> Step | Refusal:
    why = rebuys.why_not_sold(draft.book, terms, step.seat)
    return step if why is None else Refusal("too-late", why)


def _change_seat(_draft: Draft, step: steps.ChangeSeat, terms: Terms) -> Step | Refusal:
    return seating.no_such_seat(terms, [step.to]) or step


def _override(draft: Draft, step: steps.Override, _terms: Terms) -> Step | Refusal:
    """The journal has who decided by an id, as it has players: whoever is signed in, else the name that was given."""
    signed = draft.author.person
    if signed:
        draft.seated[NO_SEAT] = signed
    return replace(step, by=signed or draft.person(NO_SEAT, step.by, ()), why=" ".join(step.why.split()))


_FILLS: dict[type[Step], Callable[[Draft, Any, Terms], Step | Refusal]] = {
    steps.Deal: _deal,
    steps.ClockExpired: _clock_expired,
    steps.CorrectRecord: _correct_record,
    steps.Undo: _undo,
    steps.SitDown: _sit_down,
    steps.NamePlayer: _name_player,
    steps.Leave: _leave,
    steps.ChangeSeat: _change_seat,
    steps.Rebuy: _rebuy,
    steps.Override: _override,
}
