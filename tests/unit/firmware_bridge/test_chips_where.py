"""Where chips lie, from where they came, which are copies, and the alerts that follow: rounds of several zones."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from betline.messages.table import Alert
from betline.settings import load_table
from betline.units import NS_PER_MS
from firmware_bridge.chips import watch
from firmware_bridge.chips.near import near_zones
from firmware_bridge.chips.places import Place
from firmware_bridge.chips.record import Chip, ChipState
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.chips.whereabouts import Whereabouts
from firmware_bridge.evidence import ZoneEvidence
from firmware_bridge.protocols.family import TagRead

A, B, C, D = (f"E00401000000000{number}" for number in range(4))
STRANGE = "E0040100000000FF"
EVERY_MS = 240


class Table:
    """Antennas that hear what the test puts on them, one round of every zone each `EVERY_MS`."""

    def __init__(
        self, register: ChipRegister | None = None, places: dict[str, Place] | None = None, seed: int = 0
    ) -> None:
        self.register = register or ChipRegister(dict.fromkeys((A, B, C, D), "red-5"))
        near = {"seat-4": frozenset({"seat-5"}), "seat-5": frozenset({"seat-4"})}
        self.where = Whereabouts("lab", self.register, near, 6, 3000 * NS_PER_MS, places)
        self.evidence: dict[str, ZoneEvidence] = {}
        self.now_ms = 1_000_000
        self.dice = random.Random(seed)
        self.standing: dict[watch.Key, watch.Told] = {}
        self.alerts: list[Alert] = []

    def rounds(self, count: int, **zones: Mapping[str, float] | list[str]) -> None:
        """So many rounds; each zone hears its tags, or each with the probability given."""
        for _ in range(count):
            self.now_ms += EVERY_MS
            for name, tags in zones.items():
                shares = tags if isinstance(tags, Mapping) else dict.fromkeys(tags, 1.0)
                heard = [uid for uid, share in shares.items() if self.dice.random() < share]
                self.round(name.replace("_", "-"), dict.fromkeys(heard))

    def round(self, zone: str, heard: Mapping[str, int | None]) -> None:
        tags = [TagRead(uid, None, None, rssi) for uid, rssi in heard.items()]
        self.evidence[zone] = self.evidence.get(zone, ZoneEvidence()).after(tags, self.now_ms * NS_PER_MS)
        if self.where.after(zone, self.evidence[zone].heard(), self.now_ms * NS_PER_MS, self.now_ms):
            old, self.standing = self.standing, watch.standing(self.where, self.register)
            self.alerts += watch.changed(old, self.standing)

    def at(self, uid: str) -> str:
        place = self.where.place(uid)
        return "" if place is None else place.zone

    def told(self) -> list[tuple[str, str, str, bool]]:
        return [(alert.code, alert.zone, alert.uid, alert.active) for alert in self.alerts]


def test_a_chip_lies_where_it_was_heard_three_times() -> None:
    table = Table()
    table.rounds(2, seat_4=[A])
    assert table.at(A) == ""
    table.rounds(1, seat_4=[A])
    assert table.where.place(A) == Place("lab", "seat-4", table.now_ms, table.now_ms)


def test_a_chip_that_nobody_hears_any_more_keeps_its_last_place_and_the_time_it_was_last_heard_there() -> None:
    table = Table()
    table.rounds(5, seat_4=[A])
    last_ms = table.now_ms
    table.rounds(20, seat_4=[])
    assert table.where.place(A) == Place("lab", "seat-4", last_ms - 2 * EVERY_MS, last_ms)


def test_a_chip_that_moves_has_its_new_place_at_once_and_tells_from_where_it_came() -> None:
    table = Table()
    table.rounds(10, tray=[A], seat_4=[])
    left_ms = table.now_ms
    table.rounds(3, tray=[], seat_4=[A])
    assert table.at(A) == "seat-4"
    before = table.where.before(A, "seat-4")
    assert before is not None
    assert (before.zone, before.heard_ms) == ("tray", left_ms)
    assert table.where.before(A, "pot") == table.where.place(A)


def test_a_read_of_the_neighbours_moves_no_chip() -> None:
    table = Table(seed=3)
    table.rounds(10, seat_4=[A], seat_5=[])
    for _ in range(200):
        table.rounds(1, seat_4={A: 0.95}, seat_5={A: 0.1})
        assert table.at(A) == "seat-4"
    assert not table.where.copies


def test_a_chip_between_two_zones_stays_where_it_was() -> None:
    table = Table()
    table.rounds(10, seat_4=[A], seat_5=[])
    table.rounds(40, seat_4=[A], seat_5=[A])
    assert table.at(A) == "seat-4"


def test_a_chip_that_went_from_a_reader_that_has_fallen_silent_has_its_new_place() -> None:
    table = Table()
    table.rounds(10, seat_4=[A], seat_5=[])
    table.rounds(16, seat_5=[A])
    assert table.at(A) == "seat-5"


def test_places_known_before_are_known_after_a_restart() -> None:
    before = Place("lab", "tray", 5, 900_000)
    table = Table(places={A: before})
    assert table.where.place(A) == before
    table.rounds(4, seat_4=[A])
    assert table.where.before(A, "seat-4") == before


def test_only_chips_of_the_register_have_places() -> None:
    table = Table()
    table.rounds(5, seat_4=[A, STRANGE])
    assert table.at(STRANGE) == ""
    assert [uid for uid, _ in table.where.changed(all_heard=False)] == [A]


def test_what_is_to_be_written_is_told_once() -> None:
    table = Table()
    table.rounds(5, seat_4=[A, B])
    assert {uid for uid, _ in table.where.changed(all_heard=False)} == {A, B}
    table.rounds(5, seat_4=[A, B])
    assert table.where.changed(all_heard=False) == []
    assert {uid for uid, _ in table.where.changed(all_heard=True)} == {A, B}
    table.rounds(8, seat_4=[A])
    [(uid, place)] = table.where.changed(all_heard=False)
    assert (uid, place.heard_ms) == (B, table.now_ms - 8 * EVERY_MS)


# --- copies


def test_a_uid_that_lies_in_two_zones_far_apart_is_a_copy_after_rounds_in_both() -> None:
    table = Table()
    table.rounds(10, seat_4=[A], seat_9=[])
    table.rounds(8, seat_4=[A], seat_9=[A])
    assert not table.where.copies
    table.rounds(1, seat_4=[A], seat_9=[A])
    assert table.where.copies == {A: ("seat-4", "seat-9")}
    assert (table.where.elsewhere(A, "seat-4"), table.where.elsewhere(A, "pot")) == ("seat-9", "")
    assert table.told() == [("cloned-chip", "seat-4", A, True)]
    assert "lies at seat 4 and at seat 9 at once" in table.alerts[0].sentence
    table.rounds(8, seat_4=[A], seat_9=[])
    assert not table.where.copies
    assert table.told()[1:] == [("cloned-chip", "seat-4", A, False)]


def test_a_copy_that_reads_badly_is_found_and_told_once() -> None:
    table = Table(seed=1)
    table.rounds(200, seat_4={A: 0.95}, seat_9={A: 0.95})
    assert table.told() == [("cloned-chip", "seat-4", A, True)]


@pytest.mark.parametrize("seed", range(20))
def test_a_chip_that_wanders_and_strays_is_no_copy(seed: int) -> None:
    """Over an hour of rounds: it lies now here, now there, and the others hear it in one round of twenty."""
    table = Table(seed=seed)
    zones = ["seat-1", "seat-4", "seat-9", "pot"]
    for _ in range(200):
        here = table.dice.choice(zones)
        for _ in range(table.dice.randint(1, 40)):
            table.rounds(1, **{zone.replace("-", "_"): {A: 0.95 if zone == here else 0.05} for zone in zones})
    assert not table.alerts


def test_a_chip_that_is_carried_to_and_fro_is_no_copy() -> None:
    table = Table()
    for _ in range(50):
        table.rounds(4, seat_4=[A], seat_9=[])
        table.rounds(4, seat_4=[], seat_9=[A])
    assert not table.where.copies


def test_between_two_near_zones_hits_alone_tell_no_copy() -> None:
    table = Table()
    table.rounds(60, seat_4=[A, B, C, D], seat_5=[A])
    assert not table.where.copies


@pytest.mark.parametrize(("strength", "copied"), [(200, True), (90, False)])
def test_between_two_near_zones_strength_tells(strength: int, copied: bool) -> None:
    """A chip on the border is weaker in each zone than the chips that lie on its antenna."""
    register = ChipRegister(dict.fromkeys((A, *(f"E00402000000000{n}" for n in range(6))), "red-5"))
    table = Table(register)
    left = {f"E00402000000000{n}": 180 + n for n in range(3)}
    right = {f"E00402000000000{n}": 190 + n for n in range(3, 6)}
    for _ in range(30):
        table.now_ms += EVERY_MS
        table.round("seat-4", {**left, A: strength})
        table.round("seat-5", {**right, A: strength})
    assert bool(table.where.copies) is copied


# --- alerts


def test_unknown_chips_are_told_once_a_zone_and_pass() -> None:
    table = Table()
    table.rounds(20, seat_4=[A, STRANGE])
    assert table.told() == [("unknown-chip", "seat-4", "", True)]
    [alert] = table.alerts
    assert (alert.severity, alert.seat) == ("error", 4)
    assert alert.sentence == f"1 chip lies at seat 4 that the register does not know: {STRANGE}."
    table.rounds(8, seat_4=[A])
    assert table.told()[1:] == [("unknown-chip", "seat-4", "", False)]
    table.rounds(8, seat_4=[STRANGE])
    assert table.told()[2:] == [("unknown-chip", "seat-4", "", True)]


def test_an_alert_of_several_chips_is_told_again_when_there_are_more_and_not_when_there_are_fewer() -> None:
    table = Table()
    more = [STRANGE, *(f"E0040100000000F{number}" for number in range(5))]
    table.rounds(10, seat_4=more[:1])
    table.rounds(10, seat_4=more)
    table.rounds(10, seat_4=more[:2])
    assert table.told() == [("unknown-chip", "seat-4", "", True)] * len(table.alerts)
    assert [alert.sentence.split()[0] for alert in table.alerts][:1] == ["1"]
    assert "and 2 more" in table.alerts[-1].sentence
    told = len(table.alerts)
    table.rounds(10, seat_4=more[:1])
    assert len(table.alerts) == told


def test_one_read_of_an_unknown_tag_is_no_alert() -> None:
    table = Table(seed=5)
    table.rounds(300, seat_4={STRANGE: 0.05})
    assert not table.alerts


@pytest.mark.parametrize(
    ("state", "code", "severity", "words"),
    [
        (ChipState.HOT, "hot-chip", "error", "on the hot list (stolen), lies at seat 4: tell the floor"),
        (ChipState.RETIRED, "retired-chip", "warning", "retired (stolen), lies at seat 4: it is worth nothing"),
    ],
)
def test_a_marked_chip_is_told_with_its_name_once_a_place_and_passes(
    state: ChipState, code: str, severity: str, words: str
) -> None:
    register = ChipRegister({A: Chip(A, "black-100", state, "lucky", "stolen"), B: "red-5"})
    table = Table(register)
    table.rounds(50, seat_4={A: 0.95, B: 0.95})
    [alert] = table.alerts
    assert (alert.code, alert.severity, alert.seat, alert.zone, alert.uid) == (code, severity, 4, "seat-4", A)
    assert alert.sentence.startswith(f'black-100 "lucky" {A}, {words}')
    table.rounds(12, seat_4=[B], pot=[A])
    assert table.told()[1:] == [(code, "pot", A, True), (code, "seat-4", A, False)]


def test_a_chip_of_the_hot_list_that_reappears_is_told_with_where_it_was_before() -> None:
    register = ChipRegister({A: Chip(A, "black-100", ChipState.HOT, reason="stolen")})
    table = Table(register, places={A: Place("main-room", "tray", 0, 86_400_000)})
    table.rounds(4, seat_2=[A])
    assert "Before that it was in the tray of main-room, until 1970-01-0" in table.alerts[0].sentence


def test_near_zones_are_those_that_touch_and_those_whose_readers_are_neighbours() -> None:
    settings = load_table("home-six")
    near = near_zones(settings)
    assert "seat-2" not in near["seat-5"]
    assert "pot" in near["seat-3"]
    assert all(one in near[other] for one, others in near.items() for other in others)
    whole = settings.model_dump()
    whole["readers"][1]["rf_neighbours"] = ("reader-5",)
    told = near_zones(type(settings).model_validate(whole))
    assert "seat-5" in told["seat-2"]
    assert "seat-2" in told["seat-5"]


BAG = [f"E0040100001{number:05X}" for number in range(60)]


def unknown_at(table: Table) -> list[int | None]:
    return [alert.seat for alert in table.alerts if alert.code == watch.UNKNOWN and alert.active]


def test_a_bag_of_strange_chips_is_told_after_one_round_and_one_of_the_zone_beside() -> None:
    table = Table()
    table.rounds(3, seat_4=[], seat_5=[A])
    table.rounds(1, seat_4=BAG)
    assert unknown_at(table) == []
    table.rounds(1, seat_5=[A])
    assert unknown_at(table) == [4]
    assert table.alerts[-1].sentence.startswith("60 chips lie at seat 4 that the register does not know")


def test_a_bag_that_the_zone_beside_overhears_first_is_told_where_it_lies() -> None:
    """A round of many chips is a long one: meanwhile the next antenna hears a part of them."""
    table = Table()
    table.rounds(3, seat_4=[], seat_5=[A])
    table.rounds(1, seat_4=BAG[:25])
    assert unknown_at(table) == []
    table.rounds(1, seat_5=[A, *BAG])
    assert unknown_at(table) == []
    table.rounds(1, seat_4=BAG[10:35])
    assert unknown_at(table) == [5]


def test_a_few_strange_chips_wait_for_three_rounds() -> None:
    table = Table()
    table.rounds(2, seat_4=BAG[:8], seat_5=[A])
    assert unknown_at(table) == []
    table.rounds(1, seat_4=BAG[:8], seat_5=[A])
    assert unknown_at(table) == [4]
