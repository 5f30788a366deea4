"""The Wyoming protocol against the bytes that its servers send, whole, in pieces and damaged."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.voice.clip import Clip
from table_controller.voice.synthesis import WyomingServer
from table_controller.voice.wyoming import (
    Decoder,
    Message,
    Recording,
    SpeechError,
    WyomingError,
    encode,
    synthesize,
    voice_for,
)
from tests.unit.voice.sounds import info, message, server, spoken, tone

EVENING = spoken(tone()) + message("transcript", {"text": "für Größe"}) + message("x", {"a": 1}, inline=True)


def test_a_message_goes_out_as_a_line_of_json_and_its_data() -> None:
    sent = encode(synthesize("Platz fünf", "de_DE-thorsten-medium"))
    header, _, data = sent.partition(b"\n")

    assert json.loads(header) == {"type": "synthesize", "data_length": len(data)}
    assert json.loads(data) == {"text": "Platz fünf", "voice": {"name": "de_DE-thorsten-medium"}}
    assert encode(Message("describe")) == b'{"type": "describe"}\n'


@given(st.lists(st.integers(0, len(EVENING)), max_size=12))
def test_messages_come_whole_however_the_bytes_are_cut(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(EVENING)]
    decoder = Decoder()
    found = [one for a, b in itertools.pairwise(places) for one in decoder.feed(EVENING[a:b])]

    assert [one.type for one in found] == ["audio-start", *["audio-chunk"] * 3, "audio-stop", "transcript", "x"]
    assert b"".join(one.payload for one in found) == tone().pcm
    assert found[-2].data == {"text": "für Größe"}
    assert found[-1].data == {"a": 1}


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(WyomingError, match=r"\.$"):
        list(Decoder().feed(data + b"\n"))


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 400 Bad Request\n",
        b"[]\n",
        b"{}\n",
        b'{"type": "a", "data_length": -1}\n',
        b'{"type": "a", "payload_length": 99999999999}\n',
        b'{"type": "a", "payload_length": true}\n',
        b'{"type": "a", "data": 5}\n',
        b'{"type": "a", "data_length": 2}\n[]',
        b"[" * 70_000,
        b"[" * 70_000 + b"\n",
    ],
)
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(WyomingError, match="is it a Wyoming server"):
        list(Decoder().feed(data))


def test_the_voice_is_an_installed_one_of_the_language() -> None:
    def found(*voices: dict[str, Any]) -> str | None:
        return voice_for({"tts": [{"voices": list(voices)}]}, "de")

    english = {"name": "en", "languages": ["en_US"], "installed": True}
    german = {"name": "thorsten", "languages": ["de_DE"], "installed": True}
    assert found(english, german) == "thorsten"
    assert found(english, {**german, "languages": ["de"]}) == "thorsten"
    assert found(english, {**german, "installed": False}) is None
    assert found({**german, "languages": ["den"]}) is None
    assert voice_for({"tts": "none", "asr": [3]}, "de") is None


def test_a_recording_refuses_samples_that_are_not_16_bits_and_silence() -> None:
    with pytest.raises(WyomingError, match="16 bits"):
        Recording().take(Message("audio-start", {"rate": 16_000, "width": 4, "channels": 1}))
    with pytest.raises(WyomingError, match="no sound"):
        Recording().take(Message("audio-stop"))
    with pytest.raises(WyomingError, match="voice not found"):
        Recording().take(Message("error", {"text": "voice not found"}))


# --- with a server


def test_a_sentence_is_asked_of_the_server_in_a_voice_of_the_language() -> None:
    first, second = tone(0.1), tone(0.2, loudness=900)
    with server(info(("amy", "en_US"), ("thorsten", "de_DE")), spoken(first), spoken(second)) as (address, asked):
        voice = WyomingServer(address, "de")
        clips = [voice.speak("Platz eins."), voice.speak("Platz zwei.")]

    assert clips == [first, second]
    assert [one["type"] for one in asked] == ["describe", "synthesize", "synthesize"]
    assert [one["data"] for one in asked[1:]] == [
        {"text": "Platz eins.", "voice": {"name": "thorsten"}},
        {"text": "Platz zwei.", "voice": {"name": "thorsten"}},
    ]


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((info(("amy", "en_US")),), "has no voice for the language de: install one there"),
        ((b"SSH-2.0-OpenSSH\r\n",), "is it a Wyoming server"),
        ((info(("thorsten", "de_DE")), message("error", {"text": "out of memory"})), "out of memory"),
        ((b"",), "it hung up"),
        ((info(("thorsten", "de_DE")), spoken(tone())[:400]), "it hung up"),
    ],
)
def test_a_server_that_does_not_speak_is_named_with_what_to_do(answers: tuple[bytes, ...], why: str) -> None:
    with server(*answers) as (address, _), pytest.raises(SpeechError, match=why):
        WyomingServer(address, "de").speak("Platz eins.")


def test_a_server_that_is_not_there_is_named() -> None:
    with server() as (address, _):
        pass
    with pytest.raises(SpeechError, match=f"{address} cannot be reached .*: start it, or leave --wyoming out"):
        WyomingServer(address, "en").speak("Seat one.")


def test_a_clip_of_two_channels_is_one() -> None:
    stereo = Clip(16_000, 2, b"\1\0\2\0" * 400)
    with server(info(("amy", "en-GB")), spoken(stereo)) as (address, _):
        assert WyomingServer(address, "en").speak("Seat one.") == stereo
