"""Text to sound: espeak-ng as a program of this machine, Piper on a Wyoming server, and which of them is asked."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from betline.options import Address
from table_controller.announce.numbers import Language
from table_controller.voice.clip import Clip, SpeechError, from_wav
from table_controller.voice.wyoming import DESCRIBE, Decoder, Message, Recording, encode, synthesize, voice_for

_T = TypeVar("_T")
ESPEAK: Final = "espeak-ng"
ESPEAK_VOICES: Final[Mapping[Language, str]] = {"en": "en-us", "de": "de", "fr": "fr", "es": "es"}
WORDS_A_MINUTE: Final = 165
ESPEAK_WAIT_S: Final = 10.0
CONNECT_WAIT_S: Final = 1.5
SERVER_WAIT_S: Final = 10.0
"""For a whole sentence; what comes later would be about a turn that has passed."""
RETRY_S: Final = 30.0
_READ_BYTES: Final = 65536

NO_VOICE: Final = (
    "Nothing is spoken: no voice is installed. Type `apt install espeak-ng` as root, or name a Piper server with "
    "--wyoming."
)


class Synthesizer(Protocol):
    """Makes sound of a sentence; raises SpeechError."""

    def speak(self, text: str) -> Clip:
        """The sentence as sound."""
        ...


class EspeakNg:
    """The program espeak-ng; the text goes to its standard input, never through a shell."""

    def __init__(self, program: str, language: Language) -> None:
        self._command = [program, "-v", ESPEAK_VOICES[language], "-s", str(WORDS_A_MINUTE), "--stdin", "--stdout"]

    @classmethod
    def found(cls, language: Language) -> EspeakNg | None:
        """The one that is installed, if one is."""
        program = shutil.which(ESPEAK)
        return None if program is None else cls(program, language)

    def speak(self, text: str) -> Clip:
        try:
            done = subprocess.run(
                self._command, input=text.encode(), capture_output=True, timeout=ESPEAK_WAIT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise SpeechError(f"espeak-ng does not work ({error}): install it anew.") from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines() or ["it does not say why"]
            raise SpeechError(f"espeak-ng failed ({said[-1]}): install it anew.")
        return from_wav(done.stdout)


class WyomingServer:
    """A speech server, asked anew for each sentence; its voice for the language is chosen when it first answers."""

    def __init__(self, address: Address, language: Language) -> None:
        self._address = address
        self._language: Language = language
        self._voice: str | None = None

    def speak(self, text: str) -> Clip:
        deadline_s = time.monotonic() + SERVER_WAIT_S
        try:
            with socket.create_connection((self._address.host, self._address.port), CONNECT_WAIT_S) as line:
                if self._voice is None:
                    self._voice = self._chosen(line, deadline_s)
                line.sendall(encode(synthesize(text, self._voice)))
                recording = Recording()
                return _answer(line, recording.take, deadline_s)
        except OSError as error:
            raise SpeechError(
                f"The speech server at {self._address} cannot be reached ({error}): start it, or leave --wyoming out."
            ) from None

    def _chosen(self, line: socket.socket, deadline_s: float) -> str:
        line.sendall(encode(DESCRIBE))
        info = _answer(line, lambda message: message.data if message.type == "info" else None, deadline_s)
        voice = voice_for(info, self._language)
        if voice is None:
            raise SpeechError(
                f"The speech server at {self._address} has no voice for the language {self._language}: "
                "install one there, or choose another --language."
            )
        return voice


def _answer(line: socket.socket, take: Callable[[Message], _T | None], deadline_s: float) -> _T:
    """What the messages of the server come to; raises OSError where it falls silent or hangs up."""
    decoder = Decoder()
    while True:
        line.settimeout(max(0.01, deadline_s - time.monotonic()))
        data = line.recv(_READ_BYTES)
        if not data:
            raise ConnectionError("it hung up")
        for message in decoder.feed(data):
            if (found := take(message)) is not None:
                return found
        if time.monotonic() >= deadline_s:
            raise TimeoutError("it takes too long")


class FirstThatWorks:
    """Asks the voices in order; one that failed is left alone for a while, and why is said once."""

    def __init__(
        self,
        voices: Sequence[Synthesizer],
        notify: Callable[[str], None],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._voices = tuple(voices)
        self._notify = notify
        self._clock_s = clock_s
        self._rested_s = [float("-inf")] * len(self._voices)
        self._said: set[str] = set()

    def speak(self, text: str) -> Clip | None:
        """The sentence as sound; None where no voice gives any."""
        if not self._voices:
            self._say_once(NO_VOICE)
        for place, voice in enumerate(self._voices):
            if self._clock_s() < self._rested_s[place]:
                continue
            try:
                return voice.speak(text)
            except SpeechError as error:
                self._rested_s[place] = self._clock_s() + RETRY_S
                self._say_once(str(error))
        return None

    def _say_once(self, sentence: str) -> None:
        if sentence not in self._said:
            self._said.add(sentence)
            self._notify(sentence)


def voices_of(language: Language, wyoming: Address | None) -> tuple[Synthesizer, ...]:
    """The voices of this machine for a language, the best first."""
    espeak = EspeakNg.found(language)
    server = None if wyoming is None else WyomingServer(wyoming, language)
    return tuple(one for one in (server, espeak) if one is not None)
