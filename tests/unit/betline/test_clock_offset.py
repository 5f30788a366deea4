"""The offset of another host's clock, from messages that take their time, come twice and overtake each other."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from betline.clock_offset import DRIFT_PPM, MAX_DELAY_NS, WINDOW_NS, ClockOffset
from betline.units import NS_PER_MS, NS_PER_S

HOUR_NS = 3600 * NS_PER_S


@dataclass(frozen=True)
class Host:
    """A clock that was `behind_ns` behind ours at our zero, and loses `ppm` of our time."""

    behind_ns: int
    ppm: int

    def clock(self, ours_ns: int) -> int:
        return ours_ns - self.behind_ns - ours_ns * self.ppm // 1_000_000

    def offset(self, ours_ns: int) -> int:
        return ours_ns - self.clock(ours_ns)


hosts = st.builds(Host, st.integers(-9 * HOUR_NS, 9 * HOUR_NS), st.integers(-DRIFT_PPM + 5, DRIFT_PPM - 5))
delays_ns = st.integers(50_000, 30 * NS_PER_S)
pauses_ns = st.integers(0, 8 * NS_PER_S)
Traffic = list[tuple[int, list[int]]]
traffic = st.lists(st.tuples(pauses_ns, st.lists(delays_ns, min_size=1, max_size=3)), min_size=1, max_size=60)
"""Messages by the pause before each and its delays: one that is sent again arrives twice or more."""


def messages(sent: Traffic) -> list[tuple[int, int]]:
    """When each was sent and when it arrived, on our clock, as they arrive: later ones may overtake it."""
    at_ns, found = 0, []
    for pause_ns, copies_ns in sent:
        at_ns += pause_ns
        found += [(at_ns, at_ns + delay_ns) for delay_ns in copies_ns]
    return sorted(found, key=lambda one: one[1])


def learned(host: Host, arrived: list[tuple[int, int]]) -> ClockOffset:
    offset = ClockOffset.of(host.clock(arrived[0][0]), arrived[0][1])
    for sent_ns, arrived_ns in arrived[1:]:
        offset = offset.after(host.clock(sent_ns), arrived_ns)
    return offset


def drift_ns(since_ns: int) -> int:
    """How far two clocks may be from where their offset was taken to be: they drift, and the bound grows."""
    return 2 * since_ns * DRIFT_PPM // 1_000_000


@pytest.mark.nightly
@given(hosts, traffic)
def test_the_error_is_never_negative_and_at_most_the_smallest_delay_of_the_window_and_the_drift(
    host: Host, sent: Traffic
) -> None:
    arrived = messages(sent)
    now_ns = arrived[-1][1]
    error_ns = learned(host, arrived).at(now_ns) - host.offset(now_ns)
    lately = [one for one in arrived if now_ns - one[1] <= WINDOW_NS]
    assert -2 <= error_ns <= 2 + min(at_ns - sent_ns + drift_ns(now_ns - sent_ns) for sent_ns, at_ns in lately)


@given(hosts, traffic, st.integers(50_000, MAX_DELAY_NS))
def test_the_uncertainty_that_is_stated_covers_the_error_where_one_message_was_as_quick_as_assumed(
    host: Host, sent: Traffic, quick_ns: int
) -> None:
    arrived = messages([*sent, (30 * NS_PER_S, [quick_ns])])
    offset, now_ns = learned(host, arrived), arrived[-1][1] + NS_PER_S
    assert -2 <= offset.at(now_ns) - host.offset(now_ns) <= offset.uncertainty_ns(now_ns) + 2 + drift_ns(quick_ns)


def test_a_slow_drift_of_hours_is_followed() -> None:
    host = Host(5 * HOUR_NS, -800)
    arrived = [(at_s * NS_PER_S, at_s * NS_PER_S + 2 * NS_PER_MS) for at_s in range(4 * 3600)]
    offset, now_ns = learned(host, arrived), arrived[-1][1]
    assert 0 <= offset.at(now_ns) - host.offset(now_ns) <= 3 * NS_PER_MS


def test_a_message_that_waited_is_known_by_its_delay() -> None:
    host = Host(-3 * HOUR_NS, 0)
    offset = learned(host, [(0, NS_PER_MS), (10 * NS_PER_S, 15 * NS_PER_S)])
    waited_ns = 15 * NS_PER_S - (host.clock(10 * NS_PER_S) + offset.at(15 * NS_PER_S))
    assert abs(waited_ns - 5 * NS_PER_S) < 20 * NS_PER_MS


def test_after_an_hour_of_silence_a_message_that_waited_is_still_known() -> None:
    host = Host(HOUR_NS, 20)
    hour_ns = HOUR_NS
    offset = learned(host, [(0, NS_PER_MS), (hour_ns, hour_ns + 30 * NS_PER_S)])
    waited_ns = hour_ns + 30 * NS_PER_S - (host.clock(hour_ns) + offset.at(hour_ns + 30 * NS_PER_S))
    assert waited_ns > 20 * NS_PER_S


def test_a_clock_that_stood_still_while_its_host_slept_is_believed_after_one_window() -> None:
    slept_ns = HOUR_NS
    offset = ClockOffset.of(0, NS_PER_MS)
    for at_s in range(1, 60):
        sent_ns = at_s * NS_PER_S
        arrived_ns = sent_ns + slept_ns + NS_PER_MS
        offset = offset.after(sent_ns, arrived_ns)
        error_ns = offset.at(arrived_ns) - (slept_ns + NS_PER_MS)
        assert (abs(error_ns) < 100 * NS_PER_MS) is (at_s > WINDOW_NS // NS_PER_S)


def test_the_quickest_message_of_the_new_window_takes_over_not_the_first_or_last_of_it() -> None:
    host = Host(HOUR_NS, 0)
    asleep = ClockOffset.of(host.clock(0) + 60 * NS_PER_S, 0)  # a minute is lost in sleep after this message
    for sent_s, delay_ms in ((1, 900), (10, 2), (15, 700), (23, 800)):
        at_ns = sent_s * NS_PER_S
        asleep = asleep.after(host.clock(at_ns), at_ns + delay_ms * NS_PER_MS)
    assert 0 <= asleep.at(24 * NS_PER_S) - HOUR_NS <= 20 * NS_PER_MS
