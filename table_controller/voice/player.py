"""Sound to the loudspeaker, by whatever program of this machine plays it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from table_controller.voice.clip import Clip

POLL_S: Final = 0.02
OVERTIME_S: Final = 3.0
"""How much longer than the sound lasts a player may take before it is stopped."""
RETRY_S: Final = 30.0
"""How long a program that failed is left alone: the loudspeaker may have been switched on meanwhile."""
NO_PLAYER: Final = (
    "Nothing is heard: no program that plays sound is installed. Type `apt install alsa-utils` as root for aplay."
)


@dataclass(frozen=True, slots=True)
class Program:
    """A program that plays raw samples from its standard input; ``options`` have the places rate and channels."""

    name: str
    options: tuple[str, ...]

    def command(self, path: str, clip: Clip) -> list[str]:
        """Its command line for a clip."""
        return [path, *(one.format(rate=clip.rate_hz, channels=clip.channels) for one in self.options)]


PROGRAMS: Final = (
    Program("pw-play", ("--rate", "{rate}", "--channels", "{channels}", "--format", "s16", "-")),
    Program("paplay", ("--raw", "--rate={rate}", "--channels={channels}", "--format=s16le")),
    Program("aplay", ("-q", "-t", "raw", "-f", "S16_LE", "-r", "{rate}", "-c", "{channels}")),
)
"""The sound servers' own first: where one runs, it holds the card that aplay would ask for."""


class Player:
    """Plays clips one after the other; a program that fails is left alone for a while, and why is said once."""

    def __init__(
        self,
        notify: Callable[[str], None],
        programs: Sequence[Program] = PROGRAMS,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        found = [(program, shutil.which(program.name)) for program in programs]
        self._programs = [(program, path) for program, path in found if path is not None]
        self._rested_s: dict[Program, float] = {}
        self._said: set[str] = set()
        self._notify = notify
        self._clock_s = clock_s
        if not self._programs:
            notify(NO_PLAYER)

    @property
    def can_play(self) -> bool:
        """Whether a program may play now."""
        return bool(self._ready())

    def play(self, clip: Clip, wanted: Callable[[], bool]) -> bool:
        """Plays a clip for as long as it is wanted; whether a program played it."""
        for program, path in self._ready():
            trouble = _trouble(program.command(path, clip), clip, wanted)
            if trouble is None:
                return True
            self._rested_s[program] = self._clock_s() + RETRY_S
            sentence = (
                f"{program.name} cannot play ({trouble}): connect a loudspeaker, and see that this account may use it."
            )
            if sentence not in self._said:
                self._said.add(sentence)
                self._notify(sentence)
        return False

    def _ready(self) -> list[tuple[Program, str]]:
        now_s = self._clock_s()
        return [(one, path) for one, path in self._programs if self._rested_s.get(one, now_s) <= now_s]


def _trouble(command: list[str], clip: Clip, wanted: Callable[[], bool]) -> str | None:
    """Why a player could not play, None where it could."""
    try:
        return _ran(command, clip, wanted)
    except OSError as error:  # it does not start, or the disk is full
        return str(error.strerror)


def _ran(command: list[str], clip: Clip, wanted: Callable[[], bool]) -> str | None:
    """Runs a player to the end, or stops it once the clip is not wanted any more; what it complained of, else None."""
    with tempfile.TemporaryFile() as sound, tempfile.TemporaryFile() as said:
        sound.write(clip.pcm)
        sound.seek(0)
        process = subprocess.Popen(command, stdin=sound, stdout=subprocess.DEVNULL, stderr=said)
        last_s = time.monotonic() + clip.seconds + OVERTIME_S
        while process.poll() is None:
            if not wanted() or time.monotonic() > last_s:
                _stop(process)
                return None
            time.sleep(POLL_S)
        if process.returncode == 0:
            return None
        said.seek(0)
        lines = said.read(4096).decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"it ended with status {process.returncode}"


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(0.5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
