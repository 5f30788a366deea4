"""The field of the virtual readers: which tags are heard, on which antenna, and how a pile detunes itself."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from virtual_table.readers.air import ISO14443A, ISO15693, ISO18000_3M3, UHF_GEN2, AirInterface
from virtual_table.readers.antennas import Antennas
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.field import FieldTag

UIDS = [f"E00401{number * 7919:010X}" for number in range(1, 41)]
CARD = "04AABBCCDDEEFF"
EPC = "30751FEB705C5904E3D50D70"


def antennas(*tags: FieldTag, airs: tuple[AirInterface, ...] = (ISO15693,), **behaviour: float) -> Antennas:
    return Antennas(lambda: tags, Behaviour(**behaviour), random.Random(3), airs)


def share_heard(pile: int, air: AirInterface, uids: list[str], detuned: float = 0.01, rounds: int = 200) -> float:
    field = antennas(*(FieldTag(uid, pile=pile) for uid in uids), airs=(air,), detuned=detuned)
    return sum(len(field.sweep([1]).heard) for _ in range(rounds)) / rounds / len(uids)


def test_perfect_field_hears_every_tag_once_on_its_antenna() -> None:
    field = antennas(*(FieldTag(uid, 1 + number % 2) for number, uid in enumerate(UIDS)))
    one, other, both = field.sweep([1]), field.sweep([2]), field.sweep([1, 2])
    assert sorted(tag.uid for tag in one.heard) == sorted(UIDS[::2])
    assert sorted(tag.uid for tag in other.heard) == sorted(UIDS[1::2])
    assert sorted(tag.uid for tag in both.heard) == sorted(UIDS)
    assert both.air_ms == pytest.approx(one.air_ms + other.air_ms)


def test_tag_over_two_antennas_is_heard_by_both() -> None:
    sweep = antennas(FieldTag(UIDS[0], 1, 0.9), FieldTag(UIDS[0], 2, 0.5)).sweep([1, 2])
    assert [(tag.antenna, tag.signal) for tag in sweep.heard] == [(1, 0.9), (2, 0.5)]


def test_plain_tuples_are_tags_too() -> None:
    [tag] = Antennas(lambda: [(UIDS[0], 1, 0.8)], Behaviour(), random.Random(1)).sweep([1]).heard
    assert tag == FieldTag(UIDS[0], 1, 0.8, 1)


def test_muted_tags_keep_quiet_and_count_as_present() -> None:
    sweep = antennas(*(FieldTag(uid) for uid in UIDS[:3])).sweep([1], {(UIDS[1], 1)})
    assert {tag.uid for tag in sweep.heard} == {UIDS[0], UIDS[2]}
    assert sweep.present == {(uid, 1) for uid in UIDS[:3]}


def test_limit_tells_no_more_tags_apart_and_takes_less_time() -> None:
    field = antennas(*(FieldTag(uid) for uid in UIDS))
    assert len(field.sweep([1], limit=2).heard) == 2
    assert field.sweep([1], limit=2).air_ms < field.sweep([1]).air_ms / 5


def test_tag_out_of_reach_has_no_power() -> None:
    sweep = antennas(FieldTag(UIDS[0], 1, 0.0)).sweep([1])
    assert (sweep.heard, sweep.present) == ((), frozenset())


def test_warned_sweep_heard_nothing_and_took_its_time() -> None:
    sweep = antennas(FieldTag(UIDS[0]), rf_warning=1.0).sweep([1])
    assert sweep.warned
    assert sweep.heard == ()
    assert sweep.air_ms > 0


def test_air_factor_stretches_the_time() -> None:
    plain = antennas(*(FieldTag(uid) for uid in UIDS[:10])).sweep([1])
    slow = antennas(*(FieldTag(uid) for uid in UIDS[:10]), air_factor=2.5).sweep([1])
    assert slow.air_ms == pytest.approx(plain.air_ms * 2.5)


@pytest.mark.parametrize(
    ("air", "heard"), [(ISO15693, UIDS[0]), (ISO14443A, CARD), (UHF_GEN2, EPC), (ISO18000_3M3, EPC)]
)
def test_each_air_interface_hears_its_own_tags(air: AirInterface, heard: str) -> None:
    sweep = antennas(FieldTag(UIDS[0]), FieldTag(CARD), FieldTag(EPC), airs=(air,)).sweep([1])
    assert heard in {tag.uid for tag in sweep.heard}
    if air in (ISO15693, ISO14443A):
        assert len(sweep.heard) == 1


def test_reader_of_two_air_interfaces_hears_both_kinds_one_after_the_other() -> None:
    both = antennas(FieldTag(UIDS[0]), FieldTag(EPC), airs=(ISO15693, ISO18000_3M3)).sweep([1])
    assert [tag.uid for tag in both.heard] == [UIDS[0], EPC]
    assert both.air_ms > antennas(FieldTag(UIDS[0])).sweep([1]).air_ms


def test_taller_piles_are_heard_worse() -> None:
    shares = [share_heard(pile, ISO15693, UIDS) for pile in (1, 5, 20, 40)]
    assert shares[0] == 1.0
    assert shares == sorted(shares, reverse=True)
    assert shares[2] == pytest.approx(0.83, abs=0.04)


def test_same_tags_of_a_pile_are_missed_again_and_again() -> None:
    field = antennas(*(FieldTag(uid, pile=20) for uid in UIDS), detuned=0.05)
    hits = Counter(tag.uid for _ in range(200) for tag in field.sweep([1]).heard)
    assert min(hits[uid] for uid in UIDS) < 60
    assert max(hits.values()) > 180


def test_chips_made_for_stacks_disturb_each_other_less_and_cards_more() -> None:
    stacked = share_heard(20, ISO18000_3M3, [f"E280{number:020X}" for number in range(40)])
    cards = share_heard(5, ISO14443A, [f"04{number * 7919:012X}" for number in range(40)])
    assert stacked > 0.96
    assert cards < share_heard(5, ISO15693, UIDS) - 0.1


def test_detuning_is_no_matter_of_a_tag_by_itself() -> None:
    assert share_heard(1, ISO14443A, [CARD], detuned=0.5) == 1.0
