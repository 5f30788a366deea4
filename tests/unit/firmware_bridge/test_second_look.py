"""A second look: right after a round, and only tags answer that the round missed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.evidence import ZoneEvidence
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.family import TagKind, TagRead
from firmware_bridge.protocols.feig.family import FeigFamily
from firmware_bridge.schedule import Channel, Need, Pace
from firmware_bridge.second_look import (
    LOOKS_FOR_CHANGE,
    LOOKS_FOR_MISSED,
    ROUNDS_FOR_CHANGE,
    UNQUIET_LOOKS,
    Looks,
    Search,
    is_worth_it,
)
from tests.unit.firmware_bridge.test_link import LINE, NS, UIDS, Bench, bench, field_of, uids
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.feig import FeigSetup, VirtualFeigReader
from virtual_table.readers.memory import MemoryLine

A, B, C = "E004000000000001", "E004000000000002", "E004000000000003"
SEAT = Channel("seat-1")


def tags(*some: str) -> tuple[TagRead, ...]:
    return tuple(TagRead(uid, TagKind.ISO15693) for uid in some)


def with_need(need: Need, acting: frozenset[str]) -> Bench:
    link = ReaderLink(FeigFamily(), [Channel("seat-1", None, need)])
    link.attend(acting, 0)
    return Bench(link, MemoryLine(VirtualFeigReader(field_of(8), Behaviour(), 1), LINE))


def test_where_an_act_is_awaited_each_round_is_followed_by_a_look_that_hears_nothing_more() -> None:
    one = bench(8)
    one.run(2000)
    pairs = list(zip(one.rounds[::2], one.rounds[1::2], strict=False))
    assert len(pairs) > 10
    for full, look in pairs:
        assert (uids(full), full.quiet) == (set(UIDS[:8]), frozenset())
        assert (uids(look), look.quiet) == (set(), uids(full))


def test_look_at_eight_read_chips_takes_a_quarter_of_their_round_at_most() -> None:
    one = bench(8)
    one.run(2000)
    full = [over.cycle_ms for over in one.rounds if not over.quiet]
    looks = [over.cycle_ms for over in one.rounds if over.quiet]
    assert max(looks) < min(full) / 4
    assert max(looks) < 20


def test_chip_that_a_round_missed_answers_in_the_look() -> None:
    one = bench(8, missed=0.3)
    one.run(4000)
    found = 0
    for full, look in zip(one.rounds, one.rounds[1:], strict=False):
        if look.quiet:
            assert uids(full) == look.quiet
            assert not uids(look) & uids(full)
            found += len(uids(look))
    assert found > 20


@pytest.mark.parametrize(
    ("need", "acting"),
    [(Need.SEAT, frozenset()), (Need.SEAT, frozenset({"seat-2"}))],
)
def test_no_look_where_nobody_waits(need: Need, acting: frozenset[str]) -> None:
    one = with_need(need, acting)
    one.run(3000)
    assert len(one.rounds) > 3
    assert not any(over.quiet for over in one.rounds)


def test_a_pot_that_was_read_whole_is_looked_at_for_more_of_its_new_chips_and_then_no_more() -> None:
    one = with_need(Need.SLOW, frozenset({"seat-1"}))
    one.run(3000)
    assert len(one.rounds) > 5
    assert [bool(over.quiet) for over in one.rounds[:3]] == [False, True, True]
    assert one.rounds[2].quiet == set(UIDS[:8])
    assert not any(over.quiet for over in one.rounds[3:])


def test_a_chip_that_leaves_a_pot_is_known_to_have_gone_after_one_round() -> None:
    lying = list(field_of(8)())
    link = ReaderLink(FeigFamily(), [Channel("pot", None, Need.SLOW)])
    one = Bench(link, MemoryLine(VirtualFeigReader(lambda: tuple(lying), Behaviour(), 1), LINE))
    one.run(2000)
    del lying[3]
    before = len(one.rounds)
    one.run(4000)
    later = one.rounds[before:]
    first = next(place for place, over in enumerate(later) if not over.quiet and UIDS[3] not in uids(over))
    looks = later[first + 1 : first + 1 + LOOKS_FOR_MISSED]
    assert all(over.quiet == set(UIDS[:8]) - {UIDS[3]} and not over.tags for over in looks)
    assert not later[first + 1 + LOOKS_FOR_MISSED].quiet
    evidence = ZoneEvidence()
    for over in one.rounds[: before + first + 1 + LOOKS_FOR_MISSED]:
        evidence = evidence.after(over.tags, 0, over.quiet)
    assert {chip.uid: chip.missed for chip in evidence.heard()}[UIDS[3]] == LOOKS_FOR_MISSED + 1


def test_for_some_rounds_after_a_chip_has_gone_others_are_looked_for_that_come_for_it() -> None:
    lying = list(field_of(8)())
    link = ReaderLink(FeigFamily(), [Channel("tray", None, Need.SLOW)])
    one = Bench(link, MemoryLine(VirtualFeigReader(lambda: tuple(lying), Behaviour(), 1), LINE))
    one.run(2000)
    del lying[3]
    before = len(one.rounds)
    one.run(6000)
    later = "".join("look " if over.quiet else "round " for over in one.rounds[before:])
    after_loss = "round " + "look " * LOOKS_FOR_MISSED + ("round " + "look " * LOOKS_FOR_CHANGE) * ROUNDS_FOR_CHANGE
    assert f"{after_loss}round round " in later


def test_a_search_ends_when_all_were_heard_and_follows_what_comes() -> None:
    search = Search().after(tags(A, B), look=False)
    assert search.goes_on
    search = search.after((), look=True).after((), look=True)
    assert not search.goes_on
    search = search.after(tags(A), look=False)
    assert search.missed == {B}
    search = search.after(tags(B), look=True)
    assert not search.goes_on
    search = search.after(tags(A), look=False).after(tags(B, C), look=True)
    assert search.goes_on
    assert not search.after((), look=True).after((), look=True).goes_on


def test_no_look_at_an_empty_field_nor_after_a_round_that_is_as_quick() -> None:
    pace, acting = Pace(), frozenset({"seat-1"})
    assert not is_worth_it(SEAT, acting, 99.0, 0, pace)
    assert not is_worth_it(SEAT, acting, pace.acting_ms, 1, pace)
    assert is_worth_it(SEAT, acting, pace.acting_ms + 1, 1, pace)
    empty = bench(0)
    empty.run(1000)
    assert not any(over.quiet for over in empty.rounds)


def test_reader_that_lets_its_tags_forget_is_asked_for_no_more_looks_and_every_round_of_it_counts_for_all() -> None:
    one = bench(8, setup=FeigSetup(only_new=False), missed=0.05)
    one.run(4000)
    assert len(one.rounds) > 20
    assert not any(over.quiet for over in one.rounds)
    resets = [data for data in one.sent if data.hex().startswith("05ff69")]
    assert len(one.rounds) - len(resets) <= UNQUIET_LOOKS + 1


def test_reader_that_is_opened_again_is_asked_for_looks_again() -> None:
    looks = Looks()
    for _ in range(UNQUIET_LOOKS):
        assert looks.may_begin
        looks, quiet = looks.begun(tags(A, B)).over(tags(A, B))
        assert quiet == frozenset()
    assert not looks.may_begin
    one = bench(8)
    one.run(1000)
    one.unplug()
    one.run(1200)
    one.plugged = True
    one.run(4000)
    assert any(over.quiet for over in one.rounds if over.last_byte_ns > 1200 * NS)


def test_a_tag_that_woke_up_is_heard_and_the_others_stay_quiet() -> None:
    looks, quiet = Looks().begun(tags(A, B)).over(tags(A))
    assert quiet == {A, B}
    assert looks.may_begin
    heard = {one.uid: one for one in ZoneEvidence().after(tags(A, B)).after(tags(A), 1, quiet).heard()}
    assert (heard[A].hits, heard[A].rounds, heard[A].quiet) == (2, 2, 0)
    assert (heard[B].hits, heard[B].rounds, heard[B].missed, heard[B].quiet) == (1, 1, 0, 1)


def test_look_whose_answer_is_lost_fails_and_the_next_round_begins_with_a_reset() -> None:
    one = bench(8, faults=FaultPlan(silence=0.1))
    one.run(60_000)
    assert any(over.quiet for over in one.rounds)
    assert all(uids(over) == set(UIDS[:8]) for over in one.rounds if not over.quiet)
    assert not any(uids(over) for over in one.rounds if over.quiet)


def test_reader_that_shares_its_field_looks_once_for_its_tags_forget() -> None:
    link = ReaderLink(FeigFamily(), [SEAT], shares_field=True)
    link.attend(frozenset({"seat-1"}), 0)
    one = Bench(link, MemoryLine(VirtualFeigReader(field_of(8), Behaviour(), 1), LINE))
    one.run(2000)
    assert one.rounds
    assert all(uids(over) == set(UIDS[:8]) and not over.quiet for over in one.rounds)


def test_chip_that_was_kept_quiet_has_missed_nothing() -> None:
    evidence = ZoneEvidence()
    for number in range(20):
        evidence = evidence.after(tags(A), 2 * number).after((), 2 * number + 1, frozenset({A}))
    (one,) = evidence.heard()
    assert (one.hits, one.rounds, one.missed, one.quiet, one.last_ns) == (8, 8, 0, 1, 38)


rounds = st.lists(
    st.tuples(st.sets(st.sampled_from([A, B, C])), st.booleans(), st.sets(st.sampled_from([A, B, C]))), max_size=40
)


@given(rounds)
def test_each_tag_has_the_figures_of_the_rounds_in_which_it_could_answer(steps: list) -> None:
    """A look changes nothing for the tags that it kept quiet: their evidence is that of a zone without looks."""
    evidence = ZoneEvidence()
    alone = {uid: ZoneEvidence() for uid in (A, B, C)}
    for heard, looks, late in steps:
        evidence = evidence.after(tags(*heard))
        for uid, one in alone.items():
            alone[uid] = one.after(tags(*heard & {uid}))
        if looks and heard:
            answers = late - heard
            evidence = evidence.after(tags(*answers), 0, frozenset(heard))
            for uid in {A, B, C} - heard:
                alone[uid] = alone[uid].after(tags(*answers & {uid}))
    expected = {uid: one.heard()[0] for uid, one in alone.items() if one.heard()}
    found = {one.uid: one for one in evidence.heard()}
    assert found.keys() == expected.keys()
    for uid, one in found.items():
        other = expected[uid]
        assert (one.hits, one.rounds, one.missed) == (other.hits, other.rounds, other.missed)
