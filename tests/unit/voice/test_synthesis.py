"""The sound of sentences: as long as they are, audible, in each language; and which voice is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from betline.options import Address
from table_controller.announce.numbers import LANGUAGES, Language
from table_controller.voice.clip import Clip, SpeechError
from table_controller.voice.synthesis import (
    NO_VOICE,
    RETRY_S,
    EspeakNg,
    FirstThatWorks,
    WyomingServer,
    voices_of,
)
from tests.unit.voice.sounds import fake_player, info, loudness, needs_espeak, server, spoken, tone

AUDIBLE = 300
SHORT: dict[Language, str] = {
    "en": "Seat four.", "de": "Platz vier.", "fr": "Siège quatre.", "es": "Asiento cuatro.",
}  # fmt: skip
LONG: dict[Language, str] = {
    "en": "Seat four, eight hundred eighty to call. Minimum raise to sixteen forty. Pot is thirty-nine twenty-five.",
    "de": "Platz vier, achthundertachtzig zum Mitgehen. Mindesterhöhung auf sechzehnhundertvierzig.",
    "fr": "Siège quatre, huit cent quatre-vingts à payer. Relance minimum à mille six cent quarante.",
    "es": "Asiento cuatro, ochocientos ochenta para igualar. Subida mínima a mil seiscientos cuarenta.",
}


class Fails:
    """A voice that gives no sound, and counts how often it was asked."""

    def __init__(self, why: str = "It is broken: mend it.") -> None:
        self.why = why
        self.asked = 0

    def speak(self, text: str) -> Clip:
        self.asked += 1
        raise SpeechError(self.why)


class Hums:
    """A voice that hums."""

    def speak(self, text: str) -> Clip:
        return tone()


def espeak(language: Language) -> EspeakNg:
    found = EspeakNg.found(language)
    assert found is not None
    return found


@needs_espeak
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_sounds_and_lasts_as_long_as_it_is(language: Language) -> None:
    short, long = (espeak(language).speak(text) for text in (SHORT[language], LONG[language]))

    assert loudness(short) > AUDIBLE
    assert loudness(long) > AUDIBLE
    assert 0.4 < short.seconds < 2.5
    assert 3.0 < long.seconds < 12.0
    assert long.seconds > 2 * short.seconds


@needs_espeak
def test_the_languages_do_not_sound_the_same() -> None:
    text = "Maximum."
    assert len({espeak(language).speak(text).pcm for language in LANGUAGES}) == len(LANGUAGES)


@needs_espeak
@pytest.mark.parametrize("text", ["$(touch here); `id`", "-w /tmp/x.wav", "Siège ½ \x07 <b>&"])
def test_the_text_is_text_and_nothing_else(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert loudness(espeak("en").speak(text)) > AUDIBLE
    assert list(tmp_path.iterdir()) == []


def test_an_espeak_that_fails_is_named(tmp_path: Path) -> None:
    fake_player(tmp_path, "espeak-ng", "print('no such voice', file=sys.stderr); sys.exit(1)")
    with pytest.raises(SpeechError, match=r"^espeak-ng failed \(no such voice\): install it anew\.$"):
        EspeakNg(str(tmp_path / "espeak-ng"), "en").speak("Seat one.")
    with pytest.raises(SpeechError, match="espeak-ng does not work"):
        EspeakNg(str(tmp_path / "missing"), "en").speak("Seat one.")


def test_a_voice_that_failed_rests_and_the_next_one_speaks() -> None:
    now_s, said, broken = [0.0], list[str](), Fails()
    voice = FirstThatWorks((broken, Hums()), said.append, lambda: now_s[0])

    assert voice.speak("one") == tone()
    assert voice.speak("two") == tone()
    assert broken.asked == 1
    now_s[0] = RETRY_S
    assert voice.speak("three") == tone()
    assert broken.asked == 2
    assert said == ["It is broken: mend it."]


def test_without_any_voice_that_is_said_once_in_plain_words() -> None:
    said: list[str] = []
    voice = FirstThatWorks((), said.append)
    assert [voice.speak("one"), voice.speak("two")] == [None, None]
    assert said == [NO_VOICE]
    assert "apt install espeak-ng" in NO_VOICE


def test_where_a_server_runs_it_is_asked_first() -> None:
    with server(info(("amy", "en_US")), spoken(tone())) as (address, asked):
        said: list[str] = []
        assert FirstThatWorks(voices_of("en", address), said.append).speak("Seat one.") == tone()

    assert [one["type"] for one in asked] == ["describe", "synthesize"]
    assert said == []


def test_which_voices_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    there = Address("127.0.0.1", 10_200)
    assert voices_of("en", None) == ()
    assert [type(one) for one in voices_of("en", there)] == [WyomingServer]
    fake_player(tmp_path, "espeak-ng", "")
    assert [type(one) for one in voices_of("en", there)] == [WyomingServer, EspeakNg]
