"""Cards by keys and by mouse at 80x24: two keys a card, an echo, the board in sight, the award for one key."""

from __future__ import annotations

import itertools
from contextlib import asynccontextmanager
from typing import Any

import pytest

from betline import topics
from betline.bus import HostClock, MemoryBus, MemoryHub
from betline.messages.cards import CardsAt, CardsView
from betline.messages.common import Reply
from betline.settings import load_house_rules, load_table
from betline.steps import BoardCards, ShownCards, read_command
from betline.topics import Namespace, topic
from betline.units import NS_PER_MS
from table_controller.console import cards
from table_controller.console.app import ConsoleApp
from table_controller.console.cards import Wanted
from table_controller.console.footer import footer
from table_controller.console.intents import Ask, Refused, intent
from table_controller.console.plain.run import PlainConsole
from table_controller.console.sample import sample_showdown
from table_controller.console.screens.cards import CardsDialog
from table_controller.console.widgets.pads import CardPad
from table_controller.session import Keyed, Now, Session, Terms
from tests.unit.console.table import FrozenClock, state
from tests.unit.console.test_evening_by_keys import TABLE as OMAHA_TABLE
from tests.unit.console.test_evening_by_keys import Dealer

GAME = OMAHA_TABLE.game.model_copy(update={"limit": "no-limit", "streets": "holdem"})
TABLE = OMAHA_TABLE.model_copy(update={"game": GAME})
HOUSE = {**TABLE.house.options, "new_player": "free", "rake": "none", "run_it": 2, "cards": "board-and-shown"}


class Controller:
    """The session at the other end of the bus, with the private view of the cards."""

    def __init__(self, bus: Any) -> None:
        self.bus = bus
        self.session = Session.new(Terms(TABLE, load_house_rules(TABLE.house.profile, HOUSE)))
        self.replies: list[Reply] = []
        self.public: list[str] = []
        self.number = itertools.count(1)
        bus.subscribe(topics.COMMAND, self._asked)
        self.publish()

    def _asked(self, received: Any) -> None:
        body = received.body
        number = next(self.number)
        fresh = {seat: f"p-{number}-{seat}" for seat in range(11)}
        asked = read_command(received.topic.name, body.args)
        keyed = Keyed(body.id, asked, "dealer", received.void_ns(body.expires_ms), fresh, salt=f"{number:032x}")
        handled = self.session.handle(keyed, Now(1_000_000, received.arrived_ns))
        self.session = handled.session
        for message in handled.messages:
            if isinstance(message, Reply):
                self.replies.append(message)
                self.bus.publish(topic(topics.REPLY, message.command_id), message)
        self.publish()

    def publish(self) -> None:
        self.bus.publish(topic(topics.PRIVATE_CARDS), self.session.cards_view())
        told = self.session.table_state(next(self.number), 1, "0")
        self.public.append(told.model_dump_json())
        self.bus.publish(topic(topics.STATE), told)


@asynccontextmanager
async def evening() -> Any:
    hub, namespace, clock = MemoryHub(), Namespace("home", TABLE.name), FrozenClock()
    controller = Controller(MemoryBus(hub, namespace, "controller", presence=topic(topics.STATUS)))
    consoles = HostClock(wall_ns=lambda: clock.wall_ms() * NS_PER_MS)
    app = ConsoleApp(MemoryBus(hub, namespace, "console", clock=consoles), TABLE, clock)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        dealer = Dealer(pilot, controller, clock)
        for seat in (1, 2):
            dealer.brought += 200
            await dealer.keys(str(seat), "e", "s", "200", "enter")
        await dealer.keys("n")
        await dealer.keys("d")
        for _ in range(2):
            await dealer.keys("a", "enter")
        yield dealer


def text(app: Any) -> str:
    screen = app.screen
    width, height = screen.size
    return "\n".join(
        "".join(segment.text for segment in line)[:width] for line in screen._compositor.render_strips()[:height]
    )


async def press(dealer: Any, *keys: str) -> None:
    await dealer.pilot.press(*keys)
    dealer.clock.now_s += 1
    await dealer.pilot.pause()


@pytest.mark.nightly
async def test_a_hand_is_dealt_shown_and_awarded_by_its_cards_at_80x24() -> None:
    async with evening() as dealer:
        await press(dealer, "comma")
        assert "The flop: 3 cards" in text(dealer.pilot.app)
        await press(dealer, *"asK")
        assert "A♠  K_  —" in text(dealer.pilot.app)
        await press(dealer, *"d10c", "enter")
        assert dealer.controller.replies[-1].sentence == "The flop lies there."
        assert "BOARD  A♠ K♦ 10♣" in text(dealer.pilot.app)

        for street in ("2c", "2h"):
            await press(dealer, "comma", *street, "enter")
        await press(dealer, "comma")
        assert "Seat 1 shows 2 cards" in text(dealer.pilot.app)
        await press(dealer, *"ahjc", "enter")
        assert "Seat 2: show the hand, or muck." in text(dealer.pilot.app)
        await press(dealer, "comma", *"qsqc", "enter")

        shown = text(dealer.pilot.app)
        assert "Seat 1: two pair, aces and twos. Award it?" in " ".join(shown.split())
        assert not dealer.controller.session.book.table.state.between_hands
        assert not [told for told in dealer.controller.public if "AsKd" in told or "aces" in told]

        await press(dealer, "enter")
        assert dealer.controller.session.book.table.state.stacks == {1: 400, 2: 0}
        assert "SHOWN  1: A♥ J♣   2: Q♠ Q♣" in text(dealer.pilot.app)
        assert "AsKdTc" in dealer.controller.public[-1]


@pytest.mark.nightly
async def test_cards_are_keyed_by_mouse() -> None:
    async with evening() as dealer:
        await press(dealer, "comma")
        pilot = dealer.pilot
        for printed in "A♠K♦7♣":
            pad = pilot.app.screen.query_one(CardPad).region
            rows = text(pilot.app).splitlines()
            await pilot.click(
                offset=next(
                    (row.index(printed), y) for y, row in enumerate(rows) if printed in row and pad.contains(pad.x, y)
                )
            )
            await pilot.pause()
        assert "A♠  K♦  7♣" in text(pilot.app)


@pytest.mark.nightly
async def test_a_wrong_key_is_said_and_left_out_and_a_wrong_street_put_right() -> None:
    async with evening() as dealer:
        await press(dealer, "comma", *"asa", "a")
        assert "is no suit" in text(dealer.pilot.app)
        await press(dealer, *"d7c", "enter")
        await press(dealer, "comma", *"ad", "enter")
        assert isinstance(dealer.pilot.app.screen, CardsDialog)
        assert "lies on the flop already" in " ".join(text(dealer.pilot.app).split())
        await press(dealer, "up", *"askd7c", "enter")
        assert "BOARD  A♠ K♦ 7♣" in text(dealer.pilot.app)
        await press(dealer, "u")
        assert "BOARD  A♠ A♦ 7♣" in text(dealer.pilot.app)


def test_the_plain_console_takes_cards_in_a_line() -> None:
    hub, namespace, clock = MemoryHub(), Namespace("home", TABLE.name), FrozenClock()
    controller = Controller(MemoryBus(hub, namespace, "controller", presence=topic(topics.STATUS)))
    consoles = HostClock(wall_ns=lambda: clock.wall_ms() * NS_PER_MS)
    said: list[str] = []
    console = PlainConsole(MemoryBus(hub, namespace, "console", clock=consoles), TABLE, said.append, clock)
    console.start()
    console.tell()

    def hear(*lines: str) -> None:
        for line in lines:
            console.hear(line)
            clock.now_s += 1
            console.tell()

    hear("1 e s 200", "2 e s 200", "n", "d", "a", "yes", "a", "yes", "cards", "AS KD 10C", "cards 2c", "cards 2h")
    hear("1 cards ah jc", "cards", "muck")

    assert "BOARD  A♠ K♦ 10♣." in said
    assert "BOARD  A♠ K♦ 10♣  2♣  2♥." in said
    assert any("Seat 1, alone. Award it?" in line for line in said)
    assert controller.replies[-1].sentence == "Seat 2 mucks unseen."


# --- the pure part


VIEW = CardsView(hand_no=3, next_street="flop", next_count=3)


def test_without_the_house_option_the_key_says_what_to_do_and_the_footer_does_not_name_it() -> None:
    round_over = {"phase": "round-over", "to_act": None, "call": None}
    asked = intent("cards", None, state())

    assert isinstance(asked, Refused)
    assert asked.sentence == "This house keeps no cards: W awards the pots."
    assert "cards" not in [words for _, words in footer(state(**round_over))]
    assert "cards" in [words for _, words in footer(state(**round_over, keeps_cards="board"))]
    assert intent("cards", 4, state(keeps_cards="board-and-shown")) == Ask("cards", 4)


@pytest.mark.parametrize(
    ("keyed", "shown", "problem"),
    [
        ("", "—  —  —", ""),
        ("a", "A_  —  —", ""),
        ("AsTd", "A♠  10♦  —", ""),
        ("as10d9", "A♠  10♦  9_", ""),
        ("x", "—  —  —", "x is no rank: type 2 to 9, T, J, Q, K or A, then the suit."),
        ("ax", "A_  —  —", "x is no suit: type S, H, D or C."),
    ],
)
def test_cards_are_echoed_as_they_are_keyed(keyed: str, shown: str, problem: str) -> None:
    assert cards.echo(keyed, 3) == (shown, problem)


def test_what_was_keyed_becomes_the_command() -> None:
    assert Wanted("", 3).command("as kd 10c") == BoardCards(cards="AsKdTc")
    assert Wanted("", 1, street="turn").command("2h") == BoardCards(cards="2h", street="turn")
    assert Wanted("", 2, seat=4).command("AhJc") == ShownCards(seat=4, cards="AhJc")
    assert Wanted("", 3).command("askd") == Refused("3 cards, not 2.")
    assert Wanted("", 2).command("asas") == Refused("The ace of spades is there twice: a deck has one of each card.")


def test_once_the_hand_is_over_everybodys_state_has_the_cards() -> None:
    over = state(keeps_cards="board", cards=(CardsAt(seat=None, street="flop", cards="AsKdTc"),))

    assert cards.board_lines(cards.of_this_hand(over, cards.NO_CARDS)) == ("BOARD  A♠ K♦ 10♣",)
    assert cards.of_this_hand(state(), VIEW) == cards.NO_CARDS


def test_boards_of_several_runs_stand_by_themselves() -> None:
    places = (
        CardsAt(seat=None, street="flop", cards="AsKd7c"), CardsAt(seat=None, street="turn", board=1, cards="2c"),
        CardsAt(seat=None, street="turn", board=2, cards="Qh"), CardsAt(seat=2, street="", cards=""),
    )  # fmt: skip

    assert cards.board_lines(CardsView(hand_no=3, places=places)) == (
        "BOARD 1  A♠ K♦ 7♣  2♣", "BOARD 2  A♠ K♦ 7♣  Q♥", "SHOWN  2: mucked",
    )  # fmt: skip


@pytest.mark.one_in(5)
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (106, 33), (120, 40), (200, 50)], ids=str)
async def test_board_hands_and_panel_are_in_sight_on_every_screen(size: tuple[int, int]) -> None:
    hub, namespace = MemoryHub(), Namespace("home", OMAHA_TABLE.name)
    controller = MemoryBus(hub, namespace, "controller", presence=topic(topics.STATUS))
    over, view = sample_showdown(load_table())
    controller.publish(topic(topics.PRIVATE_CARDS), view)
    controller.publish(topic(topics.STATE), over)
    app = ConsoleApp(MemoryBus(hub, namespace, "console"), load_table(), FrozenClock())
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.2)
        seen = text(app)

    for words in ("BOARD  A♠ K♦ 7♣  2♣  2♥", "3: A♥ J♣ 9♠ 9♦", "Showdown: W awards the pots.", "two pair, aces and"):
        assert words in seen, f"{words!r} is not in sight:\n{seen}"
