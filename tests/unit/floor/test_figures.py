"""What the floor tells Prometheus is what its screen shows."""

from cardroom.floor.running import figures
from cardroom.floor.sample import NOW_S, sample_site


def test_tables_are_counted_by_what_they_need_and_the_oldest_ruling_by_its_wait():
    told = figures(sample_site().ear.look(), NOW_S, 7)
    assert {need: told[f"floor_tables_{need}"] for need in ("ruling", "away", "error", "warning", "none")} == {
        "ruling": 2, "away": 2, "error": 1, "warning": 1, "none": 6,
    }  # fmt: skip
    assert (told["floor_ruling_waits_s"], told["floor_redraws"]) == (75, 7)


def test_bridges_are_told_while_there_is_a_broker():
    floor = sample_site().ear.look().linked("pit-a", NOW_S, stands=False, retained=False)
    floor = floor.linked("pit-b", NOW_S, stands=True, retained=False)
    told = figures(floor, NOW_S, 0)
    assert (told["site_link_up_pit-a"], told["site_link_up_pit-b"]) == (False, True)
    assert not any(name.startswith("site_link") for name in figures(floor.connected(False, NOW_S), NOW_S, 0))
