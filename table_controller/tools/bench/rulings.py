"""The suite `rulings`: one act to its ruling, nine-handed, in process, by `Table.apply` as the table calls it.

Tables and acts are drawn beforehand: random hands of several games under each profile of house rules, act by act, in
which players push chips silently, in one motion or two, say words with chips or alone, tap, muck, act out of turn, or
the dealer keys their action. What the clock runs over is everything from the act to the new table with its ruling: the
rules, the engine, the settling of acts that were held aside, the sentence. Reading the act from a message and
publishing what came of it are not in it. Each act is timed in several rounds, by what the
processor spent on it, and its time is the one in the middle, so that other load on the machine counts for little; the
percentiles are those of the acts. People are also told the percentiles of all single times by the clock on the wall.
What was drawn is hidden from the garbage collector, which otherwise works.
"""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Sequence
from time import perf_counter_ns, thread_time_ns
from typing import NamedTuple

from betline.bench import Figure, Progress, Report
from betline.settings import GameSettings, load_house_rules
from betline.steps import Act, Deal, FloorDecision, TableSetup
from table_controller.rulings import RulingKind, Table

SEATS = range(1, 10)
STACK_IN_BLINDS = (20, 60, 100, 200)
PROFILES = ("tda", "cash", "home")
GAMES = (
    GameSettings(limit="no-limit", blinds=(1, 2)),
    GameSettings(limit="no-limit", blinds=(50, 100), ante=100, ante_by="big-blind", unit=25),
    GameSettings(limit="pot-limit", blinds=(5, 10), streets="omaha"),
    GameSettings(limit="fixed-limit", blinds=(5, 10), bets=(10, 10, 20, 20)),
)
CHIPS = (1000, 500, 100, 25, 5, 1)
TARGET_US = 200
LONGEST = 120
"""Acts after which a hand is left."""


class Effort(NamedTuple):
    """How much is measured."""

    acts: int
    """Different acts that are drawn."""
    rounds: int
    """How often each of them is timed; an odd number."""


USUAL = Effort(acts=5_000, rounds=11)
FULL = Effort(acts=25_000, rounds=21)


class Times(NamedTuple):
    """How long one act took."""

    processor_us: float
    wall_us: float


class Drawn(NamedTuple):
    """An act, the kind that it was drawn as, and the table that it comes to."""

    hand: int
    """The number of the hand, from 1."""
    table: Table
    act: Act
    kind: str


def measure(progress: Progress, *, full: bool = False) -> Report:
    """Times single acts; `full`: ten times as many."""
    effort = FULL if full else USUAL
    progress.at(0, effort.rounds + 1, "drawing acts")
    drawn = draw(effort.acts)
    rounds: list[list[Times]] = []
    gc.collect()
    gc.freeze()
    try:
        act_times(drawn)  # warms up
        for number in range(1, effort.rounds + 1):
            progress.at(number, effort.rounds + 1, "one act to its ruling")
            rounds.append(act_times(drawn))
    finally:
        gc.unfreeze()
    middle = [sorted([time.processor_us for time in act])[len(act) // 2] for act in zip(*rounds, strict=True)]
    p50, p99 = _percentiles(middle)
    wall_p50, wall_p99 = _percentiles([time.wall_us for times in rounds for time in times])
    figures = (
        Figure("one act to its ruling, nine-handed: p50", f"{p50:.1f} us"),
        Figure("    p99", f"{p99:.1f} us", f"under {TARGET_US} us", p99 < TARGET_US),
        Figure("    every single time on the wall's clock: p50", f"{wall_p50:.1f} us"),
        Figure("    p99", f"{wall_p99:.1f} us"),
    )
    return Report({"act_us": {"p50": p50, "p99": p99}}, figures, _extent(drawn, effort))


def act_times(drawn: Sequence[Drawn]) -> list[Times]:
    """The time from each act to its ruling."""
    times: list[Times] = []
    for _, table, act, _ in drawn:
        begun, spent = perf_counter_ns(), thread_time_ns()
        table.apply(act)
        spent, ended = thread_time_ns() - spent, perf_counter_ns()
        times.append(Times(spent / 1_000, (ended - begun) / 1_000))
    return times


def _percentiles(times: list[float]) -> tuple[float, float]:
    """The middle one, and the one that 99 of 100 are below."""
    times.sort()
    return times[len(times) // 2], times[len(times) * 99 // 100]


def _extent(drawn: Sequence[Drawn], effort: Effort) -> tuple[str, ...]:
    kinds = Counter([one.kind for one in drawn])
    rulings = Counter([ruling.ruling for one in drawn if (ruling := one.table.apply(one.act).ruling) is not None])
    return (
        f"{len(drawn)} acts of {drawn[-1].hand} hands, each timed {effort.rounds} times: {_shares(kinds, len(drawn))}.",
        f"They were ruled {_shares(rulings, len(drawn))}.",
    )


def _shares(counted: Counter[str] | Counter[RulingKind], total: int) -> str:
    return ", ".join(f"{kind} {100 * number / total:.0f} %" for kind, number in counted.most_common())


# what is drawn


def draw(acts: int, seats: range = SEATS) -> list[Drawn]:
    """Random acts in random hands at a table with these seats, the same ones each time."""
    rng = random.Random("bench rulings")
    drawn: list[Drawn] = []
    hand = 0
    while len(drawn) < acts:
        hand += 1
        drawn += _draw_hand(rng, hand, seats)
    return drawn[:acts]


def _draw_hand(rng: random.Random, number: int, seats: range) -> list[Drawn]:
    """The acts of one hand, those that were refused among them."""
    game = rng.choice(GAMES)
    table = Table.begin(
        TableSetup(
            game=game, house=load_house_rules(rng.choice(PROFILES)), button=rng.choice(seats),
            seats={seat: game.blinds[-1] * rng.choice(STACK_IN_BLINDS) for seat in seats},
        )
    )  # fmt: skip
    drawn: list[Drawn] = []
    while len(drawn) < LONGEST:
        state = table.state
        hand = state.hand
        if hand is None or hand.betting_over:
            break
        if state.floor is not None:
            ruling, _, to = rng.choice(state.floor.verdict.offers).partition(":")
            table = table.apply(FloorDecision(ruling=ruling, to=int(to) if to else None)).table
        elif hand.next_seat is None:
            table = table.apply(
                Deal(street=hand.structure.streets[hand.structure.streets.index(hand.street) + 1])
            ).table
        else:
            kind, act = _draw_act(rng, table)
            drawn.append(Drawn(number, table, act, kind))
            table = table.apply(act).table
    return drawn


def _draw_act(rng: random.Random, table: Table) -> tuple[str, Act]:
    """What a player or the dealer does, and what kind of act that is."""
    state, hand = table.state, table.state.hand
    assert hand is not None
    assert hand.next_seat is not None
    others = sorted(hand.in_hand - hand.all_in - {hand.next_seat})
    if others and rng.random() < 0.1:
        seat = rng.choice(others)
        chips = _chips(rng, max(min(hand.level - hand.bet(seat), hand.stack(seat)), 1))
        return "out of turn", rng.choice((Act(seat=seat, motions=(chips,)), Act(seat=seat, says="call")))
    seat, call, stack = hand.next_seat, hand.to_call or 0, hand.stack(hand.next_seat)
    least, most = state.raise_range or (None, None)
    if rng.random() < (0.3 if call else 0.05):
        return rng.choice((
            ("words", Act(seat=seat, says="fold")),
            ("gesture", Act(seat=seat, gesture="muck")),
            ("keyed", Act(seat=seat, action="fold")),
        ))  # fmt: skip
    if least is None or most is None or rng.random() < 0.6:
        return _passive(rng, seat, call, stack)
    to = min(least + int((most - least) * rng.random() ** 4), most)
    return _aggressive(rng, seat, to, to - hand.bet(seat), "bet" if not hand.level else "raise")


def _passive(rng: random.Random, seat: int, call: int, stack: int) -> tuple[str, Act]:
    """A check or a call, or chips that nearly are one."""
    if not call:
        return rng.choice((
            ("gesture", Act(seat=seat, gesture="tap")),
            ("words", Act(seat=seat, says="check")),
            ("keyed", Act(seat=seat, action="check")),
        ))  # fmt: skip
    over = [chip for chip in CHIPS if call < chip <= stack]
    pushed = (over[-1],) if over and rng.random() < 0.4 else _chips(rng, call)
    more = _chips(rng, min(stack, call + rng.randint(1, call)))
    return rng.choice((
        ("chips", Act(seat=seat, motions=(pushed,))),
        ("chips", Act(seat=seat, motions=(more,))),
        ("motions", Act(seat=seat, motions=(more[:1], more[1:]) if len(more) > 1 else (more,))),
        ("words", Act(seat=seat, says="call")),
        ("words with chips", Act(seat=seat, says="call", motions=(pushed,))),
        ("keyed", Act(seat=seat, action="call")),
    ))  # fmt: skip


def _aggressive(rng: random.Random, seat: int, to: int, adds: int, verb: str) -> tuple[str, Act]:
    """A bet or raise to an amount."""
    chips = _chips(rng, adds)
    motions = (chips[:1], chips[1:]) if len(chips) > 1 else (chips,)
    return rng.choice((
        ("chips", Act(seat=seat, motions=(chips,))),
        ("chips", Act(seat=seat, motions=(chips,))),
        ("motions", Act(seat=seat, motions=motions)),
        ("words with chips", Act(seat=seat, says=verb, motions=(chips,))),
        ("words with chips", Act(seat=seat, says=f"{verb} {to}", motions=motions)),
        ("words with chips", Act(seat=seat, says=f"{to}", motions=(chips,), first="both")),
        ("words", Act(seat=seat, says=f"make it {to}")),
        ("words", Act(seat=seat, says="all in")),
        ("keyed", Act(seat=seat, action="bet" if verb == "bet" else "raise", to=to)),
    ))  # fmt: skip


def _chips(rng: random.Random, amount: int) -> tuple[int, ...]:
    """Chips that make an amount, in any order, one of them broken into smaller ones now and then."""
    found: list[int] = []
    for chip in CHIPS:
        count, amount = divmod(amount, chip)
        found += [chip] * count
    if rng.random() < 0.5 and 100 in found:
        found.remove(100)
        found += [25] * 4
    rng.shuffle(found)
    return tuple(found)
