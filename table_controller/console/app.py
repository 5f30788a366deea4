"""The application: takes what the bus brings, gives every screen the same snapshot, sends what the keys ask for."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, Protocol, runtime_checkable

from textual import on
from textual.binding import Binding
from textual.events import Event, Key
from textual.keys import key_to_character
from typing_extensions import override

from betline.bus import Bus
from betline.messages.table import Alert, TableState
from betline.options import DONE, Address
from betline.settings import TableSettings
from betline.steps import verb_of
from betline.topics import Namespace
from table_controller.console.cards import NO_CARDS, of_this_hand, with_cards
from table_controller.console.client import Client, Denied
from table_controller.console.clock import Clock, SystemClock
from table_controller.console.differences import Differences
from table_controller.console.joined import joined
from table_controller.console.keys import STANDARD, KeyMap, bindings, key_of, keys_in_force, using
from table_controller.console.layout import layout_of
from table_controller.console.levels import evening_line, level_line, turn_line
from table_controller.console.ordered_keys import OrderedKeys
from table_controller.console.palette import CONTRAST, DARK, THEMES, Palette
from table_controller.console.screens.camera import CameraScreen
from table_controller.console.screens.choice import ConfirmDialog
from table_controller.console.screens.dialog import Dialog
from table_controller.console.screens.hands import HandsScreen
from table_controller.console.screens.help import HelpScreen
from table_controller.console.screens.log import LogScreen
from table_controller.console.screens.number import NumberDialog
from table_controller.console.screens.pin import Granted, PinDialog
from table_controller.console.screens.sensors import SensorsScreen
from table_controller.console.screens.table import TableScreen
from table_controller.console.seen import Seen, standing
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import Line, TableView, view_of
from table_controller.console.voice import VoiceSwitch
from table_controller.console.wants import Arrived, HandsAsked, Notice, PictureAsked, Wanted

REDRAW_S = 0.05
TICK_S = 0.5
ENDS = "Broker, controller, readers, camera and voice end with it. The journal keeps the hand: `betline run` goes on."
SHOWN_HANDS = 5
MESSAGE_S = 10.0
"""How long the answer to a key stays; the log keeps it."""


@runtime_checkable
class Shows(Protocol):
    """A screen that takes snapshots."""

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot."""
        ...


class ConsoleApp(OrderedKeys):
    """The dealer's console on any bus; it closes no bus that it did not open."""

    TITLE = "Betline"
    CSS_PATH = "console.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [Binding("ctrl+c", "quit_question", show=False, system=True)]

    def __init__(
        self,
        bus: Bus,
        table: TableSettings,
        clock: Clock | None = None,
        *,
        ends_table: bool = False,
        ends_demo: bool = False,
        theme: str = DARK,
    ) -> None:
        super().__init__()
        self._table = table
        self._clock = clock or SystemClock()
        self._ends_table = ends_table
        """Whether the programs of the table end with the console."""
        self._ends_demo = ends_demo
        """Whether a demonstration does, which nobody misses."""
        self._palettes = Palette.all(table)
        self._client = Client(bus, self._clock, lambda: self.post_message(Arrived()))
        self._voice = VoiceSwitch(bus, table)
        self._public: TableState | None = None
        self._cards = NO_CARDS
        self._state: TableState | None = None
        """What is public, with the award that the cards make."""
        self._view: TableView = view_of(None, table)
        self._seen = Seen()
        self._differences = Differences()
        self._passing: frozenset[int] = frozenset()
        self._message: Line | None = None
        self._evening: Line | None = None
        self._hands_of: tuple[int, bool] | None = None
        """With which hand, and whether that was over, the last hands were asked for."""
        self._turn: Line | None = None
        self._told_s = float("-inf")
        self._drawn_s = float("-inf")
        self._refusals = 0
        self.redraws = 0
        self.touched = False
        """Whether the last thing that a hand did was a click or a tap."""
        for name, palette in self._palettes.items():
            self.register_theme(palette.theme(name))
        self.theme = self._usual_theme = CONTRAST if "NO_COLOR" in os.environ else theme

    @override
    def get_default_screen(self) -> TableScreen:
        return TableScreen(self._table, self._clock, self._open)

    def on_mount(self) -> None:
        if keys_in_force() is not STANDARD:
            self.set_keymap({key.action: bindings(key) for key in keys_in_force().keys})
        self._client.start()
        self._voice.start()
        self.set_interval(TICK_S, self._tick)
        self._draw()

    # --- from the bus to the screens ---------------------------------------------------------------------------------

    @on(Arrived)
    def _on_arrived(self) -> None:
        awaited = self._hear() or self._client.has_turned
        wait_s = self._drawn_s + REDRAW_S - self._clock.steady_s()
        if wait_s > 0 and not awaited:
            self.set_timer(wait_s, self._draw)
        else:
            self._draw()

    def _hear(self) -> bool:
        """Answers go to the dialogs that await them at once, for the next key must not fall into one that is done.

        Whether any have come: a hand that has pressed a key does not wait for the next redraw.
        """
        answers = self._client.answers()
        self._refusals += sum(not answer.ok for answer in answers.values())
        for screen in reversed(self.screen_stack):
            if isinstance(screen, Dialog):
                screen.hear(answers)
        denied = self._client.denied() if not isinstance(self.screen, PinDialog) else None
        if denied is not None:
            self._ask_pin(denied)
        return bool(answers)

    def _tick(self) -> None:
        if not self.is_running:  # it is being closed: boxes go before their screens do
            return
        late = self._client.overdue()
        self._hear()
        faded = self._message is not None and self._clock.steady_s() - self._told_s > MESSAGE_S
        if late is not None or faded:
            self._show_notice(late)
        now_ms = self._clock.wall_ms()
        clocks = evening_line(self._state, now_ms), turn_line(self._state, now_ms)
        moved = (self._evening, self._turn) != clocks
        lasts = self._passing != self._differences.passing(self._clock.steady_s())
        if lasts:
            self._look_anew()
        if late is not None or faded or moved or lasts or not self._client.link.well:
            self._draw()

    def _show_notice(self, line: Line | None) -> None:
        self._message, self._told_s = line, self._clock.steady_s()

    def _draw(self) -> None:
        if not self.is_running:
            return
        news = self._client.look()
        self._drawn_s = self._clock.steady_s()
        self.redraws += 1
        fresh = news.state or (self._public if news.cards is not None else None)
        if fresh is not None:
            self._public = fresh
            self._cards = of_this_hand(fresh, self._client.cards)
            news_state = self._state = with_cards(fresh, self._cards)
            self._seen = self._seen.still(self._alerts)
            self._differences = self._differences.shown(news_state, self._drawn_s)
            self._look_anew()
            self._keep_last_hands(news_state)
        if news.message is not None:
            self._show_notice(news.message)
        now_ms = self._clock.wall_ms()
        self._evening, self._turn = evening_line(self._state, now_ms), turn_line(self._state, now_ms)
        snapshot = self._snapshot()
        for screen in self.screen_stack:
            if not screen.is_mounted and not isinstance(screen, TableScreen):
                continue  # it begins with the snapshot that it was given
            if isinstance(screen, Shows):
                screen.show(snapshot)
            if isinstance(screen, Dialog):
                screen.dress(snapshot)

    @property
    def _alerts(self) -> tuple[Alert, ...]:
        """The alerts that stand."""
        return standing(self._state)

    def _look_anew(self) -> None:
        self._passing = self._differences.passing(self._clock.steady_s())
        view = view_of(self._state, self._table, self._passing)
        self._view = replace(view, alerts=self._seen.lines(self._alerts))

    def _keep_last_hands(self, state: TableState) -> None:
        """On a screen that shows the last hands they are asked for whenever one begins or is over."""
        now = state.hand_no, state.phase == "hand-over"
        if now != self._hands_of and layout_of(*self.size) == "large" and isinstance(self.screen, TableScreen):
            self._hands_of = now
            self._client.ask_hands(SHOWN_HANDS)

    def _snapshot(self) -> Snapshot:
        picture, picture_age_s = self._client.picture()
        return Snapshot(
            state=self._state,
            view=self._view,
            palette=self._palettes[self.theme],
            cards=self._cards,
            lost=self._client.link.trouble(self._clock.steady_s()),
            message=self._message,
            refusals=self._refusals,
            evening=self._evening,
            level=level_line(self._state, self._clock.wall_ms()),
            turn=self._turn,
            log=tuple(self._client.log(journal=False)),
            journal=tuple(self._client.log(journal=True)),
            traffic=self._client.traffic,
            look_back=self._client.look_back(),
            staff=self._client.signing.state,
            picture=picture,
            picture_age_s=picture_age_s,
        )

    # --- clicks and taps ---------------------------------------------------------------------------------------------

    @override
    async def on_event(self, event: Event) -> None:
        if isinstance(event, Key) and not event.is_forwarded:
            self.touched = False
        await super().on_event(event)

    @override
    def meant(self, key: Key) -> Key:
        """In a dialog the key of the first answer is Enter, whatever key a map gives it; letters stay letters."""
        enters = bindings(key_of("answer-1")).split(",")
        if isinstance(self.screen, Dialog) and key.key in enters and not key.is_printable:
            return Key("enter", key_to_character("enter"))
        return key

    async def action_tap(self, key: str) -> None:
        """A click where a key is named: as if that key had been pressed, Textual's name of it."""
        await super().on_event(Key(key, key_to_character(key)))

    def action_press_key(self, action: str) -> None:
        """A click on a key of the list: as if it had been pressed at the table."""
        self.call_later(self._press_at_table, action)  # the page cannot wait for its own end

    async def _press_at_table(self, action: str) -> None:
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        self._table_screen.action_press(action)

    @property
    def _table_screen(self) -> TableScreen:
        screen = self.screen_stack[0]
        assert isinstance(screen, TableScreen)
        return screen

    # --- from the keys to the bus ------------------------------------------------------------------------------------

    @on(Wanted)
    def _on_wanted(self, wanted: Wanted) -> None:
        self._show_notice(self._client.send(wanted.command, wanted.command_id))
        self._hear()
        self._draw()

    @on(Notice)
    def _on_notice(self, notice: Notice) -> None:
        self._show_notice(notice.line)
        self._draw()

    @on(HandsAsked)
    def _on_hands_asked(self) -> None:
        self._client.ask_hands(SHOWN_HANDS)

    @on(PictureAsked)
    def _on_picture_asked(self, asked: PictureAsked) -> None:
        self._client.ask_picture(asked.camera, asked.width_px, asked.of)
        self._draw()

    def _open(self, action: str) -> None:
        match action:
            case "number":
                self.push_screen(NumberDialog(), self._table_screen.take_number)
            case "help":
                self.push_screen(HelpScreen(self._snapshot()))
            case "log":
                self.push_screen(LogScreen(self._snapshot()))
            case "hands":
                self._client.ask_hands()
                self.push_screen(HandsScreen(self._table, self._snapshot()))
            case "sensors":
                self.push_screen(SensorsScreen(self._table, self._snapshot()))
            case "camera":
                camera = next(iter(self._table.cameras), None)
                self.push_screen(CameraScreen(camera, self._snapshot()))
            case "contrast":
                usual = self._usual_theme if self._usual_theme != CONTRAST else DARK
                self.theme = usual if self.theme == CONTRAST else CONTRAST
                self._say_colours()
            case "colours":
                names = list(THEMES)
                place = (list(THEMES.values()).index(self.theme) + 1) % len(names)
                self.theme = self._usual_theme = THEMES[names[place]]
                self._say_colours()
            case "seen":
                if not self._alerts:
                    self._show_notice(Line("·", "No alert stands."))
                self._seen = self._seen.after_key(self._alerts)
                self._look_anew()
                self._draw()
            case "again":
                self._show_notice(self._voice.again())
                self._draw()
            case "voice":
                self._show_notice(self._voice.press())
                self._draw()
            case "sign-in":
                self._sign_in_or_out()
            case "quit":
                self.action_quit_question()

    def _say_colours(self) -> None:
        name = next(name for name, theme in THEMES.items() if theme == self.theme)
        self._show_notice(Line("·", f"Colours: {name}."))
        self._draw()

    # --- the staff ---------------------------------------------------------------------------------------------------

    def _ask_pin(self, denied: Denied) -> None:
        """Somebody must prove to have the right to a command; then it is sent again."""

        def settled(granted: Granted | None) -> None:
            if granted is None:
                self._show_notice(self._client.give_up(denied))
            else:
                by = granted.signed_in
                if by is not None and not denied.once:
                    self._client.signing.stay(by)
                self._show_notice(self._client.send_again(denied, by))
                if by is not None and denied.once:
                    self._client.signing.end(by)
            self._hear()
            self._draw()

        people = self._client.signing.state.able(denied.roles)
        verb = verb_of(type(denied.command)).replace("-", " ").capitalize()
        title = f"{verb}: {' or '.join(denied.roles) or 'sign in'}"
        self.push_screen(PinDialog(title, people, denied.roles, self._client.signing.begin), settled)

    def _sign_in_or_out(self) -> None:
        staff = self._client.signing.state
        gone = self._client.signing.leave()
        if gone is not None:
            self._show_notice(Line("✓", f"{gone.person.name} is signed out.", "good"))
        elif not staff.people:
            sentence = "Nobody is enrolled, so the table is open to everybody: betline people add enrols the staff."
            self._show_notice(Line("·", sentence))
        elif not staff.able(()):
            self._show_notice(Line("·", "Nobody has a PIN: lay a badge, or give one with betline people pin."))
        else:
            self.push_screen(PinDialog("Sign in", staff.able(()), None, self._client.signing.begin), self._stays)
        self._draw()

    def _stays(self, granted: Granted | None) -> None:
        if granted is not None and granted.signed_in is not None:
            self._client.signing.stay(granted.signed_in)
            who = granted.signed_in.person
            self._show_notice(Line("✓", f"{who.name} is signed in as {who.role}.", "good"))
            self._draw()

    def action_quit_question(self) -> None:
        """Asks whether to leave and says what ends; once more in the middle of a hand, where the table ends with it."""
        if isinstance(self.screen, ConfirmDialog):
            return
        if self._ends_demo:
            self._ask("End the demonstration?", "Its table, readers and camera end with this console.", self._leave)
        elif not self._ends_table:
            self._ask("Quit the console?", "Only this console closes: the table plays on without it.", self._leave)
        elif self._state is None or self._state.phase in ("idle", "hand-over"):
            self._ask("End the table?", ENDS, self._leave)
        else:
            self._ask("End the table?", ENDS, self._ask_again)

    def _ask_again(self) -> None:
        hand_no = self._state.hand_no if self._state else 0
        self._ask(f"Hand {hand_no} is not over. End the table in the middle of it?", ENDS, self._leave)

    def _leave(self) -> None:
        self.exit(DONE)

    def _ask(self, title: str, explanation: str, then: Callable[[], None]) -> None:
        self.push_screen(ConfirmDialog(title, explanation, wanted=True), lambda sure: then() if sure else None)


def run_console(
    table: TableSettings,
    address: Address,
    namespace: Namespace,
    *,
    ends_table: bool = False,
    ends_demo: bool = False,
    keys: KeyMap = STANDARD,
    theme: str = DARK,
    metrics: Address | None = None,
) -> int:
    """Runs the console until it is quit; returns the exit status. A broker that is not there is waited for.

    ``ends_table`` says that the caller ends the other programs of the table with it, ``ends_demo`` that they are a
    demonstration.
    """
    with joined(table, address, namespace, metrics) as bus, using(keys):
        status = ConsoleApp(bus, table, ends_table=ends_table, ends_demo=ends_demo, theme=theme).run()
    return DONE if status is None else status
