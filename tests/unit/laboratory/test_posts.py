"""Posts whose key and whose chips come apart are ruled as they were meant."""

import pytest

from betline.messages.common import Command
from betline.settings import load_table
from betline.topics import COMMAND
from virtual_table.laboratory.laboratory import Conditions, Laboratory, without_camera
from virtual_table.play.habits import Habits

STRADDLED = 4
"""A seed whose first hand is straddled."""
APART = {
    "key first": Habits(straddle_early=1.0),
    "chips first": Habits(straddle_late=1.0),
    "chips after the cards": Habits(straddle_early=1.0, posts_late=1.0),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("which", APART)
def test_r043_a_post_is_ruled_as_meant_whether_its_key_or_its_chips_come_first(which: str) -> None:
    lab = Laboratory(without_camera(load_table("home-six")), STRADDLED, Conditions(habits=APART[which]))
    keyed: list[str] = []
    lab.console.subscribe(COMMAND, lambda one: keyed.append(one.topic.name) if isinstance(one.body, Command) else None)

    report = lab.play(1)

    assert (report.evening["straddles"], report.wrong, report.asked, report.faults) == (1, 0, 0, [])
    assert "straddle" in keyed or which == "chips first"
