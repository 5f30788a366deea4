"""The whole system with readers of each family, and with readers that switch between antennas."""

import pytest

from firmware_bridge.protocols.catalogue import FAMILIES
from tests.hil.test_demo import demo, finished

pytestmark = [pytest.mark.hil, pytest.mark.timeout(240)]


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(set(FAMILIES) - {"feig"}))
def test_a_hand_is_ruled_as_it_was_meant_with_readers_of_any_family(tmp_path, name):
    report = finished(demo(tmp_path, "--script", "pot-limit-example.yaml", "--readers", name))
    assert report["wrong"] == 0
    assert report["acts"] == 7


@pytest.mark.nightly
def test_a_hand_is_ruled_as_it_was_meant_with_multiplexed_readers(tmp_path):
    report = finished(demo(tmp_path, "--hands", "1", "--seed", "5", "--table", "casino-mux"))
    assert report["wrong"] == 0
