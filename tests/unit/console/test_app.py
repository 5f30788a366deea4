"""The console played with keys on a bus in memory: each key, the exact command; each answer, what is shown."""

import pytest

from betline import topics
from betline.messages.common import Reply
from betline.messages.recall import Recalled, RecalledAct, RecalledAlert, RecalledHand
from betline.messages.table import PotLimitCount, PotView, Question, RotationState, Ruling
from betline.topics import topic
from table_controller.console import app as app_module
from table_controller.console.screens.hands import HandsScreen
from table_controller.console.screens.help import HelpScreen
from table_controller.console.screens.log import LogScreen
from table_controller.console.screens.sensors import SensorsScreen
from table_controller.console.screens.table import TableScreen
from tests.unit.console.table import NAMESPACE, playing, showdown, state
from tests.unit.console.test_view import ruling

QUESTION = Question(id="q1", seat=4, kind="unreported", sentence="2 and 3 folded?", choices=("folded", "out-of-turn"))
OVER = state(phase="round-over", to_act=None, call=None, min_raise_to=None, max_raise_to=None, may=())
FLOOR = Question(id="f1", seat=4, kind="floor", sentence="Floor: seat 4, unclear.", choices=("call", "raise:20"))


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        (["space"], ("passive", {"seat": 4})),
        (["enter"], ("passive", {"seat": 4})),
        (["c"], ("act", {"seat": 4, "action": "call"})),
        (["C"], ("act", {"seat": 4, "action": "call"})),
        (["f"], ("act", {"seat": 4, "action": "fold"})),
        (["2", "f"], ("act", {"seat": 2, "gesture": "muck"})),
        (["b", "6", "0", "enter"], ("act", {"seat": 4, "action": "raise", "to": 60})),
        (["r", "6", "0", "enter"], ("act", {"seat": 4, "action": "raise", "to": 60})),
        (["6", "0", "b"], ("act", {"seat": 4, "action": "raise", "to": 60})),
        (["b", "m", "enter"], ("act", {"seat": 4, "action": "raise", "to": 20})),
        (["b", "p", "enter"], ("act", {"seat": 4, "action": "raise", "to": 35})),
        (["b", "6", "1", "backspace", "0", "enter"], ("act", {"seat": 4, "action": "raise", "to": 60})),
        (["a", "enter"], ("act", {"seat": 4, "action": "all-in"})),
        (["a", "y"], ("act", {"seat": 4, "action": "all-in"})),
        (["1", "j"], ("jump", {"seat": 1})),
        (["1", "0", "j"], ("jump", {"seat": 10})),
        (["x"], ("rest-folds", {})),
        (["t"], ("act", {"seat": 4, "gesture": "tap"})),
        (["s", *"all", "space", *"in", "enter"], ("says", {"seat": 4, "text": "all in"})),
        (["2", "s", *"call", "enter"], ("says", {"seat": 2, "text": "call"})),
        (["d"], ("deal", {})),
        (["p"], ("pass-out", {})),
        (["n"], ("next-hand", {})),
        (["3", "n"], ("next-hand", {"button": 3})),
        (["u"], ("undo-key", {})),
        (["plus"], ("redo", {})),
        (["3", "u"], ("undo", {"count": 3})),
        (
            ["5", "e", "s", *"400", "space", *"Ann", "enter"],
            ("sit-down", {"seat": 5, "stack": 400, "player": "Ann"}),
        ),
        (["5", "e", "enter"], ("sit-down", {"seat": 5})),
        (["1", "minus", "6", "e"], ("seat-players", {"seats": [1, 2, 3, 4, 5, 6]})),
        (["5", "e", "W", *"400", "enter"], ("sit-down", {"seat": 5, "stack": 400, "post": False})),
        (["4", "e", "o"], ("sit-out", {"seat": 4})),
        (["4", "e", "k", *"exposed", "enter"], ("kill-hand", {"seat": 4, "why": "exposed"})),
        (["4", "e", "t", "5", "enter"], ("move-chips", {"from": 4, "to": "tray", "amount": 5, "why": "tip"})),
        (["m", "c", "enter"], ("chop-blinds", {})),
        (["m", "x", "y"], ("misdeal", {})),
        (["m", "b", "3", "enter"], ("correct-button", {"seat": 3})),
        (["m", "o", "enter"], ("next-hand", {"bomb_pot": 0})),
        (["m", "e", "enter"], ("clock-expired", {"seat": 4})),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else value[0],
)
async def test_a_key_sends_exactly(keys, asked):
    async with playing(state(pot_bet=35)) as table:
        await table.press(*keys)
        assert table.asked == [asked]
        await table.answers()
        assert isinstance(table.app.screen, TableScreen)


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    "keys",
    [
        ["b", "6", "0", "escape"],
        ["a", "escape"],
        ["a", "n"],
        ["s", "x", "escape"],
        ["b", "escape"],
        ["7", "escape"],
        ["o"],
        ["y", "escape"],
        ["y", "x", "enter", "escape"],
        ["w"],
        ["j"],
        ["h"],
        ["5", "e", "x", "escape"],
        ["5", "e", "l", "escape"],
        ["5", "e", "s", "4", "x", "enter", "escape", "escape"],
        ["m", "escape"],
        ["m", "c", "n", "escape"],
        ["s", "enter", "escape"],
    ],
    ids="-".join,
)
async def test_what_is_called_off_or_not_possible_sends_nothing(keys):
    async with playing(state()) as table:
        await table.press(*keys)
        assert [verb for verb, _ in table.asked if verb != "recall"] == []  # the evidence is read back
        assert isinstance(table.app.screen, TableScreen)


async def test_a_number_belongs_to_the_next_key_only():
    async with playing(state()) as table:
        await table.press("2", "escape", "1", "3", "backspace")
        assert "seat 1 acts" in table.text
        await table.press("j", "f")
        assert table.asked == [("jump", {"seat": 1}), ("act", {"seat": 4, "action": "fold"})]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("typed", "sentence"), [("19", "at least 20"), ("1001", "at most 1,000"), ("", "Type the total")]
)
async def test_the_amount_dialog_holds_the_limits_and_stays_open(typed, sentence):
    async with playing(state()) as table:
        await table.press("b", *typed, "enter")
        assert sentence in table.text
        assert table.asked == []
        await table.press("m", "enter")
        assert table.asked == [("act", {"seat": 4, "action": "raise", "to": 20})]


async def test_the_limits_are_in_sight_while_typing():
    async with playing(state(pot_bet=35, max_raise_to=35)) as table:
        await table.press("b")
        assert "M min 20 · P pot 35 · max 35" in table.text


@pytest.mark.nightly
async def test_r_150_the_reckoning_of_the_pot_bet_is_in_sight_while_typing():
    count = PotLimitCount(last_wager=10, trail=5, start=20, call=10, rounded=5, maximum=60)
    async with playing(state(pot_bet=60, max_raise_to=60, pot_count=count)) as table:
        await table.press("b", "p")
        assert "pot 3×10 + 5 + 20 + 5 rounded up" in table.text
        assert "M min 20 · P pot 60 · max 60" in table.text


async def test_a_pass_out_that_is_refused_is_told_in_the_engines_sentence():
    async with playing(state()) as table:
        await table.press("p")
        await table.answers(ok=False, code="not-open", sentence="Only a hand that nobody has opened.")
        assert "✖ Only a hand that nobody has opened." in table.text


async def test_the_amount_dialog_follows_new_limits():
    async with playing(state()) as table:
        await table.press("b")
        await table.tells(state(version=2, min_raise_to=80))
        await table.press("6", "0", "enter")
        assert "at least 80" in table.text


@pytest.mark.parametrize("key", ["b", "a"])
async def test_a_dialog_whose_seat_no_longer_acts_stays_and_sends_nothing(key):
    async with playing(state()) as table:
        await table.press(key)
        await table.tells(state(version=2, to_act=1))
        assert "Seat 4 is no longer to" in table.text
        await table.press("6", "0", "enter", "x")
        assert table.asked == []
        await table.press("escape")
        assert isinstance(table.app.screen, TableScreen)


async def test_the_passive_key_carries_the_seat_that_was_shown():
    async with playing(state()) as table:
        await table.press("space")
        await table.tells(state(version=2, to_act=1))
        await table.press("space")
        assert table.asked == [("passive", {"seat": 4}), ("passive", {"seat": 1})]


async def test_in_posting_the_deal_key_says_that_cards_are_out():
    async with playing(state(phase="posting")) as table:
        await table.press("d")
        assert table.asked == [("cards-out", {})]


async def test_r_039_a_question_is_answered_by_one_key_and_a_late_enter_is_not_its_answer():
    async with playing(state()) as table:
        await table.tells(state(version=2, questions=(QUESTION,)))
        await table.press("enter")
        assert table.asked == []
        assert "read it" in table.text
        table.clock.now_s += 0.5
        await table.press("enter")
        await table.press("o")
        assert table.asked == [
            ("answer", {"question": "q1", "choice": "folded"}),
            ("answer", {"question": "q1", "choice": "out-of-turn"}),
        ]


async def test_a_question_does_not_block_the_acts():
    async with playing(state(questions=(QUESTION,))) as table:
        await table.press("space")
        assert table.asked == [("passive", {"seat": 4})]


async def test_pots_are_awarded_one_by_one():
    async with playing(showdown((300, (1, 2, 10)), (80, (1, 10)))) as table:
        await table.press("w")
        assert "Main pot: 300, for seats 1, 2 and 10" in table.text
        await table.press("2", "enter")
        assert "Side pot 1: 80, for seats 1 and 10" in table.text
        await table.press("2", "enter")
        assert "Seat 2 cannot win this pot" in table.text
        await table.press("backspace", "0", "1", "enter")
        assert table.asked == [("award", {"pots": [[2], [1, 10]]})]


async def test_a_pot_is_parted_and_the_pot_before_can_be_asked_again():
    async with playing(showdown((300, (1, 2)), (80, (1, 2)))) as table:
        await table.press("w", "1", "enter", "backspace", "2", "enter", "1", "slash", "2", "enter")
        assert table.asked == [("award", {"pots": [[2], {"parts": [[1], [2]]}]})]


async def test_nothing_is_awarded_of_pots_that_have_changed():
    async with playing(showdown((300, (1, 2)))) as table:
        await table.press("w", "1")
        await table.tells(OVER.model_copy(update={"version": 2}))
        await table.press("enter")
        assert "The pots have changed" in table.text
        assert table.asked == []


async def test_the_floor_decides_by_a_digit():
    async with playing(state(questions=(FLOOR,))) as table:
        await table.press("y")
        assert "2  raise:20" in table.text
        await table.press("9", "2")
        assert table.done == [("floor-decision", {"ruling": "raise", "to": 20})]


def keys_of(text):
    """The keys that type a line."""
    return [{" ": "space", ":": "colon"}.get(letter, letter) for letter in text]


async def test_r_291_the_floor_rules_beside_the_offers_by_name_and_reason():
    async with playing(state(questions=(FLOOR,))) as table:
        await table.press("y", "o", "6", *"Ann", "enter", *"so", "enter")
        assert table.done == [("override", {"seat": 4, "ruling": "fold", "by": "Ann", "why": "so"})]


async def test_r_291_where_nothing_waits_the_floor_rules_otherwise_on_an_act():
    async with playing(state(rulings=(ruling(ruling="call", to=10, adds=10, hand_no=3),))) as table:
        await table.press("y")
        assert "1  preflop: So it is" in table.text
        await table.press("1", "4", *"60", "enter", *"Ann", "enter", *"so", "enter")
        (asked,) = table.done
        assert asked[0] == "override"
        assert {**asked[1], "street": ""} == {
            "seat": 4, "ruling": "raise", "to": 60, "by": "Ann", "why": "so", "street": "",
        }  # fmt: skip


async def test_the_record_is_put_right_by_keys():
    async with playing(state()) as table:
        await table.press("m", "d", *keys_of("3 20"), "enter")
        assert table.asked == [("correct-record", {"seat": 3, "to": 20})]


async def test_a_decision_that_is_no_longer_waited_for_is_not_sent():
    async with playing(state(questions=(FLOOR,))) as table:
        await table.press("y")
        await table.tells(state(version=2))
        await table.press("1")
        assert "no longer waits" in table.text
        assert table.done == []


async def test_what_is_not_possible_now_stands_in_the_menu_with_its_reason():
    closed = {
        "chop-blinds": "This house does not chop blinds (R-204).",
        "color-up": "Chips are raced off between hands.",
    }
    async with playing(state(closed=closed)) as table:
        await table.press("m")
        assert "C  the blinds chop   ✖ This house does not chop blinds (R-204)." in table.text
        await table.press("c")
        assert "✖ This house does not chop blinds (R-204)." in table.text
        assert table.asked == []
        await table.tells(state(version=2))
        await table.press("c", "enter")
        assert table.asked == [("chop-blinds", {})]


async def test_a_seat_that_is_taken_is_not_sat_in_and_an_empty_one_has_nobody():
    async with playing(state()) as table:
        await table.press("4", "e")
        assert "S  is back, posts what is due   ✖ It is not away." in table.text
        assert "L  leaves after the hand" in table.text
        await table.press("escape", "5", "e")
        assert "A  adds chips   ✖ Nobody sits here." in table.text
        assert "S  sits down, posts what is due" in table.text


async def test_in_stud_one_digit_names_who_opens_and_who_brings_it_in():
    stud = OVER.model_copy(update={"names_first": True})
    async with playing(stud) as table:
        await table.press("d", "9")
        assert "Seat 9 is not in the hand" in table.text
        await table.press("p", "2")
        assert table.asked == [("deal", {"first": 2, "open_pair": True})]
        await table.answers()
        await table.tells(state(version=2, to_act=None, call=None, bring_in_due=True))
        await table.press("i", "3")
        assert table.asked[1:] == [("bring-in", {"seat": 3})]


@pytest.mark.nightly
async def test_who_opens_is_no_longer_asked_when_the_street_was_dealt():
    async with playing(OVER.model_copy(update={"names_first": True})) as table:
        await table.press("d")
        await table.tells(state(version=2))
        await table.press("2")
        assert "settled meanwhile" in table.text
        assert table.asked == []


async def test_a_refusal_is_shown_in_words_and_not_by_its_code():
    async with playing(state()) as table:
        await table.press("space")
        assert "passive seat 4" in table.text
        await table.answers(ok=False, code="not-your-turn", sentence="Seat 1 is to act.")
        assert "✖ Seat 1 is to act." in table.text


async def test_an_obeyed_command_is_shown():
    async with playing(state()) as table:
        await table.press("c")
        await table.answers(sentence="Seat 4 calls 10.")
        assert "✓ Seat 4 calls 10." in table.text


async def test_an_answer_does_not_stay_for_ever():
    async with playing(state()) as table:
        await table.press("c")
        await table.answers(sentence="Seat 4 calls 10.")
        table.clock.now_s += app_module.MESSAGE_S + 1
        await table.pilot.pause(2 * app_module.TICK_S)
        assert "Seat 4 calls 10." not in table.text


async def test_a_command_without_an_answer_is_told():
    async with playing(state()) as table:
        await table.press("u")
        table.clock.now_s += 4
        await table.pilot.pause(2 * app_module.TICK_S)
        assert "No answer to undo" in table.text


async def test_a_new_state_is_shown():
    async with playing(state()) as table:
        assert "► SEAT 4  Dan" in table.text
        await table.tells(state(version=2, to_act=1, pot=25, street="flop"))
        assert "► SEAT 1  Ann" in table.text
        assert "POT 25" in table.text
        assert "FLOP" in table.text


async def test_a_flood_of_states_is_drawn_once():
    async with playing(state()) as table:
        await table.draws()
        before = table.app.redraws
        for version in range(2, 502):
            table.controller.publish(topic(topics.STATE), state(version=version, pot=version))
        await table.draws()
        assert table.app.redraws - before <= 2
        assert "POT 501" in table.text


async def test_whose_turn_it_is_does_not_wait_for_the_next_redraw():
    async with playing(state()) as table:
        table.controller.publish(topic(topics.STATE), state(version=2, pot=30))
        table.controller.publish(topic(topics.STATE), state(version=3, to_act=1, pot=40))
        await table.pilot.pause()
        assert "► SEAT 1  Ann" in table.text


async def test_an_answer_does_not_wait_for_the_next_redraw():
    async with playing(state()) as table:
        await table.press("p")
        asked = table.commands[-1].body
        told = Reply(command_id=asked.id, verb="pass-out", ok=False, code="not-open", sentence="Somebody has opened.")
        table.controller.publish(topic(topics.REPLY, asked.id), told)
        await table.pilot.pause()
        assert "Somebody has opened." in table.text


async def test_garbage_on_the_bus_changes_nothing_on_the_screen():
    async with playing(state()) as table:
        before = table.text
        table.hub.inject(NAMESPACE.full("state"), b"\xff{{{")
        table.hub.inject(NAMESPACE.full("state"), b'{"sender":"x","boot_id":"y","seq":1,"ts_ms":1,"mono_ns":1}')
        table.hub.inject("betline/v1/home/other/state", b"{}")
        await table.draws()
        assert table.text == before
        await table.press("v")
        assert "1 foreign, 2 malformed" in table.text


async def test_a_lost_controller_is_unmistakable_and_comes_back_by_itself():
    async with playing(state()) as table:
        table.controller.drop()
        table.clock.now_s += 11
        await table.draws()
        assert "NO CONTROLLER since 12 s" in table.text
        await table.press("space")
        assert "Not sent: no controller since 12 s" in table.text
        await table.press("b")
        assert isinstance(table.app.screen, TableScreen)
        assert table.asked == []
        table.controller = type(table.controller)(table.hub, NAMESPACE, "controller", presence=topic(topics.STATUS))
        table.controller.subscribe(topics.COMMAND, table.commands.append)
        await table.tells(state(version=1))
        assert "NO CONTROLLER" not in table.text
        await table.press("space")
        assert table.asked == [("passive", {"seat": 4})]


async def test_a_controller_lost_behind_a_dialog_sends_nothing():
    async with playing(state()) as table:
        await table.press("b", "6", "0")
        table.controller.drop()
        await table.draws()
        await table.press("enter")
        assert table.asked == []
        assert "Not sent: no controller" in table.text


async def test_without_any_controller_the_console_starts_and_says_so():
    async with playing(controller=False) as table:
        assert "NO CONTROLLER since 0 s" in table.text
        await table.press("space", "question_mark")
        assert isinstance(table.app.screen, HelpScreen)


def recalled(command_id, number, of, hand):
    acts = (
        RecalledAct(seq=5, at="2026-11-23 08:27:29.975", text="Seat 6 raises to 10. [TDA-43] (chips: seat 6)"),
        RecalledAct(seq=6, at="2026-11-23 08:27:31.001", text="Alert: count seat 2.",
                    alert=RecalledAlert(code="count", seat=2, sentence="Count seat 2.")),
    )  # fmt: skip
    plain = {"hand": hand, "began": "2026-11-23 08:27:00.000", "button": 1, "seats": {"6": 200}, "acts": acts}
    over = {"pot": 0, "winners": None} if number == of else {"pot": 1200, "winners": {"6": 1200}}
    return Recalled(command_id=command_id, number=number, of=of, hand=RecalledHand(**plain, **over))


async def test_the_last_hands_are_listed_newest_first_with_their_acts():
    async with playing(state(), size=(100, 40)) as table:
        await table.press("z")
        assert table.asked == [("recall", {})]
        asked = table.commands[-1].body.id
        for number, hand in enumerate((7, 8), 1):
            table.controller.publish(topic(topics.RECALL, asked), recalled(asked, number, 2, hand))
        table.controller.publish(topic(topics.RECALL, "other"), recalled("other", 1, 1, 99))
        await table.draws()
        text = table.text
        assert text.index("Hand 8") < text.index("goes on") < text.index("Hand 7") < text.index("seat 6 won 1,200")
        assert "08:27:29  Seat 6 raises to 10. [TDA-43]" in text
        assert "Hand 99" not in text
        assert "have come" not in text


@pytest.mark.parametrize(
    ("problem", "shown"), [("", "No hand has been played yet."), ("Look at it: verify.", "Look at it: verify.")]
)
async def test_where_there_is_no_hand_to_show_the_page_says_why(problem, shown):
    async with playing(state()) as table:
        await table.press("z")
        asked = table.commands[-1].body.id
        none = Recalled(command_id=asked, number=0, of=0, hand=None, problem=problem)
        table.controller.publish(topic(topics.RECALL, asked), none)
        await table.draws()
        assert shown in table.text


async def test_without_a_controller_the_page_of_the_last_hands_says_so():
    async with playing(controller=False) as table:
        await table.press("z")
        assert "Not sent: no controller" in table.text


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("key", "screen", "words"),
    [
        ("question_mark", HelpScreen, "rest-folds"),
        ("f1", HelpScreen, "a number"),
        ("l", LogScreen, "Nothing yet"),
        ("v", SensorsScreen, "This console"),
        ("z", HandsScreen, "being read back from the journal"),
    ],
)
async def test_a_page_opens_and_closes_by_keys(key, screen, words):
    async with playing(state(), size=(120, 60)) as table:
        await table.press(key)
        assert isinstance(table.app.screen, screen)
        assert words.replace("rest-folds", "every seat still to act folds").lower() in table.text.lower()
        await table.press("escape")
        assert isinstance(table.app.screen, TableScreen)


@pytest.mark.nightly
async def test_a_page_is_scrolled_by_keys_and_not_beyond_its_ends():
    async with playing(state()) as table:
        await table.press("question_mark")
        top = table.text
        await table.press("down", "down")
        assert table.text != top
        await table.press(*["pagedown"] * 20)
        assert "? F1" in table.text
        await table.press("home", "up")
        assert table.text == top


async def test_the_log_shows_replies_and_turns_to_the_journal():
    async with playing(state()) as table:
        await table.press("u")
        await table.answers(sentence="One act taken back.")
        await table.press("l")
        assert "12:00:00  ✓ One act taken back." in table.text
        await table.press("j")
        assert "One act taken back" not in table.text


async def test_no_key_acts_on_the_table_from_a_page():
    async with playing(state()) as table:
        await table.press("question_mark", "f", "c", "x", "u", "escape")
        assert table.asked == []


async def test_high_contrast_by_a_key():
    async with playing(state()) as table:
        before = table.app.theme
        await table.press("h")
        assert table.app.theme != before
        assert "Colours: contrast." in table.text
        await table.press("h")
        assert table.app.theme == before
        assert "Colours: dark." in table.text


async def test_no_color_starts_in_high_contrast(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(state()) as table:
        assert table.app.theme == app_module.CONTRAST
        assert table.app.no_color


@pytest.mark.nightly
async def test_every_screen_and_size_is_drawn_without_colour(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(state()) as table:
        for key in ("question_mark", "l", "v", "b", "a", "s"):
            await table.press(key, "escape")
        await table.pilot.resize_terminal(120, 40)
        await table.pilot.pause()
        assert "► SEAT 4  Dan" in table.text


@pytest.mark.parametrize(("keys", "left"), [(["q", "enter"], True), (["ctrl+c", "y"], True), (["q", "escape"], False)])
async def test_quitting_asks_once(keys, left):
    async with playing(state()) as table:
        await table.press(*keys)
        assert (table.app.return_value == 0) is left
        assert table.asked == []


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("phase", "questions"), [("betting", 2), ("posting", 2), ("hand-over", 1), ("idle", 1)])
async def test_where_the_table_ends_with_the_console_quitting_says_so_and_asks_twice_in_mid_hand(phase, questions):
    async with playing(state(phase=phase), ends_table=True) as table:
        await table.press("q")
        assert "controller, readers, camera and voice end with it" in " ".join(table.text.split())
        await table.press("enter")
        assert (table.app.return_value is None) is (questions == 2)
        if questions == 2:
            assert "Hand 3 is not over" in table.text
            await table.press("enter")
        assert table.app.return_value == 0


async def test_quitting_the_console_of_a_demonstration_says_that_all_of_it_ends():
    async with playing(state(), ends_demo=True) as table:
        await table.press("q")
        assert "End the demonstration?" in table.text
        assert "plays on" not in table.text
        await table.press("enter")
        assert table.app.return_value == 0


async def test_a_console_by_itself_says_that_the_table_plays_on():
    async with playing(state()) as table:
        await table.press("q")
        assert "Only this console closes: the table plays on without it." in table.text


@pytest.mark.one_in(4)
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60)])
async def test_all_that_matters_is_on_the_screen_at_every_size(size):
    question = QUESTION.model_copy(update={"sentence": "did 2 and 3 fold?"})
    async with playing(state(questions=(question, FLOOR), pot_bet=35), size=size) as table:
        for words in (
            "hand 3",
            "PRE-FLOP",
            "► SEAT 4  Dan",
            "TO CALL",
            "MIN RAISE TO",
            "MAX RAISE TO",
            "POT BET",
            "did 2 and 3 fold?",
            "Enter = folded",
            "O = out of turn",
            "Floor: seat 4, unclear.",
            "? help",
            "● 10",
            "● live",
        ):
            assert words in table.text, words


async def test_the_console_follows_the_terminals_size():
    async with playing(state(), size=(120, 40)) as table:
        await table.pilot.resize_terminal(80, 24)
        await table.pilot.pause()
        assert "► SEAT 4  Dan" in table.text
        assert len(table.text.splitlines()) == 24


def ruled(seat, source):
    return Ruling(
        hand_no=3, act_no=seat, street="preflop", seat=seat, ruling="call", to=10, source=source,
        sentence=f"Seat {seat} calls 10.",
    )  # fmt: skip


async def test_a_key_just_after_chips_were_ruled_on_does_not_hit_the_next_seat():
    async with playing(state()) as table:
        await table.tells(state(version=2, to_act=1, rulings=(ruled(4, "chips"),)))
        await table.press("c")
        assert table.asked == []
        assert "Key dropped: Seat 4 calls 10" in table.text
        table.clock.now_s += 0.5
        await table.press("c")
        assert table.asked == [("act", {"seat": 1, "action": "call"})]


async def test_what_is_typed_after_a_refused_key_folds_nobody():
    async with playing(state()) as table:
        await table.press("w", "4", "enter")
        assert table.asked == []
        assert "The betting is not over" in table.text
        table.clock.now_s += 2.0
        await table.press("enter")
        assert table.asked == [("passive", {"seat": 4})]


async def test_a_key_whose_number_came_just_after_a_refusal_does_not_act_without_it():
    async with playing(state()) as table:
        await table.press("w", "3", "f")
        assert table.asked == []
        assert "✖ F dropped: its number came too soon after a refusal. Type both again." in table.text
        await table.press("3", "f")
        assert table.asked == [("act", {"seat": 3, "gesture": "muck"})]


async def test_a_key_that_means_nothing_is_answered_too():
    async with playing(state()) as table:
        await table.press("left_square_bracket")
        assert "✖ [ is no key here: ? shows all keys." in table.text
        await table.press("4")
        assert "is no key here" not in table.text
        assert table.asked == []


async def test_an_enter_after_a_number_and_its_key_does_nothing_to_the_next_seat():
    async with playing(state()) as table:
        await table.press("6", "0", "r")
        pressed_s = table.clock.now_s
        await table.answers()
        await table.tells(state(version=2, to_act=1, call=60))
        table.clock.now_s = pressed_s + 1.0
        await table.press("enter")
        assert table.asked == [("act", {"seat": 4, "action": "raise", "to": 60})]
        assert "✖ Enter dropped: a number and its key need none. Press it again to answer." in table.text
        await table.press("enter")
        assert [args["seat"] for _, args in table.asked] == [4, 1]


async def test_what_is_typed_after_a_refusal_of_the_controller_is_swallowed_too():
    async with playing(state()) as table:
        await table.press("n")
        await table.answers(ok=False, code="not-between-hands", sentence="The hand is not over.")
        table.clock.now_s -= 1.0
        await table.press("7", "enter")
        assert [verb for verb, _ in table.asked] == ["next-hand"]


async def test_a_name_that_was_refused_can_be_typed_again():
    rotation = RotationState(game="hold'em", next_game="", games=("hold'em", "Omaha"), hands_left=None)
    async with playing(state(rotation=rotation)) as table:
        await table.press("m", "g", *"Omha", "enter")
        await table.answers(ok=False, code="no-such-game", sentence="There is no game Omha; did you mean Omaha?")
        assert "did you mean Omaha?" in table.text
        await table.press("backspace", "backspace", *"aha", "enter")
        await table.answers()
        assert table.asked == [("game", {"name": "Omha"}), ("game", {"name": "Omaha"})]
        assert isinstance(table.app.screen, TableScreen)


async def test_a_dialog_sends_once_while_its_answer_is_awaited():
    async with playing(state()) as table:
        await table.press("b", "6", "0", "enter", "enter")
        assert len(table.asked) == 1


async def test_a_dialog_says_that_nobody_has_answered_and_can_send_again():
    async with playing(state()) as table:
        await table.press("b", "6", "0", "enter")
        table.clock.now_s += 4.0
        table.app._tick()
        await table.pilot.pause()
        assert "No answer to act" in table.text
        await table.press("enter")
        assert len(table.asked) == 2


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 50)])
async def test_every_pot_is_in_sight_in_mid_round_at_every_size(size):
    named = ("main 255: 2 3 4 5", "side 1 105: 2 3 5", "side 2 130: 2 5", "side 3 40: 5 6")
    pots = ((255, (2, 3, 4, 5)), (105, (2, 3, 5)), (130, (2, 5)), (40, (5, 6)))
    views = tuple(PotView(amount=amount, seats=seats) for amount, seats in pots)
    async with playing(state(pots_now=views, pot=530), size=size) as table:
        assert [pot for pot in named if table.text.count(pot) != 1] == []
        assert " more" not in table.text


async def test_a_game_is_chosen_by_its_digit():
    rotation = RotationState(game="hold'em", next_game="razz", games=("hold'em", "razz"))
    async with playing(state(rotation=rotation)) as table:
        await table.press("m")
        assert "G  the game of the next hand: 1 hold'em · 2 razz" in table.text
        await table.press("2")
        assert table.asked == [("game", {"name": "razz"})]


async def test_r_268_the_award_asks_for_every_board_of_every_pot():
    async with playing(showdown((60, (1, 2)), (40, (1, 2))).model_copy(update={"runs": 2})) as table:
        await table.press("w")
        assert "Main pot, board 1 of 2" in table.text
        await table.press("1", "enter", "2", "slash", "1", "enter")
        assert "Side pot 1, board 1 of 2: 40" in table.text
        await table.press("1", "enter", "2", "enter")
        assert table.asked == [
            ("award", {"pots": [{"parts": [[1], {"parts": [[2], [1]]}]}, {"parts": [[1], [2]]}]}),
        ]


async def test_a_console_that_is_closing_draws_nothing_into_a_box_that_has_gone():
    async with playing(state()) as table:
        await table.press("b")
        await table.app.screen.query("#title").remove()
        table.app._running = False  # as Textual begins to close
        table.app._draw()
        table.app._tick()


async def test_a_console_that_has_closed_its_screens_does_not_stumble_over_its_clock():
    async with playing(state()) as table:
        app = table.app
    app._tick()
