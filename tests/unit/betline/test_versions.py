"""Programs of two versions on one bus: what a reader makes of more, or fewer, fields than it knows."""

import json
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

from betline import topics
from betline.bus.inbox import NEWER
from betline.bus.memory import MemoryBus, MemoryHub
from betline.messages.common import Birth
from betline.messages.versions import FIRST, MESSAGES, apart, own_capability, version_of
from betline.topics import KINDS, Namespace, topic

NAMES = Namespace("home", "oval")
ENVELOPE = {"sender": "controller", "boot_id": "a", "seq": 1, "ts_ms": 1, "mono_ns": 1}
EVENT = {"journal_seq": 3, "hand_no": 1, "kind": "folded", "data": {}}
ALERT = {"severity": "info", "code": "x", "sentence": "A sentence."}


def born(*capabilities):
    return Birth(role="controller", version="0.0.9", table="oval", config_hash="x", capabilities=capabilities)


def told(kind, path, **said):
    hub, got = MemoryHub(), []
    bus = MemoryBus(hub, NAMES, "reader")
    bus.subscribe(kind, got.append)
    hub.inject(NAMES.full(path), json.dumps({**ENVELOPE, **said}).encode())
    return bus, got


def test_a_newer_program_is_understood_and_what_is_not_known_is_left_out_counted_and_said():
    bus, got = told(topics.ALERT, "alert", **ALERT, mood="new")
    assert got[0].body.sentence == "A sentence."
    assert bus.counters.problems == {NEWER: 1}
    assert bus.counters.last_problem == (
        "controller is newer than this program: mood in its messages on alert is not known here and is left out. "
        "Update this program."
    )
    assert bus.counters.malformed == 0


def test_an_unknown_field_within_a_list_of_a_message_is_left_out_too():
    chip = {"uid": "E004015306A22D70", "chip_type": None, "hits": 1, "rounds": 1, "missed": 0, "gloss": 3}
    zone = {"zone": "seat-1", "reader": "r", "round_no": 1, "chips": [chip], "last_byte_ns": 5}
    bus, got = told(topics.ZONE_CHIPS, "zone/seat-1/chips", **zone)
    assert got[0].body.chips[0].uid == chip["uid"]
    assert bus.counters.problems == {NEWER: 1}


@pytest.mark.parametrize("more", [{"mood": "new", "severity": "odd"}, {"mood": "new", "sentence": 5}])
def test_what_is_wrong_besides_stays_wrong(more):
    bus, got = told(topics.ALERT, "alert", **(ALERT | more))
    assert (got, bus.counters.malformed) == ([], 1)


def test_of_what_a_person_asks_every_field_must_be_known():
    bus, got = told(topics.COMMAND, "command/setup", id="12345678", expires_ms=9, only_if="calm")
    assert (got, bus.counters.malformed) == ([], 1)


def test_a_birth_says_which_messages_its_program_speaks_and_an_old_one_the_first():
    assert version_of(born(own_capability())) == MESSAGES
    assert version_of(born("bet-line")) == FIRST
    assert version_of(born("messages-x", "messages-7")) == 7


def test_two_versions_apart_are_a_sentence_and_the_same_are_none():
    assert apart("overhead", born(own_capability())) == ""
    newer, older = apart("overhead", born(f"messages-{MESSAGES + 1}")), apart("overhead", born())
    assert newer.startswith(
        f"overhead is Betline 0.0.9 and speaks messages {MESSAGES + 1}; this program speaks {MESSAGES}."
    )
    assert newer.endswith("update this program.")
    assert older.endswith("update it when its table is closed.")


@pytest.mark.parametrize("name", ["controller", "console"])
def test_the_capability_may_stand_in_a_birth_of_the_first_version(name):
    hub, got = MemoryHub(), []
    MemoryBus(hub, NAMES, "reader").subscribe(topics.DEVICE_BIRTH, got.append)
    MemoryBus(hub, NAMES, name).publish(topic(topics.DEVICE_BIRTH, name), born(own_capability()))
    assert got[0].body.capabilities == (own_capability(),)


FIRST_FIELDS = json.loads(Path(__file__).with_name("messages-1.json").read_text("utf-8"))
"""Every body of the first messages, and what lies in one, with its fields; read off the last commit that spoke them."""


def bodies_within(kind):
    """The bodies that an annotation names, and those within them."""
    found = [kind] if isinstance(kind, type) and issubclass(kind, BaseModel) else []
    return found + [body for part in get_args(kind) for body in bodies_within(part)]


def all_bodies():
    found, waiting = {}, [kind.body for kind in KINDS]
    while waiting:
        body = waiting.pop()
        if body.__name__ not in found:
            found[body.__name__] = body
            waiting += [within for field in body.model_fields.values() for within in bodies_within(field.annotation)]
    return found


def test_a_field_that_came_later_is_left_out_while_it_says_nothing_so_that_programs_of_the_first_messages_read_on():
    bodies = all_bodies()
    assert set(FIRST_FIELDS) <= set(bodies)
    later = {name: set(bodies[name].model_fields) - set(fields) for name, fields in FIRST_FIELDS.items()}
    assert any(later.values())
    for name, fields in later.items():
        body = bodies[name].model_construct(**dict.fromkeys(FIRST_FIELDS[name]))
        said = body.model_dump(warnings=False)
        assert not fields & set(said), name
