"""What readers say that makes a round doubtful: which doubts stop rulings, which only show how a reader does."""

from __future__ import annotations

import pytest

from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.effects import RoundOver
from firmware_bridge.evidence import ZoneEvidence
from firmware_bridge.protocols.betline.family import BetlineFamily
from firmware_bridge.protocols.chafon.family import ChafonFamily
from firmware_bridge.protocols.doubt import Doubt, is_partial, sentence
from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.protocols.m6e.family import M6eFamily
from firmware_bridge.said_of_late import LATELY_NS, SaidOfLate
from firmware_bridge.schedule import Channel
from firmware_bridge.zone_feed import ZoneFeed
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import BetlineSetup, VirtualBetlineReader
from virtual_table.readers.chafon import ChafonSetup, VirtualChafonReader
from virtual_table.readers.m6e import VirtualM6eReader

A = "E004000000000001"
CHIPS = [f"E0040000{number * 7919:08X}" for number in range(1, 101)]


def over(at_ms: int, *doubts: Doubt) -> RoundOver:
    return RoundOver(Channel("seat-1"), (TagRead(A, TagKind.ISO15693),), doubts, 30.0, at_ms * 1_000_000)


def feed() -> ZoneFeed:
    return ZoneFeed("seat-1", "reader-1", ChipRegister({}), ZoneEvidence())


@pytest.mark.parametrize("doubt", Doubt)
def test_a_doubt_makes_the_snapshot_partial_unless_it_says_only_how_the_reader_does(doubt: Doubt) -> None:
    snapshot = feed().after(over(0, doubt))
    assert snapshot is not None
    assert snapshot.rf_warning
    assert snapshot.partial is (doubt not in {"rf_warning", "not_reset"})
    assert ":" in sentence(doubt), "it says what to do"


def test_a_round_with_several_doubts_is_partial_if_one_of_them_is() -> None:
    assert is_partial((Doubt.RF_WARNING, Doubt.UNFINISHED))
    assert not is_partial((Doubt.RF_WARNING, Doubt.NOT_RESET))
    assert not is_partial(())


def test_that_a_reader_begins_or_ends_to_tell_a_part_is_news_though_the_chips_are_the_same() -> None:
    one = feed()
    for number in range(10):
        one.after(over(30 * number))
    assert one.after(over(300)) is None
    part = one.after(over(330, Doubt.OVERFLOW))
    assert part is not None
    assert part.partial
    assert one.after(over(360, Doubt.OVERFLOW)) is None
    whole = one.after(over(390))
    assert whole is not None
    assert not whole.partial


def test_a_betline_reader_that_is_disturbed_tells_a_part_and_no_empty_zone() -> None:
    one = Bench.of(
        BetlineFamily(),
        VirtualBetlineReader(lambda: [(A, 1, 1.0)], Behaviour(rf_warning=1.0), 1, BetlineSetup()),
    )
    one.run(2_000)
    assert one.rounds
    assert all(round_.is_partial and not round_.tags for round_ in one.rounds)
    health = one.link.health
    assert health.partial_rounds == health.cycles == len(one.rounds)
    assert health.warned_rounds == 0


def test_a_module_that_was_not_done_with_a_crowd_tells_a_part_and_soon_all() -> None:
    lying: list[str] = []
    one = Bench.of(M6eFamily(), VirtualM6eReader(lambda: [(uid, 1, 1.0) for uid in lying], Behaviour(), 1))
    one.run(3_000)
    assert not any(round_.is_partial for round_ in one.rounds)
    before = len(one.rounds)
    lying += CHIPS
    one.run(9_000)
    told = [(round_.is_partial, len(round_.tags) == len(CHIPS)) for round_ in one.rounds[before:] if round_.tags]
    assert told[0] == (True, False)
    assert set(told[2:]) == {(False, True)}
    assert one.link.health.partial_rounds == sum(partial for partial, _ in told)


@pytest.mark.nightly
def test_a_crowd_that_lies_still_is_told_whole_though_each_round_misses_some_of_it() -> None:
    """Until 2026-11-28 a round that heard three more than the last was unfinished: every fifth was, at 100 tags."""
    one = Bench.of(M6eFamily(), VirtualM6eReader(lambda: [(uid, 1, 1.0) for uid in CHIPS], Behaviour(missed=0.2), 3))
    one.run(120_000)
    assert len(one.rounds) > 90
    assert sum(round_.is_partial for round_ in one.rounds[2:]) <= 3


def test_a_reader_in_active_mode_never_tells_that_these_are_all() -> None:
    one = Bench.of(ChafonFamily(), VirtualChafonReader(lambda: [(A, 1, 1.0)], Behaviour(), 1, ChafonSetup(active=True)))
    one.run(6_000)
    assert one.rounds
    assert all(round_.is_partial for round_ in one.rounds)


def test_what_a_reader_says_of_each_tenth_round_is_said_all_the_time_and_then_forgotten() -> None:
    said = SaidOfLate().after((Doubt.RF_WARNING,), 0)
    for at_ns in range(0, LATELY_NS + 1, LATELY_NS // 10):
        said = said.after((), at_ns)
        assert said.doubt is Doubt.RF_WARNING
    assert said.after((), LATELY_NS + 1).doubt is None


def test_of_several_doubts_the_one_is_said_for_which_chips_may_be_missing() -> None:
    assert SaidOfLate().after((Doubt.RF_WARNING, Doubt.RF_ERROR), 0).doubt is Doubt.RF_ERROR
