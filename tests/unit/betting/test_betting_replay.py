"""Real hands reach their finishing stacks; what cannot be replayed is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from betline import phh
from table_controller.tools.replay import replay_file, replay_files, replay_line
from tests.unit.betting.replay_helpers import checked, hand_text, replayed

DATA = Path(__file__).parents[2] / "data" / "phh"
FILES = sorted(DATA.rglob("*.phh"))
DWAN_IVEY = DATA / "famous" / "dwan-ivey-2009.phh"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_real_hand_reaches_its_finishing_stacks(path: Path) -> None:
    result = replay_file(path)
    assert result.error is None
    assert result.ok
    history = phh.load(path)
    assert result.finishing_stacks is not None
    assert sum(result.finishing_stacks) == sum(history.starting_stacks)
    if history.finishing_stacks is not None:
        assert result.finishing_stacks == history.finishing_stacks


def test_the_real_hands_are_of_every_variant() -> None:
    assert {phh.load(path).variant for path in FILES} == set(phh.REQUIRED_AMOUNTS)


def test_the_million_dollar_hand() -> None:
    assert replay_line(DWAN_IVEY) == {
        "file": str(DWAN_IVEY),
        "ok": True,
        "finishing_stacks": [572100, 1997500, 1109500],
        "pots": [1109500],
        "error": None,
    }


def test_decimals_are_played_in_the_unit_that_makes_them_whole() -> None:
    assert replay_file(DATA / "famous" / "antonius-blom-2009.phh").finishing_stacks == (1937923_75, 0)


def test_a_pot_recorded_as_split_into_half_chips_is_split_so() -> None:
    result = replay_file(DATA / "pluribus" / "102-0.phh")
    assert result.error is None
    assert result.finishing_stacks == (101125, 97750, 100000, 100000, 101125, 100000)


def test_folded_pots_and_mucked_hands_need_no_cards() -> None:
    assert replayed("NT", [100, 100], "p2 f").finishing_stacks == (102, 98)
    mucked = replayed("NT", [100, 100], f"p2 cc, p1 cc, {TO_THE_END}, p1 sm, p2 sm", finishing_stacks=[96, 104])
    assert (mucked.ok, mucked.finishing_stacks, mucked.pots) == (True, (96, 104), (8,))


TO_THE_END = checked("12", "2c3d4h", "9s", "Ks")


@pytest.mark.parametrize(
    ("actions", "error"),
    [
        ("p1 cc", "Action 1 (p1 cc) is refused: Wait for seat 2: it is its turn, not seat 1's."),
        ("p2 cbr 7", "Action 1 (p2 cbr 7) is refused: Make it at least 8, not 7."),
        ("p2 cc, d db 2c3d4h", "Action 2 (d db 2c3d4h) is refused: The next street must wait: seat 1 is to act."),
        ("p2 f, p1 f", "Action 2 (p1 f) is refused: The hand is over."),
        ("p2 pb", "Action 1 (p2 pb) cannot be: it does not belong to NT."),
        ("p2 sd Ac", "Action 1 (p2 sd Ac) cannot be: it does not belong to NT."),
        ("p2 sm AcAd", "Action 1 (p2 sm AcAd) cannot be: player 2 is to act."),
        ("p2 cc, p1 cc, p1 sm", "Action 3 (p1 sm) cannot be: streets are missing."),
        (f"p2 cc, p1 cc, {TO_THE_END}, d db Kh", "Action 12 (d db Kh) cannot be: the river is the last street."),
        ("p2 cc", "The file ends before its hand does: player 1 is to act."),
        ("p2 cc, p1 cc", "The file ends before its hand does: streets are missing."),
    ],
)
def test_a_file_that_does_what_is_not_allowed_is_named(actions: str, error: str) -> None:
    result = replayed("NT", [100, 100], actions, finishing_stacks=[100, 100])
    assert (result.ok, result.finishing_stacks, result.error) == (False, None, error)


def test_what_is_refused_tells_the_unit_where_the_file_has_decimals() -> None:
    result = replayed("NT", [10, 10], "p2 cbr 0.75", blinds_or_straddles=[0.25, 0.5], min_bet=0.5)
    assert result.error == (
        "Action 1 (p2 cbr 0.75) is refused: Make it at least 100, not 75. Amounts are in units of 0.01."
    )


def test_wrong_finishing_stacks_are_named_player_by_player() -> None:
    assert replayed("NT", [100, 100], "p2 f", finishing_stacks=[100, 100]).error == (
        "Finishing stacks differ: player 1 has 102 and the file records 100; player 2 has 98 and the file records 100."
    )


def test_where_pokerkit_is_the_truth_and_stops_its_action_is_named() -> None:
    result = replayed("F7S", [50, 50], "d dh p1 ????Kc, d dh p2 ????7d, p1 pb, p2 f")
    assert not result.ok
    assert result.error == (
        "The file names no finishing stacks and PokerKit cannot replay it: it does not take action 3 (p1 pb)."
    )


def test_the_verb_prints_one_json_object_a_line_and_errors_on_standard_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken, short = tmp_path / "broken.phh", tmp_path / "short.phh"
    broken.write_text("variant = 'NT'\n")
    short.write_text(hand_text("NT", [100, 100], "p2 cc, p2 cc"))
    assert replay_files([FILES[0], broken, short], json=True) == 1
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["ok"] for line in lines] == [True, False, False]
    assert all(set(line) == {"file", "ok", "finishing_stacks", "pots", "error"} for line in lines)
    assert [line["error"] for line in lines[1:]] == [err.splitlines()[0], err.splitlines()[1].partition(": ")[2]]
    assert err.splitlines()[0].startswith(f"{broken}: antes:")
    assert err.splitlines()[1].startswith(f"{short}: Action ")


def test_the_verb_speaks_plainly_without_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert replay_files([DWAN_IVEY]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("OK ")
    assert out.endswith("stacks 572100 1997500 1109500; pots 1109500\n")
    assert err == ""
