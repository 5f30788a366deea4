"""Our host's side: a driver of a Chafon reader, tried on a virtual one, and on a line that damages every frame."""

import serial
from own_reader import INVENTORY, MORE, framed


def inventory(port: str) -> set[str]:
    """What a reader of the newer layout hears; nothing where a frame is damaged."""
    tags: set[str] = set()
    with serial.Serial(port, 57600, timeout=0.5, exclusive=True) as line:
        line.write(framed(bytes([0, INVENTORY, 4, 0, 0, 0x80, 20])))
        while True:
            frame = line.read(1)
            frame += line.read(frame[0] if frame else 0)
            if not frame or framed(frame[1:-2]) != frame:
                return set()
            at = 6
            for _ in range(frame[5]):
                tags.add(frame[at + 1 : at + 1 + frame[at]].hex().upper())
                at += frame[at] + 2
            if frame[3] != MORE:
                return tags


def test_our_driver_hears_all_tags(virtual_reader):
    reader = virtual_reader(protocol="chafon", tags=30)

    assert inventory(reader.port) == set(reader.uids)


def test_our_driver_believes_no_damaged_frame(virtual_reader):
    reader = virtual_reader(protocol="chafon", tags=8, plan={"line": {"damage": 1.0}})

    assert inventory(reader.port) == set()
    assert reader.bytes[-1].way == "from"
