"""The demonstration with readers and camera on another host, whose clocks are hours off."""

import pytest

from tests.hil.test_demo import demo, finished
from tests.other_host import HOUR_S, JUST_BOOTED_S, environment

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240)]


@pytest.mark.parametrize("mono_s", [JUST_BOOTED_S, 5 * HOUR_S], ids=["booted-later", "booted-earlier"])
def test_a_hand_is_ruled_as_the_players_meant_it_by_the_sensors_of_another_host(tmp_path, mono_s):
    elsewhere = environment("bridge", "vision", mono_s=mono_s, wall_s=-3 * HOUR_S)
    report = finished(demo(tmp_path, "--script", "pot-limit-example.yaml", env=elsewhere))
    assert (report["wrong"], report["asked"]) == (0, 0)
    assert report["latency_ms"]["at_rest_to_announcement"]["p50"] < 1500
