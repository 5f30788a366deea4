"""What a person asks is done: a step goes to the table, what is no step by itself has a small function here.

What a step of a command leaves open is filled in before (`table_controller.session.filling`), the words of its answer
are made after (`table_controller.session.replies`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from betline import steps
from betline.steps import Command
from table_controller.betting import PostKind
from table_controller.journal.entries import Answered, CardsOut, DealerNamed, Source
from table_controller.positions import Positions
from table_controller.rulings.values.ruling import Refusal
from table_controller.sensing import steps as sensing_steps
from table_controller.sensing.progress import AWARD
from table_controller.session import (
    card_award,
    cards,
    doubts,
    felt,
    holding,
    inferred,
    next_hand,
    player_clock,
    posting,
    progress,
    rebuys,
    rule_changes,
    seating,
    undoing,
    words,
)
from table_controller.session import levels as evening
from table_controller.session.book import RULES_CHANGED
from table_controller.session.draft import NO_TABLE, Draft
from table_controller.session.filling import filled
from table_controller.session.inputs import NO_SEAT, Keyed
from table_controller.session.questions import open_questions
from table_controller.session.replies import DONE, ruled, sentence_of
from table_controller.session.situation import phase, positions
from table_controller.session.terms import Terms

Response = words.Response
_SOURCES: Mapping[type[Command], Source] = {steps.Override: "floor"}
"""In whose name a step is done, where it is not the dealer's."""


def obey(draft: Draft, keyed: Keyed, terms: Terms) -> Response:
    """Does what a command asks; an answer other than ``ok`` means that nothing has changed."""
    asked = keyed.asks
    handler = _HANDLERS.get(type(asked))
    if handler is not None:
        return handler(draft, asked, terms)
    return _step(draft, asked, terms)


def _step(draft: Draft, asked: Any, terms: Terms) -> Response:
    """A step of the table, straight from the command."""
    old = draft.book
    step = filled(draft, asked, terms)
    refusal = step if isinstance(step, Refusal) else draft.apply(step, _SOURCES.get(type(asked), "keyed"))
    if isinstance(step, Refusal) or refusal is not None:
        return _refused(refusal)
    if isinstance(step, steps.Count) and old.doubt is not None and step.seat == old.doubt.seat:
        doubts.counted(draft)
    return "ok", sentence_of(draft, step, old)


def _refused(refusal: Refusal | None) -> Response:
    return ("ok", DONE) if refusal is None else (refusal.code, refusal.sentence)


# --- steps that do more than one thing


def _bring_in(draft: Draft, step: steps.BringIn, terms: Terms) -> Response:
    """Who must bring it in is known by its card: the cards are out."""
    posting_yet = phase(draft.book) == "posting"
    answer = _step(draft, step, terms)
    if answer[0] == "ok" and posting_yet:
        draft.note(CardsOut(by="dealer"))
    return answer


def _straddle(draft: Draft, step: steps.Straddle, _terms: Terms) -> Response:
    old = draft.book
    refusal = posting.straddle(draft, step, "keyed")
    return ("ok", sentence_of(draft, step, old)) if refusal is None else _refused(refusal)


def _next_hand(draft: Draft, step: steps.NextHand, terms: Terms) -> Response:
    old, open_rebuys = draft.book, rebuys.questions(draft.book, terms)
    refusal = next_hand.begin(draft, step, terms, "keyed")
    if refusal is not None:
        return _refused(refusal)
    rebuys.tell_unasked(draft, open_rebuys)
    return "ok", sentence_of(draft, step, old)


# --- what is no step by itself


def _passive(draft: Draft, asked: steps.Passive, _terms: Terms) -> Response:
    if (waiting := _not_waiting_for(draft, asked.seat)) is not None:
        return waiting
    refusal = inferred.passive(draft, asked.seat)
    return ("ok", ruled(draft)) if refusal is None else _refused(refusal)


def _not_waiting_for(draft: Draft, seat: int) -> Response | None:
    """The refusal of a key that came for another seat than the one to act."""
    if draft.table is None:
        return _refused(NO_TABLE)
    acting = draft.table.state.next_seat
    if acting == seat:
        return None
    return "not-your-turn", f"It is seat {acting}'s turn." if acting else "Nobody is to act now."


def _says(draft: Draft, asked: steps.Says, _terms: Terms) -> Response:
    return words.say(draft, asked)


def _jump(draft: Draft, asked: steps.Jump, _terms: Terms) -> Response:
    """Everybody before the seat was passive."""
    if draft.table is None or draft.table.state.hand is None:
        return _refused(NO_TABLE)
    hand = draft.table.state.hand
    acting = hand.next_seat
    if acting is None or asked.seat not in hand.in_hand - hand.all_in:
        return "not-open", f"Name a seat that can act: seat {asked.seat} cannot."
    if acting == asked.seat:
        return "ok", f"Seat {asked.seat} is to act already."
    place = hand.seats.index(acting)
    turn = [seat for seat in (*hand.seats[place:], *hand.seats[:place]) if seat in hand.in_hand - hand.all_in]
    passed = turn[: turn.index(asked.seat)]
    for seat in passed:
        waiting = _not_waiting_for(draft, seat)
        mucked = seat in draft.sensing.cues.answering
        refusal = None if waiting else inferred.muck(draft, seat, "keyed") if mucked else inferred.passive(draft, seat)
        if waiting is not None or refusal is not None:
            return waiting or _refused(refusal)
    waiting = _not_waiting_for(draft, asked.seat)
    return waiting or ("ok", f"Seat {asked.seat} is to act; passive were {', '.join(map(str, passed))}.")


def _rest_folds(draft: Draft, _asked: steps.RestFolds, terms: Terms) -> Response:
    """All who are still to act fold to the seat that bet last, or to the largest blind or straddle."""
    if draft.table is None or draft.table.state.hand is None:
        return _refused(NO_TABLE)
    hand = draft.table.state.hand
    placed = positions(draft.book)
    stays = hand.aggressor or (_largest_blind(placed) if placed and hand.level else None)
    if hand.next_seat is None or stays is None:
        return "not-open", "Key the checks: nobody has bet, so nobody folds."
    folded: list[int] = []
    while (seat := draft.table.state.next_seat) is not None and seat != stays:
        refused = _step(draft, steps.Act(seat=seat, action="fold"), terms)
        if refused[0] != "ok":
            return refused
        folded.append(seat)
    return "ok", f"Folded: {', '.join(map(str, folded))}."


def _largest_blind(placed: Positions) -> int | None:
    """The seat that has posted most of what is live: a straddle or a kill, else the big blind."""
    live = [post for post in placed.posts if post.kind not in (PostKind.DEAD, PostKind.ANTE)]
    return max(live, key=lambda post: (post.amount, post.seat == placed.big_blind)).seat if live else None


def _dealer(draft: Draft, asked: steps.Dealer, _terms: Terms) -> Response:
    person = draft.person(NO_SEAT, asked.name, ())
    draft.note(DealerNamed(person=person))
    return "ok", "The dealer is named." if person else "The dealer is not named."


def _cards_out(draft: Draft, _asked: steps.CardsOut, _terms: Terms) -> Response:
    if phase(draft.book) != "posting":
        return "not-open", "Go on: the cards are out already, or no hand is in progress."
    draft.note(CardsOut(by="dealer"))
    return "ok", DONE


def _seat_players(draft: Draft, asked: steps.SeatPlayers, terms: Terms) -> Response:
    """Players sit down with the starting stack wherever a seat is free; names may come later."""
    taken = {} if draft.table is None else draft.table.state.players
    free = [seat for seat in dict.fromkeys(asked.seats) if seat not in taken]
    if not free:
        return "not-open", "Type the number of an empty seat: every one of these is taken."
    for seat in free:
        answer = _step(draft, steps.SitDown(seat=seat), terms)
        if answer[0] != "ok":
            return answer
    stacks = {} if draft.table is None else draft.table.state.stacks
    sit = "Seat {} sits" if len(free) == 1 else "Seats {} sit"
    return "ok", f"{sit.format(', '.join(map(str, free)))} down with {stacks[free[0]]:,}."


def _board_cards(draft: Draft, asked: steps.BoardCards, _terms: Terms) -> Response:
    return _laid(draft, cards.board(draft, asked))


def _shown_cards(draft: Draft, asked: steps.ShownCards, _terms: Terms) -> Response:
    return _laid(draft, cards.shown(draft, asked))


def _laid(draft: Draft, done: Refusal | steps.Step) -> Response:
    return _refused(done) if isinstance(done, Refusal) else ("ok", sentence_of(draft, done, draft.book))


def _setup(draft: Draft, asked: steps.Setup, terms: Terms) -> Response:
    nowhere = seating.no_such_seat(terms, {**asked.seats, **asked.names})
    if nowhere is not None:
        return _refused(nowhere)
    persons: dict[int, str] = {}
    for seat, name in asked.names.items():
        if person := draft.person(seat, name, persons.values()):
            persons[seat] = person
    return _refused(seating.set_up(draft, asked, persons, from_file=False))


def _answer(draft: Draft, asked: steps.Answer, terms: Terms) -> Response:
    time_up = player_clock.question(draft.book, terms)
    by_cards = card_award.question(draft.book, draft.secrets)
    open_now = open_questions(draft.book, draft.sensing, time_up, rebuys.questions(draft.book, terms), by_cards)
    question = next((one for one in open_now if one.id == asked.question), None)
    if question is None:
        return "no-question", "Read the screen again: this question was answered or withdrawn."
    if asked.choice not in question.choices:
        return "bad-arguments", f"Answer with one of {', '.join(question.choices) or 'the act itself, keyed'}."
    if question.kind == "floor":
        ruling, _, amount = asked.choice.partition(":")
        return _step(draft, steps.FloorDecision(ruling=ruling, to=int(amount) if amount else None), terms)
    if question.kind == "which-first":
        return words.answered(draft, asked.choice)
    if question.kind in ("count", "key-or-felt"):
        return _refused(doubts.answered(draft, asked.choice))
    if question.kind == "straddle":
        return _refused(posting.answered(draft, asked.question, asked.choice))
    if question.kind == player_clock.QUESTION:
        done = player_clock.answered(draft, asked.choice, terms)
        return done if isinstance(done, tuple) else _step(draft, done, terms)
    if question.kind == rebuys.QUESTION:
        step = rebuys.answered(draft, question, asked.choice)
        return ("ok", f"Seat {question.seat} plays on with what it has.") if step is None else _step(draft, step, terms)
    if question.kind == AWARD:
        proposed = card_award.awarded(draft.book, draft.secrets) if card_award.is_question(asked.question) else None
        return _step(draft, proposed or progress.awarded(draft, asked.question), terms)
    if question.kind == RULES_CHANGED:
        return rule_changes.chosen(draft, question, asked.choice)
    if question.kind == "before-cards" and asked.choice == "straddle" and question.seat is not None:
        refusal = posting.straddle(draft, steps.Straddle(seat=question.seat), "keyed")
        if refusal is not None:
            return _refused(refusal)
    draft.note(Answered(id=asked.question, choice=asked.choice))
    draft.sensing, observed = sensing_steps.answer(draft.sensing, asked.question, asked.choice, draft.now.mono_ns)
    felt.take(draft, observed)
    return "ok", DONE


_HANDLERS: dict[type[Command], Callable[[Draft, Any, Terms], Response]] = {
    steps.BringIn: _bring_in,
    steps.Straddle: _straddle,
    steps.NextHand: _next_hand,
    steps.Passive: _passive,
    steps.Says: _says,
    steps.UndoKey: lambda draft, _asked, _terms: undoing.undo_key(draft),
    steps.Redo: lambda draft, _asked, _terms: undoing.redo(draft),
    steps.Jump: _jump,
    steps.RestFolds: _rest_folds,
    steps.CardsOut: _cards_out,
    steps.Dealer: _dealer,
    steps.SeatPlayers: _seat_players,
    steps.Setup: _setup,
    steps.Answer: _answer,
    steps.BoardCards: _board_cards,
    steps.ShownCards: _shown_cards,
    steps.Clock: evening.set_clock,
    steps.Game: evening.choose_game,
    steps.PlayerClock: player_clock.command,
    steps.Hold: holding.hold,
    steps.LetGo: holding.let_go,
}
