"""What is left after the questions, on the screen: teaching chips, calibrating the camera, giving PINs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import ClassVar, Final

from rich.color import Color
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from betline.half_blocks import HALF, Room, cells
from betline.messages.pictures import SmallPicture
from betline.people.record import PIN, PIN_FORM
from betline.setup.faults import Faults
from betline.setup.work import Look

_LOOK_S: Final = 0.1
_WAITING: Final = "Enter takes the type · Esc goes back"
_TEACHING: Final = "Enter enrols the stack · U undoes the last · Esc ends this type"


@dataclass(slots=True)
class _Hands:
    """A teacher whose keys come from the screen; what is said to it is looked at by the screen."""

    line: str = ""
    said: str = ""
    trouble: str = ""
    is_over: bool = False
    keys: SimpleQueue[str] = field(default_factory=SimpleQueue)

    def typed(self) -> str | None:
        try:
            return self.keys.get_nowait()
        except Empty:
            return None

    def progress(self, line: str) -> None:
        self.line = line

    def say(self, sentence: str) -> None:
        self.said = sentence


class ChipsScreen(Screen[None]):
    """A type is chosen, then its stacks are laid on the antenna one after the other and counted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "Back"), Binding("u", "type('u')", "Undo"), Binding("enter", "type('')", "Enrol"),
    ]  # fmt: skip

    def __init__(
        self,
        place: str,
        counts: Callable[[], Mapping[str, int]],
        teach: Callable[[str, _Hands], object],
        faults: Faults,
    ) -> None:
        super().__init__()
        self._place, self._counts, self._teach, self._faults = place, counts, teach, faults
        self._offered: Mapping[str, int] = {}
        self._hands: _Hands | None = None

    def compose(self) -> ComposeResult:
        """The types with how many chips of each are known, or what lies there now."""
        yield Static("Betline set-up · chips", id="top", markup=False)
        with VerticalScroll(id="body", can_focus=False):
            yield Static(id="asks", markup=False)
            yield Static(id="means", markup=False)
            yield OptionList(id="choices")
            yield Static(id="live", markup=False)
            yield Static(id="problem", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """Offers the types."""
        self._offer()
        self.set_interval(_LOOK_S, self._look)

    def on_unmount(self) -> None:
        """Lets go of the reader."""
        if self._hands is not None:
            self._hands.keys.put("q")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Begins to teach a type."""
        key = list(self._offered)[event.option_index]
        self._hands = hands = _Hands()
        self.query_one("#choices").display = False
        self._put("asks", f"Put a stack of {key} {self._place}.")
        self._put("means", "Chips of this type only, and no other chips on that antenna. Wait until it is stable.")
        self._put("keys", _TEACHING)

        def run() -> None:
            try:
                self._teach(key, hands)
            except Exception as error:
                hands.trouble = self._faults.sentence(error)
            hands.is_over = True

        self.set_focus(None)
        self.run_worker(run, thread=True)

    def action_type(self, key: str) -> None:
        """What is typed while a type is taught."""
        if self._hands is not None:
            self._hands.keys.put(key)

    def action_back(self) -> None:
        """Ends the type that is taught, else the screen."""
        if self._hands is not None:
            self._hands.keys.put("q")
        else:
            self.app.pop_screen()

    def _look(self) -> None:
        hands = self._hands
        if hands is None:
            return
        self._put("live", hands.line)
        self._put("problem", hands.trouble or hands.said)
        if hands.is_over:
            self._hands = None
            self._put("live", "")
            self._offer()

    def _offer(self) -> None:
        self._put("asks", "Which chips do you lay down?")
        self._put("means", f"A stack at a time, {self._place}. It counts them and keeps whose they are.")
        self._put("keys", _WAITING)
        try:
            self._offered = counts = self._counts()
        except Exception as error:
            self._put("problem", self._faults.sentence(error))
            counts = self._offered
        choices = self.query_one("#choices", OptionList)
        choices.clear_options()
        choices.add_options(
            [Option(Text(f"{key:<16} {f'{count} enrolled' if count else 'none yet'}")) for key, count in counts.items()]
        )
        choices.highlighted = next((n for n, count in enumerate(counts.values()) if not count), 0)
        choices.display = True
        choices.focus()

    def _put(self, widget: str, text: str) -> None:
        self.query_one(f"#{widget}", Static).update(text)


class Calibration:
    """Calibrates in a thread of its own, once at a time: who comes back meanwhile waits for the one under way."""

    def __init__(self, calibrate: Callable[[], Look], faults: Faults) -> None:
        self._calibrate, self._faults = calibrate, faults
        self._under_way: Thread | None = None
        self.look: Look | None = None
        """What came of it; None while it goes on."""

    def begin(self) -> None:
        """Begins, unless it goes on already."""
        if self._under_way is not None and self._under_way.is_alive() and self.look is None:
            return
        self.look = None
        self._under_way = Thread(target=self._run, name="calibration")
        self._under_way.start()

    def _run(self) -> None:
        try:
            self.look = self._calibrate()
        except Exception as error:
            self.look = Look(False, (self._faults.sentence(error),))


class CameraScreen(Screen[None]):
    """Calibrates, and shows what the camera saw with what was made of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "app.pop_screen", "Back"), Binding("enter,k", "again", "Again"),
    ]  # fmt: skip

    def __init__(self, calibration: Calibration) -> None:
        super().__init__()
        self._calibration = calibration
        self._look: Look | None = None
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """What came of it, the picture, and where the sharp one is."""
        yield Static("Betline set-up · camera", id="top", markup=False)
        yield Static(id="said", markup=False)
        yield Static(id="picture")
        yield Static("Enter calibrates again · Esc goes back", id="keys", markup=False)

    def on_mount(self) -> None:
        """Begins at once."""
        self.action_again()
        self.set_interval(_LOOK_S, self._show)

    def on_resize(self) -> None:
        """The picture is as large as the screen lets it be."""
        self._paint()

    def action_again(self) -> None:
        """Calibrates."""
        if self._is_busy:
            return
        self._is_busy, self._look = True, None
        self.query_one("#said", Static).update("Looking for the markers; take hands and chips off the table.")
        self.query_one("#picture", Static).update("")

        self._calibration.begin()

    def _show(self) -> None:
        look = self._calibration.look
        if look is None or not self._is_busy:
            return
        self._is_busy, self._look = False, look
        sign = "✔ Calibrated." if look.calibrated else "✖ Not calibrated."
        text = Text(f"{sign} {' '.join(look.sentences)}", style="bold" if look.calibrated else "bold red")
        if look.file is not None:
            text.append(f"\nThe sharp picture: {look.file}", style="not bold")
        self.query_one("#said", Static).update(text)
        self.call_after_refresh(self._paint)

    def _paint(self) -> None:
        place = self.query_one("#picture", Static)
        if self._look is not None and self._look.small is not None and not self.app.no_color:
            place.update(painted(self._look.small, Room(place.size.width, place.size.height)))


def painted(picture: SmallPicture, room: Room) -> Text:
    """A picture in half cells."""
    text = Text(no_wrap=True)
    for number, row in enumerate(cells(picture, room)):
        text.append("\n" if number else "")
        for upper, lower in row:
            text.append(HALF, Style.from_color(Color.from_rgb(*upper), Color.from_rgb(*lower)))
    return text


class PinScreen(Screen[None]):
    """Asks each of the staff for a PIN, twice; it is not shown."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Back")]

    def __init__(self, staff: Sequence[tuple[str, str]], give: Callable[[str, str, str], None], faults: Faults) -> None:
        super().__init__()
        self._staff, self._give, self._faults = list(staff), give, faults
        self._first = ""

    def compose(self) -> ComposeResult:
        """Whose PIN, and a line in which it is typed."""
        yield Static("Betline set-up · PINs", id="top", markup=False)
        with VerticalScroll(id="body", can_focus=False):
            yield Static(id="asks", markup=False)
            yield Static(f"{PIN_FORM} It is not shown, and stands in no file as it is typed.", id="means", markup=False)
            yield Input(password=True, id="typed")
            yield Static(id="problem", markup=False)
        yield Static("Enter takes it · Esc goes back", id="keys", markup=False)

    def on_mount(self) -> None:
        """The first of them."""
        self._ask()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Typed once or again."""
        text = event.value.strip()
        if not PIN.fullmatch(text):
            self._ask(PIN_FORM)
        elif not self._first:
            self._first = text
            self._ask(again=True)
        elif text != self._first:
            self._ask("The two differ; type it anew.")
        else:
            self._keep(text)

    def _keep(self, pin: str) -> None:
        name, role = self._staff[0]
        try:
            self._give(name, role, pin)
        except Exception as error:
            self._ask(self._faults.sentence(error))
            return
        self._staff.pop(0)
        if self._staff:
            self._ask(f"{name} has a PIN.")
        else:
            self.app.pop_screen()

    def _ask(self, problem: str = "", *, again: bool = False) -> None:
        name, role = self._staff[0]
        if not again:
            self._first = ""
        self.query_one("#asks", Static).update(f"{name} ({role}): {'the same again' if again else 'which PIN'}?")
        self.query_one("#problem", Static).update(problem)
        typed = self.query_one("#typed", Input)
        typed.value = ""
        typed.focus()
