"""The pages on readers and recordings say what the code does."""

from __future__ import annotations

import random
import re
from pathlib import Path
from statistics import mean

import pytest

from betline.recordings import load_recording
from firmware_bridge.protocols.catalogue import FAMILIES
from virtual_table.readers.air import ISO14443A, ISO15693, ISO18000_3M3, UHF_GEN2, AirInterface
from virtual_table.readers.antennas import Antennas
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.faults import FaultPlan
from virtual_table.readers.field import FieldTag
from virtual_table.readers.reading import Reading

DOCS = Path(__file__).parents[3] / "hardware_docs"
READERS = (DOCS / "readers.md").read_text(encoding="utf-8")
RECORDINGS = (DOCS / "recordings.md").read_text(encoding="utf-8")
COUNTS = (1, 5, 10, 20, 40, 60, 100)
AIRS: dict[str, tuple[AirInterface, str, int]] = {
    "ISO 15693": (ISO15693, "E004", 48),
    "ISO 18000-3M3": (ISO18000_3M3, "", 96),
    "UHF Gen2": (UHF_GEN2, "", 96),
    "ISO 14443A": (ISO14443A, "04", 48),
}


def row(words: str) -> list[str]:
    """The cells of the table row that begins with these words."""
    [line] = [line for line in READERS.splitlines() if line.startswith(f"| {words}")]
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_table_of_families_is_what_they_are(name: str) -> None:
    traits = FAMILIES[name].traits
    _, _, line, _, antennas, rssi, delivery = row(f"[`{name}`]")
    assert line.startswith(f"{traits.line.baud} 8{traits.line.parity}1")
    assert int(antennas) == traits.antennas
    assert rssi.startswith("yes" if traits.tells_rssi else "no")
    assert delivery.startswith(traits.delivery)


@pytest.mark.parametrize("name", sorted(AIRS))
def test_air_times_are_those_of_the_model(name: str) -> None:
    air, prefix, bits = AIRS[name]
    for count, cell in zip(COUNTS, row(f"{name}:")[1:], strict=True):
        times = []
        for seed in range(60):
            rng = random.Random(seed)
            uids = [f"{prefix}{rng.getrandbits(bits):0{bits // 4}X}" for _ in range(count)]
            times.append(air.tell_apart(uids, rng)[0])
        assert mean(times) == pytest.approx(int(cell), rel=0.02, abs=0.6)


@pytest.mark.parametrize("detuned", ["0.005", "0.01", "0.02"])
def test_losses_of_piles_are_those_of_the_law(detuned: str) -> None:
    for pile, cell in zip((1, 5, 10, 20, 40), row(f"`detuned` {detuned}")[1:], strict=True):
        tags = [FieldTag(f"E00401{number * 7919:010X}", pile=pile) for number in range(1, 201)]
        field = Antennas(lambda tags=tags: tags, Behaviour(detuned=float(detuned)), random.Random(1), (ISO15693,))
        lost = 1 - mean(len(field.sweep([1]).heard) for _ in range(40)) / len(tags)
        assert 100 * lost == pytest.approx(int(cell), abs=1.5)


def test_every_key_of_a_plan_is_explained() -> None:
    plan = READERS[READERS.index("### What goes wrong") :]
    named = set(re.findall(r"`(\w+)`", plan))
    assert {*FaultPlan.model_fields, *Reading.model_fields} <= named


def test_recording_on_the_page_can_be_read(tmp_path: Path) -> None:
    [example] = re.findall(r"```\n(\{.*?)```", RECORDINGS, re.DOTALL)
    path = tmp_path / "line.jsonl"
    path.write_text(example, encoding="utf-8")
    assert [entry.event for entry in load_recording(path).entries] == ["opened", None, None]
