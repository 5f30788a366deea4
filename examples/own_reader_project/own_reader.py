"""A reader of one's own: it answers as a Chafon of the older layout, on a port that it makes itself.

python own_reader.py --broker 127.0.0.1:1883 --zone seat-3     prints its port and serves it until interrupted
"""

import argparse
import json
import os
import select
import threading
import tty
from collections.abc import Callable, Iterable

INFO, INVENTORY = 0x21, 0x01
DONE, MORE, NO_TAG = 0x01, 0x03, 0xFB
TAGS_A_FRAME = 15


def framed(data: bytes) -> bytes:
    """Bytes with their length before them and their CRC (MCRF4XX) behind."""
    frame, crc = bytes([len(data) + 2]) + data, 0xFFFF
    for byte in frame:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x8408 if crc & 1 else 0)
    return frame + crc.to_bytes(2, "little")


class OwnReader:
    """`tags` is asked for the UIDs above the antenna whenever the host asks for an inventory."""

    def __init__(self, tags: Callable[[], Iterable[str]]) -> None:
        self._tags = tags
        self.inventories = 0
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """The port vanishes."""
        self._over.set()
        self._thread.join()
        os.close(self._slave)
        os.close(self._master)

    def _serve(self) -> None:
        heard = b""
        while not self._over.is_set():
            if not select.select([self._master], [], [], 0.05)[0]:
                continue
            heard += os.read(self._master, 256)
            while heard and len(heard) > heard[0]:
                frame, heard = heard[: heard[0] + 1], heard[heard[0] + 1 :]
                if len(frame) > 4 and framed(frame[1:-2]) == frame:
                    os.write(self._master, b"".join(self._answer(frame[2])))

    def _answer(self, command: int) -> Iterable[bytes]:
        if command == INFO:
            yield framed(bytes([0, INFO, 0]) + bytes.fromhex("0216090302001E0A"))
        elif command == INVENTORY:
            self.inventories += 1
            tags = [bytes.fromhex(uid) for uid in self._tags()]
            for start in range(0, len(tags), TAGS_A_FRAME):
                some = tags[start : start + TAGS_A_FRAME]
                status = MORE if start + TAGS_A_FRAME < len(tags) else DONE
                said = b"".join(bytes([len(tag)]) + tag for tag in some)
                yield framed(bytes([0, INVENTORY, status, len(some)]) + said)
            if not tags:
                yield framed(bytes([0, INVENTORY, NO_TAG]))


def main() -> None:
    """Learns from the bus what lies in its zone: the topic world/zones/ZONE of a virtual table."""
    import paho.mqtt.client as mqtt

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--broker", default="127.0.0.1:1883")
    parser.add_argument("--zone", default="seat-3")
    options = parser.parse_args()
    lying: list[str] = []

    def heard(_client, _data, message) -> None:
        lying[:] = [tag["uid"] for tag in json.loads(message.payload)["tags"] if tag["signal"] > 0.35]

    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    client.on_connect = lambda *_: client.subscribe(f"betline/v1/+/+/world/zones/{options.zone}")
    client.on_message = heard
    print(OwnReader(lambda: tuple(lying)).port, flush=True)
    host, _, port = options.broker.rpartition(":")
    client.connect(host, int(port))
    client.loop_forever()


if __name__ == "__main__":
    main()
