"""The pages in a real Chromium, on a TV's and a phone's screen: what people read, and what happens without a word."""

from __future__ import annotations

import io
import json
import re

import pytest
from PIL import Image

from betline import topics
from betline.chromium import PHONE, TV, Chromium, ChromiumError, Page, Screen
from betline.messages.common import Presence
from betline.messages.table import LevelState, Prompt
from betline.messages.views import ActView
from betline.topics import topic
from table_controller.web.gate import Gate
from table_controller.web.tokens import token_for
from tests.browser import browser, needs_chromium
from tests.unit.web.serving import Served, served, view
from tests.unit.web.test_hands import over

__all__ = ["browser"]

pytestmark = needs_chromium
LEVEL = LevelState(
    number=3, stakes="100/200", next_number=4, next_stakes="150/300", started=True, ends_ms=None, left_ms=754_000,
    to_break_ms=1_200_000,
)  # fmt: skip


def opened(browser: Chromium, server: Served, path: str, screen: Screen = TV) -> Page:
    page = browser.page(screen, apart=True)
    page.open(f"{server.origin}{path}")
    return page


def read(page: Page, element: str, text: str) -> None:
    """Waits until people read this there; nothing where it is hidden."""
    found = f"document.getElementById({json.dumps(element)})"
    page.wait_for(f"{found} && ({found}.checkVisibility() ? {found}.innerText : '') === {json.dumps(text)}", 20)


def test_an_element_that_is_there_is_waited_for(browser: Chromium) -> None:
    page = browser.page()

    assert page.wait_for("document.querySelector('body')", 5) is True
    with pytest.raises(ChromiumError, match="did not become true"):
        page.wait_for("document.querySelector('video')", 0.1)


def test_the_board_shows_who_acts_what_it_costs_and_the_evening(browser: Chromium) -> None:
    with served() as server:
        last = ActView(seat=3, act="bet", to=300, text="Seat 3 bets 300")
        server.says(view(1, level=LEVEL, average_stack=1500, last_act=last))
        page = opened(browser, server, "/board")
        read(page, "who", "Seat 2 · Ben")

        shown = {name: page.text(name) for name in ("cost", "more", "last", "pot", "players", "average", "stakes")}
        assert shown == {
            "cost": "300 to call",
            "more": "Minimum raise to 600, maximum 900",
            "last": "Seat 3 bets 300",
            "pot": "750",
            "players": "3 players left",
            "average": "Average stack 1,500",
            "stakes": "Level 3 · 100/200",
        }
        clocks = {name: page.text(name) for name in ("clock", "paused", "next", "break")}
        assert clocks == {"clock": "12:34", "paused": "paused", "next": "Next 150/300", "break": "Break in 33 min"}
        assert page.complaints() == []


def test_the_board_follows_the_table_without_a_word_from_anybody(browser: Chromium) -> None:
    with served() as server:
        server.says(view(1))
        page = opened(browser, server, "/board")
        read(page, "cost", "300 to call")
        server.says(over(7, 1200, 1650, 2100, version=2))

        read(page, "cost", "Seat 2 · Ben wins")


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["dark", "bright"])
def test_no_text_of_the_board_is_too_small_for_five_metres_and_none_is_cut_off(browser: Chromium, theme: str) -> None:
    """A letter of 3.4 % of a 40 inch TV's height is 17 mm high: 200 times that is more than 3 m, what matters is twice
    as high at least.
    """
    with served() as server:
        server.says(view(1, level=LEVEL, average_stack=1500))
        page = opened(browser, server, f"/board?theme={theme}")
        read(page, "cost", "300 to call")

        sizes: dict[str, float] = page.value(
            "Object.fromEntries([...document.querySelectorAll('p, span, h1')]"
            ".filter((one) => one.innerText.trim() && one.checkVisibility())"
            ".map((one) => [one.id || one.className, parseFloat(getComputedStyle(one).fontSize) / innerHeight]))"
        )
        assert min(sizes.values()) > 0.0339
        assert min(sizes[name] for name in ("who", "clock", "pot")) >= 0.07
        assert sizes["cost"] >= 0.12
        cut = page.value(
            "[...document.querySelectorAll('body, main, p, li')]"
            ".filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.id || one.className)"
        )
        assert cut == []


@pytest.mark.nightly
def test_ten_seats_with_large_stacks_fit_on_the_board(browser: Chromium) -> None:
    one = view().seats[0]
    seats = tuple(one.model_copy(update={"seat": seat, "stack": 123_456 * 10 ** (seat % 2)}) for seat in range(1, 11))
    with served() as server:
        server.says(view(1, seats=seats))
        page = opened(browser, server, "/board")
        page.wait_for("document.querySelectorAll('.seat').length === 10")

        assert (
            page.value(
                "[...document.querySelectorAll('.stack')].filter((one) => one.scrollWidth > one.clientWidth).length"
            )
            == 0
        )


def test_the_seat_page_says_that_it_is_your_turn_and_what_you_may_do(browser: Chromium) -> None:
    with served() as server:
        page = opened(browser, server, "/seat/2", PHONE)
        server.says(over(6, 1200, 1200, 2100))
        server.says(view(2, hand_no=7))
        text = "Seat 2: call 300, minimum raise to 600, maximum 900"
        server.controller.publish(
            topic(topics.SEAT_PROMPT, 2),
            Prompt(seat=2, active=True, text=text, call=300, min_raise_to=600, max_raise_to=900),
        )
        read(page, "who", "Your turn")

        assert [page.text(name) for name in ("seat", "cost", "more")] == [
            "Seat 2 · Ben",
            "300 to call",
            "Minimum raise to 600, maximum 900",
        ]
        assert page.value("document.title") == "Your turn: 300 to call"
        assert "Hand 6: won" in page.text("hands")
        assert page.value("document.documentElement.scrollWidth <= innerWidth")
        assert page.complaints() == []


@pytest.mark.nightly
def test_another_seats_page_says_whose_turn_it_is(browser: Chromium) -> None:
    with served() as server:
        server.says(view(1))
        page = opened(browser, server, "/seat/3", PHONE)

        read(page, "who", "Seat 2 · Ben to act")


@pytest.mark.nightly
def test_the_overlay_paints_nothing_where_it_says_nothing(browser: Chromium) -> None:
    with served() as server:
        server.says(view(1, audience="stream"), "stream")
        page = opened(browser, server, "/overlay", Screen(640, 360))
        read(page, "cost", "300 to call")
        picture = Image.open(io.BytesIO(page.picture(clear=True))).convert("RGBA")

        clear = [picture.getpixel((x, y))[3] for x in range(0, 640, 40) for y in range(0, 200, 20)]  # type: ignore[index]
        assert set(clear) == {0}
        assert picture.getpixel((100, 335))[3] > 200  # type: ignore[index]


@pytest.mark.nightly
def test_the_overlay_shows_the_late_view_of_the_stream_and_only_the_parts_asked_for(browser: Chromium) -> None:
    with served() as server:
        server.says(view(1, pot=111))
        server.says(view(1, audience="stream", pot=222), "stream")
        page = opened(browser, server, "/overlay?show=pot&theme=felt&at=top")

        read(page, "pot", "222")
        assert page.text("seats") == page.text("cost") == ""


@pytest.mark.nightly
@pytest.mark.parametrize("path", ["/board", "/seat/2", "/overlay"])
def test_a_page_says_that_the_controller_is_away_and_that_it_is_back(browser: Chromium, path: str) -> None:
    with served() as server:
        page = opened(browser, server, path)
        server.controller.publish(topic(topics.STATUS), Presence(state="offline"))
        read(page, "trouble", "The table's controller is away.")
        server.controller.publish(topic(topics.STATUS), Presence(state="online"))

        read(page, "trouble", "")


def test_a_link_with_a_code_opens_a_seat_and_leaves_no_code_in_the_address(browser: Chromium) -> None:
    secret = b"s" * 32
    with served(Gate(secret)) as server:
        server.says(view(1))
        page = opened(browser, server, f"/seat/2#{token_for(secret, 'seat-2')}", PHONE)
        read(page, "who", "Seat 2 · Ben to act")

        assert page.value("location.href") == f"{server.origin}/seat/2"
        assert page.value("document.cookie") == ""


@pytest.mark.nightly
def test_a_page_without_its_code_says_what_to_do(browser: Chromium) -> None:
    with served(Gate(b"s" * 32)) as server:
        page = opened(browser, server, "/seat/2", PHONE)

        read(page, "trouble", "This page needs its code: scan the QR code or open the link again.")


@pytest.mark.nightly
def test_all_pages_move_together_on_the_first_page(browser: Chromium) -> None:
    with served() as server:
        server.says(view(1))
        page = opened(browser, server, "/?seat=2", Screen(1280, 1290))
        frame = "document.querySelector('#face-{0} iframe')?.contentDocument?.getElementById('{1}')?.innerText"
        page.wait_for(frame.format("board", "cost") + " === '300 to call'")
        page.wait_for(frame.format("seat", "who") + " === 'Seat 2 · Ben to act'")
        server.says(view(2, turn=None, phase="showdown"))

        page.wait_for(frame.format("board", "cost") + " === 'Showdown'")
        page.wait_for(frame.format("seat", "who") + " === 'Showdown'")
        assert re.findall(r"\d+", page.text("seats")) == ["1", "2", "3"]
        assert page.complaints() == []
