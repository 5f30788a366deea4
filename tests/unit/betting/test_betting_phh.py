"""Hand histories in the PHH format: how they are read, and what is refused with its file, line and key."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from betline import phh
from betline.phh import BetRaise, BringIn, CheckCall, DealBoard, DealHole, Fold, PhhError, ShowMuck, StandDiscard

DATA = Path(__file__).parents[2] / "data" / "phh"

HAND = """\
variant = "NT"
ante_trimming_status = true
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 200.5, 300]
actions = [
  "d dh p1 AcKd",  # dealt
  "d dh p2 ????",
  "p3 cbr 6 # a comment",
  "p1 cc",
  "p2 f",
  "d db 2c3c4c",
]
"""


def test_a_history_is_read_in_the_smallest_decimal_unit_of_its_amounts() -> None:
    history = phh.parse(HAND, "one.phh")
    assert history.scale == 10
    assert history.starting_stacks == (1000, 2005, 3000)
    assert history.blinds == (10, 20, 0)
    assert history.min_bet == 20
    assert history.finishing_stacks is None
    assert history.players == ("p1", "p2", "p3")
    assert history.button == 3
    assert history.actions == (
        DealHole(1, ("Ac", "Kd")),
        DealHole(2, ("??", "??")),
        BetRaise(3, 60),
        CheckCall(1),
        Fold(2),
        DealBoard(("2c", "3c", "4c")),
    )
    assert history.in_file_unit(2005) == "200.5"
    assert history.in_file_unit(3000) == "300"


def test_heads_up_the_small_blind_is_the_second_player() -> None:
    history = phh.load(DATA / "famous" / "antonius-blom-2009.phh")
    assert history.scale == 100
    assert history.blinds == (1000_00, 500_00)
    assert history.starting_stacks == (1259450_25, 678473_50)


def test_finishing_stacks_may_have_half_chips() -> None:
    history = phh.load(DATA / "pluribus" / "102-0.phh")
    assert history.scale == 10
    assert history.starting_stacks[0] == 100_000
    assert history.finishing_stacks is not None
    assert history.finishing_stacks[0] == 101_125


def test_draws_shows_and_mucks_are_read() -> None:
    history = phh.load(DATA / "famous" / "alice-carol-wikipedia.phh")
    assert StandDiscard(1, ("??", "??")) in history.actions
    assert StandDiscard(2, ()) in history.actions
    assert ShowMuck(4, ("2s", "4c", "6d", "9h")) in history.actions


@pytest.mark.one_in(4)
@pytest.mark.parametrize("path", sorted(DATA.rglob("*.phh")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_actions_are_written_as_they_were_read(path: Path) -> None:
    history = phh.load(path)
    texts = [text.partition("#")[0].strip() for text in tomllib.loads(path.read_text())["actions"]]
    assert [history.notation(action) for action in history.actions] == texts


def test_an_amount_is_written_in_the_unit_of_the_file_or_whole() -> None:
    history = phh.parse(HAND.replace("cbr 6 #", "cbr 6.50 #"))
    raised = history.actions[2]
    assert raised == BetRaise(3, 65)
    assert (history.notation(raised), history.notation(raised, scaled=True)) == ("p3 cbr 6.5", "p3 cbr 65")


def test_all_that_was_dealt_may_be_shown_without_naming_it() -> None:
    history = phh.parse(HAND.replace("p2 f", "p2 sm -"))
    assert history.actions[4] == ShowMuck(2, None)
    assert history.notation(history.actions[4]) == "p2 sm -"


def test_heads_up_amounts_are_listed_in_the_order_of_the_file() -> None:
    history = phh.load(DATA / "famous" / "antonius-blom-2009.phh")
    assert history.in_file_order(history.blinds) == [500_00, 1000_00]
    assert phh.parse(HAND).in_file_order((1, 2, 0)) == [1, 2, 0]


def test_a_stud_history_has_a_bring_in_and_no_blinds() -> None:
    text = (
        'variant = "F7S"\nantes = [1, 1]\nbring_in = 2\nsmall_bet = 5\nbig_bet = 10\n'
        'starting_stacks = [50, 50]\nactions = ["p1 pb"]\n'
    )
    history = phh.parse(text)
    assert history.actions == (BringIn(1),)
    assert (history.bring_in, history.small_bet, history.big_bet, history.blinds) == (2, 5, 10, (0, 0))


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ('variant = "NT"', 'variant = "XX"', 1, "variant"),
        ('variant = "NT"', "", None, "variant"),
        ("min_bet = 2", "", None, "min_bet"),
        ("min_bet = 2", "min_bet = 0", 5, "min_bet"),
        ("min_bet = 2", 'min_bet = "2"', 5, "min_bet"),
        ("min_bet = 2", "min_bet = 0.0000001", 6, "starting_stacks"),
        ("[1, 2, 0]", "[1, 2]", 4, "blinds_or_straddles"),
        ("antes = [0, 0, 0]", "antes = [0, -1, 0]", 3, "antes"),
        ("antes = [0, 0, 0]", "antes = 0", 3, "antes"),
        ("[100, 200.5, 300]", "[100, inf, 300]", 6, "starting_stacks"),
        ("[100, 200.5, 300]", "[100, 0, 300]", 6, "starting_stacks"),
        ("[100, 200.5, 300]", "[100]", 6, "starting_stacks"),
        ("status = true", "status = 1", 2, "ante_trimming_status"),
        ("actions = [", 'players = ["a"]\nactions = [', 7, "players"),
        ("p1 cc", "p1 calls", 11, "actions"),
        ("p1 cc", "p4 cc", 11, "actions"),
        ("p3 cbr 6 #", "p3 cbr six #", 10, "actions"),
        ("AcKd", "AcK", 8, "actions"),
        ("actions = [", "actions = [[", None, None),
    ],
)
def test_a_broken_file_is_refused_with_its_place(old: str, new: str, line: int | None, key: str | None) -> None:
    assert old in HAND
    with pytest.raises(PhhError) as refused:
        phh.parse(HAND.replace(old, new, 1), "one.phh")
    error = refused.value
    assert error.key == key
    if key is not None:
        assert error.line == line
    assert str(error).startswith("one.phh")
    assert error.sentence.endswith(".")


def test_a_file_that_is_not_there_or_is_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PhhError, match="cannot be read"):
        phh.load(tmp_path / "none.phh")
    (tmp_path / "bytes.phh").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PhhError, match="not text"):
        phh.load(tmp_path / "bytes.phh")
