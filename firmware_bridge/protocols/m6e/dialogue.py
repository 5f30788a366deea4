"""The host's side of the talk with one ThingMagic module: frames, time-outs, what is late and what is unasked.

What is asked, and in which order, is in `rounds.py`. A command that is not answered is a lost answer if the module ever
answered it, or the line is bad: the round fails. One that it never answered is asked twice, and then left out.

A module that another program left in continuous reading is told to stop.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from firmware_bridge.protocols.family import Ask, Inventory, LineCounters, Listen, Refused, Step
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.frames import Command, Opcode, Response, reply_decoder
from firmware_bridge.protocols.m6e.rounds import SINGLE_MS, Complaint, Hear, Request, Rounds, Script
from firmware_bridge.protocols.m6e.search import Search, is_pushed
from firmware_bridge.protocols.m6e.setup import GET_VERSION, Region

COMMAND_TIMEOUT_MS: Final = 300.0
UNANSWERED_TIMEOUT_MS: Final = 150.0
"""For a command that this module never answered."""
FIRST_TIMEOUT_MS: Final = 1200.0
"""A module that reads continuously says something once a second."""
BOOT_TIMEOUT_MS: Final = 1500.0
STOP_TIMEOUT_MS: Final = 2500.0
SEARCH_SLACK_MS: Final = 500.0
_TRIES: Final = 2
_NEVER_LEFT_OUT: Final = frozenset({Opcode.VERSION, Opcode.BOOT})


class M6eDialogue:
    """Implements `family.Dialogue`."""

    def __init__(self, region: Region | None = None, power_centi_dbm: int | None = None) -> None:
        """Without a region the module keeps its own, and is set to Europe where it has none."""
        self._rounds = Rounds(region, power_centi_dbm)
        self._decoder = reply_decoder()
        self._script: Script | None = None
        self._asked: Request = GET_VERSION
        self._tries = 0
        self._answered: set[int] = set()
        self._antenna: int | None = None
        self._heard_since_ms: float | None = None
        self._signs_of_life = 0
        self._late = 0
        self._reboots = 0
        self._crc_errors_before = 0

    @property
    def counters(self) -> LineCounters:
        return replace(self._decoder.counters, late_replies=self._late, reboots=self._reboots)

    @property
    def damaged(self) -> bool:
        return self._decoder.counters.crc_errors > self._crc_errors_before

    def inventory(self, antenna: int | None) -> Step:
        """Begin a round; without `antenna` on the first output."""
        self._late += len(self._decoder.end_of_request())
        self._antenna = antenna
        self._signs_of_life = 0
        return self._begin(self._rounds.round(antenna))

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        responses = self._decoder.feed(data, now_ms)
        if not isinstance(self._asked, Hear):
            self._heard_since_ms = None
        elif self._heard_since_ms is None:
            self._heard_since_ms = now_ms
        elif not responses and now_ms - self._heard_since_ms > self._asked.until_ms:
            return self._unheard()
        return self._take(responses)

    def silence(self) -> Step | None:
        step = self._take(self._decoder.end_of_request())
        if step is not None or self._script is None:
            return step
        if isinstance(self._asked, Hear):
            return self._unheard()
        opcode = self._asked.opcode
        if self._signs_of_life and opcode != Opcode.CONTINUOUS:
            return self._stop()
        if opcode not in self._answered | _NEVER_LEFT_OUT and not self.damaged and not self._signs_of_life:
            if self._tries < _TRIES:
                return self._ask(self._asked, self._tries + 1)
            return self._go_on(self._script, None)
        self._script = None
        self._rounds.begin_anew()
        return None

    def _take(self, responses: Iterable[Response]) -> Step | None:
        step: Step | None = None
        for response in responses:
            if self._script is None or isinstance(step, Ask | Inventory | Refused):
                self._late += 1
            elif self._is_answer(response):
                step = self._go_on(self._script, response)
            else:
                step = self._unexpected(response) or step
        return step

    def _is_answer(self, response: Response) -> bool:
        if isinstance(self._asked, Hear):
            return response.opcode == Opcode.READ_MULTIPLE
        return response.opcode == self._asked.opcode and not is_pushed(response)

    def _unexpected(self, response: Response) -> Step | None:
        if response.opcode == Opcode.BOOT:
            self._reboots += 1
            return self._refuse("rebooted", "the reader began anew in the middle of a round: check its supply")
        self._late += 1
        stopping = isinstance(self._asked, Hear) or self._asked.opcode == Opcode.CONTINUOUS
        if response.opcode != Opcode.READ_MULTIPLE or stopping:
            return None
        self._signs_of_life += 1
        return self._stop() if is_pushed(response) or self._signs_of_life > 1 else None

    def _stop(self) -> Step:
        self._rounds.begin_anew()
        return self._begin(self._rounds.stopped(self._antenna))

    def _unheard(self) -> Step | None:
        return None if self._script is None else self._go_on(self._script, None)

    def _begin(self, script: Script) -> Step:
        self._script = script
        return self._ask(next(script))

    def _go_on(self, script: Script, response: Response | None) -> Step:
        if response is not None:
            self._answered.add(response.opcode)
        try:
            return self._ask(script.send(response))
        except StopIteration as stop:
            over: Inventory = stop.value
            self._script = None
            return over
        except Complaint as complaint:
            return self._refuse(f"status_{complaint.status:04x}", str(complaint))
        except FrameError as error:
            return self._refuse(error.code, str(error))

    def _refuse(self, code: str, words: str) -> Refused:
        """The round is over, and the module is set up anew before the next: it may have lost its settings."""
        self._script = None
        self._rounds.begin_anew()
        return Refused(code, words)

    def _ask(self, request: Request, tries: int = 1) -> Step:
        if isinstance(request, Hear):
            self._asked = request
            return Listen(request.until_ms)
        self._asked, self._tries = request, tries
        self._crc_errors_before = self._decoder.counters.crc_errors
        return Ask(request.to_bytes(), self._timeout_ms(Opcode(request.opcode)), self._on_air_ms(request))

    @staticmethod
    def _on_air_ms(request: Command) -> float:
        """How long a search was told to last; nothing else takes the air for long."""
        return Search.from_command(request).duration_ms if request.opcode == Opcode.READ_MULTIPLE else 0.0

    def _timeout_ms(self, opcode: Opcode) -> float:
        if opcode is Opcode.VERSION:
            return FIRST_TIMEOUT_MS
        if opcode is Opcode.BOOT:
            return BOOT_TIMEOUT_MS
        if opcode is Opcode.READ_SINGLE:
            return SINGLE_MS + SEARCH_SLACK_MS
        if opcode is Opcode.READ_MULTIPLE and not isinstance(self._asked, Hear):
            return Search.from_command(self._asked).duration_ms + SEARCH_SLACK_MS
        if opcode is Opcode.CONTINUOUS and (self._signs_of_life or opcode in self._answered):
            return STOP_TIMEOUT_MS
        return COMMAND_TIMEOUT_MS if opcode in self._answered else UNANSWERED_TIMEOUT_MS
