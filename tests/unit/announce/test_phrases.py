"""What the player to act is told (docs/case-format.md, "Announcements")."""

from __future__ import annotations

import pytest

from table_controller.announce.phrases import Turn, announcement


def turn(**changes: object) -> Turn:
    told = {"seat": 2, "call": 5, "least": 10, "most": 35, "opened": True, "option": False, "pot_bet": None}
    return Turn(**{**told, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"pot_bet": 35}, "Seat 2: call 5, raise 10 to 35, pot 35"),
        ({}, "Seat 2: call 5, raise 10 to 35"),
        ({"least": None, "most": None}, "Seat 2: call 5"),
        ({"call": 0, "opened": False}, "Seat 2: check, bet 10 to 35"),
        ({"call": 0, "option": True}, "Seat 2: option, raise 10 to 35"),
        ({"call": 0, "least": None, "most": None}, "Seat 2: check"),
        ({"in_the_middle": 25}, "Seat 2: call 5, raise 10 to 35, in the middle 25"),
    ],
)
def test_the_parts_that_apply_are_told(changes: dict[str, object], text: str) -> None:
    assert announcement(turn(**changes)) == text
