"""What of a site's messages reaches the floor: every table, the controller's own words, what cannot be read."""

import json

from betline import topics
from betline.bus import MemoryBus
from betline.messages.common import Health
from betline.messages.people import StaffState
from betline.topics import Namespace, SiteNamespace, topic
from cardroom.floor.ear import Ear
from cardroom.floor.sample import SITE, SampleSite
from tests.unit.floor.said import state


def test_a_sites_topics_have_their_table():
    names = SiteNamespace(SITE)
    found = names.parse("betline/v1/grand/t-1/zone/seat-3/chips")
    assert (found.kind, found.path, found.table) == (topics.ZONE_CHIPS, "zone/seat-3/chips", "t-1")
    assert names.full(topics.STATE.pattern) == "betline/v1/grand/+/state"
    for strange in ("betline/v1/other/t-1/state", "betline/v1/grand/T/state", "betline/v1/grand/t-1/nothing", "x"):
        assert names.parse(strange) is None


def test_every_table_is_heard_and_the_screen_is_woken_once_until_it_looks():
    site, rings = SampleSite(), []
    site.ear.wakes(lambda: rings.append(1))
    site.says("t-1", state(1))
    site.says("t-2", state(1, hand_no=9))
    assert len(rings) == 1
    floor = site.ear.look()
    assert {name: table.state.hand_no for name, table in floor.tables.items()} == {"t-1": 3, "t-2": 9}
    assert (floor.tables["t-1"].presence, floor.tables["t-1"].version) == ("online", "0.1.0")
    site.says("t-1", state(2))
    assert len(rings) == 2


def test_of_devices_only_the_controller_shows_that_a_table_lives():
    site = SampleSite()
    site.says("t-1", state(1))
    site.now_s += 30
    bridge, before = MemoryBus(site.hub, Namespace(SITE, "t-1"), "bridge", clock=site.clock), site.bus.counters.received
    bridge.publish(topic(topics.DEVICE_HEALTH, "bridge"), Health(counters={}))
    assert site.bus.counters.received == before, "it is not even read"
    assert site.ear.look().tables["t-1"].trouble(site.now_s) == "silent"
    site.lives("t-1")
    assert site.ear.look().tables["t-1"].trouble(site.now_s) == ""


ENVELOPE = {"sender": "controller", "boot_id": "b", "seq": 9, "ts_ms": 1, "mono_ns": 1}


def test_what_a_newer_program_says_besides_is_left_out():
    site = SampleSite()
    newer = json.loads(state(2).model_dump_json()) | {"dice": 6}
    site.hub.inject("betline/v1/grand/t-1/state", json.dumps(newer | ENVELOPE).encode())
    table = site.ear.look().tables["t-1"]
    assert (table.trouble(site.now_s), table.state) == ("", state(2))


def test_a_state_that_cannot_be_read_is_said_and_other_words_of_its_table_are_heard():
    site = SampleSite()
    site.says("t-1", state(1))
    newer = json.loads(state(2).model_dump_json()) | {"pot": "many"}
    site.hub.inject("betline/v1/grand/t-1/state", json.dumps(newer | ENVELOPE).encode())
    site.controller("t-1").publish(topic(topics.STAFF), StaffState())
    table = site.ear.look().tables["t-1"]
    assert table.trouble(site.now_s) == "unread"
    assert table.unread.startswith("pot: Input should be a valid integer")
    assert table.state == state(1)
    site.says("t-2", state(1))
    assert site.ear.look().tables["t-2"].trouble(site.now_s) == ""


def test_who_comes_later_is_told_what_the_broker_kept_and_that_it_is_no_news():
    site = SampleSite()
    site.says("t-1", state(1))
    ear = Ear(MemoryBus(site.hub, SiteNamespace(SITE), "floor", clock=site.clock), SITE, lambda: site.now_s)
    ear.start()
    table = ear.look().tables["t-1"]
    assert (table.state, table.heard_s) == (state(1), None)
