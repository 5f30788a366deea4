"""Random legal hands in step with PokerKit, in all its games: every question, bet, stack and pot, at every act.

Where cardroom rules and PokerKit differ, the difference has a name and a source: `differences`.
"""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Callable
from dataclasses import replace

import pytest
from pokerkit import Mode, games
from pokerkit.games import Poker

from table_controller.betting import (
    BettingOptions,
    Illegal,
    Limit,
    Post,
    PostKind,
    Structure,
    moves,
    pots,
    rights,
    sizes,
)
from tests.peers.differences import DIFFERENCES, FORFEIT_BLIND, ODD_UNITS, Difference
from tests.peers.page import PATH, page
from tests.peers.play import Lockstep, Tally, play_hand
from tests.peers.tables import POKERKIT_OPTIONS, Table
from tests.peers.variants import VARIANTS


@pytest.mark.one_in(8)
def test_random_hands_agree_with_pokerkit(
    chunk: tuple[str, int, int, int], record_property: Callable[[str, object], None]
) -> None:
    variant, seed, start, end = chunk
    tally = Tally()
    for number in range(start, end):
        tally.add(play_hand(variant, seed, number))
    record_property("variant", variant)
    record_property("hands", tally.hands)
    record_property("compared", tally.compared)
    record_property("met", dict(tally.met))
    assert tally.hands == end - start


def table(
    variant: str,
    stacks: tuple[int, ...],
    posts: tuple[Post, ...] = (),
    *,
    ante: int = 0,
    options: BettingOptions = POKERKIT_OPTIONS,
) -> Table:
    structure = Structure(limit=Limit.NO_LIMIT, blinds=(5, 10), ante=ante)
    return Table(VARIANTS[variant], stacks, structure, options, posts, False, (10, 10), Mode.CASH_GAME)


BLINDS = (Post(1, 5), Post(2, 10))
RARE = {
    FORFEIT_BLIND: table("no-limit-holdem", (50, 3, 4, 4, 2), (*BLINDS, Post(5, 20, PostKind.STRADDLE))),
    ODD_UNITS: table("royal-holdem", (7,) * 6, BLINDS, ante=7, options=BettingOptions()),
}
"""Tables at which differences are met that random ones meet once in thousands of hands."""


@pytest.mark.one_in(8)
@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.name)
def test_every_named_difference_is_met(difference: Difference) -> None:
    """One that no hand meets any more is dead, and is to be taken off the list."""
    for number in range(800):
        if difference in RARE:
            met = met_at(RARE[difference], number)
        else:
            variant = difference.seen_in[number % len(difference.seen_in)]
            met = set(play_hand(variant, 0, number).met)
        if difference.name in met:
            return
    pytest.fail(f"{difference.name} was met in none of 800 hands.")


def met_at(seated: Table, number: int) -> set[str]:
    shuffling = random.getstate()
    random.seed(number)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lockstep = Lockstep(seated, random.Random(number))
            lockstep.play()
    finally:
        random.setstate(shuffling)
    return {difference.name for difference in lockstep.met}


def test_every_game_of_pokerkit_is_played() -> None:
    concrete = {
        game
        for _, game in inspect.getmembers(games, inspect.isclass)
        if issubclass(game, Poker) and hasattr(game, "create_state") and hasattr(game, "deck")
    }
    assert len(concrete) >= 17
    assert concrete <= {ancestor for variant in VARIANTS.values() for ancestor in variant.game.__mro__}


def test_pokerkits_fixed_limit_omaha_eight_is_pot_limit() -> None:
    """When this fails PokerKit has mended it: take `FixedLimitOmahaEight` out."""
    assert games.FixedLimitOmahaHoldemHighLowSplitEightOrBetter.betting_structure == "Pot-limit"


def off_by_one(function: Callable[..., int]) -> Callable[..., int]:
    return lambda *args, **kwargs: function(*args, **kwargs) + 1


def play_hands(variant: str, hands: int) -> None:
    for number in range(hands):
        play_hand(variant, 0, number)


FAULTS: dict[str, tuple[object, str, Callable[..., object], str]] = {
    "the least raise": (sizes, "no_limit_minimum", off_by_one(sizes.no_limit_minimum), "no-limit-holdem"),
    "the pot": (sizes, "pot_limit_maximum", off_by_one(sizes.pot_limit_maximum), "pot-limit-omaha"),
    "the fixed bet": (sizes, "limit_size", off_by_one(sizes.limit_size), "stud"),
    "the call": (rights, "owed", off_by_one(rights.owed), "badugi"),
    "the cap": (moves, "caps", lambda *_: False, "fixed-limit-holdem"),
    "reopening": (sizes, "is_full", lambda *_, **__: True, "no-limit-holdem"),
    "the return of what nobody called": (pots, "settle", lambda *_: None, "greek-holdem"),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_fault_of_the_engine_is_found_and_its_hand_can_be_played_again(
    fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, name, faulty, variant = FAULTS[fault]
    monkeypatch.setattr(module, name, faulty)
    with pytest.raises((AssertionError, Illegal, ValueError)) as found:
        play_hands(variant, 300)
    notes = "\n".join(found.value.__notes__)
    assert f"--hand {variant}/0/" in notes
    assert "acts: " in notes
    assert "stacks=" in notes


def test_a_hand_is_the_same_whenever_it_is_played() -> None:
    assert play_hand("stud-8", 3, 14) == play_hand("stud-8", 3, 14)
    assert replace(play_hand("stud-8", 3, 14)) != play_hand("stud-8", 3, 15)


def test_the_page_says_what_the_list_says() -> None:
    assert PATH.read_text(encoding="utf-8") == page(), "Write it again: .venv/bin/python -m tests.peers.page"
