"""The console's page in a real Chromium: what it shows, what it says where there is nothing to show, and its keys."""

from __future__ import annotations

import json
import time

import pytest

from betline.chromium import PHONE, TV, Chromium, Page, Screen
from table_controller.web.gate import Gate
from table_controller.web.packets import typed
from table_controller.web.strokes import MOST_TYPED
from table_controller.web.tokens import DEALER, token_for
from tests.browser import browser, needs_chromium
from tests.unit.web.serving import WAIT_S
from tests.unit.web.test_console import SECRET, House, house

__all__ = ["browser"]

pytestmark = needs_chromium
PRESSED = """(type, key, keyCode) => {
  const event = new KeyboardEvent(type, { key, keyCode, bubbles: true, cancelable: true });
  document.querySelector("#terminal textarea").dispatchEvent(event);
  return event.defaultPrevented;
}"""
"""Whether the terminal keeps a key from the browser."""


def opened(browser: Chromium, one: House, path: str = "/console", screen: Screen = PHONE) -> Page:
    page = browser.page(screen, apart=True)
    page.open(f"{one.server.origin}{path}")
    return page


def reads(page: Page, words: str, where: str) -> None:
    page.wait_for(f"document.querySelector({json.dumps(where)})?.innerText.includes({json.dumps(words)})", WAIT_S)


def keys_of(given: list[bytes]) -> list[bytes]:
    """What was typed of what a console was given: a busy browser may settle on its size only then."""
    return [packet for packet in given if packet[:1] == typed("")[:1]]


def test_it_shows_the_console_and_its_keys_type_there(browser: Chromium) -> None:
    with house() as one:
        page = opened(browser, one)
        reads(page, "Seat 3 to act", ".xterm-rows")
        [console] = one.made
        given = len(console.given)
        for key in ("Esc", "F6 sign in"):
            page.value(f"[...document.querySelectorAll('button')].find((one) => one.innerText === '{key}').click()")
        one.waits(lambda: keys_of(console.given[given:]) == [typed("\x1b"), typed("\x1b[17~")])
        page.value("document.getElementById('terminal').querySelector('textarea').focus()")
        page.call("Input.insertText", text="600")
        one.waits(lambda: keys_of(console.given)[-1] == typed("600"))
        assert page.value(f"({PRESSED})('keydown', 'F5', 116)"), "the browser loads the page again"
        page.value(f"({PRESSED})('keyup', 'F5', 116)")
        one.waits(lambda: keys_of(console.given)[-1] == typed("\x1b[15~"))
        given = len(console.given)
        page.call("Input.insertText", text="x" * (MOST_TYPED + 1))
        reads(page, "That is too long to paste here.", "#said")
        assert typed("x" * (MOST_TYPED + 1)) not in console.given[given:]
        assert page.complaints() == []


def test_a_tap_is_one_click_and_a_swipe_turns_the_wheel_and_neither_opens_a_keyboard(browser: Chromium) -> None:
    with house() as one:
        page = opened(browser, one)
        reads(page, "Seat 3 to act", ".xterm-rows")
        [console] = one.made
        one.made[0].puts(b"\x1b[?1000h\x1b[?1003h\x1b[?1006h")
        one.waits(lambda: len(console.given) >= 2)
        given = len(console.given)
        page.call("Input.synthesizeTapGesture", x=3, y=3)
        one.waits(lambda: keys_of(console.given[given:]) == [typed("\x1b[<0;1;1M\x1b[<0;1;1m")])
        assert page.value("document.activeElement === document.body")
        page.call("Input.synthesizeScrollGesture", x=100, y=300, yDistance=-80, gestureSourceType="touch")
        one.waits(lambda: len(console.given) > given + 1)
        assert all(b"\x1b[<65;" in packet for packet in console.given[given + 1 :])


def test_without_the_code_it_says_so_and_with_it_the_console_is_there(browser: Chromium) -> None:
    with house(Gate(SECRET)) as one:
        page = opened(browser, one)
        reads(page, "The console is for the staff: open its link with the code again.", "#ended")
        assert not one.made
        with_code = opened(browser, one, f"/console#{token_for(SECRET, DEALER)}")
        reads(with_code, "Seat 3 to act", ".xterm-rows")
        assert "#" not in with_code.value("location.href")


def test_one_that_has_ended_says_why_and_is_started_again_by_a_press(browser: Chromium) -> None:
    with house(most=1) as one:
        page = opened(browser, one)
        reads(page, "Seat 3 to act", ".xterm-rows")
        other = opened(browser, one)
        reads(other, "All 1 consoles are in use: close one that is not needed.", "#ended")
        one.made[0].words = "The broker does not answer."
        one.made[0].puts(None)
        reads(page, "The broker does not answer.", "#ended")
        assert page.value("document.activeElement.id") == "again"
        page.value("document.getElementById('again').click()")
        one.waits(lambda: len(one.made) == 2)
        page.wait_for("document.getElementById('ended').hidden", WAIT_S)
        reads(page, "Seat 3 to act", ".xterm-rows")


def test_a_link_that_the_console_shows_opens_nothing(browser: Chromium) -> None:
    with house() as one:
        page = opened(browser, one, screen=TV)
        reads(page, "Seat 3 to act", ".xterm-rows")
        page.value("window.open = () => { document.title = 'opened'; }; window.confirm = window.open; true")
        one.made[0].puts(b"\x1b[H\x1b]8;;http://elsewhere.example/\x1b\\pressable\x1b]8;;\x1b\\")
        reads(page, "pressable", ".xterm-rows")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            page.call("Input.dispatchMouseEvent", type=kind, x=60, y=15, button="left", clickCount=1)
            time.sleep(0.2)
        assert page.value("[document.title, location.pathname]") == ["Console", "/console"]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("screen", "columns", "rows"), [(PHONE, 60, 40), (Screen(844, 390, 2.0, touch=True), 100, 20), (TV, 125, 34)]
)
def test_a_screen_has_room_for_the_console_and_keys_for_thumbs(
    browser: Chromium, screen: Screen, columns: int, rows: int
) -> None:
    with house() as one:
        page = opened(browser, one, screen=screen)
        reads(page, "Seat 3 to act", ".xterm-rows")
        assert one.made[0].size >= (columns, 0)
        assert one.made[0].size[1] >= rows
        small = (
            "[...document.querySelectorAll('#keys button')].filter((one) => one.getBoundingClientRect().height < 44)"
        )
        assert page.value(f"{small}.map((one) => one.innerText)") == []
        assert page.value("document.documentElement.scrollWidth <= innerWidth")
