"""How a hand begins: who is dealt in, what is posted, with a kill or a straddle that must be, or as a bomb pot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from betline.steps import CorrectButton, FouledDeck, Misdeal, NextHand
from table_controller.betting import BettingOptions, Hand, Illegal, PostKind, Structure
from table_controller.positions import (
    Player,
    Positions,
    cannot_cover_the_big_blind,
    dealt_in,
    dealt_in_again,
    first_positions,
    forced_straddle,
    is_due,
    is_rock_due,
    kill_structure,
    left_out,
    mandatory_straddler,
    missed_straddle,
    options_of,
    penalty_served,
    put_off,
    put_on_button,
    seat_players,
    with_deferred,
    with_kill,
    with_missed_straddle,
)
from table_controller.rulings.acts import acts
from table_controller.rulings.acts.dealer import chips_back, gathered
from table_controller.rulings.between import race
from table_controller.rulings.between.clock import under_new_rules
from table_controller.rulings.values import house_money
from table_controller.rulings.values.reckoning import Reckoned, Reckoning
from table_controller.rulings.values.state import BOMB_POT_STREET, Effect, State


def next_hand(state: State, step: NextHand) -> Effect:
    """The button moves and the forced bets are posted; before a hand that is dealt again begins it is that one."""
    if state.may_be_redealt:
        return _dealt_again_already(state, step)
    if not state.between_hands:
        raise Illegal("action-pending", "Award its pots first: the hand is not over.")
    step, state = _with_what_waits(state.waits, step), gathered(state)._replace(waits=None)
    if step.house is not None:
        state = under_new_rules(state, step.house)
    if step.game is not None:
        state = race.with_game(state, step.game)
    state = state._replace(options=options_of(state.house, last_two=state.last_two), players=_who_stays(state))
    seats = dealt_in(state.players, state.house)
    if len(seats) < 2:
        raise Illegal("not-open", f"A hand needs two players who can be dealt in, not {len(seats)}.")
    if step.bomb_pot is not None:
        ante = _bomb_pot_ante(state, step.bomb_pot)
        return _begun(state, _bomb_pot_positions(state, seats, step.button), ante)
    if step.button is not None:
        placed = put_on_button(
            state.house, state.structure, state.options, state.players, step.button, is_first=state.last is None
        )
    elif state.last is None:
        placed = first_positions(state.structure, state.options, seats, seats[0])
    else:
        last = state.last
        state = _without_who_cannot_cover(state, last)
        placed = seat_players(state.house, state.structure, state.options, last, state.players)
    return _begun(state, placed, None)


def misdeal(state: State, _step: Misdeal) -> Effect:
    """Every chip goes back and the hand is dealt again; refused after substantial action (TDA 35; R-292)."""
    return _dealt_again(state, misdealt(state))


def misdealt(state: State) -> Hand:
    """The hand that may still be a misdeal; raises Illegal (`too-late`) after substantial action (TDA 35, 36)."""
    hand = fouled_hand(state)
    if hand.street != state.first_street or state.substantial:
        raise Illegal(
            "too-late", "Play it on: there has been substantial action.", cites=("TDA-35", "TDA-36")
        )  # fmt: skip
    return hand


def fouled(state: State, _step: FouledDeck) -> Effect:
    """The deck is fouled: every chip of the hand goes back, and it is dealt again immediately (R-292)."""
    return _dealt_again(state, fouled_hand(state))


def fouled_hand(state: State) -> Hand:
    """The hand whose deck may be found fouled; raises Illegal where none is in progress."""
    hand = acts.hand_of(state)
    if hand.hand_over:
        raise Illegal("too-late", "Begin the next hand: this one is over.")
    return hand


def _dealt_again(state: State, hand: Hand) -> Effect:
    """The hand as it began: same button, blinds, antes, limits and players, whoever came or went since (TDA 35-C)."""
    placed = state.due
    if placed is None:
        seats = tuple(sorted(hand.seats))
        placed = first_positions(state.structure, state.options, seats, hand.button)
    begun = _begun(chips_back(state, hand)._replace(redealt=True), placed, state.bomb_pot)
    return replace(begun, cites=("TDA-35", *begun.cites))


def _dealt_again_already(state: State, step: NextHand) -> Effect:
    """The next hand, where it is the one that was dealt again: a new level waits for the hand after it (TDA 35-C)."""
    if step.button is not None or step.bomb_pot is not None:
        raise Illegal(
            "action-pending", "Deal it again as it was: its button and its bets stay.", cites=("TDA-35",)
        )  # fmt: skip
    return Effect(state=state._replace(waits=_with_what_waits(state.waits, step)), cites=("TDA-35",))


def _with_what_waits(waits: NextHand | None, step: NextHand) -> NextHand:
    if waits is None:
        return step
    return replace(step, game=step.game or waits.game, house=step.house or waits.house)


def corrects_button(state: State, step: CorrectButton) -> Effect:
    """The button stood wrong: before substantial action the hand begins anew where it belongs (R-190)."""
    hand = acts.hand_of(state)
    if hand.hand_over or hand.street != state.first_street or state.substantial:
        raise Illegal("too-late", "Leave the button, and move it on from there: there has been substantial action.")
    placed = state.due
    if placed is None:
        raise Illegal("not-open", "This story begins in the middle of a hand: its button stands.")
    if step.seat == placed.button:
        raise Illegal("not-open", f"Nothing to do: the button stands before seat {step.seat} already.")
    empty = step.seat not in placed.seats
    if empty and (state.house.button_rule != "dead" or len(placed.seats) < 3):
        raise Illegal("not-open", f"Put the button before a seat that is dealt in: seat {step.seat} is not.")
    bomb_pot = state.bomb_pot
    back = chips_back(state, hand)
    if bomb_pot is not None or not state.structure.blinds:
        return _begun(back, replace(placed, button=step.seat), bomb_pot)
    return _begun(back, _with_button(back, placed, step.seat), None)


def posted(state: State, placed: Positions) -> State:
    """A hand begins: antes and forced bets are put in."""
    due, structure, killer = placed, state.structure, state.kills.seat
    players = dict(state.players)
    straddler = mandatory_straddler(state.house, placed)
    if killer is not None and is_due(state.kills, placed):
        structure, straddler = kill_structure(state.house, state.structure), None
        later = put_off(state.house, placed, killer)
        placed = with_kill(state.house, state.structure, placed, killer)
        players[killer] = replace(players[killer], deferred=(*players[killer].deferred, *later))
    else:
        killer = None
        if state.rock is not None and is_rock_due(state.house, placed, state.rock):
            straddler = state.rock
        elif straddler is not None and state.last is not None and players[straddler].arrival is not None:
            straddler = None
    for seat in sorted(placed.seats - {killer}) if structure.blinds else ():
        if players[seat].deferred:
            placed = with_deferred(placed, seat, players[seat].deferred)
            players[seat] = replace(players[seat], deferred=())
    if straddler is not None:
        placed = forced_straddle(placed, structure, straddler)
    hand = Hand.start(
        structure, state.options, _stacks(state, placed), placed.button, placed.posts, carried=state.carried
    )
    for seat, player in players.items():
        if seat in placed.seats:
            players[seat] = dealt_in_again(player, seat, state.house, placed, state.structure)
            continue
        players[seat] = left_out(player, seat, state.last, placed, state.structure, state.minutes)
        if straddler is not None and missed_straddle(state.house, state.last, placed, seat):
            players[seat] = with_missed_straddle(players[seat], 2 * state.structure.big_blind)
    return _dealt(state._replace(entered=state.players, players=players, bomb_pot=None), placed, due, hand)


def positions_of_a_hand_in_its_middle(
    structure: Structure, options: BettingOptions, seats: Iterable[int], button: int
) -> Positions:  # fmt: skip
    """A hand that begins on a later street: button and blinds are where they would have been, nothing is posted."""
    present = tuple(sorted(seats))
    try:
        usual = first_positions(structure, options, present, button)
    except Illegal:
        return Positions(button=button, small_blind=None, big_blind=None, seats=frozenset(present))
    return replace(usual, posts=())


def _begun(state: State, placed: Positions, bomb_pot: int | None) -> Effect:
    """The hand is dealt; a player who has been away too long raises an alert (R-194)."""
    begun = posted(state, placed) if bomb_pot is None else _bomb_pot(state, placed, bomb_pot)
    long = [seat for seat, player in begun.players.items() if player.pick_up and not state.players[seat].pick_up]
    rule = _RULE_OF_THE_BUTTON[state.house.button_rule] if len(placed.seats) > 2 else "TDA-34"
    cites = (rule,) if rule.startswith("TDA") else ()
    return acts.settle(
        Effect(state=begun, alerts=("pick-up",) if long else (), cites=cites, reckoning=_posted(begun, rule))
    )  # fmt: skip


_RULE_OF_THE_BUTTON = {"dead": "TDA-32", "moving": "R-187", "simplified": "R-186"}


def _posted(begun: State, rule: str) -> Reckoning:
    """Where the button stands, and what each seat has put in before anybody acts."""
    placed = begun.placed
    if placed is None or begun.hand is None:
        return ()
    where = (("button", placed.button), ("small blind", placed.small_blind), ("big blind", placed.big_blind))
    seats = tuple([(name, seat) for name, seat in where if seat is not None])
    posts = ", ".join(f"seat {seat} {' + '.join(map(str, posted))}" for seat, posted in sorted(begun.posts.items()))
    return (Reckoned(rule, "button and blinds", seats, f"posted: {posts}" if posts else "no blinds are posted"),)


def _with_button(state: State, placed: Positions, button: int) -> Positions:
    """The forced bets with the button elsewhere: blinds from there, posts of those who are in no blind."""
    seats = tuple(sorted(placed.seats))
    corrected = first_positions(state.structure, state.options, seats, button)
    blinds = {post.seat for post in corrected.posts}
    others = [
        post for post in placed.posts
        if post.kind in (PostKind.LIVE, PostKind.DEAD) and post.seat not in blinds and post.seat != placed.big_blind
    ]  # fmt: skip
    return replace(corrected, posts=(*corrected.posts, *others))


def _bomb_pot_ante(state: State, ante: int) -> int:
    """What everybody puts in; raises Illegal where no bomb pot is played, or nobody says for how much (R-303)."""
    house = state.house.bomb_pot
    if house is None or BOMB_POT_STREET not in state.structure.streets:
        raise Illegal("not-open", "Deal a usual hand: the house plays no bomb pot, or the game has no flop.")
    if not (ante or house.ante):
        raise Illegal("below-minimum", "Say how much everybody puts in (`bomb_pot`).")
    return ante or house.ante


def _bomb_pot_positions(state: State, seats: tuple[int, ...], button: int | None) -> Positions:
    """The button moves or stays as the house says; nobody posts a blind, and all who are there are dealt in (R-303)."""
    house, last = state.house.bomb_pot, state.last
    if button is not None:
        placed = put_on_button(state.house, state.structure, state.options, state.players, button)
    elif last is None:
        placed = positions_of_a_hand_in_its_middle(state.structure, state.options, seats, seats[0])
    elif house is not None and house.button_moves:
        placed = seat_players(state.house, state.structure, state.options, last, state.players)
    else:
        placed = last
    return replace(placed, small_blind=None, big_blind=None, posts=(), seats=frozenset(seats))


def _bomb_pot(state: State, placed: Positions, ante: int) -> State:
    """Everybody puts in the ante, and betting begins on the flop (R-303)."""
    stacks = _stacks(state, placed)
    paid = {seat: min(stack, ante) for seat, stack in stacks.items()}
    hand = Hand.resume(
        state.structure, state.options, {seat: stack - paid[seat] for seat, stack in stacks.items()}, placed.button,
        street=BOMB_POT_STREET, pot=sum(paid.values()), paid=paid, carried=state.carried,
    )  # fmt: skip
    return _dealt(state._replace(entered=state.players, bomb_pot=ante), placed, placed, hand)


def _dealt(state: State, placed: Positions, due: Positions, hand: Hand) -> State:
    absent = frozenset([seat for seat in placed.seats if state.players[seat].away or state.players[seat].penalty])
    players = {seat: penalty_served(player, state.house) for seat, player in state.players.items()}
    dealt = state._replace(
        players=players, hand=None, placed=placed, due=due, absent=absent, bets_made=(), borrowed={},
        borrowed_to_raise=frozenset(),
    )  # fmt: skip
    return dealt.with_hand(hand)._replace(in_front=state.in_front)


def _stacks(state: State, placed: Positions) -> dict[int, int]:
    return {seat: state.players[seat].stack for seat in sorted(placed.seats)}


def _who_stays(state: State) -> dict[int, Player]:
    """A seat without chips sits out in a cash game and is vacated in a tournament (R-306)."""
    if state.house.form == "cash":
        return dict(state.players)
    return {seat: player for seat, player in state.players.items() if player.stack}


def _without_who_cannot_cover(state: State, last: Positions) -> State:
    """Who is due the big blind without covering it sits out until it buys chips; in a tournament it is out (R-203)."""
    while True:
        seat = cannot_cover_the_big_blind(state.house, state.structure, state.options, last, state.players)
        if seat is None:
            return state
        players = dict(state.players)
        if state.house.form == "tournament":
            state = house_money.booked(state, "removed", players.pop(seat).stack)
        else:
            players[seat] = replace(players[seat], must_rebuy=True)
        state = state._replace(players=players)
