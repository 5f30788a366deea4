"""Real hands reach their finishing stacks; what cannot be replayed is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from betline import phh
from table_controller.replay import ReplayResult, replay, replay_file, replay_files, replay_line

DATA = Path(__file__).parents[2] / "data" / "phh"
HALF_CHIPS = DATA / "pluribus" / "102-0.phh"
BADUGI = DATA / "famous" / "alice-carol-wikipedia.phh"
PLAYED = sorted(set(DATA.rglob("*.phh")) - {BADUGI})

HAND = """\
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = [{actions}]
finishing_stacks = [{finishing}]
"""


def replayed(finishing: str, *actions: str) -> ReplayResult:
    text = HAND.format(actions=", ".join([f'"{action}"' for action in actions]), finishing=finishing)
    return replay(phh.parse(text, "one.phh"))


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: path.stem)
def test_a_real_hand_reaches_its_finishing_stacks(path: Path) -> None:
    result = replay_file(path)
    assert result.error is None
    assert result.ok
    history = phh.load(path)
    assert result.finishing_stacks is not None
    assert sum(result.finishing_stacks) == sum(history.starting_stacks)
    if history.finishing_stacks is not None:
        assert result.finishing_stacks == history.finishing_stacks


def test_the_million_dollar_hand() -> None:
    assert replay_line(DATA / "famous" / "dwan-ivey-2009.phh") == {
        "file": str(DATA / "famous" / "dwan-ivey-2009.phh"),
        "ok": True,
        "finishing_stacks": [572100, 1997500, 1109500],
        "pots": [1109500],
        "error": None,
    }


def test_decimals_are_played_in_the_unit_that_makes_them_whole() -> None:
    assert replay_file(DATA / "famous" / "antonius-blom-2009.phh").finishing_stacks == (1937923_75, 0)


def test_a_pot_recorded_as_split_into_half_chips_is_split_so() -> None:
    result = replay_file(HALF_CHIPS)
    assert result.error is None
    assert result.finishing_stacks == (101125, 97750, 100000, 100000, 101125, 100000)


def test_a_variant_that_is_not_supported_is_refused_by_name() -> None:
    result = replay_file(BADUGI)
    assert not result.ok
    assert result.finishing_stacks is None
    assert result.error is not None
    assert "FB is not supported" in result.error


def test_folded_pots_and_mucked_hands_need_no_cards() -> None:
    assert replayed("101, 99", "p2 f").finishing_stacks == (101, 99)
    mucked = replayed("98, 102", "p2 cc", "p1 cc", *BOARD_CHECKED, "p1 sm", "p2 sm")
    assert mucked.ok
    assert mucked.pots == (4,)


BOARD_CHECKED = ("d db 2c3d4h", "p1 cc", "p2 cc", "d db 9s", "p1 cc", "p2 cc", "d db Ks", "p1 cc", "p2 cc")


@pytest.mark.parametrize(
    ("actions", "error"),
    [
        (("p1 cc",), "Action 1 is refused: It is seat 2's turn"),
        (("p2 cbr 3",), "Action 1 is refused: Make it at least 4"),
        (("p2 cc", "d db 2c3d4h"), "Action 2 is refused: The next street must wait"),
        (("p2 cc",), "ends before its hand does: player 1 is to act"),
        (("p2 cc", "p1 cc"), "ends before its hand does: streets are missing"),
        (("p2 cc", "p1 cc", "d db 2c3d"), "board of 2 cards"),
        (("p2 pb",), "does not belong to NT"),
        (("p2 cc", "p1 cc", *BOARD_CHECKED), "cards of player 1"),
        (("d dh p1 AcAd", "d dh p2 KcKd", "p2 cbr 100", "p1 cc"), "board of 0 known cards"),
        (("p2 f", "p1 f"), "Action 2 is refused: The hand is over"),
    ],
)
def test_a_file_that_does_what_is_not_allowed_is_named(actions: tuple[str, ...], error: str) -> None:
    result = replayed("100, 100", *actions)
    assert not result.ok
    assert result.error is not None
    assert error in result.error


def test_wrong_finishing_stacks_are_named_player_by_player() -> None:
    result = replayed("100, 100", "p2 f")
    assert result.error == (
        "Finishing stacks differ: player 1 has 101 and the file records 100; player 2 has 99 and the file records 100."
    )


def test_the_verb_prints_one_json_object_a_line_and_errors_on_standard_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.phh"
    broken.write_text("variant = 'NT'\n")
    assert replay_files([PLAYED[0], broken, BADUGI], json=True) == 1
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["ok"] for line in lines] == [True, False, False]
    assert all(set(line) == {"file", "ok", "finishing_stacks", "pots", "error"} for line in lines)
    assert len(err.splitlines()) == 2
    assert err.splitlines()[0].startswith(f"{broken}: antes:")


def test_the_verb_speaks_plainly_without_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert replay_files([DATA / "famous" / "dwan-ivey-2009.phh"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("OK ")
    assert out.endswith("stacks 572100 1997500 1109500; pots 1109500\n")
    assert err == ""
