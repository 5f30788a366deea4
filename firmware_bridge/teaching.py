"""For the set-up: chips taught on an antenna of the table itself, by the same code as `betline chips enrol`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from betline.options import FAILED, UserError
from betline.setup.work import Bench, Teacher
from firmware_bridge.chips.enrol import Enrolment, Wanted
from firmware_bridge.chips.listening import Listening
from firmware_bridge.chips.opened import listening_to, login, register_path, the_chips, writing
from firmware_bridge.chips.record import ChipState
from firmware_bridge.chips.report import when
from firmware_bridge.chips.session import Unsettled, enrol_by_hand, enrol_unattended, now_ms
from firmware_bridge.protocols.catalogue import family


def enrolled(register: Path | None) -> Counter[str]:
    """How many chips of each type may play; raises UserError for a register that cannot be read."""
    if not register_path(register).exists():
        return Counter()
    return Counter(chip.chip_type for chip in the_chips(register).values() if chip.state is ChipState.ACTIVE)


def teach(bench: Bench, key: str, teacher: Teacher) -> int:
    """Enrols stack after stack of one type until the teacher ends; how many chips. Raises UserError."""
    with writing(bench.register, begins=True) as file, _listening(bench) as listening:
        return enrol_by_hand(listening, file, _enrolment(key), login(), teacher).count


def teach_stack(bench: Bench, key: str, count: int, within_s: float, teacher: Teacher) -> int:
    """Enrols one stack of so many chips; how many of them were new. Raises UserError, and then writes nothing."""
    with writing(bench.register, begins=True) as file, _listening(bench) as listening:
        try:
            done = enrol_unattended(listening, file, _enrolment(key, count), login(), within_s, teacher)
        except Unsettled as error:
            raise UserError(f"{error} Nothing was written.", FAILED) from None
    return len(done.chips)


def _enrolment(key: str, count: int | None = None) -> Enrolment:
    return Enrolment(Wanted(key, when(now_ms()), count))


@contextmanager
def _listening(bench: Bench) -> Iterator[Listening]:
    reader = bench.reader
    alone = bench.antenna == 1 and family(reader.family).traits.antennas == 1
    antenna = None if alone else bench.antenna
    with listening_to(reader.port, reader.family, reader.baud, antenna, bench.by_id) as listening:
        yield listening
