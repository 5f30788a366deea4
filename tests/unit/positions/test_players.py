"""Who is dealt in, and what those who come and return post."""

from __future__ import annotations

import pytest

from betline.settings import GameSettings, HouseRules, load_house_rules
from table_controller.betting import BettingOptions, Limit, Post, PostKind, Structure
from table_controller.betting.structure import HeadsUpCap
from table_controller.positions import (
    Arrival,
    Player,
    Positions,
    cannot_cover_the_big_blind,
    dealt_in,
    dealt_in_again,
    first_positions,
    left_out,
    options_of,
    seat_players,
    structure_of,
)

TWO = Structure(limit=Limit.NO_LIMIT, blinds=(1, 2))
OPTIONS = BettingOptions()
SEATS = (1, 2, 4, 5, 6)
LAST = first_positions(TWO, OPTIONS, SEATS, 5)


def cash(**options: object) -> HouseRules:
    return load_house_rules("cash", {"button_rule": "dead", **options})


def dealt(players: dict[int, Player], rules: HouseRules) -> Positions:
    everybody = {**{seat: Player(200) for seat in SEATS}, **players}
    return seat_players(rules, TWO, OPTIONS, LAST, everybody)


def test_r_194_absent_players_are_dealt_in_or_sit_out() -> None:
    players = {1: Player(200), 2: Player(200, away=True), 3: Player(0)}

    assert dealt_in(players, cash(absent_players="dealt-in")) == (1, 2)
    assert dealt_in(players, cash(absent_players="sit-out")) == (1,)


@pytest.mark.parametrize(("option", "posted"), [("post", True), ("free", False), ("post-in-limit", False)])
def test_r_192_a_new_player_posts_a_live_big_blind_or_nothing(option: str, posted: bool) -> None:
    placed = dealt({3: Player(200, arrival=Arrival())}, cash(new_player=option))

    assert 3 in placed.seats
    assert (Post(3, 2, PostKind.LIVE) in placed.posts) is posted


def test_r_192_a_new_player_waits_for_the_big_blind() -> None:
    assert 3 not in dealt({3: Player(200, arrival=Arrival())}, cash(new_player="wait")).seats
    assert 3 not in dealt({3: Player(200, arrival=Arrival(post=False))}, cash()).seats
    due = {seat: Player(200) for seat in SEATS if seat != 2}
    placed = seat_players(cash(), TWO, OPTIONS, LAST, {**due, 2: Player(200, arrival=Arrival(post=False))})
    assert placed.big_blind == 2


def test_tda_8_nobody_new_is_dealt_in_between_button_and_big_blind() -> None:
    last = first_positions(TWO, OPTIONS, (1, 3, 4), 4)
    players = {seat: Player(200) for seat in (1, 3, 4)} | {2: Player(200, arrival=Arrival())}

    placed = seat_players(cash(), TWO, OPTIONS, last, players)

    assert (placed.button, placed.small_blind, placed.big_blind) == (1, 3, 4)
    assert 2 not in placed.seats


def test_r_191_who_replaces_a_leaver() -> None:
    player = {4: Player(200, arrival=Arrival(replaces=True))}

    assert Post(4, 2, PostKind.LIVE) not in dealt(player, cash(replacement="pay-in-stead")).posts
    assert Post(4, 2, PostKind.LIVE) in dealt(player, cash(replacement="live-big-blind", new_player="free")).posts
    assert 4 not in dealt(player, cash(replacement="sit-out")).seats


def test_r_191_who_sits_out_is_dealt_in_when_the_button_has_passed() -> None:
    last = first_positions(TWO, OPTIONS, (1, 2, 5, 6), 2)
    everybody = {seat: Player(200) for seat in (1, 2, 5, 6)} | {4: Player(200, arrival=Arrival(replaces=True))}

    placed = seat_players(cash(replacement="sit-out"), TWO, OPTIONS, last, everybody)

    assert (placed.button, placed.small_blind, placed.big_blind) == (5, 6, 1)
    assert 4 in placed.seats
    assert all(post.seat != 4 for post in placed.posts)


def test_r_193_missed_blinds_are_noted_and_made_up_on_return() -> None:
    away = Player(200, away=True)
    placed = first_positions(TWO, OPTIONS, (1, 2, 4, 5), 1)

    last = first_positions(TWO, OPTIONS, (1, 2, 4, 5), 5)
    assert left_out(away, 3, last, placed, TWO).missed == (2, 1)
    assert left_out(away, 6, last, placed, TWO).missed == ()
    back = Player(200, missed=(2, 1), returns=Arrival())
    assert Post(4, 2, PostKind.LIVE) in dealt({4: back}, cash()).posts
    assert Post(4, 1, PostKind.DEAD) in dealt({4: back}, cash()).posts
    assert dealt({4: Player(200, missed=(1,), returns=Arrival())}, cash()).posts[-1] == Post(4, 1, PostKind.DEAD)
    assert dealt({4: back}, cash(missed_blinds="single-big")).posts[-1] == Post(4, 2, PostKind.LIVE)
    one = cash(missed_blinds="one-per-hand")
    assert dealt({4: back}, one).posts[-1] == Post(4, 2, PostKind.LIVE)
    assert dealt_in_again(back, 4, one, dealt({4: back}, one), TWO).missed == (1,)
    assert dealt_in_again(back, 4, cash(), dealt({4: back}, cash()), TWO).missed == ()
    assert dealt({4: Player(200, missed=(2, 1))}, cash(missed_blinds="none")).posts == dealt({}, cash()).posts


def test_r_203_a_big_blind_that_covers_too_little_is_named() -> None:
    players = {seat: Player(200) for seat in SEATS} | {2: Player(4)}
    rules = cash(big_blind_must_cover="small-blind")

    assert cannot_cover_the_big_blind(rules, TWO, OPTIONS, LAST, players) is None
    five_ten = Structure(limit=Limit.NO_LIMIT, blinds=(5, 10))
    assert cannot_cover_the_big_blind(rules, five_ten, OPTIONS, LAST, players) == 2
    assert cannot_cover_the_big_blind(cash(), five_ten, OPTIONS, LAST, players) is None


def test_the_settings_of_a_game_are_its_structure() -> None:
    spread = structure_of(GameSettings(limit="spread-limit", blinds=(1, 2), spread=(1, 5)))
    streets = structure_of(GameSettings(limit="spread-limit", blinds=(), spread=((1, 5), (1, 5), (1, 5), (1, 10))))

    assert spread.spread == ((1, 5),)
    assert streets.spread == ((1, 5), (1, 5), (1, 5), (1, 10))


def test_tda_48_the_cap_is_off_for_the_last_two() -> None:
    rules = load_house_rules("tda")

    assert options_of(rules).heads_up_cap is HeadsUpCap.ALWAYS
    assert options_of(rules, last_two=True).heads_up_cap is HeadsUpCap.OFF_IF_ROUND_STARTED_HEADS_UP
