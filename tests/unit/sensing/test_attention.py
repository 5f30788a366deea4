"""Zones where something may have changed just now are read often, and no others."""

from __future__ import annotations

from table_controller.sensing import attention
from tests.unit.sensing.felt import MS, Chip, Felt


def at_flop(missed: float = 0.0) -> tuple[Felt, dict[str, list[Chip]]]:
    felt = Felt(1, missed=missed, stray=0.0)
    lying = {zone: felt.chips([5] * 4) for zone in ("seat-2", "pot", "tray")}
    for zone, chips in lying.items():
        felt.put(zone, chips)
    felt.run(2500)
    felt.begin()
    felt.run(2500)
    return felt, lying


def wanted(felt: Felt) -> frozenset[str]:
    return frozenset(attention.wanted(felt.sensing, felt.now_ns))


def test_where_every_chip_answers_nothing_is_wanted() -> None:
    felt, _ = at_flop()
    for _ in range(20):
        felt.run(100)
        assert not wanted(felt)


def test_a_zone_whose_chips_fall_silent_is_wanted_until_they_have_gone() -> None:
    for zone in ("seat-2", "pot", "tray"):
        felt, lying = at_flop()
        felt.take(zone, lying[zone][:1])
        seen = set()
        for _ in range(40):
            felt.run(100)
            seen.add(wanted(felt))
        assert seen == {frozenset(), frozenset({zone})}
        assert not wanted(felt)


def test_a_zone_into_which_chips_come_is_wanted() -> None:
    felt, _ = at_flop()
    felt.put("pot", felt.chips([5]))
    felt.run(350)
    assert wanted(felt) == {"pot"}


def test_one_missed_read_is_enough_for_the_pot_and_not_for_a_seat() -> None:
    for zone, soon in (("seat-2", frozenset[str]()), ("pot", frozenset({"pot"}))):
        felt, lying = at_flop()
        felt.take(zone, lying[zone][:1])
        before = felt.antennas[zone].round_no
        while felt.antennas[zone].round_no < before + 2:
            felt.run(20)
            track = felt.sensing.zones[zone].tracks[lying[zone][0].uid]
            if track.missed == 1:
                assert wanted(felt) == soon


def test_a_reader_that_is_silent_is_not_asked_and_nothing_is_wanted_without_a_hand() -> None:
    felt, lying = at_flop()
    felt.take("pot", lying["pot"][:1])
    felt.run(350)
    assert wanted(felt) == {"pot"}
    felt.antennas["pot"].dead = True
    felt.run(2000)
    assert not wanted(felt)
    felt.antennas["pot"].dead = False
    felt.run(600)
    felt.tell(phase="idle", to_act=None, order=())
    assert not wanted(felt)


def test_chips_are_believed_to_have_gone_sooner_where_their_zone_is_read_often() -> None:
    def gone_ms(attends: bool) -> float:
        felt, lying = at_flop()
        felt.attends = attends
        began_ns = felt.now_ns
        felt.take("pot", lying["pot"])
        while felt.sensing.zones["pot"].present:
            felt.run(10)
        return (felt.now_ns - began_ns) / MS

    assert gone_ms(True) < 0.6 * gone_ms(False)


def test_before_a_chip_that_missed_a_round_counts_the_zones_beside_are_read_at_once() -> None:
    """Else the set of the seat to act waits a quarter of a second for their turn."""
    felt = Felt(1, missed=0.0, stray=0.0, acting_ms=35, others_ms=400)
    felt.run(2500)
    felt.begin(to_act=3)
    felt.run(500)
    felt.put("seat-3", felt.chips([5] * 4))
    felt.missed_in["seat-3"] = 0.4
    seen = set()
    for _ in range(40):
        felt.run(10)
        seen.add(wanted(felt) - {"seat-3"})
    assert frozenset({"seat-2", "seat-4"}) in seen
    assert set().union(*seen) == {"seat-2", "seat-4"}


def test_the_zones_beside_are_asked_for_as_soon_as_chips_come_and_until_they_were_read_once() -> None:
    """A chip that misses a round later then waits for nobody, and a reader of many seats is not kept from the one to
    act.
    """
    felt = Felt(1, missed=0.0, stray=0.0, acting_ms=35, others_ms=400)
    felt.run(2500)
    felt.begin(to_act=3)
    felt.run(500)
    felt.put("seat-3", felt.chips([5] * 4))
    came_ns, asked = -1, {"seat-2": 0, "seat-4": 0}
    for _ in range(60):
        felt.run(10)
        belief = felt.sensing.zones["seat-3"]
        came_ns = max((track.since_ns for track in belief.tracks.values()), default=-1)
        for zone in asked:
            wish = attention.wanted(felt.sensing, felt.now_ns).get(zone)
            waits = came_ns > felt.sensing.zones[zone].at_ns and not belief.settled
            assert wish == (attention.A_ROUND_MS if waits else None)
            asked[zone] += waits
    assert all(asked.values())


def test_the_seat_to_act_is_asked_for_while_its_hand_brings_chips_and_not_for_ever() -> None:
    felt = Felt(1, missed=0.0, stray=0.0)
    felt.run(2500)
    felt.begin(to_act=3)
    felt.run(500)
    felt.hand_visits(3, 0, 8000)
    felt.hand_visits(4, 0, 8000)
    felt.run(100)
    assert not wanted(felt)
    felt.run(100)
    assert wanted(felt) == {"seat-3"}
    felt.run(2500)
    assert not wanted(felt)


def test_two_zones_that_hear_the_same_chip_are_read_often_until_one_of_them_misses_it() -> None:
    felt = Felt(1, missed=0.0, stray=0.0)
    felt.begin()
    felt.run(3000)
    [chip] = felt.chips([5])
    felt.put("seat-1", [chip])
    felt.run(3000)
    felt.put("seat-4", [chip])
    felt.run(600)
    assert {"seat-1", "seat-4"} <= attention.wanted(felt.sensing, felt.now_ns).keys()
    felt.take("seat-4", [chip])
    felt.run(3000)
    assert not {"seat-1", "seat-4"} & attention.wanted(felt.sensing, felt.now_ns).keys()
