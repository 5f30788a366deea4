"""Which reader answers where: for the set-up, and for a person who named the wrong family or forgot an output."""

import json
from pathlib import Path

import pytest

from betline.front_door import run
from betline.settings.readers import BY_ID
from betline.setup.question import FoundReader
from betline.setup.sections.readers import Spot
from firmware_bridge.finding import found_readers, listening
from firmware_bridge.protocols.catalogue import family
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.ends import PtyEnd
from virtual_table.readers.field import FieldTag
from virtual_table.readers.server import ReaderServer

UID, NFC = "E004015306A22D70", "04A2B3C4D5E680"


@pytest.fixture
def lab(tmp_path: Path):
    """Plugs virtual readers in under names of /dev/serial/by-id, in a folder of its own."""
    server = ReaderServer()

    def plug(name: str, protocol: str, *tags: FieldTag, antennas: int = 1) -> str:
        device = virtual_reader(protocol, lambda: tags, Behaviour(antennas), 1)
        return server.attach(name, device, family(protocol).traits.line, PtyEnd(tmp_path / name))

    yield plug
    server.close()


def test_the_readers_that_answer_are_found_by_their_lasting_names(lab, tmp_path: Path) -> None:
    lab("usb-one", "feig")
    lab("usb-two", "pn532")

    assert found_readers(tmp_path) == (
        FoundReader(str(BY_ID / "usb-one"), "feig", family("feig").traits.line.baud),
        FoundReader(str(BY_ID / "usb-two"), "pn532", family("pn532").traits.line.baud),
    )


def test_each_antenna_is_listened_to_by_itself(lab, tmp_path: Path) -> None:
    lab("usb-one", "feig", FieldTag(UID, 2), antennas=2)
    port = str(BY_ID / "usb-one")
    reader, spots = FoundReader(port, "feig", family("feig").traits.line.baud), (Spot(port, 1), Spot(port, 2))
    heard: dict[Spot, frozenset[str]] = {}
    with listening([reader], spots, tmp_path) as ears:
        while set(heard) != set(spots):
            one = ears.heard(5.0)
            assert one is not None, ears.trouble()
            heard[one.spot] = one.uids

    assert heard == {spots[0]: frozenset(), spots[1]: frozenset({UID})}


@pytest.mark.nightly
def test_a_reader_of_another_family_is_named_where_the_one_that_was_named_is_silent(lab, capsys) -> None:
    port = lab("usb-two", "pn532")

    assert run(["bridge", "once", "--port", port, "--protocol", "feig"]) == 1
    said = capsys.readouterr().err
    assert "PN532" in said
    assert "--protocol pn532" in said


def test_one_reading_takes_in_all_outputs_that_are_named(lab, capsys) -> None:
    port = lab("usb-one", "feig", FieldTag(UID, 1), FieldTag("E004015306A22D71", 3), antennas=4)

    assert run(["bridge", "once", "--port", port, "--protocol", "feig", "--antennas", "4", "--json"]) == 0
    tags = json.loads(capsys.readouterr().out)["tags"]
    assert {(tag["uid"], tag["antenna"]) for tag in tags} == {(UID, 1), ("E004015306A22D71", 3)}
