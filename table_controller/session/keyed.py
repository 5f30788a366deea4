"""From what a person asked to steps of the table: a small function a verb, which answers with a code and a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from betline import steps
from betline.steps.setup import TableSetup
from table_controller.betting import Illegal, PostKind
from table_controller.positions import Positions
from table_controller.rulings.table import Table
from table_controller.sensing import steps as sensing_steps
from table_controller.session import between, commands, disputes, felt, minutes, posting, public, words
from table_controller.session import levels as evening
from table_controller.session.draft import NO_TABLE, Draft
from table_controller.session.inputs import Keyed
from table_controller.session.terms import Terms
from table_controller.session.written import setup_to_data

Answer = words.Answer
DONE: Answer = ("ok", "Done.")


def obey(draft: Draft, keyed: Keyed, terms: Terms) -> Answer:
    """Does what a command asks; an answer other than ``ok`` means that nothing has changed."""
    return _VERBS[keyed.verb](draft, keyed.args, terms)


def _step(draft: Draft, step: steps.Step) -> Answer:
    refusal = draft.apply(step, "keyed")
    if refusal is not None:
        return refusal.code, refusal.sentence
    last = draft.book.rulings[-1] if draft.book.rulings else None
    return ("ok", last.sentence) if isinstance(step, steps.Act) and last and last.sentence else DONE


def _passive(draft: Draft, args: commands.SeatArgs, _terms: Terms) -> Answer:
    waiting = _not_waiting_for(draft, args.seat)
    if waiting is not None:
        return waiting
    return felt.passive(draft, args.seat, "keyed") or DONE


def _not_waiting_for(draft: Draft, seat: int) -> Answer | None:
    """The refusal of a key that came for another seat than the one to act."""
    if draft.table is None:
        return NO_TABLE.code, NO_TABLE.sentence
    acting = draft.table.state.next_seat
    if acting == seat:
        return None
    return "not-your-turn", f"It is seat {acting}'s turn." if acting else "Nobody is to act now."


def _act(draft: Draft, args: commands.Act, _terms: Terms) -> Answer:
    return _step(draft, steps.Act(seat=args.seat, action=args.action, to=args.to))


def _says(draft: Draft, args: commands.Says, _terms: Terms) -> Answer:
    return words.say(draft, args.seat, args.text, args.first)


def _gesture(draft: Draft, args: commands.Gesture, _terms: Terms) -> Answer:
    return _step(draft, steps.Act(seat=args.seat, gesture=args.gesture))


def _jump(draft: Draft, args: commands.SeatArgs, _terms: Terms) -> Answer:
    """Everybody before the seat was passive."""
    if draft.table is None or draft.table.state.hand is None:
        return NO_TABLE.code, NO_TABLE.sentence
    hand = draft.table.state.hand
    acting = hand.next_seat
    if acting is None or args.seat not in hand.in_hand - hand.all_in:
        return "not-open", f"Seat {args.seat} cannot act now."
    if acting == args.seat:
        return "ok", f"Seat {args.seat} is to act already."
    place = hand.seats.index(acting)
    turn = [seat for seat in (*hand.seats[place:], *hand.seats[:place]) if seat in hand.in_hand - hand.all_in]
    passed = turn[: turn.index(args.seat)]
    for seat in passed:
        waiting = _not_waiting_for(draft, seat)
        refused = waiting or felt.passive(draft, seat, "keyed")
        if refused is not None:
            return refused
    waiting = _not_waiting_for(draft, args.seat)
    return waiting or ("ok", f"Seat {args.seat} is to act; passive were {', '.join(map(str, passed))}.")


def _rest_folds(draft: Draft, _args: commands.NoArgs, _terms: Terms) -> Answer:
    """All who are still to act fold to the seat that bet last, or to the largest blind or straddle."""
    if draft.table is None or draft.table.state.hand is None:
        return NO_TABLE.code, NO_TABLE.sentence
    hand = draft.table.state.hand
    placed = public.positions(draft.book)
    stays = hand.aggressor or (_largest_blind(placed) if placed and hand.level else None)
    if hand.next_seat is None or stays is None:
        return "not-open", "Nobody has bet, so nobody folds to a bet: key the checks."
    folded: list[int] = []
    while (seat := draft.table.state.next_seat) is not None and seat != stays:
        refused = _step(draft, steps.Act(seat=seat, action="fold"))
        if refused[0] != "ok":
            return refused
        folded.append(seat)
    return "ok", f"Folded: {', '.join(map(str, folded))}."


def _largest_blind(placed: Positions) -> int | None:
    """The seat that has posted most of what is live: a straddle or a kill, else the big blind."""
    live = [post for post in placed.posts if post.kind not in (PostKind.DEAD, PostKind.ANTE)]
    return max(live, key=lambda post: (post.amount, post.seat == placed.big_blind)).seat if live else None


def _cards_out(draft: Draft, _args: commands.NoArgs, _terms: Terms) -> Answer:
    if public.phase(draft.book) != "posting":
        return "not-open", "The cards are out already, or no hand is in progress."
    draft.note("cards-out", {"by": "dealer"})
    return DONE


def _deal(draft: Draft, args: commands.Deal, _terms: Terms) -> Answer:
    hand = None if draft.table is None else draft.table.state.hand
    if hand is None:
        return NO_TABLE.code, NO_TABLE.sentence
    names = hand.structure.streets
    place = names.index(hand.street) + 1
    street = args.street or (names[place] if place < len(names) else hand.street)
    open_debts = public.debts(draft.book, draft.sensing)
    answer = _step(draft, steps.Deal(street=street, first=args.first, open_pair=args.open_pair))
    if answer[0] == "ok" and open_debts:
        named = ", ".join(f"seat {seat} {amount}" for seat, amount in open_debts.items())
        return "ok", f"The {street} is dealt; still owed: {named}."
    return answer


def _award(draft: Draft, args: commands.Award, _terms: Terms) -> Answer:
    if args.pots is None:
        return "not-open", "Name the winners of each pot, main pot first."
    pots = tuple([
        tuple([part.parts if isinstance(part, commands.Halves) else part for part in pot.parts])
        if isinstance(pot, commands.Parts) else (pot,) for pot in args.pots
    ])  # fmt: skip
    return _step(draft, steps.Award(pots=pots))


def _pass_out(draft: Draft, _args: commands.NoArgs, _terms: Terms) -> Answer:
    """Nobody has opened: the pot waits for the next hand (R-307)."""
    answer = _step(draft, steps.PassOut())
    if answer[0] != "ok" or draft.table is None or draft.table.state.hand is None:
        return answer
    return "ok", f"Passed out: {draft.table.state.hand.carried} lie in the next hand's pot."


def _next_hand(draft: Draft, args: commands.NextHand, terms: Terms) -> Answer:
    """The next hand, under the settings in force now; a button that is named is put there instead of moved.

    Before a hand that is dealt again begins it is that hand, and its limits stay the same (R-292).
    """
    minutes.pass_to_the_hand(draft)
    if draft.table is None:
        return NO_TABLE.code, NO_TABLE.sentence
    state = draft.table.state
    if state.may_be_redealt or not draft.book.from_file:
        return _step(draft, steps.NextHand(button=args.button, bomb_pot=args.bomb_pot))
    game, turn = evening.next_game(draft, terms, args.button)
    step = steps.NextHand(
        game=None if game == state.game else game,
        house=None if terms.house == state.house else terms.house,
        button=args.button,
        bomb_pot=args.bomb_pot,
    )
    answer = _step(draft, step)
    if answer[0] == "ok":
        evening.note_turn(draft, terms, turn)
    return answer


def _setup(draft: Draft, args: commands.Setup, terms: Terms) -> Answer:
    nowhere = _no_such_seat(terms, {**args.setup.seats, **args.names})
    if nowhere is not None:
        return nowhere
    persons: dict[int, str] = {}
    for seat, name in args.names.items():
        if person := draft.person(seat, name, persons.values()):
            persons[seat] = person
    return _set_up(draft, args.setup, persons, from_file=False)


def _no_such_seat(terms: Terms, seats: Iterable[int]) -> Answer | None:
    """The refusal of a seat that the felt does not have."""
    for seat in seats:
        if seat not in terms.seats:
            return "bad-arguments", f"This table has no seat {seat}; it has {', '.join(map(str, terms.seats))}."
    return None


def _set_up(draft: Draft, setup: TableSetup, persons: Mapping[int, str], *, from_file: bool) -> Answer:
    try:
        Table.begin(setup)
    except Illegal as refusal:
        return refusal.code, refusal.sentence
    old = draft.book
    written = {str(seat): person for seat, person in persons.items()}
    draft.note("setup", {"setup": setup_to_data(setup), "persons": written, "from_file": from_file})
    draft.tell_of_the_hand(old)
    return DONE


def _sits(draft: Draft, args: commands.SitDown, terms: Terms) -> Answer:
    nowhere = _no_such_seat(terms, [args.seat])
    if nowhere is not None:
        return nowhere
    if draft.table is None:
        answer = _set_up(draft, TableSetup(game=terms.game, house=terms.house, seats={}), {}, from_file=True)
        if answer[0] != "ok":
            return answer
    minutes.pass_to_the_seat(draft)
    person = draft.person(args.seat, args.name, draft.book.seated.values())
    return _step(
        draft,
        steps.SitDown(seat=args.seat, stack=args.stack, post=args.post, buys_button=args.buys_button, player=person),
    )


def _leaves(draft: Draft, args: commands.SeatArgs, _terms: Terms) -> Answer:
    minutes.pass_to_the_seat(draft)
    return _step(draft, steps.Leave(seat=args.seat))


def _adds(draft: Draft, args: commands.Rebuy, _terms: Terms) -> Answer:
    return _step(draft, steps.Rebuy(seat=args.seat, amount=args.amount))


def _away(draft: Draft, args: commands.SeatArgs, _terms: Terms) -> Answer:
    return _step(draft, steps.SitOut(seat=args.seat))


def _back(draft: Draft, args: commands.Return, _terms: Terms) -> Answer:
    return _step(draft, steps.Return(seat=args.seat, post=args.post, buys_button=args.buys_button))


def _undo(draft: Draft, args: commands.Undo, _terms: Terms) -> Answer:
    book = draft.book
    for _ in range(args.steps):
        if book.before is None:
            return "too-late", "There is no step of this hand left to take back."
        book = book.before
    answer = _step(draft, steps.Undo(count=args.steps))
    return answer if answer[0] != "ok" else ("ok", f"{args.steps} taken back.")


def _answer(draft: Draft, args: commands.Answer, _terms: Terms) -> Answer:
    asked = next((one for one in public.questions(draft.book, draft.sensing) if one.id == args.question), None)
    if asked is None:
        return "no-question", "This question is not open: it was answered or withdrawn."
    if args.choice not in asked.choices:
        return "bad-arguments", f"Answer with one of {', '.join(asked.choices) or 'the act itself, keyed'}."
    if asked.kind == "floor":
        ruling, _, amount = args.choice.partition(":")
        return _step(draft, steps.FloorDecision(ruling=ruling, to=int(amount) if amount else None))
    if asked.kind == "which-first":
        return words.answered(draft, args.choice)
    if asked.kind == "straddle":
        refusal = posting.answered(draft, args.question, args.choice)
        return DONE if refusal is None else (refusal.code, refusal.sentence)
    draft.note("answered", {"id": args.question, "choice": args.choice})
    draft.sensing, observed = sensing_steps.answer(draft.sensing, args.question, args.choice, draft.now.mono_ns)
    felt.take(draft, observed)
    return DONE


def _floor(draft: Draft, args: commands.Floor, _terms: Terms) -> Answer:
    return _step(draft, steps.FloorDecision(ruling=args.ruling, to=args.to))


_VERBS: dict[str, Callable[[Draft, Any, Terms], Answer]] = {
    "passive": _passive,
    "act": _act,
    "says": _says,
    "gesture": _gesture,
    "jump": _jump,
    "rest-folds": _rest_folds,
    "cards-out": _cards_out,
    "deal": _deal,
    "award": _award,
    "pass-out": _pass_out,
    "next-hand": _next_hand,
    "setup": _setup,
    "sits": _sits,
    "leaves": _leaves,
    "adds": _adds,
    "away": _away,
    "back": _back,
    "undo": _undo,
    "answer": _answer,
    "floor": _floor,
    "clock": evening.set_clock,
    "game": evening.choose_game,
    **between.VERBS,
    **disputes.VERBS,
}
