"""The program `betline voice`: it listens on the bus, and a thread of its own speaks.

Threads: the bus's own puts messages into a queue; the main thread works out what is to be said; the mouth speaks. The
controller neither knows of it nor waits for it.
"""

from __future__ import annotations

import contextlib
import queue
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from betline import topics
from betline.bus import Bus, Received
from betline.joining import join
from betline.messages.common import Body, Presence
from betline.options import DONE, FAILED, Address, UserError
from betline.settings import TableSettings, load_house_rules
from betline.topics import Namespace, topic
from betline.watchdog import Watchdog
from table_controller.announce.numbers import Language, in_words
from table_controller.announce.words import catalogue
from table_controller.voice.ear import Ear
from table_controller.voice.mouth import Mouth
from table_controller.voice.player import NO_PLAYER, Player
from table_controller.voice.synthesis import NO_VOICE, FirstThatWorks, voices_of

SENDER: Final = "voice"
LOOK_S: Final = 0.2
HEARD: Final = (topics.VOICE, topics.VOICE_AGAIN, topics.ANNOUNCEMENT, topics.RULING, topics.ALERT, topics.STATE)


class Voice:
    """The voice of one table on a bus."""

    def __init__(self, bus: Bus, mouth: Mouth, serves: Callable[[], None] = lambda: None) -> None:
        """`serves` is called after each turn of `run`."""
        self._serves = serves
        self._mouth = mouth
        self._bus = bus
        self._inbox: queue.SimpleQueue[Body] = queue.SimpleQueue()
        self._stopping = threading.Event()

    def start(self) -> None:
        """Begins to listen and to speak."""
        self._mouth.start()
        for kind in HEARD:
            self._bus.subscribe(kind, self._on_message)

    def run(self) -> None:
        """Works until `stop` is called from another thread or a signal handler."""
        while not self._stopping.is_set():
            self.pump(LOOK_S)
            self._serves()

    def pump(self, timeout_s: float) -> None:
        """Takes one message, waiting so long for it at most. Raises the fault that has stopped the mouth."""
        self._mouth.check()
        with contextlib.suppress(queue.Empty):
            self._mouth.hear(self._inbox.get(timeout=timeout_s))

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping.set()

    def _on_message(self, received: Received) -> None:
        self._inbox.put(received.body)


def run_voice(
    table: TableSettings,
    address: Address,
    namespace: Namespace,
    language: Language,
    wyoming: Address | None,
    write: Callable[[str], None] | None,
    notify: Callable[[str], None],
) -> int:
    """Speaks for a table until SIGTERM or SIGINT; returns the exit status.

    ``write`` gets each sentence as it is said, ``notify`` once each reason why nothing is heard: that is no error, what
    is announced stands on the screen too. Raises SettingsError for house rules that cannot be used.
    """
    house = load_house_rules(table.house.profile, table.house.options)
    catalogue(language)
    in_words(0, language)
    presence = topic(topics.DEVICE_STATUS, SENDER)
    bus = join(address, namespace, SENDER, presence=presence)

    def lacks(sentence: str) -> None:
        notify(sentence)
        bus.publish(presence, Presence(state="online", detail=sentence, code="silent"))

    voice = FirstThatWorks(voices_of(language, wyoming), lacks)
    mouth = Mouth(Ear.of(house, language), voice, Player(lacks), write)
    try:
        speaker = Voice(bus, mouth, Watchdog().serves)
        speaker.start()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: speaker.stop())
        speaker.run()
    finally:
        mouth.close()
        bus.close()
    return DONE


def say_once(text: str, language: Language, wyoming: Address | None, out: Path | None) -> int:
    """Speaks one sentence, or writes it to a WAV file; raises UserError where that cannot be done."""
    reasons: list[str] = []
    clip = FirstThatWorks(voices_of(language, wyoming), reasons.append).speak(text)
    if clip is None:
        raise UserError(reasons[0] if reasons else NO_VOICE, FAILED)
    if out is not None:
        try:
            out.write_bytes(clip.to_wav())
        except OSError as error:
            raise UserError(f"{out} cannot be written ({error.strerror}); name another with --out.", FAILED) from None
        return DONE
    if not Player(reasons.append).play(clip, lambda: True):
        raise UserError(f"{reasons[-1] if reasons else NO_PLAYER} Or write a file with --out.", FAILED)
    return DONE
