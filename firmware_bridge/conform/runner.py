"""The run: each phase puts the reader through something and adds what was seen to the evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from firmware_bridge.conform.check import counted
from firmware_bridge.conform.drive import Drive
from firmware_bridge.conform.evidence import Alone, Evidence, Exchange, Provoked, Recovery, Session, Stage
from firmware_bridge.conform.kit import Kit
from firmware_bridge.conform.place import Place
from firmware_bridge.conform.talk import Talk
from firmware_bridge.protocols.family import Family, Identity, Question
from firmware_bridge.serial_line import LineError

SIZES: Final = (0, 1, 5, 20, 60)
"""How many tags a person is asked to lay, one after the other."""
PROBES: Final = 10
PROBE_MS: Final = 300.0
QUESTION_TRIES: Final = 2
FIRST_ANSWER_S: Final = 4.0
"""A board that its opening resets is asked again and again for so long, besides the time that it boots."""
BROKEN_MS: Final = 300.0
IDLE_S: Final = 1.2
LONGEST_ROUND_S: Final = 4.0
BACK_S: Final = 8.0
UNPLUGGED_S: Final = 60.0
LONE_ROUNDS: Final = 5
_NOBODY: Final = "nobody was asked to do it (--no-questions)"
_LEFT_OUT: Final = "you left it out"


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the kit is to be run."""

    outputs: tuple[int, ...] = (1,)
    """The antennas that are read; the first alone is read without choosing one, as the service does."""
    rounds: int = 20
    chips: int | None = None
    """How many tags lie there, where somebody said so."""
    minutes: float = 0.0


@dataclass(frozen=True, slots=True)
class Person:
    """Who acts at the reader, if anybody."""

    ask: Callable[[str], bool] | None = None
    """Tells a person what to do and waits; False: they leave it out. None: nobody is there."""
    tell: Callable[[str], None] = lambda _: None
    """Says what is going on."""


class Run:
    """One run of the kit over one reader."""

    def __init__(self, place: Place, family: Family, kit: Kit, wanted: Wanted, person: Person) -> None:
        self._place = place
        self._family = family
        self._kit = kit
        self._wanted = wanted
        self._person = person
        self._left_out: dict[str, str] = {}
        line = place.line
        traits = family.traits
        self._seen = Evidence(line.baud, line.byte_ms, len(wanted.outputs), traits.boots_ms)

    def evidence(self) -> Evidence:
        """Go through all phases. Raises LineError where the port cannot be opened at first."""
        self._meet()
        if self._seen.said is None:
            return replace(self._seen, lost="it did not answer")
        phases = (self._provoke, self._lay, self._recover, self._unplug, self._antennas, self._long_run)
        for phase in phases:
            try:
                phase()
            except LineError as error:
                self._person.tell(str(error))
                return replace(self._seen, lost=str(error), left_out=self._left_out)
        return replace(self._seen, left_out=self._left_out)

    def _meet(self) -> None:
        self._person.tell("asking who is there")
        with Talk(self._place, self._kit) as talk:
            self._seen = replace(self._seen, parity_refused=talk.parity_refused)
            said = self._first_words(talk)
            if said is None:
                silence = f"no {self._family.traits.title} answers at {self._place.url}: check supply, cable and rate"
                self._seen = replace(self._seen, silence=silence)
                return
            self._seen = replace(self._seen, said=said)
            talk.settle()
            probes = tuple(self._probe(talk) for _ in range(PROBES))
            talk.settle()
            self._seen = replace(self._seen, probes=probes, identity=self._identity(talk))

    def _first_words(self, talk: Talk) -> str | None:
        until_ns = self._place.now_ns() + int((FIRST_ANSWER_S * 1000 + self._seen.boots_ms) * 1_000_000)
        while self._place.now_ns() < until_ns:
            answer = self._probe(talk)
            if answer.took_ms is not None:
                return self._family.recognise(answer.answer)
        return None

    def _probe(self, talk: Talk) -> Exchange:
        family = self._family
        return talk.ask(family.probe, lambda answer: family.recognise(answer) is not None, PROBE_MS)

    def _identity(self, talk: Talk) -> Identity | None:
        """What it says of itself; each question is asked twice at most, as the bridge does."""
        who = Identity()
        for question in self._family.questions:
            said: Identity | None = None
            for _ in range(QUESTION_TRIES):
                answer = talk.ask(question.request, _answers(question), PROBE_MS)
                said = question.read(answer.answer)
                talk.settle()
                if said is not None:
                    break
            who |= said or Identity()
        return who if self._family.questions else None

    def _provoke(self) -> None:
        self._person.tell("sending requests that must fail")
        kit = self._kit
        broken = {
            "damaged-request": kit.damaged_request,
            "cut-request": kit.cut_request,
            "impossible-request": kit.impossible_request,
        }
        provoked: dict[str, Provoked] = {}
        with Talk(self._place, kit) as talk:
            talk.settle()
            for check_id, request in broken.items():
                exchange = talk.ask(request, lambda _: False, BROKEN_MS)
                following = [self._probe(talk)]
                while following[-1].took_ms is None and len(following) < 4:
                    following.append(self._probe(talk))
                talk.settle()
                provoked[check_id] = Provoked(exchange, tuple(following))
            self._person.tell("listening while nothing is asked")
            idle = talk.listen(IDLE_S)
        self._seen = replace(self._seen, provoked=provoked, idle=idle)

    def _lay(self) -> None:
        ask = self._person.ask
        if ask is None:
            self._read_stage("what lies there", self._wanted.chips, self._outputs)
            return
        where = f" on antenna {self._wanted.outputs[0]}" if len(self._wanted.outputs) > 1 else ""
        for size in SIZES:
            if ask(f"{_laying(size, where)}, then press Enter"):
                self._read_stage(counted(size, "chip"), size, self._outputs[:1])
        if not self._seen.stages:
            self._read_stage("what lies there", self._wanted.chips, self._outputs)

    @property
    def _outputs(self) -> list[int | None]:
        outputs = self._wanted.outputs
        return [None] if outputs == (1,) else list(outputs)

    def _read_stage(self, name: str, laid: int | None, outputs: list[int | None]) -> None:
        count = self._wanted.rounds * len(outputs) + 1
        self._person.tell(f"{name}: {count - 1} rounds, and one before them")
        session = self._read(outputs, count)
        identity = self._seen.identity or session.identity
        stage = Stage(name, laid, session)
        self._seen = replace(self._seen, stages=(*self._seen.stages, stage), identity=identity)

    def _read(self, outputs: list[int | None], count: int) -> Session:
        drive = Drive(self._place, self._family, outputs)
        most_s = count * LONGEST_ROUND_S
        drive.run(lambda so_far: len(so_far.rounds) + len(so_far.failures) >= count or so_far.lost, most_s)
        return drive.over()

    def _antennas(self) -> None:
        ask, outputs = self._person.ask, self._wanted.outputs
        if ask is None or len(outputs) == 1:
            return
        alone: list[Alone] = []
        for antenna in outputs:
            if ask(f"Lay one chip on antenna {antenna}, and nothing on the others, then press Enter"):
                session = self._read(self._outputs, LONE_ROUNDS * len(outputs) + 1)
                alone.append(Alone(antenna, session))
        self._seen = replace(self._seen, alone=tuple(alone))
        if not alone:
            self._left_out["cross-talk"] = _LEFT_OUT

    def _recover(self) -> None:
        steps = {"reopen": (), "field-reset": self._kit.field_reset, "soft-reset": (self._kit.soft_reset,)}
        for check_id, requests in steps.items():
            if check_id != "reopen" and not any(requests):
                self._left_out[check_id] = "the family has no such command"
                continue
            self._person.tell(f"recovery: {check_id}")
            acknowledged = self._done(requests) if any(requests) else None
            self._keep_recovery(check_id, Recovery(acknowledged, self._first_round()))

    def _keep_recovery(self, check_id: str, recovery: Recovery) -> None:
        self._seen = replace(self._seen, recoveries={**self._seen.recoveries, check_id: recovery})

    def _done(self, requests: tuple[bytes, ...]) -> bool:
        """Whether each of the requests is acknowledged."""
        with Talk(self._place, self._kit) as talk:
            talk.settle()
            asked = [talk.ask(request, lambda _: False, BROKEN_MS) for request in requests]
        return all(any(not one.refuses and not one.unasked for one in exchange.heard) for exchange in asked)

    def _first_round(self) -> Session:
        drive = Drive(self._place, self._family, self._outputs)
        drive.run(lambda so_far: bool(so_far.rounds), BACK_S)
        return drive.over()

    def _unplug(self) -> None:
        ask = self._person.ask
        if ask is None:
            self._left_out["replug"] = _NOBODY
            return
        if not ask("Press Enter, and then pull the reader's plug, wait three seconds and put it back"):
            self._left_out["replug"] = _LEFT_OUT
            return
        drive = Drive(self._place, self._family, self._outputs)
        drive.run(lambda so_far: so_far.is_back, UNPLUGGED_S)
        self._keep_recovery("replug", Recovery(None, drive.over()))

    def _long_run(self) -> None:
        minutes, ask = self._wanted.minutes, self._person.ask
        if not minutes:
            return
        if ask is not None and not ask(
            f"Lay chips as at a table for a long run of {minutes:g} minutes, then press Enter"
        ):
            self._left_out["endurance"] = _LEFT_OUT
            return
        self._person.tell(f"long run: {minutes:g} minutes")
        drive = Drive(self._place, self._family, self._outputs, keeps_all=False)
        told = 0

        def enough(so_far: Drive) -> bool:
            nonlocal told
            if len(so_far.rounds) >= told + 1000:
                told = len(so_far.rounds)
                self._person.tell(f"long run: {told} rounds, {len(so_far.failures)} lost")
            return False

        drive.run(enough, minutes * 60)
        self._seen = replace(self._seen, endurance=drive.over())


def _laying(size: int, where: str) -> str:
    if size == 0:
        return f"Clear the reader{where}"
    return f"Lay one chip{where}" if size == 1 else f"Lay exactly {size} chips{where}, as they would lie at the table"


def _answers(question: Question) -> Callable[[bytes], bool]:
    return lambda told: question.read(told) is not None
