"""The wizard: goes through the questions, keeps each answer as it is given, writes the files, plays the test hand."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import ClassVar, Final, ParamSpec, TypeVar

from rich.text import Text
from textual.app import App
from textual.binding import Binding, BindingType

from betline.joining import BrokerChoice
from betline.options import DONE, SITE_DEFAULT
from betline.setup.antennas import Hunt, Verdict
from betline.setup.faults import Faults
from betline.setup.files import start_command
from betline.setup.hardware import Ears, Hardware
from betline.setup.interview import NAMES, Asked, asked, next_asked, with_answer
from betline.setup.playing import NOTHING_SAID, Tried, Watcher, play
from betline.setup.question import Answers, Found, Question
from betline.setup.screens.ask import AskScreen
from betline.setup.screens.end import EndScreen, Step, TrialScreen
from betline.setup.screens.work import Calibration, CameraScreen, ChipsScreen, PinScreen
from betline.setup.sections import people, voice
from betline.setup.sections.readers import NONE, place, readers_of, spots_of, zones_of
from betline.setup.store import Folder, Written
from betline.setup.work import Work, bench_of, logins_to_make
from betline.stopping import on_sigterm

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")

_MOST_ROUNDS: Final = 200
"""The most rounds that one look takes from the queue."""


class SetupApp(App[int]):
    """The set-up of one table, by keys or mouse."""

    CSS_PATH = "setup.tcss"
    TITLE = "Betline set-up"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q,ctrl+c", "leave", "Leave", priority=True)]

    def __init__(
        self,
        folder: Folder,
        hardware: Hardware,
        found: Found,
        answers: Answers,
        only: Sequence[str] = (),
        register: Path | None = None,
        staff: Path | None = None,
        broker: BrokerChoice = NOTHING_SAID,
        site: str = SITE_DEFAULT,
    ) -> None:
        super().__init__()
        self._folder, self._hardware, self._found, self._only = folder, hardware, found, tuple(only)
        self._work = Work(folder, hardware.by_id, register, staff)
        self.answers = dict(answers)
        self._last = dict(answers) if answers and next_asked(answers, found) is None else None
        self._ears = ExitStack()
        self._hunt: tuple[Hunt, Ears] | None = None
        self._broker, self._site = broker, site
        self._stop = threading.Event()
        self._proven = False
        self._faults = Faults(folder.path)
        self._one_at_a_time = threading.Lock()
        self._calibration = Calibration(self._alone(self._work.calibrate), self._faults)

    def on_load(self) -> None:
        """Before the terminal is changed: SIGTERM is to put it right."""
        on_sigterm(lambda: self.exit(DONE))

    def on_mount(self) -> None:
        """Begins with the first question that has no answer; with `--only` with the first of that part."""
        listed = self._asked()
        first = None if self._only else next((one for one in listed if one.question.key not in self.answers), None)
        self._show(first or (listed[0] if self._only or not self._done() else None))

    def on_unmount(self) -> None:
        """Lets go of the readers."""
        self._stop.set()
        self._ears.close()

    def action_leave(self) -> None:
        """Ends; what was answered is kept."""
        self.exit(0)

    # --- going through the questions ---------------------------------------------------------------------------------

    def take(self, question: Question, text: str) -> None:
        """Keeps an answer and goes on; raises AnswerError, and UserError where it cannot be kept."""
        answers = with_answer(self.answers, question, text, self._found)
        self._folder.keep(answers)
        self.answers = answers
        listed = self._asked()
        keys = [one.question.key for one in listed]
        number = keys.index(question.key) + 1
        if number < len(listed):
            self._show(listed[number])
        else:
            self._show(next_asked(self.answers, self._found))

    def back(self) -> None:
        """To the question before."""
        screen = self.screen
        here = screen.asked.question.key if isinstance(screen, AskScreen) else None
        listed = self._asked()
        keys = [one.question.key for one in listed]
        number = keys.index(here) if here in keys else len(listed)
        if number > 0:
            self._show(listed[number - 1])

    def _asked(self) -> tuple[Asked, ...]:
        return asked(self.answers, self._found, self._only)

    def _done(self) -> bool:
        return next_asked(self.answers, self._found) is None

    def _show(self, one: Asked | None) -> None:
        if one is None:
            self._end()
            return
        listen = None
        if one.question.antenna:
            listen = self._listening(one.question.key)
        else:
            self._ears.close()
            self._hunt = None
        self._replace(AskScreen(self, one, self.answers.get(one.question.key), self._faults, listen))

    def _replace(self, screen: AskScreen | EndScreen) -> None:
        if len(self.screen_stack) > 1:
            self.switch_screen(screen)
        else:
            self.push_screen(screen)

    # --- antennas ----------------------------------------------------------------------------------------------------

    def _listening(self, key: str) -> Callable[[], Verdict]:
        """What tells of the antennas; without them the question can still be answered by hand."""
        try:
            self._begin_to_listen().ask()
        except Exception as error:
            sentence = self._faults.sentence(error)
            return lambda: Verdict(None, sentence)
        return partial(self._verdict, key)

    def _begin_to_listen(self) -> Hunt:
        """Opens the readers where they are not open yet."""
        if self._hunt is None:
            spots = spots_of(self.answers)
            ears = self._ears.enter_context(self._hardware.listening(readers_of(self.answers), spots))
            self._hunt = Hunt(spots), ears
        return self._hunt[0]

    def _verdict(self, key: str) -> Verdict:
        assert self._hunt is not None
        hunt, ears = self._hunt
        for _ in range(_MOST_ROUNDS):
            heard = ears.heard(0)
            if heard is None:
                break
            hunt.hear(heard)
        verdict = hunt.verdict(self._taken(key))
        trouble = ears.trouble()
        return Verdict(None, f"{trouble[:1].upper()}{trouble[1:]}.") if trouble and verdict.spot is None else verdict

    def _taken(self, key: str) -> Mapping[str, str]:
        said = {zone: self.answers.get(f"readers.{zone}", NONE) for zone in zones_of(self.answers)}
        return {spot: place(zone) for zone, spot in said.items() if spot != NONE and f"readers.{zone}" != key}

    # --- the end -----------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        self._ears.close()
        self._hunt = None
        try:
            written = self._folder.write(self.answers, self._last)
        except Exception as error:
            self._replace(EndScreen([Text(self._faults.sentence(error), style="bold red")], self.back, self._faults))
            return
        self._last = dict(self.answers)
        self._replace(EndScreen(self._lines(written), self.back, self._faults, self._steps))

    def _lines(self, written: Written) -> list[Text]:
        table = str(self._folder.table)
        lines = [
            Text(f"{'✖' if one.is_fault else '!'} {one}", style="bold red" if one.is_fault else "yellow")
            for one in written.findings
        ]
        lines += [Text(f"! {one}", style="yellow") for one in logins_to_make(self.answers, self._folder.path)]
        lines += [Text(""), Text(f"To play: {start_command(self.answers, table)}", style="bold"), Text("")]
        lines += [Text(f"Changed by hand before; kept as {path}", style="yellow") for path in written.kept]
        lines += [Text(f"Written: {path}", style="green") for path in written.files]
        again = shlex.join(["betline", "setup", "--dir", str(self._folder.path), "--only"])
        return [*lines, Text(""), Text(f"To change one part later: {again} {'|'.join(NAMES)}", style="dim")]

    def _steps(self) -> tuple[Step, ...]:
        """What is left to do at this table, and how far it is."""
        try:
            standing = self._work.standing(self.answers)
        except Exception as error:
            return (Step("t", "Test hand", self._faults.sentence(error), False, self._test),)
        steps = []
        if standing.chips:
            known = ", ".join(f"{key} {count or 'none'}" for key, count in standing.chips.items())
            steps.append(Step("c", "Teach it your chips", known, not standing.unknown, self._teach))
        if standing.has_camera:
            how = "calibrated" if standing.calibrated else f"not yet; markers: {self._markers()}"
            steps.append(Step("k", "Calibrate the camera", how, standing.calibrated, self._calibrate))
        if standing.pins:
            pins = ", ".join(f"{name}: {'set' if has else 'not yet'}" for name, has in standing.pins.items())
            steps.append(Step("p", "Give the staff their PINs", pins, not standing.without_pin, self._pins))
        asked_for = "with your hardware: it asks you to push a chip, and says what was seen"
        return (*steps, Step("t", "Play a test hand", asked_for, self._proven, self._test))

    def _markers(self) -> str:
        return f"betline vision markers --table {self._folder.table}"

    def _teach(self) -> None:
        bench = bench_of(self.answers)
        assert bench is not None

        def counts() -> Mapping[str, int]:
            return self._work.standing(self.answers).chips

        self.push_screen(
            ChipsScreen(bench.place, counts, self._alone(partial(self._work.teach, self.answers)), self._faults)
        )

    def _calibrate(self) -> None:
        self.push_screen(CameraScreen(self._calibration))

    def _pins(self) -> None:
        without = set(self._work.standing(self.answers).without_pin)
        staff = people.staff(self.answers)
        self.push_screen(
            PinScreen([one for one in staff if one[0] in without] or staff, self._work.give_pin, self._faults)
        )

    def _test(self) -> None:
        self._stop = stop = threading.Event()
        screen = TrialScreen(stop.set)
        self.push_screen(screen)

        def run() -> None:
            def tell(call: object, *words: object) -> None:
                if not stop.is_set():
                    self.call_from_thread(call, *words)  # type: ignore[arg-type]

            watcher = Watcher(
                partial(tell, screen.link), partial(tell, screen.ask), partial(tell, screen.heard), stop.is_set
            )
            tried = Tried(
                self._folder.table,
                by_id=self._hardware.by_id,
                register=self._work.register,
                broker=self._broker,
                site=self._site,
                voice=voice.language_of(self.answers),
            )
            try:
                proven = self._alone(play)(tried, watcher).proven
            except Exception as error:
                tell(_said(screen, self._faults.sentence(error), good=False))
                return
            sentence = "The whole chain works: you can play." if proven else "Put right what is marked, then try again."
            self._proven = proven
            tell(_said(screen, sentence, good=proven))

        self.run_worker(run, thread=True)

    def _alone(self, job: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
        """The job once what uses the hardware has ended: one that was left by Esc lets go of it a little later."""

        def run(*given: _Given.args, **named: _Given.kwargs) -> _Made:
            with self._one_at_a_time:
                return job(*given, **named)

        return run


def _said(screen: TrialScreen, sentence: str, *, good: bool) -> object:
    def say() -> None:
        screen.say(sentence, good=good)

    return say


def run_wizard(
    folder: Folder,
    hardware: Hardware,
    found: Found,
    answers: Answers,
    only: Sequence[str],
    register: Path | None,
    staff: Path | None,
    broker: BrokerChoice,
    site: str,
) -> int:
    """Asks on the screen until everything is answered and written, or the person leaves; returns the exit status."""
    return SetupApp(folder, hardware, found, answers, only, register, staff, broker, site).run() or 0
