"""The table of rights over every command that there is, in a hand, between hands and without a table."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from betline.settings import StaffRules
from betline.settings.staff import Role
from betline.steps import COMMANDS, Command, read_command, verb_of
from betline.units import NS_PER_MS
from table_controller.session import Keyed
from table_controller.session.author import NOBODY, Author
from tests.unit.session.desk import Desk, terms
from tests.unit.session.test_every_act import plainest

ROLES: tuple[Role, ...] = ("dealer", "floor", "technician")


def asked(desk: Desk, command: Command, author: Author) -> tuple[bool, str]:
    """Whether a command was done, and the code of the reply."""
    desk.now_ms += 5
    fresh = {seat: f"p-{seat}" for seat in range(11)}
    keyed = Keyed(f"staff-{desk.now_ms}", command, "console", desk.now.mono_ns + 1000 * NS_PER_MS, fresh, author)
    (reply,) = [one for one in desk.give(keyed) if hasattr(one, "command_id")]
    return reply.ok, reply.code  # type: ignore[attr-defined]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("cls", COMMANDS, ids=verb_of)
def test_a_command_beyond_the_rights_changes_nothing_and_is_journalled_nowhere(cls: type[Command]) -> None:
    command = next(iter(plainest(cls, "bus")))
    rules = StaffRules(rights={verb_of(cls): ("technician",)})
    for author in (NOBODY, Author("p-x", "Ann", "floor")):
        desk = Desk(replace(terms(), staff=rules))
        desk.begin()
        book, entries = desk.session.book, list(desk.entries)

        assert asked(desk, command, author) == (False, "not-your-right" if author.role else "not-signed-in")
        assert desk.session.book is book
        assert desk.entries == entries


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("verb", ["override", "act", "recall", "penalty", "setup", "a-verb-of-tomorrow"])
def test_the_usual_rights(verb: str, role: Role) -> None:
    may: Mapping[str, tuple[str, ...]] = {
        "override": ("floor",), "penalty": ("floor",), "setup": ("floor", "technician"), "recall": ROLES,
    }  # fmt: skip

    assert Author("p-x", "Ann", role).may(StaffRules().roles_for(verb)) == (role in may.get(verb, ("dealer", "floor")))


def test_what_sensors_led_to_is_taken_back_by_a_dealer() -> None:
    desk = Desk()
    desk.begin()
    desk.push(4, 2)
    desk.play(10)
    undo: dict[str, Any] = {}

    assert asked(desk, read_command("undo-key", undo), Author("p-b", "Bob", "dealer")) == (True, "ok")


def test_a_floors_ruling_that_a_restart_reads_back_is_still_no_dealers_to_take_back() -> None:
    desk = Desk()
    desk.begin()
    desk.key("act", seat=4, action="call")
    desk.key("override", seat=4, ruling="fold", by="Ann", why="misheard")
    desk.restart()

    assert asked(desk, read_command("undo-key", {}), Author("p-b", "Bob", "dealer"))[1] == "not-your-right"


def test_a_journal_from_before_there_was_a_staff_goes_on_with_one() -> None:
    desk = Desk()
    desk.begin()
    desk.key("act", seat=4, action="call")
    desk.restart()

    assert asked(desk, read_command("act", {"seat": 1, "action": "call"}), NOBODY)[1] == "not-signed-in"
    assert asked(desk, read_command("undo-key", {}), Author("p-b", "Bob", "dealer"))[1] == "ok"
