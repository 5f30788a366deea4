"""The host's side of the talk with one PN532.

After the port was opened, or nothing came back: wake-up, SAMConfiguration, and a limit to the retries, without which
the first search would last until a card comes. A round then is

    field off, field on                              every card forgets that it was told to sleep
    for each modulation:
        list two targets, put them to sleep, until a list is empty

The chip acknowledges each command before it answers; an answer that was damaged is asked for again with NACK, which the
chip answers with the last response.

What a chip, or something that behaves like one, never answered is done without for `_ROUNDS_WITHOUT` rounds. Where the
field cannot be switched, no card is put to sleep, since nothing would wake it, and the round is doubtful.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Final

from firmware_bridge.protocols.doubt import Doubt
from firmware_bridge.protocols.family import Ask, Inventory, LineCounters, Refused, Step, TagRead
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.pn532.commands import DESELECT_ALL, FIELD_OFF, FIELD_ON, SAM_NORMAL, TWO_RETRIES
from firmware_bridge.protocols.pn532.decoder import SettledDecoder
from firmware_bridge.protocols.pn532.frames import WAKE, Code, Command, Frame, Response, Signal
from firmware_bridge.protocols.pn532.targets import ListTargets, Modulation, Target, decode_targets

MODULATIONS: Final = (Modulation.A_106, Modulation.FELICA_212)
"""FeliCa cards answer at both of their rates, so one is enough. ISO 14443B is left out: most of its cards make up a new
identifier each time that they get power."""
COMMAND_TIMEOUT_MS: Final = 200.0
SEARCH_TIMEOUT_MS: Final = 700.0
_MAX_LISTS: Final = 256
_BARREN_LISTS: Final = 3
_NACKS: Final = 2
_SLOTS_TO_SPARE: Final = 2
_TRIES: Final = 2
_ROUNDS_WITHOUT: Final = 64
_SET_UP: Final = (SAM_NORMAL, TWO_RETRIES)
_FELICA: Final = frozenset({Modulation.FELICA_212, Modulation.FELICA_424})

_Script = Generator[Command, Response | None, Inventory | Refused]
_Part = Generator[Command, Response | None, Refused | None]


class Pn532Dialogue:
    """Implements `family.Dialogue`."""

    def __init__(self, modulations: Iterable[Modulation] = MODULATIONS) -> None:
        self._modulations = tuple(modulations)
        self._decoder = SettledDecoder(echo=Command)
        self._script: _Script | None = None
        self._asked = SAM_NORMAL
        self._acknowledged = False
        self._in_step = False
        self._awake = False
        self._was_lost = False
        self._nacks = 0
        self._tries = 0
        self._answered: set[Command] = set()
        self._without: dict[Command, int] = {}
        self._late = 0
        self._damaged_before = 0

    @property
    def counters(self) -> LineCounters:
        return replace(self._decoder.counters, late_replies=self._late)

    @property
    def damaged(self) -> bool:
        return self._decoder.counters.crc_errors > self._damaged_before

    def inventory(self, antenna: int | None) -> Step:
        """Begin a round; a PN532 has one antenna."""
        self._late += len(self._decoder.end_of_request())
        if antenna not in (None, 1):
            return Refused("antenna", f"a PN532 has no antenna {antenna}: leave the antenna out")
        self._script = self._round(antenna)
        return self._ask(next(self._script))

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        return self._take(self._decoder.feed(data, now_ms))

    def silence(self) -> Step | None:
        step = self._take(self._decoder.end_of_request())
        if step is not None or self._script is None:
            return step
        # Before the first ACK the last response may be one to the host before us.
        if (self._acknowledged or (self.damaged and self._in_step)) and self._nacks < _NACKS:
            self._nacks += 1
            self._damaged_before = self._decoder.counters.crc_errors
            return Ask(Signal.NACK.to_bytes(), self._timeout_ms)
        if self._may_do_without:
            self._tries += 1
            return self._ask(self._asked) if self._tries < _TRIES else self._go_on(self._script, None)
        self._script = None
        self._awake = self._in_step = False
        self._was_lost = True
        return None

    def _take(self, frames: Iterable[Frame]) -> Step | None:
        step: Step | None = None
        for frame in frames:
            if step is not None or self._script is None:
                self._late += 1
            elif frame is Signal.ACK and not self._acknowledged:
                self._acknowledged = True
            elif self._is_answer(frame):
                step = self._go_on(self._script, frame)
            else:
                self._late += 1
        return step

    def _is_answer(self, frame: Frame) -> bool:
        """Out of step, an answer without its ACK may be a late one; in step, the ACK was damaged."""
        if not (self._acknowledged or self._in_step):
            return False
        return frame is Signal.ERROR or (isinstance(frame, Response) and frame.code == self._asked.code)

    @property
    def _may_do_without(self) -> bool:
        """Whether the chip may not know the command; what it once answered it knows."""
        return self._awake and self._asked not in self._answered and self._asked not in _SET_UP

    def _go_on(self, script: _Script, frame: Frame | None) -> Step:
        if isinstance(frame, Response):
            self._in_step = True
            self._answered.add(self._asked)
        elif not self._may_do_without:
            return self._end(Refused("syntax", "the PN532 did not understand the bridge: check its firmware version"))
        self._tries = 0
        try:
            return self._ask(script.send(frame if isinstance(frame, Response) else None))
        except StopIteration as stop:
            outcome: Inventory | Refused = stop.value
            return self._end(outcome)
        except FrameError as error:
            return self._end(Refused(error.code, str(error)))

    def _end(self, outcome: Inventory | Refused) -> Step:
        self._script = None
        return outcome

    def _ask(self, command: Command) -> Ask:
        self._asked = command
        self._acknowledged = False
        self._nacks = 0
        self._damaged_before = self._decoder.counters.crc_errors
        data = command.to_bytes()
        if command is SAM_NORMAL:
            # An ACK from the host ends a search that has no end.
            data = (Signal.ACK.to_bytes() if self._was_lost else b"") + WAKE + data
        return Ask(data, self._timeout_ms)

    @property
    def _timeout_ms(self) -> float:
        return SEARCH_TIMEOUT_MS if self._asked.code == Code.IN_LIST_PASSIVE_TARGET else COMMAND_TIMEOUT_MS

    def _round(self, antenna: int | None) -> _Script:
        if not self._awake:
            yield SAM_NORMAL
            yield TWO_RETRIES
            self._awake = True
        seen: dict[bytes, Target] = {}
        warnings: list[Doubt] = []
        for command in (FIELD_OFF, FIELD_ON):
            if (yield from self._try(command)) is None:
                warnings.append(Doubt.NO_FIELD)
        for modulation in self._modulations:
            search = self._felica if modulation in _FELICA else self._sleepers
            refused = yield from search(ListTargets(modulation), seen, warnings)
            if refused is not None:
                return refused
        tags = tuple(TagRead(one.uid.hex().upper(), one.kind, antenna) for one in seen.values())
        return Inventory(tags, tuple(dict.fromkeys(warnings)))

    def _try(self, command: Command) -> Generator[Command, Response | None, Response | None]:
        """The response to a command that the chip may not know, or None."""
        left = self._without.get(command, 0)
        if left:
            self._without[command] = left - 1
            return None
        response = yield command
        if response is None:
            self._without[command] = _ROUNDS_WITHOUT
        return response

    def _sleepers(self, request: ListTargets, seen: dict[bytes, Target], warnings: list[Doubt]) -> _Part:
        """List cards that sleep when told to, until none is awake.

        A card that is listed twice did not sleep. It may stand before others that the chip then never reports.
        """
        for _ in range(_MAX_LISTS):
            response = yield from self._try(request.to_command())
            if response is None and request.most > 1:
                return (yield from self._sleepers(replace(request, most=1), seen, warnings))
            if response is None:
                return Refused("no_list", "the PN532 answers, but lists no cards: check its firmware version")
            targets = decode_targets(response.data, request.modulation)
            if not targets:
                return None
            fresh = [one for one in targets if one.uid not in seen]
            if len(fresh) < len(targets):
                warnings.append(Doubt.NOT_ASLEEP)
            if not fresh:
                return None
            seen.update((one.uid, one) for one in fresh)
            if Doubt.NO_FIELD in warnings:
                return None
            if (yield from self._try(DESELECT_ALL)) is None:
                warnings.append(Doubt.NOT_ASLEEP)
                return None
        return Refused("endless", f"the PN532 still found new cards after {_MAX_LISTS} lists")

    def _felica(self, request: ListTargets, seen: dict[bytes, Target], warnings: list[Doubt]) -> _Part:
        """List cards that cannot be told to sleep, and answer in slots of their own choice, until no new one comes."""
        here: set[bytes] = set()
        barren = 0
        for _ in range(_MAX_LISTS):
            response = yield from self._try(request.to_command())
            if response is None:
                return None
            targets = decode_targets(response.data, request.modulation)
            barren = 0 if any(one.uid not in here for one in targets) else barren + 1
            here.update(one.uid for one in targets)
            for one in targets:
                seen.setdefault(one.uid, one)
            if len(here) > _SLOTS_TO_SPARE:
                warnings.append(Doubt.FELICA_CROWD)
            if not here or barren == _BARREN_LISTS:
                return None
            if targets:
                yield from self._try(DESELECT_ALL)
        return Refused("endless", f"the PN532 still found new cards after {_MAX_LISTS} lists")
