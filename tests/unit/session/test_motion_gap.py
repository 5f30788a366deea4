"""Readers alone rule no string bet: chips that come too far apart are one act, and people are told (R-045, R-051)."""

import pytest

from tests.unit.session.desk import ROUND_MS, Desk, terms

NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2]}
GAP_ROUNDS = 4


@pytest.mark.parametrize(("allowed_ms", "is_told"), [(0, True), (GAP_ROUNDS * ROUND_MS // 2, True), (1_200, False)])
def test_r_051_releases_further_apart_than_the_house_allows_are_one_act_and_told(
    allowed_ms: int, is_told: bool
) -> None:
    desk = Desk(terms(motion_gap_ms=allowed_ms))
    desk.begin(game=NO_LIMIT, house={"profile": "home", "motion_gap_ms": allowed_ms})
    desk.push(4, 1, 1)
    desk.play(GAP_ROUNDS)
    desk.push(4, 1, 1)
    desk.play(12)
    desk.wait(1_000)
    said = [alert.sentence for alert in desk.session.alerts if alert.code == "string-suspect"]
    assert desk.rulings == [(4, "raise", 4)]
    assert said == (["Seat 4's chips (4) came in more than one motion; they were ruled as one act."] if is_told else [])
