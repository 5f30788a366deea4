"""The plan of faults: how well the readers of a table read, what their lines do to frames, and what happens when."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from pydantic import Field

from betline.settings import SettingsError, TableSettings
from betline.settings.load import parse, read_toml
from betline.settings.model import Settings, nearest
from virtual_table.faults.event import ALL, ANY, PROGRAMS, FaultEvent
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.events import Happening
from virtual_table.readers.faults import PERFECT, FaultPlan
from virtual_table.readers.reading import USUAL, Reading

READER_EXAMPLE: Final = """\
[reading]            # probabilities 0 to 1
missed = 0.02        # a tag does not answer in one inventory
neighbour = 0.01     # a tag beside the antenna is read anyway
detuned = 0.005      # a tag is lost, for each other tag in its pile
rf_warning = 0.0     # an inventory ends with a warning and no tags
air_factor = 2.0     # air time compared with the ideal

[line]               # probabilities a frame
damage = 0.01
late = 0.005
late_ms = 1500

[[events]]           # seconds since it was plugged in
what = "unplug"      # or stuck, reboot, burst, misreads
at_s = 30
for_s = 5
every_s = 120

[[events]]
what = "burst"
at_s = 60
for_s = 10
chances = { silence = 0.3, garbage = 0.5 }
"""
TABLE_EXAMPLE: Final = """\
seed = 7             # of the random times; default the run's own

[reading]            # of all readers
missed = 0.05

[readers.reader-3.reading]   # of one of them
missed = 0.3

[[events]]
what = "unplug"
on = "reader-3"      # an id, all, or any: one of them each time
at_s = 8             # seconds after play begins
for_s = 3

[[events]]
what = "kill"        # or broker-away, latency, camera-black, disk-full, ...
on = "any"
per_minute = 0.5     # at random times
"""


class ReaderChanges(Settings):
    """What is otherwise with one reader; a key that is not said is as for all."""

    reading: Reading = USUAL
    line: FaultPlan = PERFECT


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An event that begins, and the names of what it strikes."""

    at_s: float
    event: FaultEvent
    on: tuple[str, ...]


class TablePlan(Settings):
    """The whole plan; an empty one changes nothing."""

    seed: int | None = Field(default=None, ge=0, description="of the random times; default the run's own seed")
    reading: Reading = Field(default=USUAL, description="how well all readers read")
    line: FaultPlan = Field(default=PERFECT, description="what all lines do to frames")
    readers: dict[str, ReaderChanges] = Field(default={}, description="what is otherwise with a reader, by its id")
    events: tuple[FaultEvent, ...] = ()

    def behaviour(self, reader: str, usual: Behaviour) -> Behaviour:
        """How a reader behaves under this plan that behaves as ``usual`` without one."""
        own = self.readers.get(reader, ReaderChanges())
        line = self.line.model_copy(update=own.line.model_dump(exclude_unset=True))
        behaviour = own.reading.over(self.reading.over(usual))
        return replace(behaviour, faults=line) if line != PERFECT else behaviour

    def check(self, table: TableSettings) -> None:
        """Raises SettingsError for a name that is nothing at this table."""
        for reader in self.readers:
            _require("readers", "reader", reader, tuple(one.id for one in table.readers), table)
        for number, event in enumerate(self.events):
            there, where = names(event, table), f"events.{number}"
            if event.target not in (ALL, ANY):
                _require(f"{where}.on", event.strikes, event.target, there, table)
            elif not there:
                raise SettingsError(f"{where}: {event.what} strikes a {event.strikes}; {table.name} has none.")

    def occurrences(
        self, table: TableSettings, seed: int, wanted: Callable[[FaultEvent], bool] = lambda _: True
    ) -> Iterator[Occurrence]:
        """What happens, in order of time; endless if an event recurs. The same seed gives the same times, whichever
        events are ``wanted``.
        """
        seed = seed if self.seed is None else self.seed
        streams = [
            _occurrences(event, names(event, table), Random(f"{seed}:faults:{number}"))
            for number, event in enumerate(self.events)
            if wanted(event)
        ]
        return heapq.merge(*streams, key=lambda one: one.at_s)

    def happenings(self, table: TableSettings, seed: int, reader: str, *, of_cable: bool) -> Iterator[Happening]:
        """What happens to the cable of one reader, or else to the reader itself."""

        def concerns(event: FaultEvent) -> bool:
            here = event.strikes == "reader" and event.target in (ALL, ANY, reader)
            return here and of_cable == (event.what == "unplug")

        return (_happening(one) for one in self.occurrences(table, seed, concerns) if reader in one.on)

    def check_alone(self) -> None:
        """Raises SettingsError where the plan is of more than one reader that has no name."""
        for name in self.readers:
            raise SettingsError(f"readers.{name}: a reader alone has no name; put what it does into [reading], [line].")
        for number, event in enumerate(self.events):
            if event.strikes != "reader":
                raise SettingsError(
                    f"events.{number}: {event.what} strikes a {event.strikes}: give it to betline demo."
                )
            if event.target not in (ALL, ANY):
                raise SettingsError(f"events.{number}.on: a reader alone has no name; leave it out, or give --reader.")

    def alone(self, seed: int, *, of_cable: bool) -> Iterator[Happening]:
        """What happens to the cable of a reader that has no table, or else to the reader itself."""
        seed = seed if self.seed is None else self.seed
        streams = [
            _occurrences(event, ("",), Random(f"{seed}:faults:{number}"))
            for number, event in enumerate(self.events)
            if of_cable == (event.what == "unplug")
        ]
        return (_happening(one) for one in heapq.merge(*streams, key=lambda one: one.at_s))

    def of_reader(self, name: str) -> TablePlan:
        """The part of one reader, as a plan of a reader alone; what strikes others is theirs."""
        own = self.readers.get(name, ReaderChanges())
        kept = [one for one in self.events if one.strikes == "reader" and one.target in (ALL, ANY, name)]
        return TablePlan(
            seed=self.seed,
            reading=self.reading.model_copy(update=own.reading.model_dump(exclude_unset=True)),
            line=self.line.model_copy(update=own.line.model_dump(exclude_unset=True)),
            events=tuple([one.model_copy(update={"on": ""}) for one in kept]),
        )

    def fitted(self, table: TableSettings) -> TablePlan:
        """The plan without what strikes sensors and programs that the table has not."""
        there = {reader.id for reader in table.readers}
        kept = []
        for event in self.events:
            found = names(event, table)
            if event.target in found or (found and event.target in (ALL, ANY)):
                kept.append(event)
        own = {name: changes for name, changes in self.readers.items() if name in there}
        return self.model_copy(update={"events": tuple(kept), "readers": own})

    def only(self, *strikes: str) -> TablePlan:
        """The plan without the events that strike anything else. Random times are others then: give it a seed."""
        return self.model_copy(update={"events": tuple([one for one in self.events if one.strikes in strikes])})


NO_FAULTS: Final = TablePlan()


def names(event: FaultEvent, table: TableSettings) -> tuple[str, ...]:
    """What an event can strike at a table."""
    if event.strikes == "reader":
        return tuple(reader.id for reader in table.readers)
    if event.strikes == "camera":
        return tuple(camera.id for camera in table.cameras)
    there = {"bridge": bool(table.readers), "vision": bool(table.cameras)}
    return tuple(name for name in PROGRAMS[event.strikes] if there.get(name, True))


def load_plan(path: Path, table: TableSettings | None = None) -> TablePlan:
    """A plan from its TOML file, or JSON if its name ends so; with a table its names are looked up there.

    Raises SettingsError with a sentence.
    """
    plan = parse(TablePlan, _json(path) if path.suffix == ".json" else read_toml(path), str(path))
    if table is not None:
        with naming(path):
            plan.check(table)
    return plan


@contextmanager
def naming(path: Path | None) -> Iterator[None]:
    """Puts the file of a plan before what is wrong with the plan; without a file nothing."""
    try:
        yield
    except SettingsError as error:
        raise SettingsError(str(error) if path is None else f"{path}: {error}") from None


def _require(key: str, kind: str, name: str, there: tuple[str, ...], table: TableSettings) -> None:
    if name in there:
        return
    if not there:
        raise SettingsError(f"{key}: there is no {kind} {name}; the table {table.name} has none.")
    hint = nearest(name, there)
    listed = "" if hint.startswith("valid") else f" There are {', '.join(there)}."
    raise SettingsError(f"{key}: there is no {kind} {name} at the table {table.name}; {hint}{listed}")


def _occurrences(event: FaultEvent, there: tuple[str, ...], chance: Random) -> Iterator[Occurrence]:
    for at_s, draw in event.begins(chance):
        if event.target == ALL:
            struck = there
        elif event.target == ANY:
            struck = (there[int(draw * len(there))],)
        else:
            struck = (event.target,)
        yield Occurrence(at_s, event, struck)


def _happening(one: Occurrence) -> Happening:
    event = one.event
    assert event.what in ("unplug", "stuck", "reboot", "burst", "misreads")
    return Happening(one.at_s, event.what, event.lasts_s, event.chances, event.reading)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise SettingsError(f"{path} is not valid JSON ({error}); correct it.") from None
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}); make it readable or give another.") from None
