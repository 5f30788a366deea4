"""The program `betline voice`: it listens on the bus, and a thread of its own speaks.

Threads: the bus's own puts messages into a queue; the main thread works out what is to be said; the mouth speaks. The
controller neither knows of it nor waits for it.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Final

from betline import topics
from betline.bus import Bus, Listener
from betline.joining import join
from betline.messages.common import Presence
from betline.metrics.serving import served
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
HEARD: Final = (topics.VOICE, topics.VOICE_AGAIN, topics.ANNOUNCEMENT, topics.RULING, topics.ALERT, topics.STATE)


def to_mouth(bus: Bus, mouth: Mouth, serves: Callable[[], None] = lambda: None) -> Listener:
    """The table on a bus, told to a mouth; its `run` raises the fault that has stopped the mouth."""

    def turn() -> None:
        mouth.check()
        serves()

    return Listener(bus, HEARD, lambda received: mouth.hear(received.body), turn)


def run_voice(
    table: TableSettings,
    address: Address,
    namespace: Namespace,
    language: Language,
    wyoming: Address | None,
    write: Callable[[str], None] | None,
    notify: Callable[[str], None],
    metrics: Address | None = None,
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
        speaker = to_mouth(bus, mouth, Watchdog().serves)
        mouth.start()
        speaker.start()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: speaker.stop())
        with served(metrics, bus):
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
