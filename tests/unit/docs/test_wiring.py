"""The drawings of the wiring are those of their sources, and their pins those of the page of the wiring."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tests.unit.docs.checkout import ROOT

FOLDER = ROOT / "hardware_docs" / "wiring"
SOURCES = sorted(FOLDER.glob("*.yml"))
PAGE = (ROOT / "hardware_docs" / "wiring.md").read_text(encoding="utf-8")
WIREVIZ = Path(sys.executable).with_name("wireviz")
LABEL = re.compile(r"<text [^>]*>([^<]*)</text>")


def labels(svg: Path) -> list[str]:
    """What is written in a drawing; where it stands depends on graphviz's version."""
    return sorted(LABEL.findall(svg.read_text(encoding="utf-8")))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_the_drawing_is_that_of_its_source(source: Path, tmp_path: Path) -> None:
    if shutil.which("dot") is None or not WIREVIZ.exists():
        pytest.skip("graphviz or WireViz is not installed")
    shutil.copy(source, tmp_path)

    subprocess.run([WIREVIZ, "-f", "s", tmp_path / source.name], check=True, capture_output=True, cwd=tmp_path)

    assert labels(tmp_path / f"{source.stem}.svg") == labels(FOLDER / f"{source.stem}.svg")


@pytest.mark.parametrize("board", ["rp2040", "esp32"])
def test_the_pins_of_a_drawing_are_those_of_the_page(board: str) -> None:
    table = PAGE.split(f"<!-- pins of {board} -->")[1].split("<!-- end -->")[0]
    pins = dict(re.findall(r"^\| ([A-Z]+) \| ([0-9, ]+) \|", table, re.MULTILINE))
    told = yaml.safe_load((FOLDER / f"{board}.yml").read_text(encoding="utf-8"))
    wires = {
        there: here
        for (begin, _, end) in told["connections"]
        for here, there in zip(begin["Board"], next(iter(end.values())), strict=True)
        if here.startswith("GPIO")
    }
    straps = {f"strap {at}": f"GPIO {pin}" for at, pin in enumerate(pins["STRAP"].split(", "))}
    signals = ("MISO", "NSS", "SCK", "MOSI", "BUSY", "RST", "IRQ")
    lights = {colour.lower(): f"GPIO {pins[colour]}" for colour in ("RED", "GREEN", "BLUE")}

    assert wires == {**{signal: f"GPIO {pins[signal]}" for signal in signals}, **straps, **lights}


def test_every_drawing_is_on_the_page_with_its_source() -> None:
    assert SOURCES
    assert [source.stem for source in SOURCES if f"](wiring/{source.stem}.svg)" not in PAGE] == []
    assert [source.stem for source in SOURCES if f"](wiring/{source.name})" not in PAGE] == []
