"""The thread that speaks: it takes what waits, has it spoken, plays it, and breaks off what has become void."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Final, Protocol

from betline.messages.common import Body
from table_controller.voice.clip import Clip
from table_controller.voice.ear import Ear
from table_controller.voice.waiting import Utterance

SETTLE_S: Final = 0.06
"""An act, the turn after it and the state come one after the other: what waits is looked at once all are there."""
CLOSE_WAIT_S: Final = 2.0


class Speaks(Protocol):
    """Makes sound of a sentence, or gives None where it cannot."""

    def speak(self, text: str) -> Clip | None:
        """The sentence as sound."""
        ...


class Plays(Protocol):
    """Plays sound."""

    @property
    def can_play(self) -> bool:
        """Whether it has anything to play with."""
        ...

    def play(self, clip: Clip, wanted: Callable[[], bool]) -> bool:
        """Plays a clip for as long as it is wanted; whether it did."""
        ...


class Mouth:
    """Says what was heard, one sentence at a time. Whoever brings news never waits for speech."""

    def __init__(self, ear: Ear, voice: Speaks, player: Plays, write: Callable[[str], None] | None = None) -> None:
        self._ear = ear
        self._voice = voice
        self._player = player
        self._write = write
        self._news = threading.Condition()
        self._closing = threading.Event()
        self._fault: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="mouth", daemon=True)

    def start(self) -> None:
        """Begins to speak."""
        self._thread.start()

    def hear(self, body: Body) -> None:
        """Takes a message of the table."""
        with self._news:
            self._ear = self._ear.heard(body)
            if self._ear.waiting.sentences:
                self._news.notify()

    def close(self) -> None:
        """Falls silent."""
        self._closing.set()
        with self._news:
            self._news.notify()
        if self._thread.is_alive():
            self._thread.join(CLOSE_WAIT_S)

    def check(self) -> None:
        """Raises what has stopped it, a fault of this program."""
        if self._fault is not None:
            raise self._fault

    def _run(self) -> None:
        try:
            self._speak()
        except Exception as error:
            self._fault = error

    def _speak(self) -> None:
        while not self._closing.is_set():
            with self._news:
                while not self._ear.waiting.sentences and not self._closing.is_set():
                    self._news.wait()
            self._closing.wait(SETTLE_S)
            if (one := self._taken()) is not None:
                self._say(one)

    def _taken(self) -> Utterance | None:
        with self._news:
            one, waiting = self._ear.waiting.next()
            self._ear = self._ear.now_waiting(waiting)
            return one

    def _say(self, one: Utterance) -> None:
        if self._write is not None:
            with contextlib.suppress(OSError):  # whoever read the sentences has gone
                self._write(one.text)
        if not self._player.can_play:
            return
        clip = self._voice.speak(one.text)
        if clip is not None and self._wanted(one):
            self._player.play(clip, lambda: self._wanted(one))

    def _wanted(self, one: Utterance) -> bool:
        with self._news:
            return not self._closing.is_set() and self._ear.waiting.still(one)
