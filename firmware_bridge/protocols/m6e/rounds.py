"""What is asked of a ThingMagic module, in which order, as scripts: each yields a request and is sent the answer.

After the port was opened, or anything went wrong: version, start of the firmware if only the bootloader runs, region,
protocol, power. A round then is: choose the antenna, and read it in the best way that the module knows.

1. Searches into the module's buffer. A search lasts as long as it was told to, so its time is what a round costs: as
   long as was enough for the tags of the last round. One that found more tags than it had time for is followed by a
   longer one, until one finds nothing new.
2. Continuous reading, stopped when the module only repeats itself, or hears no tag.
3. Single reads, one tag at a time, until they only repeat themselves.

A command that the module does not know is left out from then on: clones know fewer than the M6e.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from firmware_bridge.protocols.doubt import Doubt
from firmware_bridge.protocols.family import Inventory
from firmware_bridge.protocols.frame_error import FrameError
from firmware_bridge.protocols.m6e.frames import Command, Response
from firmware_bridge.protocols.m6e.records import TagRecord
from firmware_bridge.protocols.m6e.search import (
    CLEAR_BUFFER,
    GET_BUFFER,
    STOP_CONTINUOUS,
    Search,
    buffered,
    found_count,
    pushed,
    read_single,
    single,
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
from firmware_bridge.protocols.m6e.status import UNKNOWN_COMMAND, WARNINGS, Status, sentence

POWER_CENTI_DBM: Final = 1000
"""10 dBm: a guess for an antenna right below the felt. More power reads the neighbours too."""
USUAL_REGION: Final = Region.EUROPE
"""For a module that has none, where the table file does not say."""
SEARCH_LEAST_MS: Final = 60
SEARCH_PER_TAG_MS: Final = 8
"""The M6e Nano is sold with 150 tags a second; this is a fifth more time."""
SEARCH_MOST_MS: Final = 3000
AGAIN_MOST_MS: Final = 800
"""All searches of a round together, if the first was too short: half of what makes a zone stale."""
CONTINUOUS_MOST_MS: Final = 1500
SINGLE_MS: Final = 100
_SINGLES_MOST: Final = 512
_FORGETTING: Final = 16
_MARGIN: Final = 2
"""Tags that may come without a second search, and a sixteenth of those that lie there: the last round missed some."""
_REPEATS: Final = 3
_MAX_SEARCHES: Final = 8
_MAX_FETCHES: Final = 64


@dataclass(frozen=True, slots=True)
class Hear:
    """No command: the next answer that the module gives by itself, until `until_ms` after continuous reading began."""

    until_ms: int


Request = Command | Hear
Script = Generator[Request, Response | None, Inventory]
"""It is sent None where no answer came: to a command that this module never answered, or to a `Hear`."""
Part = Generator[Request, Response | None, Response | None]


class Complaint(Exception):
    """The module answered with an error, or does not know what it must do."""

    def __init__(self, status: int, words: str | None = None) -> None:
        super().__init__(words or sentence(status))
        self.status = status


class Rounds:
    """The scripts, and what they learned of the module: what it does not know, and how many tags to expect."""

    def __init__(self, region: Region | None, power_centi_dbm: int | None) -> None:
        """None: nobody asked for it, so the module's own region is good, and it need not know the command."""
        self._region = region
        self._power_centi_dbm = power_centi_dbm
        self._is_ready = False
        self._antenna: int | None = None
        self._unknown: set[int] = set()
        # How many tags to expect on each antenna. It falls slowly: a tag that was missed is there again soon.
        self._counts: dict[int, int] = {}

    def begin_anew(self) -> None:
        """The module may have lost its settings: set it up before the next round."""
        self._is_ready = False

    def stopped(self, wanted: int | None) -> Script:
        """A round that begins with the end of continuous reading, which another program began."""
        yield STOP_CONTINUOUS
        return (yield from self.round(wanted))

    def round(self, wanted: int | None) -> Script:
        """Read one antenna; without `wanted` the first. Raises Complaint and FrameError."""
        if not self._is_ready:
            yield from self._set_up()
        antenna = wanted or 1
        if antenna != self._antenna:
            _agreed((yield from self._ask(choose_antenna(antenna))))
            self._antenna = antenna
        for way in (self._by_search, self._by_listening, self._one_by_one):
            warnings: list[Doubt] = []
            records = yield from way(antenna, warnings)
            if records is not None:
                tags = tuple(record.to_tag_read(wanted) for record in records.values())
                return Inventory(tags, tuple(dict.fromkeys(warnings)))
        self._unknown.clear()
        raise Complaint(Status.INVALID_OPCODE)

    def _ask(self, command: Command) -> Part:
        """The answer to a command; None if the module does not know it."""
        if command.opcode in self._unknown:
            return None
        response = yield command
        if response is None or response.status in UNKNOWN_COMMAND:
            self._unknown.add(command.opcode)
            return None
        return response

    def _set_up(self) -> Generator[Request, Response | None, None]:
        self._antenna = None
        _agreed((yield GET_VERSION))
        program = yield from self._ask(GET_PROGRAM)
        if program is not None and in_bootloader(program):
            _agreed((yield BOOT))
        answer = yield from self._ask(GET_REGION)
        region = answer.data if answer is not None and not answer.status else bytes((NO_REGION,))
        if region == bytes((NO_REGION,)) or self._region not in (None, *region):
            wanted = USUAL_REGION if self._region is None else self._region
            yield from self._make("region", set_region(wanted), must=self._region is not None)
        _agreed((yield from self._ask(SET_GEN2)))
        power = POWER_CENTI_DBM if self._power_centi_dbm is None else self._power_centi_dbm
        yield from self._make("power_dbm", set_power(power), must=self._power_centi_dbm is not None)
        self._is_ready = True

    def _make(self, name: str, command: Command, *, must: bool) -> Generator[Request, Response | None, None]:
        """Carry out a setting; raises Complaint if the module refuses, or does not know how though it `must`."""
        response = yield from self._ask(command)
        if response is None and must:
            self._unknown.discard(command.opcode)
            raise Complaint(
                Status.INVALID_OPCODE, f"the reader does not take the {name} of its settings: set it with another tool"
            )
        _agreed(response)

    def _by_search(
        self, antenna: int, warnings: list[Doubt]
    ) -> Generator[Request, Response | None, dict[bytes, TagRecord] | None]:
        records: dict[bytes, TagRecord] = {}
        expected = self._counts.get(antenna, 0)
        search_ms = _time_for_about(expected)
        # The first round after opening may take its time; later ones report early what they have.
        left_ms = AGAIN_MOST_MS if antenna in self._counts else float("inf")
        for _ in range(_MAX_SEARCHES):
            found = yield from self._search(search_ms, warnings, is_first=not records)
            if found is None:
                return None
            had_time = _time_for(len(found)) <= search_ms
            brought_new = not found.keys() <= records.keys()
            for record in found.values():
                _note(record, records)
            if had_time or warnings or not brought_new:
                break
            left_ms -= search_ms
            search_ms = _time_for_about(len(records))
            if search_ms > left_ms:
                warnings.append(Doubt.UNFINISHED)
                break
        else:
            warnings.append(Doubt.UNFINISHED)
        self._counts[antenna] = max(len(records), expected - 1 - expected // _FORGETTING)
        return records

    def _search(
        self, search_ms: int, warnings: list[Doubt], *, is_first: bool
    ) -> Generator[Request, Response | None, dict[bytes, TagRecord] | None]:
        """One search; its tags by EPC. A hot module or a bad antenna only ends a round that has tags already."""
        cleared = yield from self._ask(CLEAR_BUFFER)
        if cleared is None:
            return None
        _agreed(cleared)
        response = yield from self._ask(Search(search_ms).to_command())
        if response is None:
            return None
        if response.status == Status.NO_TAGS:
            return {}
        if response.status in WARNINGS and not (is_first and response.status != Status.BUFFER_FULL):
            warnings.append(WARNINGS[Status(response.status)])
            if response.status != Status.BUFFER_FULL:
                return {}
        else:
            _agreed(response)
        return (yield from self._fetch(found_count(response)))

    def _fetch(self, count: int) -> Generator[Request, Response | None, dict[bytes, TagRecord] | None]:
        """What lies in the buffer, in as many answers as that takes."""
        fetched: list[TagRecord] = []
        for _ in range(_MAX_FETCHES):
            if len(fetched) >= count:
                break
            response = yield from self._ask(GET_BUFFER)
            if response is None:
                return None
            if response.status in (Status.BUFFER_HAS_NO_MORE, Status.NO_TAGS):
                break
            _agreed(response)
            some = buffered(response)
            if not some:
                break
            fetched += some
        if len(fetched) < count:
            raise FrameError("buffer", f"the reader found {count} tags, but only reported {len(fetched)}")
        return {record.epc: record for record in fetched}

    def _by_listening(
        self, _: int, warnings: list[Doubt]
    ) -> Generator[Request, Response | None, dict[bytes, TagRecord] | None]:
        begun = yield from self._ask(Search(SEARCH_LEAST_MS, pushing=True).to_command())
        if begun is None:
            return None
        _agreed(begun)
        records: dict[bytes, TagRecord] = {}
        repeats = 0
        while repeats < len(records) + _REPEATS:
            answer = yield Hear(CONTINUOUS_MOST_MS)
            if answer is None:
                warnings.append(Doubt.UNFINISHED)
                break
            known = len(records)
            if answer.status == Status.NO_TAGS:
                break
            if answer.status in WARNINGS:
                warnings.append(WARNINGS[Status(answer.status)])
            elif not answer.status:
                for record in pushed(answer):
                    _note(record, records)
            repeats = repeats + 1 if len(records) == known else 0
        yield STOP_CONTINUOUS
        return records

    def _one_by_one(
        self, _: int, warnings: list[Doubt]
    ) -> Generator[Request, Response | None, dict[bytes, TagRecord] | None]:
        records: dict[bytes, TagRecord] = {}
        repeats = 0
        for _ in range(_SINGLES_MOST):
            if repeats >= len(records) + _REPEATS:
                return records
            response = yield from self._ask(read_single(SINGLE_MS))
            if response is None:
                return None
            known = len(records)
            if response.status != Status.NO_TAGS:
                _agreed(response)
                _note(single(response), records)
            repeats = repeats + 1 if len(records) == known else 0
        warnings.append(Doubt.UNFINISHED)
        return records


def _agreed(response: Response | None) -> None:
    """The module did what it was told, or does not know how; raises Complaint if it refused."""
    if response is not None and response.status:
        raise Complaint(response.status)


def _note(record: TagRecord, records: dict[bytes, TagRecord]) -> None:
    """Keep the strongest record of each tag."""
    known = records.get(record.epc)
    if known is None or (record.rssi or -128) > (known.rssi or -128):
        records[record.epc] = record


def _time_for(tags: int) -> int:
    """How long a search must last that can be believed to have heard this many tags, in milliseconds."""
    return SEARCH_LEAST_MS + SEARCH_PER_TAG_MS * tags


def _time_for_about(tags: int) -> int:
    """How long a search is to last where about so many tags are expected, in milliseconds."""
    return min(_time_for(tags + _MARGIN + tags // _FORGETTING), SEARCH_MOST_MS)
