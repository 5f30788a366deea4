"""The suite `engine`: hands a second, betting only, beside PokerKit in the same run, and how long one act takes.

Both engines play the same hands: stacks, blinds and acts are drawn beforehand, from hands that both play alike; one
where the house rules differ from PokerKit's (tests/peers names those cases) is drawn again. Counted in both: beginning
a hand and posting its blinds; before each act the questions of a table (who acts, what a call costs, the least and the
most of a raise); the act; gathering the bets; paying a hand that all others folded to. A hand that comes to a showdown
ends where its betting does: nobody shows, no hand is ranked, nothing is awarded, in either engine.

PokerKit cannot bet without cards: its shuffling and its automatic dealing are counted, in `hands_per_s` and `ratio`.
What its betting alone takes is told to people beside it: there its cards are dealt by hand, a player's in one call,
and the clock stands while they are. The last of those calls also opens the betting round, which so costs PokerKit
nothing, while the opening of ours (`Hand.deal`) is counted.

Our engine is the one that the table uses, `Hand`, with all its options in place; they are the cash profile's but for
the pot before the flop, of which PokerKit knows the true one only. The engines take turns every few hands, each goes
first as often, the garbage collector rests, and the time of hands is what the processor spent on them; so other load
on the machine touches all alike. Single acts are timed by the clock on the wall.
"""

from __future__ import annotations

import gc
import importlib.metadata
import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter_ns, thread_time
from typing import NamedTuple

import pokerkit

from betline.bench import Figure, Progress, Report
from betline.options import FAILED, UserError
from table_controller.betting import STREETS, Action, ActionKind, BettingOptions, Hand, Limit, Structure
from table_controller.betting.structure import PotLimitPreflop, ShortBlindPot

BLINDS = (1, 2)
STACK = 200
SLICE = 10
"""Hands that one engine plays before it is the other's turn."""
OPTIONS = BettingOptions(pot_limit_preflop=PotLimitPreflop.TRUE_POT, short_blind_pot=ShortBlindPot.ACTUAL)
BETTING = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
    pokerkit.Automation.CHIPS_PUSHING,
    pokerkit.Automation.CHIPS_PULLING,
)
"""What PokerKit does by itself; of the rest it does nothing: nobody shows and no hand is ranked."""
DEALING = (
    pokerkit.Automation.CARD_BURNING,
    pokerkit.Automation.HOLE_DEALING,
    pokerkit.Automation.BOARD_DEALING,
)
FOLDS, RAISES = 0.25, 0.2
"""How often a player who faces a bet folds, and how often one who may raises; what is left checks or calls."""


class Effort(NamedTuple):
    """How much is measured."""

    hands: int
    """Different hands of each game; all of them are played in each round."""
    rounds: int
    """An odd number: the round in the middle is reported."""
    acts: int
    """Acts that are timed singly."""


USUAL = Effort(hands=200, rounds=15, acts=50_000)
FULL = Effort(hands=1_000, rounds=31, acts=500_000)

Plan = tuple[tuple[tuple[ActionKind, int | None], ...], ...]
"""The acts of a hand, street by street."""
Answer = tuple[int | None, int | None, int | None, int | None]
"""Who acts, what a call costs, the least and the most of a raise."""
PeerGame = type[pokerkit.NoLimitTexasHoldem] | type[pokerkit.PotLimitOmahaHoldem]


class Game:
    """A game that both engines play, with its key of the JSON and the ratio to reach."""

    def __init__(self, key: str, name: str, structure: Structure, peer: PeerGame, players: int, target: float) -> None:
        self.key = key
        self.name = name
        self.structure = structure
        self.target = target
        self.players = players
        self.stacks = dict.fromkeys(range(1, players + 1), STACK)
        self._peer_stacks = tuple(self.stacks.values())
        blinds, least = structure.blinds, structure.big_blind
        self._peer = peer(BETTING + DEALING, True, 0, blinds, least)
        self._peer_without_cards = peer(BETTING, True, 0, blinds, least)

    def begin(self) -> Hand:
        """A hand of ours, its blinds posted; the last seat has the button."""
        return Hand.start(self.structure, OPTIONS, self.stacks, self.players)

    def begin_peer(self, *, dealt: bool = True) -> pokerkit.State:
        """A hand of PokerKit's, its blinds posted; `dealt`: it deals its cards by itself."""
        return (self._peer if dealt else self._peer_without_cards)(self._peer_stacks, self.players)


NLHE = Game(
    "nlhe_6max",
    "no-limit hold'em, six-handed",
    Structure(limit=Limit.NO_LIMIT, blinds=BLINDS, streets=STREETS["holdem"]),
    pokerkit.NoLimitTexasHoldem,
    players=6,
    target=3,
)
PLO = Game(
    "plo_9max",
    "pot-limit Omaha, nine-handed",
    Structure(limit=Limit.POT_LIMIT, blinds=BLINDS, streets=STREETS["omaha"]),
    pokerkit.PotLimitOmahaHoldem,
    players=9,
    target=5,
)
GAMES = (NLHE, PLO)


class Round(NamedTuple):
    """One round: all hands, played by both engines in turns."""

    ratio: float
    hands_per_s: float
    pokerkit_hands_per_s: float
    pokerkit_undealt_per_s: float
    """PokerKit's without the dealing of cards."""


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Measures both games, then single acts; `full`: ten times as much."""
    effort = FULL if full else USUAL
    total = len(GAMES) * (effort.rounds + 1) + 1
    json: dict[str, dict[str, float]] = {}
    figures: list[Figure] = []
    measured: list[str] = []
    for game in GAMES:
        progress.at(len(json) * (effort.rounds + 1), total, game.name)
        plans = draw(game, effort.hands)
        rounds: list[Round] = []
        play_round(game, plans)  # warms up
        for number in range(1, effort.rounds + 1):
            progress.at(len(json) * (effort.rounds + 1) + number, total, game.name)
            rounds.append(play_round(game, plans))
        middle = sorted(rounds)[effort.rounds // 2]
        json[game.key] = {
            "hands_per_s": middle.hands_per_s,
            "pokerkit_hands_per_s": middle.pokerkit_hands_per_s,
            "ratio": middle.ratio,
        }
        figures += _figures(game, middle)
        measured.append(_extent(game, plans, rounds))
    progress.at(total - 1, total, "single acts")
    times = act_times(PLO, draw(PLO, effort.hands), effort.acts)
    p50, p99 = _percentile(times, 50), _percentile(times, 99)
    json["act_us"] = {"p50": p50, "p99": p99}
    figures.append(Figure(f"one act and the next questions, {PLO.name}: p50", f"{p50:.1f} us"))
    figures.append(Figure("    p99", f"{p99:.1f} us"))
    measured.append(f"Single acts: {len(times)} timed, with the garbage collector at work.")
    return Report(json, tuple(figures), tuple(measured))


def _figures(game: Game, middle: Round) -> list[Figure]:
    peer = f"PokerKit {importlib.metadata.version('pokerkit')}"
    return [
        Figure(f"{game.name}: hands a second", f"{middle.hands_per_s:.0f}"),
        Figure(f"    {peer}", f"{middle.pokerkit_hands_per_s:.0f}"),
        Figure("    ratio", f"{middle.ratio:.2f}", f"at least {game.target:g}", middle.ratio >= game.target),
        Figure(f"    {peer}, its dealing not counted", f"{middle.pokerkit_undealt_per_s:.0f}"),
        Figure("    ratio to that", f"{middle.hands_per_s / middle.pokerkit_undealt_per_s:.2f}"),
    ]


def _extent(game: Game, plans: Sequence[Plan], rounds: Sequence[Round]) -> str:
    acts = sum(len(street) for plan in plans for street in plan)
    ratios = sorted(played.ratio for played in rounds)
    low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
    return (
        f"{game.name[0].upper()}{game.name[1:]}: {len(plans)} hands of {acts / len(plans):.1f} acts in {len(rounds)} "
        f"rounds; the round in the middle is shown, half of the ratios lie from {low:.2f} to {high:.2f}, all from "
        f"{ratios[0]:.2f} to {ratios[-1]:.2f}."
    )


def _percentile(times: Sequence[float], percent: int) -> float:
    return sorted(times)[min(len(times) * percent // 100, len(times) - 1)]


# the hands


def draw(game: Game, hands: int) -> list[Plan]:
    """Random hands that both engines play alike, the same ones each time."""
    rng = random.Random(f"bench {game.key}")
    plans: list[Plan] = []
    with _undisturbed():
        while len(plans) < hands:
            plan = _draw_one(game, rng)
            if plan is not None:
                plans.append(plan)
    return plans


def _draw_one(game: Game, rng: random.Random) -> Plan | None:
    """The acts of one hand; None where the engines do not agree on all questions, stacks and the end."""
    hand, peer = game.begin(), game.begin_peer()
    plan: list[tuple[tuple[ActionKind, int | None], ...]] = []
    while True:
        acts: list[tuple[ActionKind, int | None]] = []
        while hand.next_seat is not None:
            answer = ask(hand)
            if answer != ask_peer(peer):
                return None
            kind, to = _choose(hand, answer, rng)
            acts.append((kind, to))
            hand = hand.act(Action(kind, to))
            act_of_peer(peer, kind, to)
        plan.append(tuple(acts))
        if hand.stacks != dict(enumerate(peer.stacks, 1)) or hand.pot != peer.total_pot_amount:
            return None
        if hand.betting_over:
            return tuple(plan) if peer.actor_index is None else None
        hand = hand.deal(game.structure.streets[len(plan)])


def _choose(hand: Hand, answer: Answer, rng: random.Random) -> tuple[ActionKind, int | None]:
    """A legal act; most raises are near the least."""
    _, call, least, most = answer
    chance = rng.random()
    if call and chance < FOLDS:
        return ActionKind.FOLD, None
    if least is None or most is None or chance < 1 - RAISES:
        return (ActionKind.CALL if call else ActionKind.CHECK), None
    return hand.wager_kind, least + int((most - least) * rng.random() ** 4)


# the questions and acts of both engines


def ask(hand: Hand) -> Answer:
    """The questions that a table asks at each act."""
    bounds = hand.raise_range
    least, most = (None, None) if bounds is None else bounds
    return hand.next_seat, hand.to_call, least, most


def ask_peer(peer: pokerkit.State) -> Answer:
    """The same questions to PokerKit, whose indices are one below the seats."""
    actor = peer.actor_index
    return (
        None if actor is None else actor + 1,
        peer.checking_or_calling_amount,
        peer.min_completion_betting_or_raising_to_amount,
        peer.max_completion_betting_or_raising_to_amount,
    )


def act_of_peer(peer: pokerkit.State, kind: ActionKind, to: int | None) -> None:
    if to is not None:
        peer.complete_bet_or_raise_to(to)
    elif kind is ActionKind.FOLD:
        peer.fold()
    else:
        peer.check_or_call()


def deal_to_peer(peer: pokerkit.State) -> None:
    """The cards that PokerKit needs to open its next betting round."""
    if peer.street_index:
        peer.burn_card()
        peer.deal_board()
        return
    for cards in list(peer.hole_dealing_statuses):
        peer.deal_hole(len(cards))


# what is timed


def play_round(game: Game, plans: Sequence[Plan]) -> Round:
    """Plays all hands with both engines in turns, and checks that they gave the same answers."""
    players = (_play_ours, _play_theirs, _play_theirs_undealt)
    seconds = dict.fromkeys(players, 0.0)
    with _undisturbed():
        for number, start in enumerate(range(0, len(plans), SLICE)):
            answers: dict[Callable[..., float], list[Answer]] = {play: [] for play in players}
            for play in players if number % 2 else reversed(players):
                seconds[play] += play(game, plans[start : start + SLICE], answers[play])
            if not answers[_play_ours] == answers[_play_theirs] == answers[_play_theirs_undealt]:
                raise UserError(f"The engines disagree on {game.name}: run tests/peers to learn where.", FAILED)
    ours, theirs, undealt = (seconds[play] for play in players)
    return Round(theirs / ours, len(plans) / ours, len(plans) / theirs, len(plans) / undealt)


def _play_ours(game: Game, plans: Sequence[Plan], answers: list[Answer]) -> float:
    """Seconds of the processor for these hands."""
    streets = game.structure.streets
    begun = thread_time()
    for plan in plans:
        hand = game.begin()
        for number, acts in enumerate(plan):
            if number:
                hand = hand.deal(streets[number])
            for kind, to in acts:
                answers.append(ask(hand))
                hand = hand.act(Action(kind, to))
    return thread_time() - begun


def _play_theirs(game: Game, plans: Sequence[Plan], answers: list[Answer]) -> float:
    """The same with PokerKit, cards and all."""
    begun = thread_time()
    for plan in plans:
        peer = game.begin_peer()
        for acts in plan:
            for kind, to in acts:
                answers.append(ask_peer(peer))
                act_of_peer(peer, kind, to)
    return thread_time() - begun


def _play_theirs_undealt(game: Game, plans: Sequence[Plan], answers: list[Answer]) -> float:
    """The same without the dealing of cards."""
    dealing = 0.0
    begun = thread_time()
    for plan in plans:
        peer = game.begin_peer(dealt=False)
        for acts in plan:
            dealt = thread_time()
            deal_to_peer(peer)
            dealing += thread_time() - dealt
            for kind, to in acts:
                answers.append(ask_peer(peer))
                act_of_peer(peer, kind, to)
    return thread_time() - begun - dealing


def act_times(game: Game, plans: Sequence[Plan], acts: int) -> list[float]:
    """Microseconds of so many single acts, each with the questions of the next seat to act."""
    streets = game.structure.streets
    times: list[float] = []
    while True:
        for plan in plans:
            hand = game.begin()
            for number, street in enumerate(plan):
                if number:
                    hand = hand.deal(streets[number])
                for kind, to in street:
                    begun = perf_counter_ns()
                    hand = hand.act(Action(kind, to))
                    ask(hand)
                    times.append((perf_counter_ns() - begun) / 1_000)
                    if len(times) == acts:
                        return times


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No garbage collector and no warnings of PokerKit (it warns of legal but unusual acts)."""
    gc.collect()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        gc.enable()
