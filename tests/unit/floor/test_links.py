"""The bridges of a site's pits on the floor's screen: which is down, since when, and what is not known."""

from dataclasses import replace

from cardroom.floor.floor import MOST, Floor
from cardroom.floor.running import document
from cardroom.floor.sample import NOW_S, SITE, sample_site
from cardroom.floor.view import cut_off, rows_of
from tests.unit.floor.said import ALIVE, envelope
from tests.unit.floor.test_screen import hall

LINKS = f"betline-site/{SITE}/link"


def floor_of(*told):
    floor = Floor(SITE)
    for pit, at_s, stands, retained in told:
        floor = floor.linked(pit, at_s, stands=stands, retained=retained)
    return floor


def test_a_bridge_that_is_down_is_named_with_its_time_and_one_that_stands_is_not():
    floor = floor_of(("pit-a", 0.0, True, True), ("pit-b", 0.0, True, True), ("pit-a", 60.0, False, False))
    assert cut_off(floor, 100.0).startswith("CUT OFF FROM THE SITE: pit-a 40 s.")
    assert cut_off(floor.linked("pit-a", 101.0, stands=True, retained=False), 102.0) == ""


def test_the_first_that_went_comes_first():
    floor = floor_of(("pit-a", 60.0, False, False), ("pit-b", 30.0, False, False))
    assert "pit-b 70 s, pit-a 40 s" in cut_off(floor, 100.0)


def test_of_a_bridge_that_was_down_before_the_screen_came_the_time_is_said_as_the_least():
    floor = floor_of(("pit-a", 60.0, False, True))
    assert "pit-a over 40 s" in cut_off(floor, 100.0)


def test_the_same_word_again_is_no_news_as_after_a_connection_that_was_lost():
    floor = floor_of(("pit-a", 60.0, False, False), ("pit-a", 90.0, False, True))
    assert "pit-a 40 s" in cut_off(floor, 100.0)


def test_with_the_sites_file_a_pit_that_is_cut_off_has_its_tables_named_and_they_say_why():
    floor = replace(Floor(SITE), pits={"pit-a": ("table-10", "table-2"), "pit-b": ("table-3",)})
    for table in ("table-2", "table-3"):
        floor = floor.heard(table, envelope(), ALIVE, 50.0, retained=False)
    floor = floor.linked("pit-a", 60.0, stands=False, retained=False).linked("pit-b", 60.0, stands=True, retained=False)
    assert cut_off(floor, 100.0).startswith("CUT OFF FROM THE SITE: pit-a 40 s (table-2, table-10).")
    rows = {row.name: row.more for row in rows_of(floor, 100.0)}
    assert rows["table-2"][0] == "Its pit pit-a is cut off from the site: the table plays on by itself."
    assert not any("cut off" in line for line in rows["table-3"])
    assert [one["pit"] for one in document(floor, 100.0)["tables"]] == ["pit-a", "pit-b"]


def test_a_pit_that_was_taken_out_of_the_sites_file_is_not_cut_off_for_ever():
    floor = replace(Floor(SITE), pits={"pit-a": ("table-1",)})
    floor = floor.linked("pit-old", 0.0, stands=False, retained=True)
    assert cut_off(floor, 100.0) == ""
    assert document(floor, 100.0)["links"] == []


def test_without_a_broker_nothing_is_said_of_bridges():
    floor = floor_of(("pit-a", 60.0, False, False))
    assert cut_off(floor.connected(False, 70.0), 100.0) == ""


def test_no_more_pits_are_kept_in_mind_than_tables():
    floor = floor_of(*((f"pit-{number}", 0.0, True, True) for number in range(MOST + 1)))
    assert len(floor.links) == MOST


def test_what_the_sites_broker_says_of_a_bridge_is_heard_and_a_strange_word_changes_nothing():
    site = sample_site()
    site.hub.inject(f"{LINKS}/pit-a", b"0")
    site.hub.inject(f"{LINKS}/pit-b", b"1")
    site.hub.inject(f"{LINKS}/pit-c", b"down")
    site.hub.inject(f"{LINKS}/Pit D", b"0")
    site.hub.inject("betline-site/other/link/pit-e", b"0")
    assert document(site.ear.look(), NOW_S + 7)["links"] == [
        {"pit": "pit-a", "stands": False, "for_s": 7, "longer": False, "tables": []},
        {"pit": "pit-b", "stands": True, "for_s": 7, "longer": False, "tables": []},
    ]
    site.hub.inject(f"{LINKS}/pit-a", b"")
    assert list(site.ear.look().links) == ["pit-b"]


async def test_the_line_of_cut_off_pits_comes_and_goes_on_the_screen():
    async with hall((80, 24)) as floor:
        links = floor.app.screen_stack[0].query_one("#links")
        assert not links.display
        floor.site.hub.inject(f"{LINKS}/pit-a", b"0")
        await floor.draws()
        assert links.display
        assert "✖ CUT OFF FROM THE SITE: pit-a 0 s." in floor.text("links")
        floor.site.hub.inject(f"{LINKS}/pit-a", b"1")
        await floor.draws()
        assert not links.display
