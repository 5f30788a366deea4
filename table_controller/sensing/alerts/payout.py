"""What leaves the pot once a hand is over, against what each seat has won: by the camera's pushes and by the chips."""

from __future__ import annotations

from collections.abc import Iterator

from betline.units import NS_PER_MS
from table_controller.sensing.alerts.evidence import alert
from table_controller.sensing.belief import ZoneBelief
from table_controller.sensing.observations import Alert
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState
from table_controller.sensing.travels import ELSEWHERE

QUIET_NS = 700 * NS_PER_MS
"""Chips that were pushed together are believed to have gone within this time."""
REST_NS = 1_200 * NS_PER_MS
"""A dealer who needs a second push for a large pot makes it this soon."""
PUSH_SEEN_NS = 1_200 * NS_PER_MS
"""The camera says so much later that a part of the pot was pushed to a seat; its chips may have gone before."""
NEXT_PUSH_NS = 4_000 * NS_PER_MS
"""A pot that is pushed to several seats: the next part is counted out and leaves this soon."""


def alerts(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    """The alerts about the payout of a hand that is over."""
    hand, travels = sensing.hand, sensing.travels
    if hand.phase != "hand-over" or travels.closed_ns < 0 or not hand.won:
        return
    pushed = [seat for seat, at_ns in sensing.witness.pushes if at_ns >= travels.closed_ns]
    yield from _to_the_wrong_seat(sensing, pushed)
    pot = sensing.zones.get("pot")
    if pot is None or not pot.fresh(now_ns, sensing.setup.thresholds.stale_ms) or pot.unknown:
        return
    quiet_ns = now_ns - max(travels.newest_ns("pot"), travels.newest_ns("tray"), travels.over_ns)
    if quiet_ns >= QUIET_NS:
        yield from _amount(sensing, pot, pushed, quiet_ns)


def _to_the_wrong_seat(sensing: SensingState, pushed: list[int]) -> Iterator[Alert]:
    """Chips of the pot at a seat that has won nothing: the camera saw the push, or its reader hears them."""
    hand = sensing.hand
    for seat in sensing.setup.seats:
        lies = sensing.travels.moved("pot", zone_of(seat), sensing.travels.closed_ns)
        if seat in hand.won or seat in hand.back or not (lies or seat in pushed):
            continue
        if seat not in pushed and sum(lies.values()) <= hand.next_posts.get(seat, 0):
            continue  # the winner has changed chips with who posts the next blind
        winners = " and ".join(f"seat {one}" for one in sorted(hand.won))
        what = f"{sum(lies.values())} of the pot" if lies else "the pot"
        sentence = f"Seat {seat}: bring {what} back or call the floor: {winners} won this hand."
        yield alert(sensing, "wrong-seat-paid", seat, sentence, sum(lies.values()), lies, zone_of(seat))


def _amount(sensing: SensingState, pot: ZoneBelief, pushed: list[int], quiet_ns: int) -> Iterator[Alert]:
    """What has left the pot against what was won by those to whom it was pushed; without a camera by all."""
    hand, travels = sensing.hand, sensing.travels
    gone = travels.moved("pot", ELSEWHERE, travels.closed_ns)
    out = sum(gone.values())
    if not out:
        return
    seen = [seat for seat in hand.won if seat in pushed]
    due = sum(hand.won[seat] for seat in seen) if seen else sum(hand.won.values())
    last = seen[-1] if seen else next(iter(hand.won)) if len(hand.won) == 1 else None
    others_to_come = out <= sum(hand.won.values()) + hand.taken and quiet_ns < PUSH_SEEN_NS
    if out > due + hand.taken and not others_to_come:
        over = out - due - hand.taken
        sentence = f"{_name(last)}: bring {over} back or call the floor: {out} left the pot, {due} was won."
        yield alert(sensing, "wrong-payout", last, sentence, over, gone, "pot")
    elif out < due and pot.value and quiet_ns >= (REST_NS if len(hand.won) == 1 else NEXT_PUSH_NS):
        left = min(due - out, pot.value)  # bets that were not gathered go to the winner straight from their zones
        sentence = f"{_name(last)}: push {left} more: {out} left the pot, {due} was won; {pot.value} lies there."
        yield alert(sensing, "wrong-payout", last, sentence, left, {**pot.present}, "pot")


def _name(seat: int | None) -> str:
    return "Pot" if seat is None else f"Seat {seat}"
