"""What is left after the questions, done without a person at a screen: one stack, the camera, PINs from a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from betline.options import FAILED, UserError
from betline.people.record import PIN, PIN_FORM
from betline.settings import SettingsError
from betline.setup.question import Answers
from betline.setup.sections import people
from betline.setup.work import Bench, Work, bench_of


@dataclass(frozen=True, slots=True)
class Jobs:
    """What the command line asks for besides files."""

    enrol: tuple[str, int] | None = None
    """A chip type, and how many chips of it lie on the antenna."""
    calibrate: bool = False
    pins: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Names of the staff with their PINs."""

    @classmethod
    def read(cls, enrol: str | None, pins: Path | None, *, calibrate: bool) -> Jobs:
        """The jobs as they were typed; raises UserError."""
        return cls(_stack(enrol), calibrate, () if pins is None else _pins(pins))

    @property
    def any(self) -> bool:
        """Whether anything is asked for."""
        return self != Jobs()


@dataclass(frozen=True, slots=True)
class Done:
    """One job: whether it was done, and a sentence that says what was or why not."""

    good: bool
    sentence: str


def run_jobs(jobs: Jobs, work: Work, answers: Answers, tell: Callable[[str], None]) -> tuple[Done, ...]:
    """Does all that it can; ``tell`` is called with what a person beside it is to do."""
    done = []
    if jobs.pins:
        done.append(_tried(lambda: _give_pins(jobs, work, answers)))
    if jobs.enrol is not None:
        key, count = jobs.enrol
        bench = bench_of(answers)
        if bench is not None:
            tell(f"Put {count} chips {key} {bench.place}.")
        done.append(_tried(lambda: _enrolled(work, answers, key, count, bench)))
    if jobs.calibrate:
        done.append(_tried(lambda: _calibrated(work)))
    return tuple(done)


class _Nobody:
    """Nobody types, and nobody reads how it goes on."""

    def typed(self) -> str | None:
        return None

    def progress(self, line: str) -> None:
        pass

    def say(self, sentence: str) -> None:
        pass


def _enrolled(work: Work, answers: Answers, key: str, count: int, bench: Bench | None) -> Done:
    new = work.teach_stack(answers, key, count, _Nobody())
    where = "" if bench is None else f" {bench.place}"
    return Done(True, f"{new} of {count} chips{where} enrolled as {key}; the others were enrolled already."
                if new < count else f"{count} chips{where} enrolled as {key}.")  # fmt: skip


def _calibrated(work: Work) -> Done:
    look = work.calibrate()
    picture = "" if look.file is None else f" What the camera saw: {look.file}"
    return Done(look.calibrated, f"{' '.join(look.sentences)}{picture}")


def _give_pins(jobs: Jobs, work: Work, answers: Answers) -> Done:
    roles = dict(people.staff(answers))
    strange = next((name for name, _ in jobs.pins if name not in roles), None)
    if strange is not None:
        raise UserError(f"--pins has {strange}, who is not among people.staff; nobody was given a PIN.")
    for name, pin in jobs.pins:
        work.give_pin(name, roles[name], pin)
    return Done(True, f"A PIN was given to {', '.join(name for name, _ in jobs.pins)}.")


def _tried(job: Callable[[], Done]) -> Done:
    try:
        return job()
    except (UserError, SettingsError) as error:
        return Done(False, str(error))


def _stack(text: str | None) -> tuple[str, int] | None:
    if text is None:
        return None
    key, _, count = text.rpartition("=")
    if not key or not count.isdecimal() or int(count) == 0:
        raise UserError(f"--enrol {text} is no stack; write KEY=COUNT, for example --enrol red-5=20.")
    return key, int(count)


def _pins(path: Path) -> tuple[tuple[str, str], ...]:
    """Lines of a name and a PIN; no PIN is ever repeated in an error."""
    try:
        if str(path) != "-" and path.stat().st_mode & 0o077:
            raise UserError(f"Others than its owner can read {path}: chmod 600 {path}, and choose other PINs.")
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise UserError(f"--pins {path} cannot be read; name a file with a name and a PIN a line.", FAILED) from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        name, _, pin = line.strip().rpartition(" ")
        if not line.strip():
            continue
        if not name or not PIN.fullmatch(pin):
            raise UserError(f"--pins, line {number}: write a name and a PIN, as Ann 1234. {PIN_FORM}")
        found.append((" ".join(name.split()), pin))
    if not found:
        raise UserError("--pins has no line with a name and a PIN, as Ann 1234.")
    return tuple(found)
