"""`betline bridge`, through the front door: exit status, JSON keys, sentences."""

from __future__ import annotations

import json

import pytest

from betline.front_door import run
from firmware_bridge.protocols.family import LineSettings
from firmware_bridge.serial_line import SerialLine
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.betline import VirtualBetlineReader
from virtual_table.readers.device import OnlyAnswers
from virtual_table.readers.feig import VirtualFeigReader
from virtual_table.readers.server import ReaderServer

LINE = LineSettings(38_400, "E")


class Mute(OnlyAnswers):
    def receive(self, data: bytes, now_ms: float) -> list[tuple[float, bytes]]:
        return []


class Noise(OnlyAnswers):
    """Answers anything with what is no frame."""

    def receive(self, data: bytes, now_ms: float) -> list[tuple[float, bytes]]:
        return [(1.0, b"\x55" * 20)]


def virtual(*uids: str, **behaviour: object) -> VirtualFeigReader:
    return VirtualFeigReader(lambda: [(uid, 1, 0.5) for uid in uids], Behaviour(**behaviour), seed=1)


def once(*arguments: str) -> int:
    return run(["bridge", "once", "--protocol", "feig", *arguments])


def test_once_tells_the_tags_by_uid(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", virtual("E004015306A22D80", "E004015306A22D70", "30751FEB705C5904E3D50D70"), LINE)
    assert once("--port", path, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["protocol"] == "feig"
    assert said["tags"] == [
        {"uid": "30751FEB705C5904E3D50D70", "kind": "iso18000-3m3", "antenna": None, "rssi": None},
        {"uid": "E004015306A22D70", "kind": "iso15693", "antenna": None, "rssi": None},
        {"uid": "E004015306A22D80", "kind": "iso15693", "antenna": None, "rssi": None},
    ]
    assert said["cycle_ms"] > 10
    assert {"crc_errors", "resyncs", "timeouts", "parity_refused"} <= said["health"].keys()


def test_once_with_an_antenna_tells_antenna_and_strength(
    server: ReaderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    path = server.add("one", virtual("E004015306A22D70"), LINE)
    assert once("--port", path, "--antenna", "1", "--json") == 0
    [tag] = json.loads(capsys.readouterr().out)["tags"]
    assert (tag["antenna"], tag["rssi"]) == (1, 128)


def test_once_in_words(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", virtual("E004015306A22D70"), LINE)
    assert once("--port", path) == 0
    assert capsys.readouterr().out.startswith("E004015306A22D70  iso15693\n1 tag in ")


def test_no_tag_is_done(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert once("--port", server.add("one", virtual(), LINE), "--json") == 0
    assert json.loads(capsys.readouterr().out)["tags"] == []


@pytest.mark.nightly
@pytest.mark.parametrize(("device", "words"), [(Mute(), "said nothing"), (Noise(), "only noise")])
def test_silence_is_a_failure_in_one_sentence(
    server: ReaderServer, capsys: pytest.CaptureFixture[str], device: Mute | Noise, words: str
) -> None:
    assert once("--port", server.add("one", device, LINE), "--json") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert said.err.count("\n") == 1


def test_missing_port_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert once("--port", "/dev/there-is-no-such-port", "--json") == 1
    assert "There is no port /dev/there-is-no-such-port" in capsys.readouterr().err


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("port", "words"),
    [
        ("/dev/null", "The name /dev/null is no serial port"),
        ("/", "The name / is no serial port"),
        ("usb:NOSUCHNUMBER", "No USB adapter has the serial number NOSUCHNUMBER"),
        ("foo://x", "The port name foo://x is not understood"),
        ("loop://", "only noise came"),
    ],
)
def test_what_is_no_reader_is_a_failure_in_one_sentence(
    port: str, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_bridge.once.SILENCE_S", 0.5)
    assert once("--port", port, "--json") == 1
    out, error = capsys.readouterr()
    assert out == ""
    assert words in error
    assert error.count("\n") == 1


def test_after_silence_the_others_are_asked_for_two_seconds_only(
    server: ReaderServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr("firmware_bridge.once.SILENCE_S", 0.1)
    monkeypatch.setattr(
        "firmware_bridge.ports._hear", lambda _line, _families, _heard, for_ms: waits.append(for_ms) or b""
    )
    assert once("--port", server.add("one", Mute(), LINE)) == 1
    assert "check the reader's supply" in capsys.readouterr().err
    assert 0 < sum(waits) <= 2_200


def test_a_port_that_another_program_holds_is_named(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", virtual("E004015306A22D70"), LINE)
    holder = SerialLine(path, LINE)
    try:
        assert once("--port", path) == 1
    finally:
        holder.close()
    assert "is held by another program: stop that first" in capsys.readouterr().err


@pytest.mark.nightly
def test_refusing_reader_is_a_failure_with_its_reason(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    path = server.add("one", virtual("E004015306A22D70", rf_warning=1.0), LINE)
    assert once("--port", path) == 1
    assert "RF warning" in capsys.readouterr().err


@pytest.mark.nightly
def test_what_a_reader_says_of_its_inventory_is_a_warning_beside_the_document(
    server: ReaderServer, capsys: pytest.CaptureFixture[str]
) -> None:
    disturbed = VirtualBetlineReader(lambda: [("E004015306A22D70", 1, 1.0)], Behaviour(rf_warning=1.0))
    path = server.add("one", disturbed, LineSettings(115_200, "N"))
    assert run(["bridge", "once", "--port", path, "--protocol", "betline", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["health"]["partial_rounds"] == 1
    assert "Warning: the reader heard answers that it could not tell apart" in printed.err


def test_unknown_family_and_missing_options_are_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bridge", "once", "--port", "x", "--protocol", "fieg"]) == 2
    assert "'fieg'" in capsys.readouterr().err
    assert run(["bridge", "once", "--protocol", "feig"]) == 2


@pytest.mark.nightly
def test_ports_tells_what_answers(server: ReaderServer, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [server.add("one", virtual(), LINE), server.add("two", Mute(), LINE), "/dev/there-is-no-such-port"]
    assert run(["bridge", "ports", "--json", *paths]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["device"] for one in listed] == paths
    assert [one["family"] for one in listed] == ["feig", None, None]
    assert "there is no port" in listed[2]["answer"]


def test_ports_without_probing_sends_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bridge", "ports", "--no-probe", "--json"]) == 0
    assert all(one["family"] is None for one in json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("arguments", [["--table", "nowhere"], ["--broker", "x:y"], ["--register", "/nowhere.sqlite"]])
def test_run_refuses_what_it_cannot_use(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert run(["bridge", "run", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("verb", ["run", "once", "ports"])
def test_every_verb_has_help_with_an_example(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    assert run(["bridge", verb, "--help"]) == 0
    assert f"Example: betline bridge {verb}" in capsys.readouterr().out
