"""The first hand by the README's own words: its keys, typed at an empty table, lead to the first player's turn."""

import re

from tests.unit.console.hands_on import NAMES, KeysOnly
from tests.unit.console.test_twelve_hands import at_the_console
from tests.unit.docs.checkout import ROOT

WORDS = re.compile(
    r"Type `(?P<seats>\d-\d)` and (?P<sit>[A-Z]): .*? (?P<begin>[A-Z]) begins the first hand, "
    r"(?P<out>[A-Z]) says that the cards are out\."
)


def keys():
    """The keys of the README's step Play, in its order: seats, who sits down, the hand, the cards."""
    play = re.search(r"^\d\. \*\*Play\.\*\*(.*?)\n\n", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    found = WORDS.search(" ".join(play[1].split()))
    assert found, play[1]
    return found["seats"], found["sit"], found["begin"], found["out"]


async def test_the_readmes_keys_begin_the_first_hand_at_an_empty_table():
    seats, sit, begin, out = keys()
    first, last = map(int, seats.split("-"))
    async with at_the_console(KeysOnly, (80, 24)) as hands:
        assert not [seat for seat in hands.state.seats if seat.stack], "the table is empty"
        assert "✖" in await hands.refused("next-hand")

        for char in seats:
            await hands.key(NAMES.get(char, char))
        await hands.obeyed(sit.lower(), key=True)
        assert [seat.seat for seat in hands.state.seats if seat.stack] == list(range(first, last + 1))

        await hands.obeyed(begin.lower(), key=True)
        assert (hands.state.hand_no, hands.state.phase) == (1, "posting")

        await hands.obeyed(out.lower(), key=True)
        assert hands.state.phase == "betting"
        assert hands.state.to_act is not None
