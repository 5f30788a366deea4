"""The host's side of the talk with one ThingMagic module.

After the port was opened, or anything went wrong: version, start of the firmware if only the bootloader runs, region,
protocol, power. A round then is: choose the antenna, and search for a time that was enough for the tags of the last
round: clear the module's buffer, search into it, fetch it. A search lasts as long as it was told to, so its time is
what a round costs; one that found more tags than it had time for is followed by a longer one, until one finds nothing
new.

A module that another program left in continuous reading is told to stop.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import replace
from typing import Final

from firmware_bridge.protocols.family import Ask, Inventory, LineCounters, Refused, Step
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.frames import Command, Opcode, Response, reply_decoder
from firmware_bridge.protocols.m6e.records import TagRecord
from firmware_bridge.protocols.m6e.search import (
    CLEAR_BUFFER,
    GET_BUFFER,
    STOP_CONTINUOUS,
    Search,
    buffered,
    found_count,
    is_pushed,
)
from firmware_bridge.protocols.m6e.setup import (
    BOOT,
    GET_PROGRAM,
    GET_REGION,
    GET_VERSION,
    NO_REGION,
    SET_GEN2,
    Region,
    choose_antenna,
    in_bootloader,
    set_power,
    set_region,
)
from firmware_bridge.protocols.m6e.status import WARNINGS, Status, sentence

POWER_CENTI_DBM: Final = 1000
"""10 dBm: a guess for an antenna right below the felt. More power reads the neighbours too."""
SEARCH_LEAST_MS: Final = 60
SEARCH_A_TAG_MS: Final = 8
"""The M6e Nano is sold with 150 tags a second; this is a fifth more time."""
SEARCH_MOST_MS: Final = 3000
AGAIN_MOST_MS: Final = 800
"""All searches of a round together, if the first was too short: half of what makes a zone stale."""
COMMAND_TIMEOUT_MS: Final = 300.0
FIRST_TIMEOUT_MS: Final = 1200.0
"""A module that reads continuously says something once a second."""
BOOT_TIMEOUT_MS: Final = 1500.0
STOP_TIMEOUT_MS: Final = 2500.0
SEARCH_SLACK_MS: Final = 500.0
_FORGETTING: Final = 16
_MARGIN: Final = 2
"""Tags that may come without a second search."""
_MAX_SEARCHES: Final = 8
_MAX_FETCHES: Final = 64
_TIMEOUTS_MS: Final = {
    Opcode.VERSION: FIRST_TIMEOUT_MS,
    Opcode.BOOT: BOOT_TIMEOUT_MS,
    Opcode.CONTINUOUS: STOP_TIMEOUT_MS,
}

_Script = Generator[Command, Response, Inventory]


class _Complaint(Exception):
    """The module answered with an error."""

    def __init__(self, status: int) -> None:
        super().__init__(sentence(status))
        self.status = status


class M6eDialogue:
    """Implements `family.Dialogue`."""

    def __init__(self, region: Region = Region.EUROPE, power_centi_dbm: int = POWER_CENTI_DBM) -> None:
        self._region = region
        self._power_centi_dbm = power_centi_dbm
        self._decoder = reply_decoder()
        self._script: _Script | None = None
        self._asked = GET_VERSION
        self._is_ready = False
        self._antenna: int | None = None
        self._wanted_antenna: int | None = None
        # How many tags to expect on each antenna. It falls slowly: a tag that was missed is there again soon.
        self._counts: dict[int, int] = {}
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
        self._wanted_antenna = antenna
        self._signs_of_life = 0
        return self._begin(self._round())

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        return self._take(self._decoder.feed(data, now_ms))

    def silence(self) -> Step | None:
        step = self._take(self._decoder.end_of_request())
        if step is not None or self._script is None:
            return step
        if self._signs_of_life and self._asked.opcode != Opcode.CONTINUOUS:
            return self._stop()
        self._script = None
        self._is_ready = False
        return None

    def _take(self, responses: Iterable[Response]) -> Step | None:
        step: Step | None = None
        for response in responses:
            if step is not None or self._script is None:
                self._late += 1
            elif response.opcode == self._asked.opcode and not is_pushed(response):
                step = self._go_on(self._script, response)
            else:
                step = self._unexpected(response)
        return step

    def _unexpected(self, response: Response) -> Step | None:
        if response.opcode == Opcode.BOOT:
            self._reboots += 1
            return self._refuse("rebooted", "the reader began anew in the middle of a round: check its supply")
        self._late += 1
        if response.opcode != Opcode.READ_MULTIPLE or self._asked.opcode == Opcode.CONTINUOUS:
            return None
        self._signs_of_life += 1
        return self._stop() if is_pushed(response) or self._signs_of_life > 1 else None

    def _stop(self) -> Step:
        self._is_ready = False
        return self._begin(self._stopped_round())

    def _begin(self, script: _Script) -> Step:
        self._script = script
        return self._ask(next(script))

    def _go_on(self, script: _Script, response: Response) -> Step:
        try:
            return self._ask(script.send(response))
        except StopIteration as stop:
            over: Inventory = stop.value
            self._script = None
            return over
        except _Complaint as complaint:
            return self._refuse(f"status_{complaint.status:04x}", str(complaint))
        except FrameError as error:
            return self._refuse(error.code, str(error))

    def _refuse(self, code: str, words: str) -> Refused:
        """The round is over, and the module is set up anew before the next: it may have lost its settings."""
        self._script = None
        self._is_ready = False
        return Refused(code, words)

    def _ask(self, command: Command) -> Ask:
        self._asked = command
        self._crc_errors_before = self._decoder.counters.crc_errors
        if command.opcode == Opcode.READ_MULTIPLE:
            timeout_ms = Search.from_command(command).duration_ms + SEARCH_SLACK_MS
        else:
            timeout_ms = _TIMEOUTS_MS.get(Opcode(command.opcode), COMMAND_TIMEOUT_MS)
        return Ask(command.to_bytes(), timeout_ms)

    def _stopped_round(self) -> _Script:
        yield STOP_CONTINUOUS
        return (yield from self._round())

    def _set_up(self) -> Generator[Command, Response, None]:
        self._antenna = None
        _agreed((yield GET_VERSION))
        if in_bootloader((yield GET_PROGRAM)):
            _agreed((yield BOOT))
        region = yield GET_REGION
        if region.status or region.data == bytes((NO_REGION,)):
            _agreed((yield set_region(self._region)))
        _agreed((yield SET_GEN2))
        _agreed((yield set_power(self._power_centi_dbm)))
        self._is_ready = True

    def _round(self) -> _Script:
        if not self._is_ready:
            yield from self._set_up()
        antenna = self._wanted_antenna or 1
        if antenna != self._antenna:
            _agreed((yield choose_antenna(antenna)))
            self._antenna = antenna
        records: dict[bytes, TagRecord] = {}
        warnings: list[str] = []
        expected = self._counts.get(antenna, 0)
        search_ms = min(_time_for(expected + _MARGIN), SEARCH_MOST_MS)
        # The first round after opening may take its time; later ones tell early what they have.
        left_ms = AGAIN_MOST_MS if antenna in self._counts else float("inf")
        for _ in range(_MAX_SEARCHES):
            found = yield from self._search(search_ms, warnings, is_first=not records)
            had_time = _time_for(len(found)) <= search_ms
            brought_new = not found.keys() <= records.keys()
            for epc, record in found.items():
                known = records.get(epc)
                if known is None or (record.rssi or -128) > (known.rssi or -128):
                    records[epc] = record
            if had_time or warnings or not brought_new:
                break
            left_ms -= search_ms
            search_ms = min(_time_for(len(records) + _MARGIN), SEARCH_MOST_MS)
            if search_ms > left_ms:
                warnings.append("unfinished")
                break
        else:
            warnings.append("unfinished")
        self._counts[antenna] = max(len(records), expected - 1 - expected // _FORGETTING)
        tags = tuple(record.to_tag_read(self._wanted_antenna) for record in records.values())
        return Inventory(tags, tuple(dict.fromkeys(warnings)))

    def _search(
        self, search_ms: int, warnings: list[str], *, is_first: bool
    ) -> Generator[Command, Response, dict[bytes, TagRecord]]:
        """One search; its tags by EPC. A hot module or a bad antenna only ends a round that has tags already."""
        _agreed((yield CLEAR_BUFFER))
        response = yield Search(search_ms).to_command()
        if response.status == Status.NO_TAGS:
            return {}
        if response.status in WARNINGS and not (is_first and response.status != Status.BUFFER_FULL):
            warnings.append(WARNINGS[Status(response.status)])
            if response.status != Status.BUFFER_FULL:
                return {}
        else:
            _agreed(response)
        return (yield from self._fetch(found_count(response)))

    def _fetch(self, count: int) -> Generator[Command, Response, dict[bytes, TagRecord]]:
        """What lies in the buffer, in as many answers as that takes."""
        fetched: list[TagRecord] = []
        for _ in range(_MAX_FETCHES):
            if len(fetched) >= count:
                break
            response = yield GET_BUFFER
            if response.status in (Status.BUFFER_HAS_NO_MORE, Status.NO_TAGS):
                break
            _agreed(response)
            some = buffered(response)
            if not some:
                break
            fetched += some
        if len(fetched) < count:
            raise FrameError("buffer", f"the reader found {count} tags, but only told of {len(fetched)}")
        return {record.epc: record for record in fetched}


def _agreed(response: Response) -> None:
    if response.status:
        raise _Complaint(response.status)


def _time_for(tags: int) -> int:
    """How long a search must last that can be believed to have heard this many tags, in milliseconds."""
    return SEARCH_LEAST_MS + SEARCH_A_TAG_MS * tags
