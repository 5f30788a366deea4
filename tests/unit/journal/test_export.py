"""`betline journal export`: hands for other programs, read back with PokerKit."""

import contextlib
import csv
import io
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pokerkit import HandHistory, State

from betline.front_door import run
from betline.phh import parse
from table_controller.accounts.histories.formats import SUFFIXES
from table_controller.accounts.histories.rows import COLUMNS
from table_controller.accounts.histories.told import told_hands
from table_controller.journal.store import Journal
from tests.unit.journal.stories import Story
from tests.unit.session.desk import START_MS, Desk, Pages, terms

NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2]}


class Table:
    """A script's table: keys in, its journal exported."""

    def __init__(self, folder: Path, seats: dict[str, int], game: dict[str, Any] = NO_LIMIT, **house: Any) -> None:
        self.desk = Desk(terms(**house))
        self.desk.key("setup", game=game, seats=seats, button=1, house={"profile": "home", **house})
        self.desk.key("cards-out")
        self.folder = folder

    def acts(self, *acts: tuple[Any, ...]) -> None:
        for seat, action, *to in acts:
            assert self.desk.key("act", seat=seat, action=action, **({"to": to[0]} if to else {})).ok

    def keys(self, verb: str, **args: Any) -> None:
        assert self.desk.key(verb, **args).ok

    def export(self, name: str, *more: str) -> tuple[int, Path]:
        path, out = self.folder / "t.journal", self.folder / name
        if not path.exists():
            journal = Journal.open(path, "home/home-six", START_MS, 1)
            journal.append(self.desk.entries, START_MS + 1000, 2)
            journal.close()
        return run(["journal", "export", str(out), "--journal", str(path), *more]), out

    @property
    def finishing(self) -> list[int]:
        hand = self.desk.hand
        return [hand.stack(seat) for seat in hand.seats]


def with_pokerkit(text: str) -> tuple[HandHistory, State]:
    """The history, and where its actions lead: to the end, or to a showdown of unknown cards, which has no winner."""
    history = HandHistory.loads(text)
    last = history.create_state()
    with contextlib.suppress(KeyError):
        for state in history:
            last = deepcopy(state)
    return history, last


def read(found: tuple[int, Path]) -> str:
    assert found[0] == 0
    return found[1].read_text(encoding="utf-8")


def all_in(folder: Path, times: int) -> Table:
    """Three seats, 51 and 100 and 100, all-in before the flop, run so many times, a winner a board."""
    table = Table(folder, {"1": 51, "2": 100, "3": 100}, run_it=3)
    table.acts((1, "all-in"), (2, "all-in"), (3, "call"))
    if times > 1:
        table.keys("run-it", times=times)
    for _ in range(3 * times):
        table.keys("deal")
    winners = [[3], [2], [1]][:times]
    sides = [[3], [2], [2]][:times]
    table.keys("award", pots=[[3], [3]] if times == 1 else [{"parts": winners}, {"parts": sides}])
    return table


def chopped(folder: Path) -> Table:
    """Four seats; the others fold to the blinds of 1 and 2, who take theirs back."""
    table = Table(folder, {"1": 200, "2": 200, "3": 200, "4": 200}, chop_blinds=True)
    table.acts((4, "fold"), (1, "fold"))
    table.keys("chop-blinds")
    return table


def test_a_chopped_hand_is_told_as_csv_and_named_where_phh_has_no_word_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = chopped(tmp_path)
    table.keys("sit-out", seat=4)
    lines = list(csv.DictReader(io.StringIO(read(table.export("all.csv")))))
    acts = [(line["hand"], line["seat"], line["act"], line["amount"]) for line in lines]
    assert acts == [
        ("1", "2", "blind", "1"), ("1", "3", "blind", "2"), ("1", "4", "fold", "0"), ("1", "1", "fold", "0"),
        ("1", "2", "chops", "1"), ("1", "3", "chops", "2"),
    ]  # fmt: skip
    capsys.readouterr()
    assert table.export("all.phhs")[0] == 1
    said = capsys.readouterr().err
    assert "Export hand 1 as .csv: PHH has no word for blinds that are chopped." in said
    assert "to its end first" not in said


def test_a_chop_that_is_taken_back_is_no_end_of_the_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = chopped(tmp_path)
    table.keys("undo")
    assert table.export("all.csv", "--hand", "1")[0] == 1
    assert "this journal has no hand 1 that is over" in capsys.readouterr().err


def test_a_hand_won_by_folds_is_read_back_by_pokerkit_to_the_same_stacks(tmp_path: Path) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200, "3": 200, "4": 200})
    table.acts((4, "raise", 6), (1, "fold"), (2, "call"), (3, "call"))
    table.keys("deal")
    table.acts((2, "check"), (3, "bet", 10), (4, "raise", 30), (2, "fold"), (3, "fold"))
    history, state = with_pokerkit(read(table.export("one.phh")))
    assert (history.variant, history.seats, history.hand) == ("NT", [2, 3, 4, 1], 1)
    assert list(state.stacks) == history.finishing_stacks == table.finishing
    assert history.winnings == [0, 0, 38, 0]


def test_heads_up_and_antes_are_read_back_to_the_same_stacks(tmp_path: Path) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200}, {**NO_LIMIT, "ante": 1})
    table.acts((1, "raise", 6), (2, "fold"))
    history, state = with_pokerkit(read(table.export("one.phh")))
    assert list(state.stacks) == history.finishing_stacks == table.finishing == [197, 203]


def test_what_was_taken_back_is_not_told(tmp_path: Path) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200, "3": 200})
    table.acts((1, "raise", 6))
    table.keys("undo")
    table.acts((1, "raise", 8), (2, "fold"), (3, "fold"))
    history, state = with_pokerkit(read(table.export("one.phh")))
    assert [action for action in history.actions if "cbr" in action] == ["p3 cbr 8"]
    assert list(state.stacks) == table.finishing


@pytest.mark.parametrize("times", [2, 3])
def test_r_268_a_board_run_again_is_told_as_it_was(tmp_path: Path, times: int) -> None:
    table = all_in(tmp_path, times)
    history, state = with_pokerkit(read(table.export("one.phh")))
    assert sum(action.startswith("d db") for action in history.actions) == 3
    assert history.user_defined_fields["_run_it"] == times
    main = history.user_defined_fields["_award"][0]
    assert main == {"parts": [[3], [2], [1]][:times]}
    assert history.finishing_stacks == table.finishing
    assert sum(state.stacks) + state.total_pot_amount == 251


def test_a_board_run_once_says_nothing_of_runs(tmp_path: Path) -> None:
    history, _ = with_pokerkit(read(all_in(tmp_path, 1).export("one.phh")))
    assert "_run_it" not in history.user_defined_fields


@pytest.mark.parametrize("times", [1, 2, 3])
def test_csv_has_every_street_of_every_board(tmp_path: Path, times: int) -> None:
    rows = list(csv.DictReader(io.StringIO(read(all_in(tmp_path, times).export("all.csv")))))
    assert tuple(rows[0]) == COLUMNS
    dealt = [(row["street"], row["board"]) for row in rows if row["act"] == "deal"]
    streets = ("flop", "turn", "river")
    assert dealt == [(street, str(board)) for board in range(1, times + 1) for street in streets]
    assert [row["amount"] for row in rows if row["act"] == "run-it"] == ([str(times)] if times > 1 else [])
    assert sum(int(row["amount"]) for row in rows if row["act"] == "wins") == 251


def test_all_hands_are_in_one_file_and_what_phh_cannot_tell_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200, "3": 200}, bomb_pot={"ante": 5, "button_moves": True})
    table.acts((1, "fold"), (2, "fold"))
    table.keys("next-hand", bomb_pot=5)
    table.keys("cards-out")
    table.acts((3, "bet", 10), (1, "fold"), (2, "fold"))
    table.keys("next-hand")
    table.keys("cards-out")
    table.acts((3, "fold"), (1, "fold"))
    text = read(table.export("all.phhs"))
    assert [one.hand for one in HandHistory.loads_all(text)] == [1, 3]
    assert "Export hand 2 as .csv: PHH has no such game." in capsys.readouterr().err
    assert parse(read(table.export("one.phh", "--hand", "1"))).variant == "NT"


def test_a_straddle_and_a_post_are_read_back_to_the_same_stacks(tmp_path: Path) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200, "3": 200, "4": 200}, new_player="post")
    table.acts((4, "fold"), (1, "fold"), (2, "fold"))
    table.keys("sit-down", seat=6, stack=100)
    table.keys("next-hand")
    table.keys("straddle", seat=6 if table.desk.hand.next_seat == 6 else table.desk.hand.next_seat)
    table.keys("cards-out")
    while (seat := table.desk.hand.next_seat) is not None:
        table.acts((seat, "fold"))
    history, state = with_pokerkit(read(table.export("one.phh")))
    assert max(history.blinds_or_straddles or []) == 4
    assert list(state.stacks) == table.finishing


def test_a_hand_killed_out_of_turn_is_a_fold_when_it_is_its_turn(tmp_path: Path) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200, "3": 200, "4": 200})
    table.keys("kill-hand", seat=1, why="exposed")
    table.acts((4, "raise", 6), (2, "call"), (3, "fold"))
    table.keys("deal")
    table.acts((2, "check"), (4, "bet", 10), (2, "fold"))
    history, state = with_pokerkit(read(table.export("one.phh")))
    assert [action for action in history.actions if action.endswith(" f")] == ["p4 f", "p2 f", "p1 f"]
    assert list(state.stacks) == table.finishing


@pytest.mark.parametrize("seed", [1, 2])
def test_every_hand_of_a_random_evening_is_in_the_csv_and_pays_what_lay_in_the_middle(seed: int) -> None:
    hands = tuple(told_hands(Pages(Story(seed, 150).draft.entries)))
    text, left_out = SUFFIXES[".csv"](hands, {})
    won: dict[int, int] = {}
    for row in csv.DictReader(io.StringIO(text)):
        won[int(row["hand"])] = won.get(int(row["hand"]), 0) + (int(row["amount"]) if row["act"] == "wins" else 0)
    assert len(hands) > 3
    assert left_out == ()
    assert won == {told.hand_no: sum(told.won.values()) for told in hands}


@pytest.mark.parametrize(("name", "status"), [("hands.txt", 2), ("there.csv", 1)])
def test_a_file_of_another_kind_or_that_is_there_is_refused_in_one_sentence(
    tmp_path: Path, name: str, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "there.csv").write_text("kept", encoding="utf-8")
    assert all_in(tmp_path, 1).export(name)[0] == status
    assert "Name a" in capsys.readouterr().err
    assert (tmp_path / "there.csv").read_text(encoding="utf-8") == "kept"


def with_cards(folder: Path, **hands: str) -> Table:
    """Three seats all-in before the flop for 51, 100 and 100, the board and these hands keyed, the award taken."""
    table = Table(folder, {"1": 51, "2": 100, "3": 100}, cards="board-and-shown", rake="none")
    table.acts((1, "all-in"), (2, "all-in"), (3, "call"))
    for street in ("AsKd7c", "2c", "2h"):
        table.keys("board-cards", cards=street)
    for seat, cards in hands.items():
        table.keys("shown-cards", seat=int(seat[1:]), cards=cards)
    view = table.desk.session.cards_view()
    assert view.question, view.missing
    table.keys("answer", question=view.question, choice="award")
    return table


def test_board_and_shown_hands_are_read_back_by_pokerkit_to_the_same_stacks(tmp_path: Path) -> None:
    table = with_cards(tmp_path, s1="AhJc", s2="QsQc", s3="KsTs")
    text = read(table.export("one.phh"))
    history, state = with_pokerkit(text)

    assert [action for action in history.actions if action.startswith("d db")] == ["d db AsKd7c", "d db 2c", "d db 2h"]
    assert {action for action in history.actions if " sm " in action} == {"p1 sm QsQc", "p2 sm KsTs", "p3 sm AhJc"}
    assert list(state.stacks) == history.finishing_stacks == table.finishing
    assert sum(table.finishing) == 251


def test_our_own_replay_agrees_with_the_exported_cards(tmp_path: Path) -> None:
    _, out = with_cards(tmp_path, s1="AhJc", s2="QsQc", s3="KsTs").export("one.phh")

    assert run(["replay", str(out)]) == 0


def test_the_csv_has_the_cards_and_who_mucked(tmp_path: Path) -> None:
    table = with_cards(tmp_path, s1="AhJc", s2="QsQc", s3="")
    rows = list(csv.DictReader(io.StringIO(read(table.export("all.csv")))))

    assert [(one["street"], one["cards"]) for one in rows if one["act"] == "deal"] == [
        ("flop", "AsKd7c"), ("turn", "2c"), ("river", "2h"),
    ]  # fmt: skip
    assert {(one["seat"], one["act"], one["cards"]) for one in rows if one["act"] in ("shows", "mucks")} == {
        ("1", "shows", "AhJc"), ("2", "shows", "QsQc"), ("3", "mucks", ""),
    }  # fmt: skip


def test_r_268_the_cards_of_a_second_board_stand_beside_the_first(tmp_path: Path) -> None:
    table = Table(tmp_path, {"1": 100, "2": 100}, run_it=3, cards="board-and-shown", rake="none")
    table.acts((1, "all-in"), (2, "call"))
    table.keys("run-it", times=2)
    for street in ("2c7d9h", "Jc", "3s", "Kc8d4h", "5c", "6s"):
        table.keys("board-cards", cards=street)
    table.keys("award", pots=[{"parts": [[1], [2]]}])
    history, _ = with_pokerkit(read(table.export("one.phh")))

    assert [action for action in history.actions if action.startswith("d db")] == ["d db 2c7d9h", "d db Jc", "d db 3s"]
    assert history.user_defined_fields["_boards"] == ["Kc8d4h5c6s"]
    assert history.finishing_stacks == [100, 100]


def test_a_second_board_that_nobody_kept_is_unknown(tmp_path: Path) -> None:
    history, _ = with_pokerkit(read(all_in(tmp_path, 2).export("one.phh")))

    assert history.user_defined_fields["_boards"] == ["?" * 10]
