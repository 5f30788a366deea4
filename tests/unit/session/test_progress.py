"""What the dealer's hands do needs no key: the last passes, the street, the award to confirm, the next hand (R-049)."""

from __future__ import annotations

import pytest

from betline.messages.table import Alert, Question, Ruling
from betline.settings import load_table
from betline.steps import Deal, NextHand
from table_controller.journal.entries import Observed, Stepped
from table_controller.sensing.observations import HandBegun, Implied, StreetDealt
from table_controller.sensing.witness import CameraSeen, LineSeen
from tests.unit.session.desk import Desk, terms

NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2]}
INFERRED = (Implied, StreetDealt, HandBegun)


class Watched(Desk):
    """A table with readers under seats, pot and tray; its camera says what a test lets it say."""

    def __init__(self, *, camera: bool = True) -> None:
        table = load_table("home-six")
        super().__init__(terms(table if camera else table.model_copy(update={"cameras": ()})))
        self.camera = camera

    def play(self, rounds: int = 8) -> None:
        for _ in range(rounds):
            if self.camera:
                self.give(CameraSeen((), self.now.mono_ns, "overhead"))
            super().play(1)

    def sees(self, kind: str, seat: int = 0, count: int = 0, first_ns: int | None = None) -> None:
        since_ns = self.now.mono_ns if first_ns is None else first_ns
        self.give(LineSeen(kind, seat, since_ns, camera="overhead", conf=0.95, count=count))

    def sweeps(self, *seats: int) -> None:
        """The bets of these seats, or of all, come to the pot."""
        for seat in seats or range(1, 7):
            self.moves(f"seat-{seat}", "pot")

    def moves(self, where: str, to: str) -> None:
        for uid, (value, _) in self.lying.pop(where, {}).items():
            self.lying.setdefault(to, {})[uid] = value, self.rounds.get(to, 0) + 1

    def pushes(self, seat: int) -> None:
        """The pot goes to a seat's stack."""
        self.lying.pop("pot", None)
        self.sees("pot_pushed", seat)

    @property
    def inferred(self) -> list[str]:
        return [
            type(entry.observation).__name__
            for entry in self.entries
            if isinstance(entry, Observed) and isinstance(entry.observation, INFERRED)
        ]

    @property
    def passed(self) -> list[tuple[int | None, str]]:
        return [(one.seat, one.ruling) for one in self.heard(Ruling) if one.source == "inferred"]

    @property
    def questions(self) -> list[Question]:
        return list(self.session.table_state(1, 1, "").questions)

    @property
    def steps(self) -> list[object]:
        return [one.step for one in self.entries if isinstance(one, Stepped) and one.source == "inferred"]


@pytest.fixture(params=[True, False], ids=["camera", "readers"])
def desk(request: pytest.FixtureRequest) -> Watched:
    desk = Watched(camera=request.param)
    desk.begin(game=NO_LIMIT)
    return desk


def limped(desk: Watched) -> None:
    """Seats 4 and 1 have called 2; the small blind is to act."""
    for seat in (4, 1):
        desk.push(seat, 1, 1)
        desk.play(14)
    assert desk.hand.next_seat == 2


# --- the last passes


def test_bets_that_were_gathered_pass_who_is_left(desk: Watched) -> None:
    limped(desk)
    desk.sweeps()
    desk.play(25)
    assert desk.passed == [(2, "fold"), (3, "check")]
    assert desk.hand.round_over
    [alert] = [one for one in desk.heard(Alert) if one.code == "unreported" and one.seat == 3]
    assert alert.sentence == "Seat 3 checked, unseen: all bets lie in the pot. U takes it back."


def test_one_u_takes_them_back_whole_and_they_are_not_passed_again(desk: Watched) -> None:
    limped(desk)
    desk.sweeps()
    desk.play(25)
    assert desk.key("undo-key").sentence == "Took back: seat 2 folds; seat 3 checks."
    desk.play(60)
    assert desk.hand.next_seat == 2
    assert desk.inferred == ["Implied"]


def test_all_who_face_a_bet_folded_and_the_pot_is_his(desk: Watched) -> None:
    uncalled, _ = desk.push(4, 5, 2)
    desk.play(14)
    desk.lying["seat-4"].pop(uncalled)
    desk.sweeps()
    desk.play(30)
    assert desk.passed == [(1, "fold"), (2, "fold"), (3, "fold")]
    assert desk.hand.hand_over


def bet_on_the_flop(desk: Watched) -> None:
    """Seat 3 has bet 5 that nobody has called yet."""
    flop(desk)
    desk.push(3, 5)
    desk.play(14)
    assert desk.hand.next_seat == 4


def test_cards_mucked_and_a_bet_that_went_back_are_folds_of_all_others() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    bet_on_the_flop(desk)
    for seat in (4, 1):
        desk.sees("cards_mucked", seat)
    desk.lying.pop("seat-3")
    desk.play(30)
    assert desk.hand.hand_over
    assert "chips-taken-back" not in desk.alerts


@pytest.mark.parametrize(("takes", "alerts"), [(3, False), (5, True)])
def test_what_nobody_matched_goes_back_once_all_others_have_mucked_and_no_more_of_the_bet(
    takes: int, alerts: bool
) -> None:
    """Seat 4 has raised to 5 before the flop; the blinds' 2 match some of it."""
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    desk.push(4, 2, 3)
    desk.play(14)
    for seat in (1, 2, 3):
        desk.sees("cards_mucked", seat)
    desk.lying["seat-4"] = {uid: one for uid, one in desk.lying["seat-4"].items() if takes == 3 and one[0] == 2}
    desk.play(45)
    assert ("chips-taken-back" in desk.alerts) == alerts


def test_a_bet_that_went_back_while_somebody_holds_cards_folds_nobody() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    bet_on_the_flop(desk)
    desk.sees("cards_mucked", 4)
    desk.lying.pop("seat-3")
    desk.play(30)
    assert not desk.hand.hand_over
    assert "chips-taken-back" in desk.alerts


@pytest.mark.parametrize(("to", "over"), [(3, True), (1, False)])
def test_a_pot_that_was_pushed_to_the_bettor_alone_folds_all_others(to: int, over: bool) -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    bet_on_the_flop(desk)
    desk.lying.pop("seat-3")
    desk.pushes(to)
    desk.play(30)
    assert desk.hand.hand_over == over


@pytest.mark.one_in(6)
@pytest.mark.parametrize("left_there", [4, 1, 3])
def test_a_bet_that_still_lies_there_passes_nobody(desk: Watched, left_there: int) -> None:
    limped(desk)
    desk.sweeps(*{1, 2, 3, 4} - {left_there})
    desk.play(25)
    assert desk.passed == []


@pytest.mark.one_in(4)
@pytest.mark.parametrize("more", [1, 2])
def test_a_pot_that_is_not_what_the_books_say_passes_nobody(desk: Watched, more: int) -> None:
    """The small blind's call came with the sweep, past its reader."""
    limped(desk)
    desk.sweeps()
    desk.lying["pot"]["E0040000FFFF0001"] = more, desk.rounds["pot"] + 1
    desk.play(25)
    assert desk.passed == []


def test_a_bet_that_the_camera_saw_and_no_reader_heard_passes_nobody() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    limped(desk)
    desk.sees("bet_settled", 2)
    desk.sweeps()
    desk.play(25)
    assert desk.passed == []


def flop(desk: Watched) -> None:
    limped(desk)
    desk.sweeps()
    desk.play(25)
    desk.sees("board_dealt", count=3)
    desk.play(4)


# --- streets


def test_swept_bets_and_three_board_cards_are_the_flop() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    flop(desk)
    assert (desk.hand.street, desk.hand.next_seat) == ("flop", 3)
    assert desk.steps[-1] == Deal(street="flop")
    assert desk.key("undo-key").sentence == "Took back: the flop."
    desk.play(40)
    assert (desk.hand.street, desk.hand.round_over) == ("preflop", True)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("count", [1, 2, 4, 5])
def test_another_number_of_cards_is_no_flop(count: int) -> None:
    """A burn card beside the flop, or one card of it."""
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    limped(desk)
    desk.sweeps()
    desk.play(25)
    desk.sees("board_dealt", count=count)
    desk.play(20)
    assert (desk.hand.street, desk.inferred) == ("preflop", ["Implied"])


def test_a_flop_on_which_bets_still_lie_waits_for_them() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    limped(desk)
    desk.key("act", seat=2, action="fold")
    desk.key("act", seat=3, action="check")
    desk.sees("board_dealt", count=3)
    desk.play(20)
    assert desk.hand.street == "preflop"
    desk.sweeps()
    desk.play(20)
    assert desk.hand.street == "flop"


def test_a_turn_card_closes_a_round_without_a_bet() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    flop(desk)
    desk.key("act", seat=3, action="check")
    desk.sees("board_dealt", count=1)
    desk.play(10)
    assert desk.passed[-2:] == [(4, "check"), (1, "check")]
    assert (desk.hand.street, desk.hand.next_seat) == ("turn", 3)


def test_a_seat_that_tapped_and_seemed_to_muck_where_a_check_is_free_has_checked() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    flop(desk)
    desk.key("act", seat=3, action="check")
    desk.sees("tap_suspect", 4)
    desk.sees("cards_mucked", 4)
    desk.sees("board_dealt", count=1)
    desk.play(10)
    assert desk.passed[-2:] == [(4, "check"), (1, "check")]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("counted", [[1], [4], [3, 2], [2, 1], [4, 1], []])
def test_after_a_flop_that_was_keyed_and_counted_otherwise_no_turn_is_seen(counted: list[int]) -> None:
    """The flop's cards were seen late, with the burn card, in part or not at all."""
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    limped(desk)
    desk.sweeps()
    desk.play(25)
    desk.key("deal")
    for count in counted or [1]:
        desk.sees("board_dealt", count=count)
    desk.play(20)
    assert (desk.hand.street, desk.hand.next_seat) == ("flop", 3)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("before_its_key", [True, False])
@pytest.mark.parametrize("restarts", [False, True])
def test_after_a_flop_that_was_counted_with_its_burn_card_the_turn_is_not_taken_for_the_river(
    before_its_key: bool, restarts: bool
) -> None:
    """Four cards seen and one that comes after the key of the turn are five, as many as on the river."""
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    limped(desk)
    desk.sweeps()
    desk.play(25)
    if before_its_key:
        desk.sees("board_dealt", count=4)
    desk.key("deal")
    if not before_its_key:
        desk.sees("board_dealt", count=4)
    desk.play(8)
    for seat in (3, 4, 1):
        desk.key("act", seat=seat, action="check")
    desk.key("deal")
    if restarts:
        desk.restart()
    desk.play(8)
    desk.sees("board_dealt", count=1)
    desk.play(20)
    assert (desk.hand.street, desk.hand.next_seat) == ("turn", 3)


def test_a_flop_that_was_seen_after_its_key_lets_the_turn_be_seen() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    limped(desk)
    desk.sweeps()
    desk.play(25)
    desk.key("deal")
    desk.sees("board_dealt", count=3)
    desk.play(8)
    desk.sees("board_dealt", count=1)
    desk.play(10)
    assert desk.hand.street == "turn"


def test_a_card_that_was_laid_before_its_street_was_keyed_is_not_the_next_streets() -> None:
    """A burn card was counted for the turn, and the turn's own card is told of after its key."""
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    flop(desk)
    desk.push(3, 5)
    desk.play(14)
    desk.sees("board_dealt", count=1)
    for seat in (4, 1):
        desk.key("act", seat=seat, action="call")
    laid_ns = desk.now.mono_ns
    desk.key("deal")
    desk.sweeps()
    desk.play(25)
    desk.sees("board_dealt", count=1, first_ns=laid_ns - 1)
    desk.play(20)
    assert (desk.hand.street, desk.hand.next_seat) == ("turn", 3)


def test_a_turn_card_that_comes_while_a_player_bets_passes_nobody() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    flop(desk)
    desk.push(4, 5)
    desk.play(3)
    desk.sees("board_dealt", count=1)
    desk.play(3)
    assert desk.hand.street == "flop"


def all_in(desk: Watched) -> None:
    """Seats 4 and 1 are all-in before the flop for 200 each, all in the pot."""
    for seat in (4, 1):
        desk.push(seat, *[100, 100])
        desk.play(14)
    desk.sweeps()
    desk.play(25)
    assert desk.hand.betting_over


def test_a_run_out_is_followed_street_by_street() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    all_in(desk)
    for street, count in (("flop", 3), ("turn", 1), ("river", 1)):
        desk.sees("board_dealt", count=count)
        desk.play(4)
        assert desk.hand.street == street
    desk.pushes(4)
    desk.play(20)
    assert [one.kind for one in desk.questions] == ["award"]


def test_where_the_board_is_run_twice_neither_streets_nor_the_award_are_inferred() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT, house={"profile": "home", "run_it": 2})
    all_in(desk)
    assert desk.key("run-it", times=2).ok
    desk.sees("board_dealt", count=3)
    desk.play(8)
    desk.pushes(4)
    desk.play(20)
    assert (desk.hand.street, desk.questions) == ("preflop", [])


# --- the award


def showdown(desk: Watched) -> None:
    limped(desk)
    desk.key("act", seat=2, action="fold")
    desk.key("act", seat=3, action="check")
    desk.sweeps()
    desk.play(25)
    for street in ("flop", "turn", "river"):
        assert desk.key("deal", street=street).ok
        for seat in (3, 4, 1):
            assert desk.key("act", seat=seat, action="check").ok


def test_a_pot_that_was_pushed_to_a_seat_is_awarded_by_one_key_and_never_by_itself() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    showdown(desk)
    desk.play(10)
    assert desk.questions == []
    desk.pushes(4)
    desk.play(40)
    [asked] = desk.questions
    assert (asked.kind, asked.seat, asked.sentence) == ("award", 4, "Seat 4 wins 7? The pot was pushed there.")
    assert desk.hand.pot == 7
    assert desk.key("answer", question=asked.id, choice="award").ok
    assert (desk.hand.hand_over, desk.hand.stack(4)) == (True, 205)
    assert desk.key("undo-key").sentence == "Took back: the award."


def test_a_pot_that_was_pushed_to_two_seats_is_shared() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    showdown(desk)
    desk.sees("pot_pushed", 4)
    desk.pushes(1)
    desk.play(40)
    [asked] = desk.questions
    assert asked.sentence == "Seats 4 and 1 share 7? The pot was pushed there."


def test_a_seat_that_cannot_win_the_pot_is_not_proposed() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    showdown(desk)
    desk.pushes(2)
    desk.play(40)
    assert desk.questions == []


def test_while_chips_lie_in_the_pot_nobody_is_proposed() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    showdown(desk)
    desk.sees("pot_pushed", 4)
    desk.play(20)
    assert desk.questions == []


# --- the next hand


def over(desk: Watched) -> None:
    limped(desk)
    desk.sweeps()
    desk.play(25)
    desk.key("kill-hand", seat=3, why="test")
    desk.key("kill-hand", seat=4, why="test")
    assert desk.hand.hand_over, desk.hand


def post(desk: Watched, **posts: int) -> None:
    for seat, value in posts.items():
        desk.push(int(seat[1:]), *[1] * value)


@pytest.mark.one_in(2)
def test_a_pot_that_has_gone_and_blinds_are_the_next_hand_and_u_takes_it_back_whole(desk: Watched) -> None:
    over(desk)
    before = desk.session.book.table
    desk.pushes(1)
    desk.play(20)
    post(desk, s3=1, s4=2)
    desk.play(20)
    assert (desk.session.book.hand_no, desk.steps[-1]) == (2, NextHand())
    assert desk.session.table_state(1, 1, "").phase == "posting"
    assert desk.key("undo-key").sentence == "Took back: the beginning of hand 2."
    assert desk.session.book.table == before
    desk.play(40)
    assert desk.session.book.hand_no == 1


def test_its_blinds_are_found_when_the_cards_are_out(desk: Watched) -> None:
    over(desk)
    desk.pushes(1)
    desk.play(20)
    post(desk, s3=1, s4=2)
    desk.play(20)
    desk.key("cards-out")
    desk.push(1, 1, 1)
    desk.play(20)
    assert desk.rulings[-1] == (1, "call", 2)
    assert desk.restarted().book.table == desk.session.book.table
    assert not {"ledger-off", "clear-zone", "pot-short", "early-chips"} & {
        one.code for one in desk.session.table_state(1, 1, "").alerts
    }


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "posts",
    [
        {"s3": 1},
        {"s3": 2, "s4": 2},
        {"s3": 1, "s4": 2, "s1": 2},
        {"s1": 2, "s2": 2, "s3": 2, "s4": 2},
        {"s2": 1, "s3": 2},
    ],
    ids=["small blind alone", "another amount", "one more", "bomb pot", "other seats"],
)
def test_other_chips_are_no_next_hand(desk: Watched, posts: dict[str, int]) -> None:
    over(desk)
    desk.pushes(1)
    desk.play(20)
    post(desk, **posts)
    desk.play(30)
    assert desk.session.book.hand_no == 1


def test_blinds_before_the_pot_has_gone_are_no_next_hand(desk: Watched) -> None:
    over(desk)
    post(desk, s3=1, s4=2)
    desk.play(30)
    assert desk.session.book.hand_no == 1


def test_cards_dealt_after_the_pot_was_pushed_are_the_next_hand() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    over(desk)
    desk.pushes(1)
    desk.play(20)
    desk.sees("cards_dealt", 3)
    desk.play(4)
    assert desk.session.book.hand_no == 1
    desk.sees("cards_dealt", 4)
    desk.play(4)
    assert desk.session.book.hand_no == 2


def test_a_hand_that_is_dealt_again_begins_by_its_key_alone(desk: Watched) -> None:
    desk.key("misdeal")
    desk.lying.clear()
    desk.play(10)
    post(desk, s2=1, s3=2)
    desk.play(30)
    assert "HandBegun" not in desk.inferred


# --- evidence


def test_what_was_inferred_stands_in_the_journal_with_its_evidence_and_replays_the_same() -> None:
    desk = Watched()
    desk.begin(game=NO_LIMIT)
    flop(desk)
    seen = [one.observation for one in desk.entries if isinstance(one, Observed)]
    assert Implied((2, 3), (), "all bets lie in the pot") in seen
    assert StreetDealt("preflop", 3) in seen
    resumed = desk.resumed()
    assert resumed.session.book.table == desk.session.book.table
    assert resumed.alerts == ()


@pytest.mark.one_in(2)
def test_after_a_restart_nothing_is_inferred_again_that_was_taken_back(desk: Watched) -> None:
    limped(desk)
    desk.sweeps()
    desk.play(25)
    desk.key("undo-key")
    desk.restart()
    desk.play(60)
    assert desk.inferred == ["Implied"]
    assert desk.hand.next_seat == 2
