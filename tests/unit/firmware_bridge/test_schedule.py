"""The acting seat every cycle, the others in turn, tray and pot slower."""

from __future__ import annotations

import itertools
from collections import Counter

from firmware_bridge.schedule import Channel, Need, Pace, next_poll

SEATS = tuple(Channel(f"seat-{number}", number) for number in range(1, 7))
POT, TRAY = Channel("pot", 7, Need.SLOW), Channel("tray", 8, Need.SLOW)
PACE = Pace(acting_ms=70, seat_ms=240, slow_ms=480, patience_ms=720)
NOBODY: frozenset[str] = frozenset()


def polled(
    channels: tuple[Channel, ...],
    acting: frozenset[str],
    round_ms: float,
    for_ms: float = 20_000,
    urgent: frozenset[str] = NOBODY,
    pace: Pace = PACE,
) -> list[Channel]:
    """Who is read in `for_ms` if each round takes `round_ms`."""
    now, begun, order = 0.0, {}, []
    while now < for_ms:
        poll = next_poll(channels, begun, acting, now, pace, urgent)
        now = max(now, poll.at_ms)
        begun[poll.channel] = now
        order.append(poll.channel)
        now += round_ms
    return order


def test_reader_with_one_zone_reads_it_at_its_pace() -> None:
    assert next_poll(SEATS[:1], {SEATS[0]: 1000.0}, NOBODY, 1001.0, PACE).at_ms == 1240.0
    assert next_poll(SEATS[:1], {SEATS[0]: 1000.0}, frozenset({"seat-1"}), 1001.0, PACE).at_ms == 1070.0
    assert next_poll((POT,), {POT: 1000.0}, NOBODY, 1001.0, PACE).at_ms == 1480.0


def test_zone_that_was_never_read_goes_first() -> None:
    assert next_poll(SEATS[:2], {SEATS[0]: 999.0}, frozenset({"seat-1"}), 1000.0, PACE).channel == SEATS[1]


def test_acting_seat_is_every_second_round_of_a_busy_multiplexed_reader() -> None:
    order = polled((*SEATS, POT, TRAY), frozenset({"seat-3"}), round_ms=80)[16:]
    acting = [channel.zone == "seat-3" for channel in order]
    assert 0.45 < sum(acting) / len(acting) <= 0.55
    assert not any(here and after for here, after in itertools.pairwise(acting))


def test_others_take_turns_and_slow_zones_come_half_as_often() -> None:
    counts = Counter(channel.zone for channel in polled((*SEATS, POT, TRAY), frozenset({"seat-3"}), round_ms=80))
    others = [counts[f"seat-{number}"] for number in (1, 2, 4, 5, 6)]
    assert max(others) - min(others) <= 2
    assert counts["pot"] < 0.7 * min(others)
    assert counts["tray"] < 0.7 * min(others)


def test_without_an_acting_seat_all_take_turns() -> None:
    counts = Counter(channel.zone for channel in polled(SEATS, NOBODY, round_ms=80))
    assert max(counts.values()) - min(counts.values()) <= 1


def test_idle_time_goes_to_the_acting_seat() -> None:
    counts = Counter(channel.zone for channel in polled(SEATS[:2], frozenset({"seat-1"}), round_ms=20))
    assert counts["seat-1"] > 2.5 * counts["seat-2"]


def test_while_chips_move_at_the_acting_seat_the_others_on_its_reader_wait_but_not_for_ever() -> None:
    acting = frozenset({"seat-3"})
    five, usual = (polled(SEATS[:5], acting, round_ms=30, urgent=urgent, pace=Pace()) for urgent in (acting, NOBODY))
    counts, without = Counter(channel.zone for channel in five), Counter(channel.zone for channel in usual)
    assert counts["seat-3"] > 0.75 * len(five)
    assert without["seat-3"] < 0.55 * len(usual)
    assert all(counts[channel.zone] > 20_000 / 900 for channel in SEATS[:5])


def test_zones_that_are_asked_for_beside_the_moving_chips_are_read_at_a_seats_pace_meanwhile() -> None:
    asked = frozenset({"seat-2", "seat-3", "seat-4"})
    order = polled(SEATS[:5], asked, round_ms=30, for_ms=1_500, urgent=frozenset({"seat-3"}), pace=Pace())
    counts = Counter(channel.zone for channel in order)
    assert counts["seat-3"] > 0.6 * len(order)
    assert counts["seat-2"] >= 5
    assert counts["seat-4"] >= 5


def test_chips_that_move_at_another_reader_change_nothing() -> None:
    acting = frozenset({"seat-3"})
    assert polled(SEATS, acting, round_ms=80, urgent=frozenset({"seat-9"})) == polled(SEATS, acting, round_ms=80)
