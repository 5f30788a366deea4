"""The table of a test: seats, dealer, faults, and what is expected of the controller."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from betline.messages.common import Reply
from betline.messages.table import Announcement, Ruling, SeatState, TableState
from betline.settings import GameSettings
from virtual_table.play.cashier import Cashier
from virtual_table.pytest_plugin.clock import Clock
from virtual_table.pytest_plugin.dealer import OVER, Dealer
from virtual_table.pytest_plugin.expecting import Difference, Heard, NotExpectable, differences, read_wanted
from virtual_table.pytest_plugin.failures import LabError, Unexpected
from virtual_table.pytest_plugin.picture import draw_felt
from virtual_table.pytest_plugin.programs import key
from virtual_table.pytest_plugin.seat import Seat
from virtual_table.pytest_plugin.story import Story
from virtual_table.pytest_plugin.ways import Tag, Way
from virtual_table.run.zones import Zones
from virtual_table.scripts.blinds import clockwise
from virtual_table.table.bank import BankError
from virtual_table.table.dealer_motions import gather
from virtual_table.table.player_motions import push
from virtual_table.table.things import WorldError

IN_HAND: Final = ("in", "all-in")
HOLE_CARDS: Final = {"holdem": 2, "omaha": 4, "stud": 3, "draw": 5, "triple-draw": 5}
BOARD_GAMES: Final = ("holdem", "omaha")
BASE_S: Final = 10.0
PICTURE: Final = "felt.svg"


class Table:
    """A table that a test plays at. Amounts are whole chips of the smallest unit."""

    def __init__(self, way: Way, stacks: Mapping[int, int], folder: Path) -> None:
        """``stacks`` has the chips that lie there for those who sit down; pictures are written to the folder."""
        self._way = way
        self._folder = folder
        self.world = way.world
        """Everything that lies on the felt, and its motions (`virtual_table.table`)."""
        self.settings = way.settings
        self.live = way.live
        """Whether the real programs are played with."""
        self.faults = way.faults
        self.clock = Clock(way.clock)
        self.dealer = Dealer(self)
        self.story = Story(way.bus, way.world, way.clock.now_s)
        self.cashier = Cashier(way.world, way.clock.now_s, self._makes_change)
        self._zones = Zones(way.settings, way.world)
        self._acting: int | None = None
        self._ruled = self._alerted = 0
        self._refusal: str | None = None
        for seat, stack in stacks.items():
            self._must("sit-down", seat=seat, stack=stack)

    # --- what people do

    def seat(self, number: int) -> Seat:
        """A seat; raises LabError for one that there is not."""
        if all(seat.number != number for seat in self.settings.seats):
            raise LabError(f"The table {self.settings.name} has no seat {number}.")
        return Seat(self, number)

    def next_hand(self, button: int | None = None) -> None:
        """The next hand: button and blinds move, antes and blinds are put out, cards are dealt, and base lines taken.

        From here on chips are acts.
        """
        self.story.begins()
        self._clear()
        self._must("next-hand", **({} if button is None else {"button": button}))
        self._wait_state("posting", "betting")
        self._post()
        game = self.settings.game
        dealt = [seat.seat for seat in self.state.seats if seat.status in IN_HAND]
        if self.state.button is not None:
            dealt = list(clockwise(dealt, self.state.button))
        self.dealer.deals_cards(dealt, game.hole_cards or HOLE_CARDS[game.streets])
        if self.state.phase == "posting":
            reply = self.key("cards-out")
            if not reply.ok and reply.code != "not-open":  # the camera may have seen the cards
                raise LabError(f"cards-out was refused ({reply.code}): {reply.sentence}")
        self._wait_state("betting", *OVER)
        self.wait_base_line()
        self._forget()

    def wait_base_line(self, within_s: float = BASE_S) -> None:
        """Waits until it is known what lies before every seat in the hand: chips that come after that are acts.

        Raises LabError where that takes longer.
        """

        def taken() -> bool:
            seats = [
                seat for seat in self.state.seats if seat.status == "in" and f"seat-{seat.seat}" in self._zones.names
            ]
            return self.state.phase != "betting" or all(seat.based for seat in seats)

        if not self._way.link.wait(taken, within_s):
            late = [seat.seat for seat in self.state.seats if seat.status == "in" and not seat.based]
            raise LabError(f"The base line of the seats {late} was not taken in {within_s:g} s.\n{self.told()}")

    def let(self, seconds: float) -> None:
        """Lets time pass."""
        self.clock.let(seconds)

    # --- what the controller says

    def expect(self, *, seat: int | None = None, within_s: float | None = None, **wanted: Any) -> None:
        """What must hold, in the words of a case's `expect`; it may come true within some seconds.

        `ruling` and what belongs to it are about what the seat has done last; without a `seat`, the one that did
        something last. `alerts` and `questions` take codes and kinds. Raises Unexpected with the story and a picture.
        """
        __tracebackhide__ = True
        try:
            values = read_wanted(wanted)
        except NotExpectable as error:
            raise LabError(str(error)) from None

        def left() -> tuple[Difference, ...]:
            return differences(values, self._heard(seat))

        if not self._way.link.wait(lambda: not left(), self._way.patience_s if within_s is None else within_s):
            raise Unexpected(self.failure("; ".join(map(str, left()))))

    def expect_no_ruling(self, for_s: float = 2.0) -> None:
        """Nothing is ruled on what was done last, for so long from now. Raises Unexpected as `expect` does."""
        __tracebackhide__ = True
        self._way.link.wait(lambda: self._heard(None).ruling is not None, for_s)
        ruling = self._heard(None).ruling
        if ruling is not None:
            raise Unexpected(self.failure(f"no ruling was expected, got {ruling.ruling}: {ruling.sentence}"))

    @property
    def state(self) -> TableState:
        """What the controller shows."""
        link = self._way.link
        if link.state is None and not link.wait(lambda: link.state is not None, BASE_S):
            raise LabError("The controller has told no state.")
        state = link.state
        assert state is not None
        return state

    @property
    def rulings(self) -> list[Ruling]:
        """All rulings that were heard."""
        return self._way.link.rulings()

    # --- readers

    def zone(self, name: str) -> tuple[Tag, ...]:
        """The tags that the antenna of a zone reaches now, as a reader there must find them; raises LabError."""
        if name not in self._zones.names:
            raise LabError(f"No antenna serves a zone {name}; there are {', '.join(self._zones.names)}.")
        return tuple(Tag(tag.uid, tag.antenna, tag.signal) for tag in self._zones.tags(name, self.clock_s))

    def replace_reader(self, name: str, port: str) -> None:
        """A reader of your own on that port takes the place of a virtual one, which is unplugged; raises LabError.

        It speaks what the table's file says of the reader: set `readers` of the marker to the family.
        """
        self.story.note(f"        {name} is replaced by what is at {port}")
        self._way.replace_reader(name, port)

    # --- for seats and dealer

    @property
    def clock_s(self) -> float:
        """The world's time."""
        return self._way.clock.now_s()

    def until(self, moment_s: float) -> None:
        """Lets time pass until a moment of the world's time."""
        self._way.clock.sleep(moment_s - self._way.clock.now_s())

    def note(self, line: str) -> None:
        """A line of the story."""
        self.story.note(line)

    def act_begins(self, seat: int, line: str) -> None:
        """From here on what the controller says is about this act."""
        self._forget()
        self._acting = seat
        self.story.note(line)

    def key(self, verb: str, **args: object) -> Reply:
        """Sends a command and waits for the answer; a refusal may be expected."""
        reply = key(self._way.link, verb, dict(args))
        self._refusal = None if reply.ok else reply.code
        return reply

    def books(self, seat: int) -> SeatState:
        """What the controller has of a seat."""
        return next(one for one in self.state.seats if one.seat == seat)

    def level(self) -> int:
        """The bet that must be matched."""
        return max(seat.bet for seat in self.state.seats)

    def to_call(self, seat: int) -> int:
        """What a seat must add to call, at most its stack."""
        books = self.books(seat)
        return min(self.level() - books.bet, books.stack)

    def wait_state(self, *phases: str) -> bool:
        """Waits until the table is in one of these phases; False where that does not come."""
        return self._way.link.wait(lambda: self.state.phase in phases, BASE_S)

    # --- failures

    def failure(self, sentence: str) -> str:
        """What is wrong, with the story since the hand began, the last bytes and the felt as a picture."""
        return f"{sentence}\n{self.told()}"

    def told(self) -> str:
        """The story since the hand began, the last bytes and the felt as a picture."""
        lines = ["", "the story, in seconds since the hand began:", *self.story.lines()]
        zone = f"seat-{self._acting}"
        passed = self._way.last_bytes(zone) if self._acting is not None else []
        if passed:
            lines += ["", f"the last bytes of the reader of {zone}, in seconds from now:", *passed]
        try:
            path = self._folder / PICTURE
            draw_felt(self.world, self.clock_s, path)
            lines += ["", f"the felt: {path}"]
        except OSError as error:
            lines += ["", f"the felt could not be drawn ({error})"]
        return "\n".join(lines)

    # --- how it is done

    def _makes_change(self, until_s: float) -> None:
        self.story.note("DEALER  makes change")
        self.until(until_s)

    def _heard(self, seat: int | None) -> Heard:
        link = self._way.link
        about = self._acting if seat is None else seat
        rulings = [one for one in link.rulings(self._ruled) if about is None or one.seat == about]
        raised = {alert.code for alert in link.alerts(self._alerted) if alert.active}
        raised |= {code for one in rulings for code in one.alerts}
        standing = {alert.code for alert in self.state.alerts}
        said: list[Announcement] = [one.body for one in link.announcements() if not one.body.counting]
        newest = rulings[-1] if rulings else None
        return Heard(newest, self.state, frozenset(raised | standing), self._refusal, said[-1] if said else None)

    def _forget(self) -> None:
        self._ruled = self._way.link.marks()[0]
        self._alerted = self._way.link.alerts_heard()
        self._acting = self._refusal = None

    def _must(self, verb: str, **args: object) -> None:
        reply = self.key(verb, **args)
        if not reply.ok:
            raise LabError(f"{verb} was refused ({reply.code}): {reply.sentence}")

    def _wait_state(self, *phases: str) -> None:
        if not self.wait_state(*phases):
            raise LabError(
                f"The table did not come to {' or '.join(phases)}; it is in {self.state.phase}.\n{self.told()}"
            )

    def _clear(self) -> None:
        """What is left of the hand before goes: cards, and chips that nobody moved by hand."""
        world = self.world
        if any(world.hole_cards(seat.number) for seat in self.settings.seats) or world.cards.board:
            self.dealer.clears()

    def _post(self) -> None:
        """Antes go to the pot, live bets lie before their seats, as the books have them."""
        state, game = self.state, self.settings.game
        antes = _antes(game, state)
        pushed = [self._push(seat, ante) for seat, ante in antes.items() if ante]
        if pushed:
            self.until(max(pushed))
            self.until(gather(self.world, self.clock_s).end_s)
        pushed = [self._push(seat.seat, seat.bet) for seat in state.seats if seat.bet]
        if pushed:
            self.until(max(pushed))

    def _push(self, seat: int, amount: int) -> float:
        self.story.note(f"PLAYER  seat {seat} puts out {amount}")
        try:
            chips = self.cashier.exact(seat, amount)
            return push(self.world, seat, chips, self.clock_s).end_s
        except (BankError, WorldError) as error:
            raise LabError(str(error)) from None


def _antes(game: GameSettings, state: TableState) -> dict[int, int]:
    """What each seat must put into the pot before the cards, as far as its chips go."""
    dealt = {seat.seat: seat.stack + seat.bet for seat in state.seats if seat.status in IN_HAND}
    if not game.ante:
        return {}
    payers: dict[str, list[int | None]] = {
        "each": list(dealt), "big-blind": [state.big_blind], "button": [state.button],
    }  # fmt: skip
    return {seat: game.ante for seat in payers[game.ante_by] if seat is not None}
