"""All alerts that hold now."""

from __future__ import annotations

from collections.abc import Iterator

from betline.units import NS_PER_MS
from table_controller.sensing.alerts import bets, chips, frozen, payout, pot, sensors, stacks, tray
from table_controller.sensing.observations import Alert, Key
from table_controller.sensing.setup import stack_zone_of, zone_of
from table_controller.sensing.state import SensingState


def standing(sensing: SensingState, now_ns: int) -> dict[Key, Alert]:
    """All alerts that hold now, by what they are about."""
    return {(alert.code, alert.seat): alert for alert in _standing(sensing, now_ns)}


def _standing(sensing: SensingState, now_ns: int) -> Iterator[Alert]:
    stale_ms = sensing.setup.thresholds.stale_ms
    heard_long_enough = now_ns - sensing.began_ns > stale_ms * NS_PER_MS
    if heard_long_enough:
        yield from sensors.camera(sensing, now_ns)
    for zone in sensing.zones.values():
        if (zone.unknown or zone.noted) and zone.heard(now_ns, stale_ms):
            yield from chips.of_zone(sensing, zone)
    yield from sensors.weak_house_antennas(sensing, now_ns)
    yield from sensors.partial_in_the_house(sensing, now_ns)
    yield from sensors.overlap(sensing, now_ns)
    yield from frozen.readers(sensing, now_ns)
    yield from pot.alerts(sensing, now_ns)
    yield from tray.alerts(sensing, now_ns)
    yield from payout.alerts(sensing, now_ns)
    for seat in sensing.setup.seats:
        if stack_zone_of(seat) in sensing.zones:
            yield from stacks.of_seat(sensing, seat, now_ns)
        belief = sensing.zones.get(zone_of(seat))
        if belief is None:
            continue
        if not belief.heard(now_ns, stale_ms):
            if heard_long_enough:
                yield sensors.silent(sensing, seat)
            continue
        tells_a_part = sensors.tells_a_part(belief)
        if tells_a_part:
            yield sensors.partial(sensing, seat)
        elif belief.quality.weak:
            yield sensors.weak_antenna(sensing, seat, belief)
        if not belief.settled and not tells_a_part and not sensing.witness.seat(seat).hand:
            yield from sensors.unsure(sensing, seat, belief, now_ns)
        if belief.unreliable:
            continue
        account = sensing.accounts[seat]
        if account.doubt:
            yield from sensors.wrong_hand(sensing, account)
        if not belief.present:
            yield from sensors.against_camera(sensing, seat, belief, now_ns)
        due = sensing.hand.book(seat).change_due
        if account.new or account.gone or account.base or account.keyed_ns >= 0 or due:
            yield from bets.of_seat(sensing, account, belief, now_ns)
