"""The suite `readers`: what it measures is measured, its figures are the machine's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from betline.front_door import run
from firmware_bridge.protocols.catalogue import FAMILIES
from virtual_table.bench import readers
from virtual_table.bench.bridge_lab import Measured, Reader, lab
from virtual_table.bench.readers import Effort, decode


@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", FAMILIES)
def test_the_hosts_work_is_timed_over_whole_rounds_of_every_family(name: str) -> None:
    found = decode(FAMILIES[name], 0.05)
    assert found.rounds > 1
    assert found.bytes_per_second > 0
    traits = FAMILIES[name].traits
    bits = 11 if traits.line.parity == "E" else 10
    assert found.to_line_rate == pytest.approx(found.bytes_per_second * bits / max(traits.bauds))


@pytest.mark.nightly
def test_a_real_bridge_is_measured_between_virtual_readers_and_a_broker() -> None:
    with lab([Reader("feig", ("seat-1",)), Reader("betline", ("seat-2", "seat-3"))]) as bench:
        found = bench.measure(3, 0.2, 2.5)
    assert set(found.round_ms) == {"reader-0", "reader-1"}
    assert set(found.period_ms) == {"seat-1", "seat-2", "seat-3"}
    assert all(value > 10 for value in (*found.round_ms.values(), *found.period_ms.values()))
    assert 0 < found.core_share < 1
    assert found.rounds > 10


class Fake:
    """A bench in which a round takes as many milliseconds as there are chips."""

    def __init__(self, wanted: Sequence[Reader]) -> None:
        self.wanted = wanted

    def measure(self, chips: int, _settle_s: float, _for_s: float) -> Measured:
        names = [f"reader-{number}" for number in range(len(self.wanted))]
        zones = [zone for reader in self.wanted for zone in reader.zones]
        return Measured(dict.fromkeys(names, float(chips)), dict.fromkeys(zones, 70.0 + chips), chips / 1000, 10)


def test_the_report_has_every_family_and_every_number_of_chips(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    @contextmanager
    def fake(wanted: Sequence[Reader]) -> Iterator[Fake]:
        asked.append(len(wanted))
        yield Fake(wanted)

    monkeypatch.setattr(readers, "lab", fake)
    monkeypatch.setattr(readers, "USUAL", Effort(0.02, 0.0, 0.0, (0, 100), (8, 20), (8,), (1,)))
    assert run(["bench", "readers", "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)["readers"]
    assert asked == [1, 9, 1, 5]
    assert set(found["decode_to_line_rate"]) == set(FAMILIES)
    assert found["core_share_nine_readers"] == 0.02
    assert found["core_share_by_chips"] == {"8": 0.008, "20": 0.02}
    assert found["round_ms"]["one_reader"] == {"0": 0.0, "100": 100.0}
    assert found["round_ms"]["nine_readers"] == {"8": 8.0, "20": 20.0}
    assert {name for name in FAMILIES if name != "feig"} <= set(found["round_ms"])
    assert found["sweep_ms_eight_antennas"] == {"8": 78.0}
    assert "bridge with nine readers, 20 chips each" in captured.err
    assert "60 in real time" in captured.err
