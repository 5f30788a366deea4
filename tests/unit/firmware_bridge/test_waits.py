"""How long a zone waits on a reader that reads several, by the bridge's own schedule."""

from __future__ import annotations

import pytest

from firmware_bridge.schedule import Channel, Need, Pace
from firmware_bridge.waits import bearable_ms, longest_waits_ms, round_ms_of

SEATS = tuple(Channel(f"seat-{number}", number) for number in range(1, 10))
POT, TRAY = Channel("pot", 10, Need.SLOW), Channel("tray", 11, Need.SLOW)


def waits(*channels: Channel, each_ms: float | None = None, pace: Pace | None = None) -> dict[str, float]:
    return longest_waits_ms(
        channels, {one.zone: each_ms or round_ms_of("feig", one.zone) for one in channels}, pace or Pace()
    )


def test_a_reader_of_one_zone_keeps_the_zones_pace() -> None:
    assert waits(POT, each_ms=100) == {"pot": pytest.approx(Pace().slow_ms)}
    assert waits(SEATS[0], each_ms=100) == {"seat-1": pytest.approx(100)}, "the seat to act, round after round"


def test_the_seat_to_act_is_read_every_35_ms_where_its_chips_are_few() -> None:
    assert waits(SEATS[0], each_ms=20) == {"seat-1": pytest.approx(35)}


def test_a_zone_beside_moving_chips_waits_for_as_long_as_patience_allows() -> None:
    found = waits(SEATS[0], POT, each_ms=30, pace=Pace(patience_ms=1000))
    assert 1000 <= found["pot"] <= 1000 + 3 * 30
    assert found["seat-1"] <= 2 * 30 + Pace().acting_ms


def test_pot_and_tray_wait_longest_where_one_reader_serves_nine_seats() -> None:
    busy = waits(*SEATS, POT, TRAY)
    assert sorted(busy, key=lambda zone: busy[zone])[-2:] == ["pot", "tray"]
    assert 4000 < busy["pot"] < 5000


def test_more_zones_wait_longer() -> None:
    few, many = waits(*SEATS[:3], POT), waits(*SEATS, POT)
    assert all(many[zone] > few[zone] for zone in few)


def test_silence_is_borne_for_a_round_of_300_chips_where_some_have_begun_to_come_and_no_longer_than_usual_else() -> (
    None
):
    assert bearable_ms("feig", 40.0, grows=False) == 40.0
    assert 3_000 < bearable_ms("feig", 40.0, grows=True) < 3_200
    assert bearable_ms("feig", 5_000.0, grows=True) == 5_000.0
