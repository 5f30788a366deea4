"""Steps of the dealer within a hand: streets, bring-in, awards, dead hands, misdeals, counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from betline.steps import Award, BringIn, ChopBlinds, Count, Deal, KillHand, Part, PassOut, Straddle, Winners
from table_controller.betting import Hand, Illegal, Parts, Post, PostKind
from table_controller.betting.pots import PayoutKind, Pot
from table_controller.positions import Player, Positions, StraddleKind, is_due, penalty_again, straddled
from table_controller.rulings.acts import acts
from table_controller.rulings.acts.run_out import deal_run
from table_controller.rulings.values import house_money
from table_controller.rulings.values.goings import with_goings
from table_controller.rulings.values.reckoning import Reckoned
from table_controller.rulings.values.ruling import NOTHING_STANDING, Ruling, RulingKind
from table_controller.rulings.values.sentences import sentence
from table_controller.rulings.values.state import Effect, State, Taking


def deal(state: State, step: Deal) -> Effect:
    """The bets are gathered and the next street begins; refused while action is pending."""
    hand = acts.hand_of(state)
    _refuse_while_the_floor_decides(state)
    if state.runs is not None:
        return deal_run(state, state.runs, step)
    doubled = step.open_pair and state.house.stud_open_pair_double and step.street == "fourth"
    return acts.settle(Effect(state=state.with_hand(hand.deal(step.street, step.first, doubled=doubled))))


def bring_in(state: State, step: BringIn) -> Effect:
    """Stud: the seat posts the bring-in (R-202)."""
    hand = acts.hand_of(state)
    posted = hand.bring_in(step.seat)
    ruling = Ruling(
        ruling=RulingKind.POST, seat=step.seat, to=posted.bet(step.seat), adds=posted.bet(step.seat),
        all_in=posted.stack(step.seat) == 0,
    )  # fmt: skip
    why = "the bring-in"
    return acts.settle(
        Effect(state=state.with_hand(posted), ruling=replace(ruling, sentence=sentence(ruling, why)))
    )  # fmt: skip


def straddle(state: State, step: Straddle) -> Effect:
    """A voluntary blind raise before the first act (R-195)."""
    hand = acts.hand_of(state)
    if hand.acts or state.held or state.placed is None or hand.street != state.structure.streets[0]:
        raise Illegal("too-late", "Give it back: somebody has acted, so it is too late to straddle.")
    if not state.structure.big_blind:
        raise Illegal("not-open", "Give it back: there is no straddle in a game without blinds.")
    if state.due is not None and is_due(state.kills, state.due):
        raise Illegal("not-open", "Give it back: there is no straddle in a kill pot (R-129).")
    stacks = hand.starting_stacks
    placed = straddled(
        state.house, state.structure, state.placed, stacks, Post(step.seat, step.to, PostKind.STRADDLE),
        StraddleKind(step.kind),
    )  # fmt: skip
    posted = Hand.start(state.structure, state.options, stacks, placed.button, placed.posts, carried=state.carried)
    ruling = Ruling(
        ruling=RulingKind.POST, seat=step.seat, to=posted.bet(step.seat),
        adds=posted.bet(step.seat) - hand.bet(step.seat), all_in=posted.stack(step.seat) == 0,
    )  # fmt: skip
    after = state.with_hand(posted)._replace(placed=placed, bets_made=(posted.level,))
    why = "a sleeper" if step.kind == "sleeper" else f"a {step.kind} straddle"
    return acts.settle(Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, why))))


def may_straddle(state: State) -> tuple[Hand, Positions]:
    """The hand that may still be straddled, and its positions; raises Illegal where somebody has acted (R-195)."""
    hand = acts.hand_of(state)
    if hand.acts or state.held or state.placed is None or hand.street != state.structure.streets[0]:
        raise Illegal("too-late", "Give it back: somebody has acted, so it is too late to straddle.")
    if state.due is not None and is_due(state.kills, state.due):
        raise Illegal("not-open", "Give it back: there is no straddle in a kill pot (R-129).")
    return hand, state.placed


def award(state: State, step: Award) -> Effect:
    """The pots are paid, where the board was run more than once a part of each for every board (R-264, R-268)."""
    hand = acts.hand_of(state)
    _refuse_while_the_floor_decides(state)
    winners = [_winners(number, pot, state) for number, pot in enumerate(step.pots, 1)]
    takings = house_money.out_of_pots(state, hand)
    paid = hand.award(winners, [taking.amount for taking in takings])
    reckoning = tuple([_divided(number, pot, winners[number], paid, takings) for number, pot in enumerate(hand.pots)])
    split = any(len(named(one)) > 1 for one in winners)
    cites = [rule for rule, applies in (("TDA-20", split), ("TDA-21", len(hand.pots) > 1)) if applies]
    return Effect(state=state.with_hand(paid), cites=tuple(cites), reckoning=reckoning)


def _winners(number: int, pot: Winners, state: State) -> tuple[int, ...] | Parts:
    """Who wins a pot, as the betting engine has it."""
    times = 1 if state.runs is None else state.runs.times
    if times > 1 and len(pot) != times:
        raise Illegal("not-open", f"It is run {times} times: name the winners of each board, for pot {number} too.")
    return _shared(pot[0]) if len(pot) == 1 else Parts(tuple([_shared(part) for part in pot]), apart=times > 1)


def _divided(
    number: int, pot: Pot, winners: Sequence[int] | Parts, paid: Hand, takings: Sequence[Taking]
) -> Reckoned:  # fmt: skip
    """How a pot is divided: what the house takes of it, and what each winner gets (TDA 20; R-285)."""
    taken = [taking for taking in takings if taking.pot == number]
    house = (
        ("rake", sum(one.rake - one.drop for one in taken)), ("drop", sum(one.drop for one in taken)),
        ("for the kitty", sum(one.kitty for one in taken)),
    )  # fmt: skip
    won = [one for one in paid.payouts if one.kind is PayoutKind.POT and one.pot == number]
    amounts = (("in it", pot.amount), *[part for part in house if part[1]])
    split = ", ".join(f"seat {one.seat} {one.amount}" for one in sorted(won, key=lambda one: one.seat))
    what = f"side pot {number}" if number else "the main pot"
    what_parts = "boards" if isinstance(winners, Parts) and winners.apart else "equal parts"
    how = f"{len(winners.parts)} {what_parts}: " if isinstance(winners, Parts) else ""
    return Reckoned("TDA-20", what, amounts, f"{how}{split}")


def named(winners: Sequence[int] | Parts) -> frozenset[int]:
    """The seats that take something of a pot."""
    if not isinstance(winners, Parts):
        return frozenset(winners)
    return frozenset().union(*[named(part) for part in winners.parts])


def _shared(part: Part) -> tuple[int, ...] | Parts:
    """A part of a pot as the betting engine has it."""
    halves = tuple([half for half in part if not isinstance(half, int)])
    return Parts(halves) if halves else tuple([seat for seat in part if isinstance(seat, int)])


def pass_out(state: State, _step: PassOut) -> Effect:
    """Nobody has opened: what lies in the pot waits for the next hand (R-307)."""
    return Effect(state=state.with_hand(acts.hand_of(state).pass_out()))


def chop(state: State, _step: ChopBlinds) -> Effect:
    """All have folded to the blinds, who take them back; the button moves on (R-204)."""
    hand = acts.hand_of(state)
    _refuse_while_the_floor_decides(state)
    if not state.house.chop_blinds:
        raise Illegal("not-open", "This house does not chop blinds (R-204).")
    if hand.hand_over or hand.street != state.structure.streets[0] or state.due is None or hand.acts_with_chips:
        raise Illegal("too-late", "Blinds are chopped before the flop, while nobody has put in more (R-204).")
    blinds = {post.seat for post in state.due.posts if post.kind is PostKind.BLIND}
    if state.kills.seat in blinds and is_due(state.kills, state.due):
        raise Illegal("not-open", "The kill is in the blinds: they are not chopped (R-129).")
    others = sorted(hand.in_hand - blinds)
    if others:
        raise Illegal("not-open", f"Seat {others[0]} is still in the hand: the blinds are not alone (R-204).")
    if hand.pot != sum(hand.bet(seat) for seat in hand.in_hand):
        raise Illegal("not-open", "There is more in the pot than the blinds: it is played for (R-204).")
    return Effect(state=chips_back(state, hand)._replace(last=state.placed, players=with_stacks(
        state.players, hand.starting_stacks,
    )))  # fmt: skip


def kills(state: State, step: KillHand, before: Hand | None, cites: tuple[str, ...] = ()) -> Effect:
    """A dead hand: what it has called stays, an uncalled bet or raise goes back (TDA 65-A; R-047).

    `before` is the hand before the bet that is to be matched was made, where that was no forced bet.
    """
    hand = acts.hand_of(state)
    folded = hand.fold(step.seat)
    if before is not None and hand.aggressor == step.seat and not folded.hand_over:
        folded = folded.uncalled_back(step.seat, before)
    held = tuple([held for held in state.held if held.act.seat != step.seat])
    bet = hand.bet(step.seat)
    back = sum(
        payout.amount for payout in folded.payouts[len(hand.payouts) :]
        if payout.seat == step.seat and payout.kind is PayoutKind.UNCALLED
    )  # fmt: skip
    amounts = (("its bet", bet), ("uncalled", back))
    chips = Reckoned(
        "TDA-65", "the dead hand's chips", amounts, f"{bet - back} stays in the pot, {back} goes back"
    )  # fmt: skip
    ruling = Ruling(
        ruling=RulingKind.FOLD, seat=step.seat, to=bet - back, returned=back, cites=("TDA-65", *cites),
        reckoning=(chips,),
    )  # fmt: skip
    after = state.with_hand(folded)._replace(held=held)
    if state.floor is not None and state.floor.seat == step.seat:
        after = after._replace(floor=None)
    why = f"the hand is dead, {step.why}; {bet - back} of its bet stays"
    return acts.settle(Effect(state=after, ruling=replace(ruling, sentence=sentence(ruling, why))))


def counts(state: State, step: Count) -> Effect:
    """The dealer has counted a stack: the book follows, `ledger-off` says that it differed (R-074)."""
    if step.seat in state.players and state.stacks[step.seat] == step.stack:
        return Effect(state=state)
    stack = step.stack or 0
    if state.hand is not None and not state.between_hands and step.seat in state.hand.seats:
        recounted = state._replace(hand=state.hand.recounted(step.seat, stack))
        return acts.settle(Effect(state=recounted, alerts=("ledger-off",)))
    after = gathered(state) if state.between_hands else state
    if step.seat not in after.players:
        raise Illegal("not-open", f"Name a taken seat: nobody sits in seat {step.seat}.")
    counted = replace(after.players[step.seat], stack=stack)
    return Effect(state=after._replace(players={**after.players, step.seat: counted}), alerts=("ledger-off",))


def gathered(state: State) -> State:
    """The table after a hand: stacks as the hand left them, nothing else of it remains; who was to go has gone."""
    if state.hand is None:
        return with_goings(state)
    players = with_stacks(state.players, state.hand.stacks)
    state = state._replace(
        players=players, last=state.placed or state.last, placed=None, due=None, hand=None,
        standing=NOTHING_STANDING, held=(), early=(), floor=None, in_front={}, carried=state.hand.carried,
        bomb_pot=None, takings=(), redealt=False, runs=None, cards=(),
    )  # fmt: skip
    return with_goings(state)


def with_stacks(players: Mapping[int, Player], stacks: Mapping[int, int]) -> dict[int, Player]:
    """Players with the stacks that some of them have now."""
    return {
        seat: replace(player, stack=stacks[seat]) if seat in stacks else player for seat, player in players.items()
    }  # fmt: skip


def chips_back(state: State, hand: Hand) -> State:
    """Stacks as before the hand, and what players owe as well (R-292)."""
    players = {
        seat: replace(
            player, arrival=was.arrival, missed=was.missed, missed_straddle=was.missed_straddle,
            deferred=was.deferred, returns=player.returns or was.returns, rounds_missed=was.rounds_missed,
            out_since=was.out_since, pick_up=was.pick_up, penalty=penalty_again(player, was),
        ) if (was := state.entered.get(seat)) is not None else player
        for seat, player in state.players.items()
    }  # fmt: skip
    players = with_stacks(players, hand.starting_stacks)
    return state._replace(
        players=players, placed=None, due=None, hand=None, standing=NOTHING_STANDING, held=(), early=(),
        floor=None, in_front={}, bomb_pot=None, runs=None, cards=(),
    )  # fmt: skip


def _refuse_while_the_floor_decides(state: State) -> None:
    if state.floor is not None:
        raise Illegal("action-pending", f"The floor's decision on seat {state.floor.seat} comes first.")
