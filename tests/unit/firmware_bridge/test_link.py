"""The link machine against a virtual reader on a line in memory, in a time of our own: no port, no clock, no sleep."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from firmware_bridge.effects import ClosePort, OpenPort, RoundOver, Send, Trouble
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.protocols.feig.family import FeigFamily
from firmware_bridge.schedule import Channel, Need
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.feig import FeigSetup, VirtualFeigReader
from virtual_table.readers.memory import MemoryLine

LINE = LineSettings(115_200, "E")
UIDS = [f"E00401{number * 7919:010X}" for number in range(1, 301)]
NS = 1_000_000


def field_of(count: int) -> Callable[[], list[tuple[str, int, float]]]:
    return lambda: [(uid, 1, 1.0) for uid in UIDS[:count]]


@dataclass
class Bench:
    """A link and a reader, and a clock that jumps to whatever happens next."""

    link: ReaderLink
    line: MemoryLine
    now_ms: float = 0.0
    plugged: bool = True
    rounds: list[RoundOver] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    opens: list[float] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)

    def run(self, until_ms: float) -> None:
        while self.now_ms < until_ms:
            self._obey(self.link.tick(self._now_ns))
            coming = self.line.next_ms
            wake_ms = self.link.wake_ns / NS
            if coming is not None and coming <= wake_ms:
                self.now_ms = max(self.now_ms, coming)
                self._obey(self.link.received(self._now_ns, self.line.read(self.now_ms)))
            else:
                self.now_ms = max(self.now_ms + 0.01, min(wake_ms, until_ms))

    def unplug(self) -> None:
        self.plugged = False
        self._obey(self.link.lost(self._now_ns, "gone"))

    @property
    def _now_ns(self) -> int:
        return int(self.now_ms * NS) + 1

    def _obey(self, effects: list) -> None:
        for effect in effects:
            if isinstance(effect, OpenPort):
                self.opens.append(self.now_ms)
                if self.plugged:
                    self._obey(self.link.opened(self._now_ns))
                else:
                    self._obey(self.link.open_failed(self._now_ns, "not_there", "no such port"))
            elif isinstance(effect, Send):
                self.sent.append(effect.data)
                self.line.write(effect.data, self.now_ms)
            elif isinstance(effect, RoundOver):
                self.rounds.append(effect)
            elif isinstance(effect, Trouble):
                self.troubles.append(effect)
            else:
                assert isinstance(effect, ClosePort)


def bench(
    count: int = 8, *, bytes_per_read: int = 64, seed: int = 1, setup: FeigSetup | None = None, **behaviour: object
) -> Bench:
    reader = VirtualFeigReader(field_of(count), Behaviour(**behaviour), seed, setup)
    link = ReaderLink(FeigFamily(), [Channel("seat-1")])
    link.attend(frozenset({"seat-1"}), 0)
    return Bench(link, MemoryLine(reader, LINE, bytes_per_read=bytes_per_read))


def whole(one: Bench) -> list[RoundOver]:
    """The rounds in which every tag could answer."""
    return [over for over in one.rounds if not over.quiet]


def uids(over: RoundOver) -> set[str]:
    return {tag.uid for tag in over.tags}


@pytest.mark.parametrize("bytes_per_read", [1, 3, 64, 4096])
def test_every_round_finds_every_tag_however_the_bytes_come(bytes_per_read: int) -> None:
    one = bench(8, bytes_per_read=bytes_per_read)
    one.run(3000)
    rounds = whole(one)
    assert len(rounds) > 25
    assert all(uids(over) == set(UIDS[:8]) for over in rounds)
    assert one.link.health.crc_errors == one.link.health.timeouts == 0


def test_tags_are_not_muted_by_the_round_before() -> None:
    one = bench(3, setup=FeigSetup(only_new=True))
    one.run(1000)
    assert {len(over.tags) for over in whole(one)} == {3}


@pytest.mark.parametrize("sets_per_reply", [24, 10, 200])
def test_sixty_tags_come_as_a_chain_or_in_an_advanced_frame(sets_per_reply: int) -> None:
    one = bench(60, setup=FeigSetup(sets_per_reply=sets_per_reply))
    one.run(5000)
    rounds = whole(one)
    assert rounds
    assert all(uids(over) == set(UIDS[:60]) for over in rounds)


def test_last_byte_is_stamped_when_it_came() -> None:
    one = bench(2)
    one.run(500)
    assert all(over.last_byte_ns <= one.now_ms * NS + 1 for over in one.rounds)
    stamps = [over.last_byte_ns for over in one.rounds]
    assert stamps == sorted(set(stamps))


def test_empty_zone_is_an_answer_and_silence_is_none() -> None:
    empty = bench(0)
    empty.run(1000)
    assert [over.tags for over in empty.rounds] == [()] * len(empty.rounds) != []
    silent = bench(8, faults=FaultPlan(silence=1.0))
    silent.run(20_000)
    assert silent.rounds == []
    assert {trouble.code for trouble in silent.troubles} == {"silent"}
    assert silent.link.heard_ns is None


def test_silent_reader_is_given_up_and_its_port_opened_again() -> None:
    one = bench(8, faults=FaultPlan(silence=1.0))
    one.run(60_000)
    assert len(one.opens) > 2
    assert one.link.health.reconnects == len(one.opens) - 1


def test_lost_answer_costs_about_a_second_not_the_vendors_three() -> None:
    one = bench(4, faults=FaultPlan(silence=0.02), seed=8)
    one.run(60_000)
    assert one.link.health.timeouts > 3
    stamps = [over.last_byte_ns / NS for over in one.rounds]
    gaps = [later - earlier for earlier, later in itertools.pairwise(stamps)]
    assert max(gaps[40:]) < 2500


def test_slow_first_answer_of_a_long_chain_is_waited_for() -> None:
    one = bench(200)
    one.run(60_000)
    assert len(one.rounds) > 20
    assert one.link.health.timeouts == 0
    assert 1000 < one.link.usual_ms < 2500


def test_a_pot_that_suddenly_holds_a_hundred_chips_is_waited_for() -> None:
    lying: list[str] = []
    reader = VirtualFeigReader(lambda: [(uid, 1, 1.0) for uid in lying], Behaviour(), 1)
    link = ReaderLink(FeigFamily(), [Channel("pot", need=Need.SLOW)])
    one = Bench(link, MemoryLine(reader, LINE))
    one.run(10_000)
    lying += UIDS[:100]
    one.run(20_000)
    assert len(uids(one.rounds[-1])) == 100
    assert link.health.timeouts == 0
    assert link.usual_ms >= 1000


def suddenly(count: int, **behaviour: float) -> tuple[Bench, float]:
    """So many chips at once where none lay, and 12 s of it; with when they came."""
    lying: list[str] = []
    reader = VirtualFeigReader(lambda: [(uid, 1, 1.0) for uid in lying], Behaviour(**behaviour), 1)
    link = ReaderLink(FeigFamily(), [Channel("seat-1")], introduces=True)
    link.attend(frozenset({"seat-1"}), 0)
    one = Bench(link, MemoryLine(reader, FeigFamily().traits.line))
    one.run(4_000)
    at_ms, one.rounds = one.now_ms, []
    lying += UIDS[:count]
    one.run(at_ms + 12_000)
    return one, at_ms


@pytest.mark.parametrize(
    ("count", "air_factor", "read_ms"),
    [(300, 1.0, 3_100), (50, 2.0, 1_100), (120, 2.0, 1_900), pytest.param(300, 2.0, 6_000, marks=pytest.mark.nightly)],
)
def test_a_pile_at_a_seat_is_read_in_its_first_round_however_long_that_takes(
    count: int, air_factor: float, read_ms: float
) -> None:
    one, at_ms = suddenly(count, air_factor=air_factor)
    first = next(over for over in one.rounds if over.tags)
    assert len(uids(first)) == count
    assert first.last_byte_ns / NS - at_ms < read_ms
    assert one.link.health.timeouts == one.link.health.reconnects == one.link.health.refusals == 0
    assert {trouble.code for trouble in one.troubles} <= {"late", "crowded"}


def test_a_lost_answer_is_known_by_the_next_one_and_is_no_refusal() -> None:
    one = bench(4, faults=FaultPlan(silence=0.05), seed=3)
    one.run(60_000)
    lost = [trouble for trouble in one.troubles if trouble.code == "lost"]
    assert len(lost) > 3
    assert one.link.health.timeouts >= len(lost)
    assert one.link.health.refusals == 0


def test_a_reader_that_is_silent_for_long_is_asked_more_and_more_seldom() -> None:
    one = bench(8)
    one.run(4_000)
    sent: list[float] = []
    one.line.write = lambda data, now_ms: sent.append(now_ms)  # type: ignore[method-assign]
    one.run(one.now_ms + 8_000)
    pauses = [later - earlier for earlier, later in itertools.pairwise(sent)]
    assert len(sent) < 24
    assert pauses[1] < 250
    assert pauses[-1] > 800


def test_a_reader_that_never_answered_is_not_waited_for_as_one_that_counts() -> None:
    one = bench(8, faults=FaultPlan(silence=1.0))
    one.run(15_000)
    assert "crowded" not in {trouble.code for trouble in one.troubles}
    assert len(one.opens) > 1


def test_a_reader_that_hangs_is_given_up_after_the_longest_round_and_its_port_opened_again() -> None:
    one = bench(8)
    one.run(4_000)
    one.line.write = lambda data, now_ms: None  # type: ignore[method-assign]
    at_ms, one.opens = one.now_ms, []
    one.run(at_ms + 12_000)
    assert list(dict.fromkeys(trouble.code for trouble in one.troubles)) == ["late", "crowded", "silent"]
    assert 9_000 < one.opens[0] - at_ms < 9_700


NASTY = {
    "garbage": FaultPlan(garbage=0.3),
    "damage": FaultPlan(damage=0.2),
    "truncate": FaultPlan(truncate=0.1),
    "split": FaultPlan(split=0.5, split_ms=30.0),
    "late": FaultPlan(late=0.05, late_ms=900.0),
    "all": FaultPlan(garbage=0.1, damage=0.1, truncate=0.05, split=0.3, late=0.02, silence=0.02),
}


@pytest.mark.one_in(6)
@pytest.mark.parametrize("faults", NASTY.values(), ids=NASTY)
def test_no_fault_of_the_line_invents_or_hides_a_tag(faults: FaultPlan) -> None:
    one = bench(30, faults=faults, bytes_per_read=7, seed=5)
    one.run(60_000)
    assert len(one.rounds) > 20
    assert all(uids(over) == set(UIDS[:30]) for over in whole(one))
    assert not any(uids(over) for over in one.rounds if over.quiet)


def test_damage_and_noise_are_counted() -> None:
    one = bench(8, faults=FaultPlan(damage=0.3, garbage=0.3))
    one.run(20_000)
    health = one.link.health
    assert health.crc_errors > 0
    assert health.resyncs >= health.crc_errors
    assert health.dropped_bytes > 0


def test_damaged_answer_is_asked_again_without_waiting_for_the_deadline() -> None:
    one = bench(4, faults=FaultPlan(damage=0.15), seed=2)
    one.run(30_000)
    assert one.link.health.crc_errors > 20
    assert len(one.rounds) > 100


def test_missed_tags_make_rounds_differ_and_nothing_else() -> None:
    one = bench(10, missed=0.2)
    one.run(10_000)
    sizes = {len(over.tags) for over in one.rounds}
    assert len(sizes) > 2
    assert one.link.health.timeouts == 0


def test_refusal_is_trouble_and_no_round() -> None:
    one = bench(4, rf_warning=1.0)
    one.run(3000)
    assert one.rounds == []
    assert {trouble.code for trouble in one.troubles} == {"rf_warning"}
    assert one.link.health.refusals == len(one.troubles) > 2


def test_unplugged_reader_is_found_again() -> None:
    one = bench(4)
    one.run(1000)
    one.unplug()
    before = len(one.rounds)
    one.run(8000)
    assert len(one.rounds) == before
    assert len(one.opens) >= 4
    pauses = [later - earlier for earlier, later in zip(one.opens[1:], one.opens[2:], strict=False)]
    assert pauses == sorted(pauses)
    one.plugged = True
    one.run(12_000)
    assert len(one.rounds) > before
    assert one.link.health.reconnects == 1


def test_bytes_after_the_loss_are_ignored() -> None:
    one = bench(4)
    one.run(500)
    one.unplug()
    assert one.link.received(int(one.now_ms * NS), b"\x06\x00\xb0\x01\x5c\x63") == []


def test_multiplexed_reader_reads_each_antenna_for_its_own_zone() -> None:
    def tags() -> list[tuple[str, int, float]]:
        return [(UIDS[number], number // 2 + 1, 0.9) for number in range(8)]

    channels = [Channel(f"seat-{number}", number) for number in range(1, 4)] + [Channel("pot", 4, Need.SLOW)]
    link = ReaderLink(FeigFamily(), channels)
    link.attend(frozenset({"seat-2"}), 0)
    one = Bench(link, MemoryLine(VirtualFeigReader(tags, Behaviour(antennas=4)), LINE))
    one.run(5000)
    for over in whole(one):
        antenna = over.channel.antenna
        assert antenna is not None
        assert uids(over) == set(UIDS[2 * antenna - 2 : 2 * antenna])
        assert {(tag.antenna, tag.rssi) for tag in over.tags} == {(antenna, 230)}
    zones = [over.channel.zone for over in whole(one)]
    assert zones.count("seat-2") > zones.count("seat-1") > zones.count("pot") > 0


def test_health_survives_a_reconnection() -> None:
    one = bench(4, faults=FaultPlan(damage=0.3))
    one.run(5000)
    before = one.link.health
    one.unplug()
    one.plugged = True
    one.run(10_000)
    assert one.link.health.crc_errors >= before.crc_errors > 0
    assert one.link.health.cycles > before.cycles


def test_a_reader_needs_a_zone() -> None:
    with pytest.raises(ValueError, match="zone"):
        ReaderLink(FeigFamily(), [])


def test_a_reader_that_was_heard_again_is_looked_for_as_soon_as_the_first_time() -> None:
    one = bench(4)
    one.run(1_000)
    waits = []
    for _ in range(2):
        one.unplug()
        at_ms = one.now_ms
        one.run(at_ms + 6_000)
        tried = [at for at in one.opens if at > at_ms]
        waits.append([round(later - earlier, -1) for earlier, later in zip([at_ms, *tried], tried, strict=False)][:6])
        one.plugged = True
        one.run(one.now_ms + 4_000)
    assert waits[0] == waits[1] == [200, 300, 450, 680, 1010, 1520]
