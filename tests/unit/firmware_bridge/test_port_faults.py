"""Everything that goes wrong with a port, on real descriptors: each is survived, and told in one plain sentence."""

from __future__ import annotations

import itertools
import os
import queue
import re
import socket
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import serial
import serial.rfc2217

from firmware_bridge.driver import ReaderDriver
from firmware_bridge.effects import RoundOver
from firmware_bridge.link import ReaderLink
from firmware_bridge.ports import locate
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.protocols.feig.family import FeigFamily
from firmware_bridge.rf_arbiter import RfArbiter
from firmware_bridge.schedule import Channel
from firmware_bridge.serial_line import LineError, SerialLine
from firmware_bridge.waker import Waker
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

LINE = LineSettings(115_200, "E")
UID = "E004010000000001"


def virtual() -> VirtualFeigReader:
    return VirtualFeigReader(lambda: [(UID, 1, 1.0)], seed=1)


@contextmanager
def driving(
    find_port: Callable[[], str],
    on_round: Callable[[RoundOver], None] | None = None,
    turns: RfArbiter | None = None,
    name: str = "one",
) -> Iterator[tuple[ReaderDriver, queue.Queue[RoundOver]]]:
    rounds: queue.Queue[RoundOver] = queue.Queue()
    link = ReaderLink(FeigFamily(), [Channel("seat-1")], looks_again=False)
    driver = ReaderDriver(name, find_port, LINE, link, on_round or rounds.put, turns)
    driver.attend(frozenset({"seat-1"}))
    driver.start()
    try:
        yield driver, rounds
    finally:
        driver.stop()


def eventually(holds: Callable[[], bool], limit_s: float = 8.0) -> bool:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.01)
    return False


def told(driver: ReaderDriver) -> str:
    trouble = driver.status.trouble
    return "" if trouble is None else trouble.sentence


def is_plain(sentence: str) -> bool:
    words = re.sub(r"/\S+", "PORT", sentence)  # the folder of a test has a long name
    return "Traceback" not in sentence and "\n" not in sentence and 0 < len(words) < 200


def test_reader_that_comes_back_under_another_name_is_found_by_its_usb_serial(
    server: ReaderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = server.add("one", virtual(), LINE)
    here: list[str] = [os.path.realpath(path)]
    monkeypatch.setattr(
        "firmware_bridge.ports.list_ports.comports",
        lambda: [SimpleNamespace(device=device, serial_number="A50285BI") for device in here],
    )
    with driving(lambda: locate("usb:A50285BI")) as (driver, rounds):
        rounds.get(timeout=5)
        before = here.pop()
        server.unplug("one")
        assert eventually(lambda: "no USB adapter has the serial number A50285BI" in told(driver))
        held: list[int] = []
        while not os.path.exists(before):  # until somebody has the old name: other tests free lower numbers
            held += os.openpty()
        here.append(os.path.realpath(server.replug("one")))
        assert here != [before]
        while not rounds.empty():
            rounds.get()
        rounds.get(timeout=8)
        assert eventually(lambda: driver.status.health.reconnects == 1 and driver.status.trouble is None)
        for descriptor in held:
            os.close(descriptor)


def test_two_adapters_with_one_number_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    twins = [SimpleNamespace(device=f"/dev/x{n}", serial_number="0001") for n in range(2)]
    monkeypatch.setattr("firmware_bridge.ports.list_ports.comports", lambda: twins)
    with pytest.raises(LineError, match="by-path") as refused:
        locate("usb:0001")
    assert refused.value.code == "url"


def test_adapter_that_vanishes_while_it_is_looked_for_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def vanishing() -> list[object]:
        raise OSError(2, "No such file or directory")

    monkeypatch.setattr("firmware_bridge.ports.list_ports.comports", vanishing)
    with pytest.raises(LineError) as refused:
        locate("usb:A50285BI")
    assert refused.value.code == "not_there"


def test_port_held_by_another_program_is_taken_once_it_is_free(server: ReaderServer) -> None:
    path = server.add("one", virtual(), LINE)
    holder = SerialLine(path, LINE)
    with driving(lambda: path) as (driver, rounds):
        assert eventually(lambda: "held by another program: stop that first" in told(driver))
        assert rounds.empty()
        holder.close()
        rounds.get(timeout=5)
        assert eventually(lambda: driver.status.trouble is None)
        assert driver.status.health.reconnects == 0


@pytest.mark.parametrize(
    "error",
    [
        OSError(5, "Input/output error"),
        serial.SerialException("device reports readiness to read but returned no data"),
        termios.error(5, "Input/output error"),
        TypeError("'NoneType' object cannot be interpreted as an integer"),
    ],
    ids=["EIO", "SerialException", "termios.error", "a fault of our own"],
)
def test_an_open_port_that_fails_in_any_way_is_opened_again(
    server: ReaderServer, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    path = server.add("one", virtual(), LINE)
    with driving(lambda: path) as (driver, rounds):
        rounds.get(timeout=5)
        read, failures = serial.Serial.read, [error]

        def failing(self: serial.Serial, size: int = 1) -> bytes:
            if failures:
                raise failures.pop()
            return bytes(read(self, size))

        sentences: list[str] = []
        monkeypatch.setattr(serial.Serial, "read", failing)
        assert eventually(lambda: bool(sentences.append(told(driver)) or driver.status.health.reconnects == 1))
        rounds.get(timeout=5)
        said = {one for one in sentences if one}
        assert len(said) == 1
        assert all(is_plain(one) for one in said)


def test_what_fails_behind_the_round_does_not_end_the_reading(server: ReaderServer) -> None:
    path = server.add("one", virtual(), LINE)
    calls: list[RoundOver] = []

    def first_fails(over: RoundOver) -> None:
        calls.append(over)
        if len(calls) == 1:
            raise ValueError("no such zone")

    with driving(lambda: path, first_fails) as (driver, _):
        assert eventually(lambda: "report it" in told(driver))
        assert is_plain(told(driver))
        assert eventually(lambda: len(calls) > 3 and driver.status.trouble is None)


def test_parity_refused_and_then_the_port_gone_is_still_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(*_: object, **__: object) -> serial.Serial:
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr("firmware_bridge.serial_line.serial.serial_for_url", refusing)
    with pytest.raises(LineError, match="cannot be opened \\(Input/output error\\)") as refused:
        SerialLine("/dev/ttyUSB0", LINE)
    assert refused.value.code == "open"


def test_a_line_that_takes_no_more_bytes_is_lost_and_hangs_nobody() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    line = SerialLine(os.ttyname(slave), LINE)
    began = time.monotonic()
    with pytest.raises(LineError) as lost:
        line.write(bytes(400_000))
    assert lost.value.code == "lost"
    assert time.monotonic() - began < 5
    line.close()
    os.close(master)
    os.close(slave)


def test_closing_leaves_dtr_up_so_that_the_next_opening_resets_no_board() -> None:
    master, slave = os.openpty()
    attributes = termios.tcgetattr(slave)
    attributes[2] |= termios.HUPCL
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
    SerialLine(os.ttyname(slave), LINE).close()
    assert not termios.tcgetattr(slave)[2] & termios.HUPCL
    os.close(master)
    os.close(slave)


def test_rate_and_parity_change_without_closing_the_port(server: ReaderServer) -> None:
    line = SerialLine(server.add("one", virtual(), LINE), LineSettings(9600, "N"))
    line.set_line(LineSettings(38_400, "E"))
    line.set_line(LineSettings(115_200, "E"))
    assert line.parity_refused
    line.write(bytes.fromhex("06 FF 52 00 0F 6E"))
    answer = b""
    while len(answer) < 6:
        answer += line.read(2.0)
    assert answer == bytes.fromhex("06 00 52 00 FC A8")
    line.close()


def serve_tcp(handle: Callable[[socket.socket], None]) -> tuple[str, threading.Thread, socket.socket]:
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                handle(connection)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    return f"127.0.0.1:{listener.getsockname()[1]}", thread, listener


def answering(connection: socket.socket, rounds: int) -> None:
    """A FEIG reader with one tag behind a network adapter, which hangs up after so many inventories."""
    reader = virtual()
    while rounds:
        data = connection.recv(4096)
        if not data:
            return
        for _, piece in reader.receive(data, time.monotonic() * 1000):
            connection.sendall(piece)
            rounds -= len(piece) > 10


def test_a_network_adapter_that_hangs_up_is_connected_to_again() -> None:
    address, _, listener = serve_tcp(lambda connection: answering(connection, 3))
    with driving(lambda: f"socket://{address}") as (driver, rounds):
        for _ in range(7):
            assert [tag.uid for tag in rounds.get(timeout=8).tags] == [UID]
        assert driver.status.health.reconnects >= 2
        listener.close()
        assert eventually(lambda: is_plain(told(driver)), 12.0)


@pytest.mark.filterwarnings("ignore:set(Daemon|Name):DeprecationWarning")
def test_a_port_on_another_host_by_rfc2217_has_the_settings_of_the_family() -> None:
    lines = ("cts", "dsr", "ri", "cd", "xonxoff", "rtscts", "break_condition", "dtr", "rts")
    port = SimpleNamespace(baudrate=9600, bytesize=8, parity="N", stopbits=1, **dict.fromkeys(lines, False))
    port.reset_input_buffer = port.reset_output_buffer = lambda: None

    def share(connection: socket.socket) -> None:
        reader = virtual()
        manager = serial.rfc2217.PortManager(port, SimpleNamespace(write=connection.sendall))
        while data := connection.recv(1024):
            asked = b"".join(manager.filter(data))
            for _, piece in reader.receive(asked, time.monotonic() * 1000):
                connection.sendall(b"".join(manager.escape(piece)))

    address, _, listener = serve_tcp(share)
    try:
        with driving(lambda: f"rfc2217://{address}") as (_, rounds):
            for _ in range(3):
                assert [tag.uid for tag in rounds.get(timeout=15).tags] == [UID]
        assert (port.baudrate, port.parity, port.stopbits) == (115_200, "E", 1)
    finally:
        listener.close()


def test_neighbours_never_read_at_the_same_time_and_both_are_read(server: ReaderServer) -> None:
    busy: list[tuple[float, float, str]] = []

    def noting(name: str) -> Callable[[RoundOver], None]:
        def note(over: RoundOver) -> None:
            end_ms = over.last_byte_ns / 1e6
            busy.append((end_ms - over.cycle_ms, end_ms, name))

        return note

    paths = {name: server.add(name, virtual(), LINE) for name in ("a", "b")}
    turns = RfArbiter({"a": frozenset({"b"})})
    with (
        driving(lambda: paths["a"], noting("a"), turns, "a"),
        driving(lambda: paths["b"], noting("b"), turns, "b") as (second, _),
    ):
        assert eventually(lambda: len(busy) > 30)
        assert min(sum(name == one for *_, name in busy) for one in "ab") > 8
        ordered = sorted(busy)
        assert all(later[0] >= earlier[1] for earlier, later in itertools.pairwise(ordered))
        server.unplug("a")
        before = len(busy)
        assert eventually(lambda: len(busy) > before + 10)
        assert second.status.trouble is None


def test_stopping_a_driver_that_waits_for_its_turn_ends_at_once(server: ReaderServer) -> None:
    path = server.add("one", virtual(), LINE)
    turns = RfArbiter({"one": frozenset({"other"})})
    waker = Waker()
    assert turns.begin("other", waker.wake)
    with driving(lambda: path, turns=turns) as (driver, rounds):
        time.sleep(0.3)
        assert rounds.empty()
        began = time.monotonic()
        driver.stop()
        assert time.monotonic() - began < 1.5
    turns.end("other")
    assert turns.begin("other", waker.wake)
    waker.close()
