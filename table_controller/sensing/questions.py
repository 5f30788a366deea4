"""What only the dealer can say, as a function of what is believed: a question stands as long as its reason does."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account, Aside
from table_controller.sensing.belief import ZoneBelief
from table_controller.sensing.cues import Cues
from table_controller.sensing.observations import Asked
from table_controller.sensing.order import Waiting
from table_controller.sensing.view import HandView

NO_BET = "no-bet"
PATIENCE_NS = 3_000 * NS_PER_MS
"""Chips that do not settle for so long are asked about as they lie."""


def standing(
    hand: HandView,
    accounts: Mapping[int, Account],
    belief_of: Callable[[int], ZoneBelief],
    waiting: Waiting | None,
    unread_bet: int | None,
    cues: Cues,
    mucked: Asked | None,
    rests_on: tuple[int, ...],
    before: Container[str],
    award: Asked | None = None,
) -> dict[str, Asked]:
    """All open questions by id. `unread_bet` is the seat whose bet the camera saw and no reader counts, `mucked` the
    question about cards that went into the muck, `rests_on` the seats whose hand rests on their chips, `before` the
    questions that were open before: one about chips that lie still stays although they miss a read now and then.
    `award` is the question whose the pots are, at the showdown.
    """
    if hand.phase != "betting":
        return {} if award is None else {award.id: award}
    found = {asked.id: asked for asked in _standing(hand, accounts, belief_of, waiting, unread_bet, cues, before)}
    found |= {asked.id: asked for asked in _hands(hand, accounts, rests_on)}
    return found if mucked is None else {**found, mucked.id: mucked}


def is_asked_about(seat: int, asked: Iterable[Asked]) -> bool:
    """Whether it is an open question whether the single chip of this seat is a bet at all."""
    return any(one.waiting == seat and NO_BET in one.choices for one in asked)


def is_asked_whether(waiting: Waiting, asked: Iterable[Asked]) -> bool:
    """Whether it is an open question what the seats before an act that waits have done."""
    about = ("unreported", waiting.seat, waiting.before)
    return any((one.kind, one.waiting, one.seats) == about for one in asked)


def _hands(hand: HandView, accounts: Mapping[int, Account], rests_on: tuple[int, ...]) -> Iterator[Asked]:
    for seat in rests_on:
        yield Asked(
            f"hand-on-chips-{hand.hand_no}-{hand.street}-{seat}",
            "hand-on-chips",
            (seat,),
            f"Seat {seat}'s hand stays on its chips; {accounts[seat].new_value} lies there: rule it as it lies?",
            ("as-it-lies",),
        )


def _standing(
    hand: HandView,
    accounts: Mapping[int, Account],
    belief_of: Callable[[int], ZoneBelief],
    waiting: Waiting | None,
    unread_bet: int | None,
    cues: Cues,
    before: Container[str],
) -> Iterator[Asked]:
    where = f"{hand.hand_no}-{hand.street}"
    if waiting is not None and waiting.due == "ask":
        chips = accounts[waiting.seat].new
        value = sum(chip or 0 for chip in chips.values())
        single = f", or is seat {waiting.seat}'s chip of {value} no bet" if len(chips) == 1 else ""
        yield Asked(
            f"unreported-{where}-{waiting.before[0]}-{waiting.seat}",
            "unreported",
            waiting.before,
            f"{cues.passive(hand, waiting.before)} before seat {waiting.seat}{single}?",
            ("passive", "out-of-turn", NO_BET) if single else ("passive", "out-of-turn"),
            waiting.seat,
        )
    for seat, account in accounts.items():
        belief = belief_of(seat)
        asked = _about_doubt(hand, account, belief) if account.doubt else None
        if asked is not None and (asked.id in before or _is_clear(account, belief)):
            yield asked
    if unread_bet is not None:
        yield Asked(
            f"amount-{where}-{unread_bet}",
            "amount",
            (unread_bet,),
            f"Seat {unread_bet} has bet and no reader says how much: key its act.",
            (),
        )


def _is_clear(account: Account, belief: ZoneBelief) -> bool:
    """Whether it can be asked now: what came before the street was keyed may still be coming, and is named whole."""
    if account.aside != "early-chips":
        return account.held or belief.settled
    patient = belief.at_ns - account.based_ns > PATIENCE_NS
    return (belief.settled or patient) and bool(account.doubt & belief.present.keys() or account.new)


def _about_doubt(hand: HandView, account: Account, belief: ZoneBelief) -> Asked | None:
    """What the chips in doubt of a seat are; before the cards were out only those of a seat with cards matter."""
    seat, why = account.seat, account.aside
    lies = sum(belief.present.get(uid) or 0 for uid in account.doubt)
    if why == "early-amount":
        return Asked(
            f"amount-{hand.hand_no}-{hand.street}-{seat}",
            "amount",
            (seat,),
            f"Seat {seat} put out chips before the {hand.street} was keyed, and not all {lies} may be its bet: "
            "key its act.",
            (),
        )
    if why == "dead-amount":
        return Asked(
            f"amount-{hand.hand_no}-{hand.street}-{seat}",
            "amount",
            (seat,),
            f"Seat {seat} put out {lies}, and a part may be its ante or stand for chips that it took: key its act.",
            (),
        )
    if why == "before-cards":
        return _before_cards(hand, seat, lies) if seat in hand.order else None
    if why == "early-chips":
        lies += account.new_value
    bet_first = why in ("early-chips", "unseen-chips")
    return Asked(
        f"{why}-{hand.hand_no}-{hand.street}-{seat}",
        why,
        (seat,),
        _in_doubt(why, seat, lies, hand.street),
        ("bet", NO_BET) if bet_first else (NO_BET, "bet"),
    )


def _before_cards(hand: HandView, seat: int, lies: int) -> Asked:
    """What chips are that lay there before the cards were out, beyond what the seat had to post."""
    call = hand.call(seat)
    act = "call" if 0 < lies <= call else "raise" if hand.level else "bet"
    straddle = hand.book(seat).straddle
    choices = (act, "straddle", NO_BET) if 0 < straddle <= lies + hand.book(seat).bet else (act, NO_BET)
    said = ", ".join((act, *choices[1:-1]))
    return Asked(
        f"before-cards-{hand.hand_no}-{seat}", "before-cards", (seat,), f"Seat {seat}'s {lies}: {said} or take back?",
        choices,
    )  # fmt: skip


def _in_doubt(why: Aside, seat: int, lies: int, street: str) -> str:
    match why:
        case "early-chips" | "early-amount" | "before-cards" | "dead-amount":
            return f"Seat {seat} put out {lies} before the {street} was keyed: is that its bet?"
        case "house-chips":
            return f"Seat {seat} has {lies} that came from the tray or the pot: is that its bet?"
        case "protector":
            return f"The chip of {lies} at seat {seat} has lain there since before its turn: is it a bet?"
        case "moved-chips":
            return f"Seat {seat} has {lies} that lay in front of another seat: is that part of its bet?"
        case "other-hand":
            return f"Seat {seat} has {lies} that another seat's hand brought: is that seat {seat}'s bet?"
        case "dead-money":
            return f"Seat {seat} has {lies} in front of it, as much as its ante: is it a bet?"
        case "unseen-chips":
            return f"Seat {seat} has {lies} in front of it that came while its reader was away: is that its bet?"
