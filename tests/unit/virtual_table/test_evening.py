"""An evening as the virtual players mean it is what the table's rules make of it, hand by hand and chip by chip."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from betline.settings import TableSettings, load_house_rules, load_table
from betline.steps import Act, Award, ChopBlinds, Deal, Leave, NextHand, Rebuy, SitDown, Step, Straddle, TableSetup
from table_controller.rulings import Table
from virtual_table.scripts.catalogue import evening_of, random_hands
from virtual_table.scripts.script import Awarded, Chopped, HandScript, PlayerAct, ScriptError, StreetDealt


class Rules:
    """The table's rules, given every step of the evening; they must come to what the players mean."""

    def __init__(self, settings: TableSettings) -> None:
        house = load_house_rules(settings.house.profile, settings.house.options)
        self.table = Table.begin(TableSetup(game=settings.game, house=house, seats={}))
        self.hands = 0

    def apply(self, step: Step) -> None:
        outcome = self.table.apply(step)
        assert outcome.error is None, (step, outcome.error)
        self.table = outcome.table

    def play(self, script: HandScript) -> None:
        for change in script.changes:
            self.apply(change)
        game = script.game if script.game != self.table.state.game else None
        self.apply(NextHand(button=script.button if not self.hands else None, game=game))
        self.hands += 1
        placed, hand = self.table.state.placed, self.table.state.hand
        assert placed is not None
        assert hand is not None
        assert placed.seats == set(script.seats), script.title
        assert (placed.button, (placed.small_blind, placed.big_blind)) == (script.button, script.blinds), script.title
        for seat, to in script.straddles.items() if not self.table.state.house.mandatory_straddle else ():
            self.apply(Straddle(seat=seat, to=to, kind="mississippi" if seat == script.button else "live"))
        self._check_posts(script)
        for step in script.steps:
            self._step(step)
        assert self.table.state.between_hands
        assert script.finishing is not None
        assert dict(self.table.state.stacks) == {**script.finishing, **script.out}, script.title

    def _check_posts(self, script: HandScript) -> None:
        hand = self.table.state.hand
        assert hand is not None
        posts = {**script.posts, **script.straddles}
        assert {seat: hand.bet(seat) for seat in script.seats if hand.bet(seat)} == posts, script.title
        assert hand.pot == sum(posts.values()) + sum(script.antes.values()), script.title

    def _step(self, step: PlayerAct | StreetDealt | Awarded | Chopped) -> None:
        match step:
            case PlayerAct(seat=seat, kind=kind, to=to):
                assert self.table.state.next_seat == seat
                self.apply(Act(seat=seat, action=kind, to=to if kind in ("bet", "raise") else None))
            case StreetDealt(street=street, betting=True):
                self.apply(Deal(street=street))
            case Awarded(pots=pots) if pots:
                hand = self.table.state.hand
                assert hand is not None
                best = [next(set(w) & set(pot.seats) for w in pots if set(w) & set(pot.seats)) for pot in hand.pots]
                self.apply(Award(pots=tuple((tuple(sorted(winners)),) for winners in best)))
            case Chopped():
                self.apply(ChopBlinds())


def table_of(name: str, game: dict[str, object] | None = None, **options: object) -> TableSettings:
    table = load_table(name)
    table = table.model_copy(update={"game": table.game.model_copy(update=game or {})})
    house = table.house.model_copy(update={"options": {**table.house.options, **options}})
    return table.model_copy(update={"house": house})


@pytest.mark.one_in(9)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("casino-oval", {}),
        ("casino-oval", {"button_rule": "dead"}),
        ("casino-oval", {"button_rule": "simplified", "new_player": "wait"}),
        ("casino-oval", {"missed_blinds": "single-big", "new_player": "free"}),
        ("casino-oval", {"mandatory_straddle": True}),
        ("casino-oval", {"mandatory_straddle": True, "button_rule": "dead"}),
        ("home-six", {}),
        ("mixed-home", {}),
        ("tournament", {}),
    ],
)
def test_who_is_dealt_in_what_is_posted_and_where_the_chips_go_is_what_the_rules_say(
    name: str, options: dict[str, object], seed: int
) -> None:
    settings = table_of(name, **options)
    rules = Rules(settings)
    first, hands = random_hands(settings, seed, 60)
    for sits in first:
        rules.apply(sits)
    for hand in hands:
        rules.play(hand)


@pytest.mark.parametrize(("name", "seed"), [("home-six", 700005), ("home-six", 710011), ("mixed-home", 710007)])
def test_people_go_only_while_three_who_were_dealt_in_stay(name: str, seed: int) -> None:
    """R-189, R-193: of those who return one may have to wait, and two players alone play with other blinds."""
    settings = load_table(name)
    rules = Rules(settings)
    first, hands = random_hands(settings, seed, 40)
    for sits in first:
        rules.apply(sits)
    dealt = {sits.seat for sits in first}
    for hand in hands:
        rules.play(hand)
        assert len(dealt & hand.seats.keys()) >= 3
        dealt = set(hand.seats)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("casino-oval", {"ante": 1}),
        ("casino-oval", {"ante": 10, "ante_by": "big-blind"}),
        ("casino-oval", {"ante": 10, "ante_by": "button"}),
        ("tournament", {"ante": 100, "ante_by": "big-blind"}),
        ("casino-oval", {"limit": "fixed-limit", "bets": (10, 10, 20, 20)}),
    ],
)
def test_antes_and_limit_games_come_to_what_the_rules_say(name: str, game: dict[str, object], seed: int) -> None:
    settings = table_of(name, game)
    rules = Rules(settings)
    first, hands = random_hands(settings, seed, 40)
    for sits in first:
        rules.apply(sits)
    for hand in hands:
        rules.play(hand)


@pytest.mark.parametrize("name", ["casino-oval", "home-six", "tournament"])
def test_chips_enter_and_leave_an_evening_only_with_those_who_buy_them_and_cash_them_in(name: str) -> None:
    first, hands = random_hands(load_table(name), 3, 80)
    stacks = {sits.seat: sits.stack for sits in first}
    for hand in hands:
        for change in hand.changes:
            match change:
                case SitDown(seat=seat, stack=stack):
                    assert seat not in stacks
                    stacks[seat] = stack
                case Rebuy(seat=seat, amount=amount):
                    stacks[seat] += amount
                case Leave(seat=seat):
                    del stacks[seat]
        assert {**hand.seats, **hand.out} == stacks
        assert hand.finishing is not None
        assert sum(hand.finishing.values()) == sum(hand.seats.values())
        stacks.update(hand.finishing)


def test_a_long_evening_has_all_that_an_evening_has() -> None:
    """People come, go, are away and come back, post what they missed, straddle and chop."""
    seen = set()
    for hand in (*random_hands(load_table("casino-oval"), 1, 80)[1], *random_hands(load_table("home-six"), 1, 80)[1]):
        seen |= {type(change).__name__ for change in hand.changes}
        seen |= {"straddle"} if hand.straddles else set()
        seen |= {"chop"} if isinstance(hand.steps[-1], Chopped) else set()
        seen |= {"live and dead"} if set(hand.antes) & set(hand.posts) else set()
    assert seen == {"SitDown", "Leave", "SitOut", "Return", "Rebuy", "straddle", "chop", "live and dead"}


def test_nobody_buys_in_for_less_than_the_house_asks_for() -> None:
    """R-281: at least 90 big blinds of 10, at most the table's 1000."""
    _, hands = random_hands(table_of("casino-oval", buy_in=[90, 100]), 2, 60)
    stacks = {change.stack for hand in hands for change in hand.changes if isinstance(change, SitDown)}
    assert stacks == {900, 1000}


def test_the_dealer_chooses_among_the_games_that_the_players_know() -> None:
    _, hands = random_hands(load_table("mixed-home"), 1, 40)
    played = list(hands)
    assert played[0].chosen is None
    assert {hand.chosen for hand in played} == {None, "Pot-limit Omaha", "No-limit hold'em", "Limit hold'em"}
    assert {hand.game.limit for hand in played} == {"pot-limit", "no-limit", "fixed-limit"}
    for before, hand in pairwise(played):
        assert (hand.chosen is None) == (hand.game == before.game)


def test_the_same_seed_gives_the_same_evening_and_another_one_another() -> None:
    table = load_table("casino-oval")
    one, again, other = (list(random_hands(table, seed, 30)[1]) for seed in (7, 7, 8))
    assert one == again
    assert one != other


def test_an_evening_begins_with_everybody_at_the_table_and_the_button_in_the_last_seat() -> None:
    first, hands = random_hands(load_table("home-six"), 1, 1)
    hand = next(hands)
    assert [sits.seat for sits in first] == sorted(hand.seats) == [1, 2, 3, 4, 5, 6]
    assert (hand.button, hand.blinds, hand.changes) == (6, (1, 2), ())
    assert len({sits.player for sits in first}) == 6


# --- an evening that follows a script


def test_the_shipped_evening_has_a_comer_a_goer_a_straddle_and_missed_blinds() -> None:
    first, hands = evening_of(load_table("casino-oval"), "evening", 1, None)
    one, two, three, four = hands
    assert [sits.seat for sits in first] == [1, 2, 3, 4, 5, 6]
    assert one.straddles == {3: 20}
    assert (two.button, two.blinds, sorted(two.seats)) == (1, (2, 4), [1, 2, 4, 6])
    assert (three.button, three.blinds, sorted(three.seats)) == (2, (4, 6), [1, 2, 4, 6, 7])
    assert three.posts == {4: 5, 6: 10, 7: 10}
    assert set(three.out) == {3}
    assert (four.posts, four.antes, four.straddles) == ({6: 5, 7: 10, 3: 10}, {3: 5}, {1: 20})


def test_a_script_s_evening_goes_on_by_chance_where_more_hands_are_asked_for() -> None:
    _, hands = evening_of(load_table("casino-oval"), "evening.yaml", 1, 7)
    assert len(list(hands)) == 7


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seats: [1, 2, 3, 4]\nhands: [{away: [1]}]", "seat 1 cannot go away now"),
        ("seats: [1, 2, 3, 4, 5]\nhands: [{}, {leave: [2]}]", "seat 2 cannot leave now"),
        ("seats: [1, 2, 3, 4, 5]\nhands: [{}, {come: [4]}]", "nobody can sit down in seat 4 now"),
        ("seats: [1, 2, 3, 4, 5]\nhands: [{}, {back: [4]}]", "seat 4 cannot come back now"),
        ("seats: [1, 2, 3, 11]\nhands: [{}]", "seat 11, which the table casino-oval does not have"),
        ("seats: [1, 2]\nhands: [{}]", "seats"),
        ("seats: [1, 2, 3, 4]\nhands: [{stradle: true}]", "did you mean straddle"),
        ("seats: [1, 2, 3, 4]\nhands: [{", "line 2: is not valid YAML"),
    ],
)
def test_an_evening_that_does_not_go_is_refused_with_the_reason(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "evening.yaml"
    file.write_text(text)
    with pytest.raises(ScriptError, match=sentence):
        list(evening_of(load_table("casino-oval"), str(file), 1, None)[1])


def test_a_tournament_takes_no_straddle_of_a_script(tmp_path: Path) -> None:
    file = tmp_path / "evening.yaml"
    file.write_text("seats: [1, 2, 3, 4]\nhands: [{straddle: true}]")
    with pytest.raises(ScriptError, match="a straddle that seat 3 may not make"):
        list(evening_of(load_table("tournament"), str(file), 1, None)[1])


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"kill": "full", "kill_trigger": {"wins": 2}}, "kill"),
        ({"rake": {"percent": 5, "cap": 10, "no_flop_no_drop": True}}, "rake"),
        ({"kitty": "lowest-chip"}, "kitty"),
    ],
)
def test_a_house_that_the_players_cannot_account_for_is_refused_by_the_option(
    options: dict[str, object], name: str
) -> None:
    with pytest.raises(ScriptError, match=f"set the option {name} to none"):
        random_hands(table_of("casino-oval", **options), 1, 1)
