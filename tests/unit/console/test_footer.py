"""The bottom of the screen: keys that work now, and none that would be refused."""

import pytest

from betline.messages.table import PotView, Question, StraddleView
from table_controller.console.footer import footer
from table_controller.console.intents import COMMANDING, Refused, intent
from table_controller.console.keys import KEYS
from tests.unit.console.table import state

NOBODY = {"to_act": None, "call": None, "min_raise_to": None, "max_raise_to": None, "may": ()}
POT = PotView(amount=40, seats=(1, 2))
QUESTION = Question(id="q", seat=4, kind="passive", sentence="Folded?", choices=("folded", "out-of-turn", "no-bet"))
CASES = {
    "facing a bet": ({}, "Space C B/R F A X 3 J U"),
    "free": ({"call": 0, "may": ("check", "bet", "fold")}, "Space B/R F A 3 J U"),
    "no raise": ({"may": ("call", "fold"), "min_raise_to": None, "max_raise_to": None}, "Space C F A X 3 J U"),
    "posting": ({"phase": "posting", "straddles": (StraddleView(seat=4, kind="live", least=20),)}, "D G U"),
    "no straddle": ({"phase": "posting"}, "D U"),
    "round over": ({"phase": "round-over", **NOBODY}, "D P U"),
    "showdown": ({"phase": "showdown", "pots": (POT,), **NOBODY}, "W U"),
    "hand over": ({"phase": "hand-over", **NOBODY}, "N 1 E U"),
    "idle": ({"phase": "idle", **NOBODY}, "N 1 E"),
    "bring-in": ({"bring_in_due": True, **NOBODY}, "I U"),
    "asked": ({"questions": (QUESTION,)}, "Enter O F3 Space C B/R F A X 3 J U"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_keys_at_the_bottom_are_those_of_the_phase(case):
    changes, wanted = CASES[case]
    changes = {"street": "predraw", "seats": (), **changes} if case == "round over" else changes
    assert " ".join(cap for cap, _ in footer(state(**changes))) == f"{wanted} M L V Q"


@pytest.mark.parametrize("case", CASES)
def test_none_of_them_is_refused(case):
    now = state(**CASES[case][0])
    action_of = {cap: key.action for key in KEYS for cap in key.shown.split()}
    for shown, _ in footer(now):
        number, *caps = (
            shown.replace("/", " ").split() if shown[0].isdigit() else (None, *shown.replace("/", " ").split())
        )
        for cap in caps:
            if action_of[cap] in COMMANDING:
                assert not isinstance(intent(action_of[cap], int(number) if number else None, now), Refused), shown


def test_of_an_unknown_table_only_screens_are_offered():
    assert [cap for cap, _ in footer(None)] == ["L", "V", "Q"]
