"""Signing in at the console: a PIN shown as dots, once for a command beyond one's rights, a badge, and signing out."""

from contextlib import asynccontextmanager

import pytest

from betline import topics
from betline.messages.common import Reply
from betline.messages.people import StaffState
from betline.people.record import Person, Staff
from betline.settings import StaffRules
from betline.topics import topic
from table_controller.console.screens.pin import PinDialog
from table_controller.session.author import Author
from table_controller.session.door import Door
from tests.unit.console.table import TABLE, playing, state

ANN = Person("p-00000000000000aa", "Ann", "floor").with_pin("4711", b"salt of Ann")
BOB = Person("p-00000000000000bb", "Bob", "dealer").with_pin("0815", b"salt of Bob")
TIM = Person("p-00000000000000cc", "Tim", "technician", badges=("04FFFFFF",))


class Doorman:
    """The controller's door at the console under test; it lets in whom the rights of one command allow."""

    def __init__(self, table, staff):
        self.table, self.bus = table, table.controller
        self.door = Door(staff, StaffRules(), TABLE.sensing)
        self.authors = []
        self.bus.subscribe(topics.SIGN_IN, self.heard)
        self.bus.subscribe(topics.COMMAND, self.asked)
        self.tells()

    def tells(self, badge=""):
        self.bus.publish(topic(topics.STAFF), StaffState(people=self.door.state.people, badge=badge))
        self.badge = badge

    def heard(self, received):
        answer = self.door.signs_in(received.topic.name, received.body, 1)
        self.bus.publish(topic(topics.SIGN_IN_ANSWER, received.topic.name), answer)

    def asked(self, received):
        verb, command = received.topic.name, received.body
        author = self.door.author(received.envelope.sender, verb, command, 1)
        roles = StaffRules().roles_for(verb)
        if isinstance(author, Author):
            badge = self.door.staff.person(self.badge) if not author.person else None
            if badge is not None:
                author = Author(badge.id, badge.name, badge.role)
            self.authors.append(author)
            ok, code = author.may(roles), "ok" if author.may(roles) else "not-your-right"
            sentence, needs = ("Done.", ()) if ok else (f"{verb} is for others.", roles)
        else:
            ok, code, sentence, needs = False, author.code, author.sentence, ()
        self.bus.publish(
            topic(topics.REPLY, command.id),
            Reply(command_id=command.id, verb=verb, ok=ok, code=code, sentence=sentence, needs=needs),
        )


@asynccontextmanager
async def staffed(*people, now=None):
    async with playing(now or state()) as table:
        doorman = Doorman(table, Staff(people))
        await table.draws()
        yield table, doorman


async def test_a_pin_is_typed_as_dots_and_signs_in_until_the_key_is_pressed_again():
    async with staffed(ANN, BOB) as (table, doorman):
        assert "nobody signed in" in table.text
        await table.press("f6")
        assert "1  Ann, floor" in table.text
        assert "badge" not in table.text
        await table.press("2", "0", "8", "1", "5")
        assert "PIN  ●●●●" in table.text
        assert "0815" not in table.text
        await table.press("enter")
        await table.draws()
        assert "Bob (dealer)" in table.text
        await table.press("c")
        await table.draws()
        assert doorman.authors[-1] == Author(BOB.id, "Bob", "dealer")
        await table.press("f6")
        await table.draws()
        assert "Bob is signed out" in table.text
        await table.press("c")
        assert doorman.authors[-1] == Author()


async def test_a_wrong_pin_says_so_and_can_be_typed_again():
    async with staffed(ANN) as (table, _):
        await table.press("f6", "1", "1", "1", "1", "enter")
        await table.draws()
        assert "not the PIN of Ann: 4 tries are left" in " ".join(table.text.split())
        await table.press("4", "7", "1", "1", "enter")
        await table.draws()
        assert "Ann (floor)" in table.text


@pytest.mark.nightly
async def test_a_key_beyond_ones_rights_asks_for_a_pin_for_that_one_command():
    async with staffed(ANN, BOB, now=state(phase="hand-over", to_act=None)) as (table, doorman):
        await table.press("f6", "2", "0", "8", "1", "5", "enter")
        await table.draws()
        await table.press("m", "z", "y")
        await table.draws()
        assert isinstance(table.app.screen, PinDialog)
        assert "Last two: floor · Ann" in table.text
        await table.press("4", "7", "1", "1", "enter")
        await table.draws()
        assert [author.name for author in doorman.authors] == ["Bob", "Ann"]
        assert not isinstance(table.app.screen, PinDialog)
        assert table.app.screen is table.app.screen_stack[0]
        assert "Bob (dealer)" in table.text
        await table.press("n")
        assert doorman.authors[-1].name == "Bob"


@pytest.mark.nightly
async def test_escape_leaves_the_command_refused_where_it_was_keyed():
    async with staffed(ANN, BOB, now=state(phase="hand-over", to_act=None)) as (table, doorman):
        await table.press("f6", "2", "0", "8", "1", "5", "enter")
        await table.draws()
        await table.press("m", "z", "y")
        await table.draws()
        await table.press("escape")
        await table.draws()
        assert "last-two is for others" in table.text
        assert [author.name for author in doorman.authors] == ["Bob"]


async def test_the_first_key_of_a_shift_signs_in_for_good():
    async with staffed(BOB) as (table, doorman):
        await table.press("c")
        await table.draws()
        assert isinstance(table.app.screen, PinDialog)
        await table.press("0", "8", "1", "5", "enter")
        await table.draws()
        await table.draws()
        assert [author.name for author in doorman.authors] == ["", "Bob"]
        assert "Bob (dealer)" in table.text


async def test_a_badge_that_is_laid_while_the_pin_is_asked_for_does_instead():
    async with staffed(TIM, BOB, ANN) as (table, doorman):
        await table.press("c")
        await table.draws()
        assert isinstance(table.app.screen, PinDialog)
        doorman.tells(badge=BOB.id)
        await table.draws()
        await table.draws()
        assert not isinstance(table.app.screen, PinDialog)
        assert [author.name for author in doorman.authors] == ["", "Bob"]
        assert "Bob (dealer)" in table.text


async def test_a_sign_in_that_the_controller_has_forgotten_is_made_anew():
    async with staffed(BOB) as (table, doorman):
        await table.press("f6", "0", "8", "1", "5", "enter")
        await table.draws()
        doorman.door = Door(Staff((BOB,)), StaffRules(), TABLE.sensing)
        await table.press("c")
        await table.draws()
        assert isinstance(table.app.screen, PinDialog)
        await table.press("0", "8", "1", "5", "enter")
        await table.draws()
        await table.draws()
        assert doorman.authors[-1].name == "Bob"
        assert "Bob (dealer)" in table.text


async def test_an_open_table_shows_and_asks_nothing_of_a_staff():
    async with playing(state()) as table:
        assert "signed" not in table.text
        await table.press("f6")
        assert "betline people add" in table.text
        await table.press("c")
        assert table.commands[-1].body.signature is None


@pytest.mark.nightly
async def test_signing_in_takes_no_key_but_clicks():
    async with staffed(BOB) as (table, _):
        await table.click("nobody signed in")
        for digit in "0815":
            await table.click(digit, within="DigitPad")
        await table.click("Enter", within="#dialog")
        await table.draws()
        await table.draws()
        assert "Bob (dealer)" in table.text
