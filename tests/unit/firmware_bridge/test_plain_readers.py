"""A reader that knows no more than the published frames is read all the same, within the silence that `once` allows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_bridge.link import ReaderLink
from firmware_bridge.once import SILENCE_S
from firmware_bridge.protocols.catalogue import family
from firmware_bridge.schedule import Channel
from tests.unit.firmware_bridge import plain_readers as plain
from tests.unit.firmware_bridge.bench import Bench
from virtual_table.readers.memory import MemoryLine

TAGS = {
    "feig": ["E004015306A22D70", "E004015306A22D80", "E00401530A000001"],
    "pn532": ["DEADBEEF", "04112233"],
    "bb": ["30751FEB705C5904E3D50D70", "E200001D7315016521408FC6"],
    "m6e": ["30751FEB705C5904E3D50D70", "E200001D7315016521408FC6"],
    "chafon": ["E20068160000006012345678", "E20068160000006012345679"],
}

Make = Callable[..., plain.PlainReader]
READERS: dict[str, Make] = {
    "feig": plain.feig,
    "pn532": plain.pn532,
    "bb": plain.bb,
    "bb, single polls only": lambda uids, mute: plain.bb(uids, mute=mute, polls=frozenset({0x22})),
    "m6e, single reads only": lambda uids, mute: plain.m6e(uids, mute=mute, single=True),
    "m6e, continuous reading only": lambda uids, mute: plain.m6e(uids, mute=mute, single=False),
    "chafon, older layout": lambda uids, mute: plain.chafon(uids, mute=mute, newer=False),
    "chafon, newer layout": lambda uids, mute: plain.chafon(uids, mute=mute, newer=True),
}


@pytest.mark.parametrize("mute", [False, True], ids=["refuses the unknown", "is silent at the unknown"])
@pytest.mark.parametrize("count", [0, 1, 2])
@pytest.mark.parametrize("name", READERS)
def test_it_is_read(name: str, count: int, mute: bool) -> None:
    protocol = name.split(",", maxsplit=1)[0]
    wire = family(protocol)
    tags = TAGS[protocol][:count]
    reader = READERS[name](tags, mute=mute)
    one = Bench(ReaderLink(wire, [Channel("once")]), MemoryLine(reader, wire.traits.line))
    one.run(SILENCE_S * 1000)
    assert one.rounds, f"no round; it heard {[frame.hex(' ') for frame in reader.heard]}, {one.troubles[:3]}"
    assert {tag.uid for tag in one.rounds[0].tags} == set(tags)
