"""Who moves and where to, by TDA 10 and 11, as the examples in `cases.yaml` have it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from cardroom.room.errors import RoomError
from cardroom.room.felt import Felt, due_big_blind, open_seats, worst_seat

CASES = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_the_examples_of_tda_10_and_11(case: dict[str, Any]) -> None:
    button, small, big = case["table"]["last"]
    felt = Felt(seats=frozenset(case["table"]["seats"]), button=button, small_blind=small, big_blind=big)

    assert due_big_blind(felt) == case["due"]
    if "refused" in case:
        with pytest.raises(RoomError) as refusal:
            worst_seat(felt, case["open"])
        assert refusal.value.code == case["refused"]
        return
    found = worst_seat(felt, case["open"])
    assert found.seat == case["worst"]
    assert found.single_big_blind == case.get("single", False)
    ranked = open_seats(felt, case["open"])
    assert [one.seat for one in ranked] == case.get("order", [one.seat for one in ranked])
    assert [one.seat for one in ranked if one.waits] == case.get("waits", [])
