"""The demonstration with readers and camera on hosts of their own, whose clocks are hours off."""

import pytest

from tests.hil.test_demo import demo, finished
from tests.other_host import HOUR_S, JUST_BOOTED_S, environment

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240)]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("bridge_s", "vision_s"),
    [
        pytest.param(JUST_BOOTED_S, 5 * HOUR_S, id="readers"),
        pytest.param(9 * HOUR_S, JUST_BOOTED_S, id="camera"),
    ],
)
def test_hands_are_ruled_as_the_players_meant_them_where_a_sensors_host_has_just_booted(tmp_path, bridge_s, vision_s):
    hosts = environment(bridge=(bridge_s, -3 * HOUR_S), vision=(vision_s, 2 * HOUR_S))
    report = finished(demo(tmp_path, "--script", "pot-limit-example.yaml", env=hosts))
    assert (report["wrong"], report["asked"]) == (0, 0)
    assert report["latency_ms"]["at_rest_to_announcement"]["p50"] < 1500
