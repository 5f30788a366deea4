"""What no answer can do: teaching chips, calibrating the camera, giving PINs; how far each is, and how it is done."""

from __future__ import annotations

import importlib
import secrets
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Protocol, cast

from betline.messages.pictures import SmallPicture
from betline.options import FAILED, UserError
from betline.people.record import PeopleError, Person, Staff
from betline.people.roll import new_id, read_staff, usual_roll, write_staff
from betline.people.srp import SALT_BYTES
from betline.settings import Role
from betline.settings.readers import BY_ID
from betline.setup.files import TABLE
from betline.setup.question import Answers, FoundReader
from betline.setup.sections import broker, camera, chips, people, voice
from betline.setup.sections.readers import NONE, chip_place, readers_of, zones_of
from betline.setup.store import Folder

_CHIPS, _CAMERA = "firmware_bridge.teaching", "vision.finding"
PICTURE: Final = "camera.png"
"""In the table's folder: what the camera saw when it was calibrated, and what calibration made of it."""
STACK_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Bench:
    """The antenna on which chips are laid to teach them, and the register that learns them."""

    reader: FoundReader
    antenna: int
    zone: str
    by_id: Path = BY_ID
    register: Path | None = None

    @property
    def place(self) -> str:
        """Where the chips are laid, in words."""
        return chip_place(self.zone)


@dataclass(frozen=True, slots=True)
class Look:
    """What the camera saw: whether it is calibrated now, what is said of it, and the picture."""

    calibrated: bool
    sentences: tuple[str, ...]
    file: Path | None = None
    small: SmallPicture | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a table is besides its files."""

    chips: Mapping[str, int]
    """How many chips of each type are enrolled, in the order of the chip set; empty where no antenna reads any."""
    has_camera: bool
    calibrated: bool
    pins: Mapping[str, bool]
    """Whether each of the staff has a PIN."""

    @property
    def unknown(self) -> tuple[str, ...]:
        """The types of which no chip is enrolled."""
        return tuple(key for key, count in self.chips.items() if not count)

    @property
    def without_pin(self) -> tuple[str, ...]:
        """Those of the staff who cannot sign in with a PIN yet."""
        return tuple(name for name, has in self.pins.items() if not has)


class Teacher(Protocol):
    """Who lays the chips."""

    def typed(self) -> str | None:
        """Empty to enrol the stack, u to undo the last one, q to end; None if nothing was typed."""
        ...

    def progress(self, line: str) -> None:
        """What lies there now."""
        ...

    def say(self, sentence: str) -> None:
        """What was done."""
        ...


class _Chips(Protocol):
    def enrolled(self, register: Path | None) -> Mapping[str, int]: ...

    def teach(self, bench: Bench, key: str, teacher: Teacher) -> int: ...

    def teach_stack(self, bench: Bench, key: str, count: int, within_s: float, teacher: Teacher) -> int: ...


class _Camera(Protocol):
    def is_calibrated(self, table: Path) -> bool: ...

    def calibrated(self, table: Path, picture: Path) -> Look: ...


def bench_of(answers: Answers, by_id: Path = BY_ID, register: Path | None = None) -> Bench | None:
    """The first antenna of a zone; None where no zone has one."""
    readers = {reader.port: reader for reader in readers_of(answers)}
    for zone in zones_of(answers) if readers else ():
        port, _, antenna = answers.get(f"readers.{zone}", NONE).rpartition(" ")
        if port in readers:
            return Bench(readers[port], int(antenna), zone, by_id, register)
    return None


@dataclass(frozen=True, slots=True)
class Work:
    """What is done for one table, by whoever asks for it; every method raises UserError."""

    folder: Folder
    by_id: Path = BY_ID
    register: Path | None = None
    people: Path | None = None

    def standing(self, answers: Answers) -> Standing:
        """How far it is."""
        known: Mapping[str, int] = {}
        if bench_of(answers) is not None:
            enrolled = _chips().enrolled(self.register)
            known = {chip.key: enrolled.get(chip.key, 0) for chip in chips.chip_set(answers).chips}
        has_camera = answers["camera.source"] != camera.NONE
        calibrated = has_camera and _camera().is_calibrated(self.folder.table)
        staff = people.staff(answers)
        with_pin = {one.name for one in self._staff().people if one.pin is not None} if staff else set()
        return Standing(known, has_camera, calibrated, {name: name in with_pin for name, _ in staff})

    def teach(self, answers: Answers, key: str, teacher: Teacher) -> int:
        """Enrols stacks of one type until the teacher ends; how many chips were enrolled."""
        return _chips().teach(self._bench(answers), key, teacher)

    def teach_stack(self, answers: Answers, key: str, count: int, teacher: Teacher) -> int:
        """Enrols the one stack that lies there, of so many chips; how many of them were new."""
        keys = [chip.key for chip in chips.chip_set(answers).chips]
        if key not in keys:
            raise UserError(f"The chip set has no {key}; it has {', '.join(keys)}.")
        return _chips().teach_stack(self._bench(answers), key, count, STACK_S, teacher)

    def calibrate(self) -> Look:
        """Calibrates the table's camera, and keeps a picture of it."""
        return _camera().calibrated(self.folder.table, self.folder.path / PICTURE)

    def give_pin(self, name: str, role: str, pin: str) -> None:
        """Gives one of the staff a PIN and the role that was answered."""
        path = self.people or usual_roll()
        try:
            staff = read_staff(path)
            known = next((one for one in staff.people if one.name == name), None)
            if known is None:
                known = Person(new_id(), name, cast("Role", role))
                staff = staff.with_person(known)
            changed = replace(known, role=cast("Role", role)).with_pin(pin, secrets.token_bytes(SALT_BYTES))
            write_staff(path, staff.changed(changed))
        except PeopleError as error:
            raise UserError(str(error), FAILED) from None

    def _staff(self) -> Staff:
        try:
            return read_staff(self.people or usual_roll())
        except PeopleError as error:
            raise UserError(str(error), FAILED) from None

    def _bench(self, answers: Answers) -> Bench:
        bench = bench_of(answers, self.by_id, self.register)
        if bench is None:
            raise UserError("No antenna reads a seat of this table: betline setup --only readers names one.")
        return bench


def _chips() -> _Chips:
    return cast("_Chips", importlib.import_module(_CHIPS))


def _camera() -> _Camera:
    return cast("_Camera", importlib.import_module(_CAMERA))


def logins_to_make(answers: Answers, folder: Path) -> tuple[str, ...]:
    """The command that makes the logins of the table's broker, where they are not there yet."""
    logins = broker.logins_of(answers)
    if logins is None or (folder / logins).exists():
        return ()
    made = shlex.join(["betline", "provision", "--table", str(folder / TABLE), "-o", str(folder / logins)])
    return (f"Make the logins: {made} --host NAME (of the broker's machine)",)


def what_is_left(standing: Standing, answers: Answers, folder: Path) -> tuple[str, ...]:
    """What is left to do, each with its command."""
    again = shlex.join(["betline", "setup", "--dir", str(folder)])
    sentences = list(logins_to_make(answers, folder))
    if standing.unknown:
        named = ", ".join(standing.unknown)
        sentences.append(f"Teach it your chips ({named}): {again}, then C. Or a stack of 20: {again} --enrol KEY=20")
    if standing.has_camera and not standing.calibrated:
        markers = shlex.join(["betline", "vision", "markers", "--table", str(folder / TABLE)])
        sentences.append(f"Print the markers: {markers}. Then calibrate the camera: {again} --calibrate")
    if standing.without_pin:
        sentences.append(f"Give {' and '.join(standing.without_pin)} a PIN: {again}, then P. Or {again} --pins FILE")
    if answers["voice.language"] != voice.OFF:
        sentences.append("Hear the voice: apt install espeak-ng, then betline voice --help")
    return tuple(sentences)
