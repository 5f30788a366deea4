"""The remote in a real Chromium on a phone's screen: what people read and press, and what offline is in words."""

from __future__ import annotations

import json

import pytest

from betline import topics
from betline.chromium import PHONE, TV, Chromium, Page
from betline.messages.common import Presence
from betline.topics import topic
from table_controller.web.gate import Gate
from table_controller.web.tokens import DEALER, token_for
from tests.browser import browser, needs_chromium
from tests.unit.web.serving import Served
from tests.unit.web.test_remote import SECRET, desk

__all__ = ["browser"]

pytestmark = needs_chromium


def opened(browser: Chromium, server: Served, path: str = "/remote") -> Page:
    page = browser.page(PHONE, apart=True)
    page.open(f"{server.origin}{path}")
    return page


def waits(page: Page, words: str, where: str = "body") -> None:
    page.wait_for(f"document.querySelector({json.dumps(where)})?.innerText.includes({json.dumps(words)})", 20)


def press(page: Page, words: str) -> None:
    """Presses the button that begins with these words, once it is there."""
    found = f"[...document.querySelectorAll('button')].find((one) => one.innerText.startsWith({json.dumps(words)}))"
    page.wait_for(f"{found}?.checkVisibility()", 20)
    page.value(f"{found}.click()")


def types(page: Page, line: str) -> None:
    page.wait_for("document.getElementById('line').value === ''", 20)
    page.value(f"document.getElementById('line').value = {json.dumps(line)}")
    press(page, "Send")


def test_a_hand_is_played_by_the_buttons_of_the_moment(browser: Chromium) -> None:
    with desk() as (server, controller):
        page = opened(browser, server)
        waits(page, "No hand", "#now")
        for line in ("1 e s 200 Ann", "2 e s 200 Bob", "3 e s 200 Cleo", "next hand"):
            types(page, line)
        press(page, "Cards are out")
        waits(page, "call 10", "#now")
        press(page, "Raise")
        page.wait_for("!document.getElementById('cancel').hidden", 20)
        types(page, "30")
        waits(page, "Seat 1 raises to 30", "#lines")
        press(page, "Fold")
        waits(page, "Seat 2 folds", "#lines")
        assert page.text("seats").count("\n") >= 3
        assert page.complaints() == []
    assert all(one.ok for one in controller.replies)


def test_a_page_without_its_code_says_what_to_do_and_with_it_works(browser: Chromium) -> None:
    with desk(Gate(SECRET)) as (server, _):
        page = opened(browser, server)
        waits(page, "This page needs its code: scan the QR code or open the link again.", "#trouble")
        with_code = opened(browser, server, f"/remote#{token_for(SECRET, DEALER)}")
        waits(with_code, "No hand", "#now")
        assert "#" not in with_code.value("location.href")


def test_a_controller_that_goes_away_is_said_and_nothing_is_sent_meanwhile(browser: Chromium) -> None:
    with desk() as (server, controller):
        page = opened(browser, server)
        waits(page, "No hand", "#now")
        server.controller.publish(topic(topics.STATUS), Presence(state="offline"))
        page.wait_for("document.getElementById('trouble').checkVisibility()", 20)
        before = len(controller.replies)
        types(page, "next hand")
        waits(page, "Not sent", "#lines")
        assert len(controller.replies) == before
        server.controller.publish(topic(topics.STATUS), Presence(state="online"))
        page.wait_for("!document.getElementById('trouble').checkVisibility()", 20)


@pytest.mark.nightly
@pytest.mark.parametrize("screen", [PHONE, TV], ids=["phone", "tv"])
def test_every_button_is_large_enough_for_a_thumb_and_nothing_is_wider_than_the_screen(
    browser: Chromium, screen: object
) -> None:
    with desk() as (server, _):
        page = opened(browser, server)
        page.show_on(screen)  # type: ignore[arg-type]
        waits(page, "No hand", "#now")
        small = page.value(
            "[...document.querySelectorAll('button, input, select')].filter((one) => one.checkVisibility())"
            ".filter((one) => one.getBoundingClientRect().height < 44).map((one) => one.id || one.innerText)"
        )
        assert small == []
        assert page.value("document.documentElement.scrollWidth <= innerWidth")
