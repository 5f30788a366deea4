"""A random evening: who comes, goes, buys, borrows, straddles, errs; the table must bear all of it.

An evening is a seed: the same seed tells the same story.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, TypeAlias, get_args

from betline.settings import GameSettings, HouseRules, load_house_rules
from betline.steps import Act, FloorRuling, NextHand, TableSetup, parse_step, step_to_mapping
from table_controller.betting import ActionKind
from table_controller.rulings import State, Table, payout_plan

Written: TypeAlias = dict[str, Any]

GAMES: tuple[dict[str, Any], ...] = (
    {"limit": "no-limit", "blinds": (1, 2)},
    {"limit": "no-limit", "blinds": (5, 10), "ante": 10, "ante_by": "big-blind", "unit": 5},
    {"limit": "no-limit", "blinds": (4, 8), "ante": 1},
    {"limit": "no-limit", "blinds": (10,), "cap": 120},
    {"limit": "no-limit", "blinds": (5, 5, 10)},
    {"limit": "no-limit", "blinds": (5, 10), "ante": 5, "ante_by": "button"},
    {"limit": "pot-limit", "blinds": (2, 5), "streets": "omaha"},
    {"limit": "pot-limit", "streets": "draw", "blinds": (), "ante": 5, "min_bet": 10},
    {"limit": "fixed-limit", "blinds": (10, 20), "bets": (20, 20, 40, 40)},
    {"limit": "fixed-limit", "streets": "stud", "blinds": (), "bets": (5, 5, 10, 10, 10), "bring_in": 2, "ante": 1},
    {"limit": "fixed-limit", "blinds": (10, 20), "bets": (20, 20, 40, 40), "streets": "triple-draw"},
    {"limit": "spread-limit", "blinds": (1, 2), "spread": (2, 10)},
)
OPTIONS: dict[str, tuple[Any, ...]] = {
    "form": ("tournament", "cash"),
    "button_rule": ("dead", "moving", "simplified"),
    "moving_both_due": ("big-now-small-next", "post-both"),
    "three_to_two": ("big-blind-moves", "simplified"),
    "three_blind_first": ("on-button", "left-of-button"),
    "replacement": ("pay-in-stead", "sit-out", "live-big-blind"),
    "new_player": ("post", "post-in-limit", "wait", "free"),
    "missed_blinds": ("none", "big-live-small-dead", "one-per-hand", "single-big"),
    "absent_players": ("dealt-in", "sit-out"),
    "big_blind_must_cover": ("none", "small-blind", "small-blind-and-ante"),
    "big_blind_ante_order": ("blind-first", "ante-first"),
    "chop_blinds": (True, False),
    "straddle_positions": ("none", "utg", "button", "utg-or-button", "button-or-cutoff", "any"),
    "straddle_size": ("exact", "at-least"),
    "restraddles": (0, 1, 3),
    "heads_up_straddle": (True, False),
    "short_straddle": ("refused", "full", "as-put"),
    "pot_limit_ante": ("counted", "not-counted"),
    "buy_in_most": ("range", "biggest-stack"),
    "mississippi_order": ("left-of-straddle", "left-of-big-blind"),
    "sleepers": (True, False),
    "rock": (True, False),
    "mandatory_straddle": (True, False),
    "kill": ("none", "half", "full", 30),
    "kill_trigger": ({"pot_at_least": 60}, {"scoop_at_least": 60}, {"wins": 2}),
    "kill_acts": ("last", "in-turn"),
    "kill_in_blind": ("kill-only", "both", "defer-blind"),
    "small_blind": ("live", "dead"),
    "odd_chip": ("left-of-button", "high-card-suit"),
    "undercall": ("tda", "bound", "full-call", "floor"),
    "out_of_turn": ("tda", "wsop-heads-up"),
    "short_all_in": ("full", "half"),
    "pot_limit_overbet": ("return", "stands", "stands-when-all-acted"),
    "stakes": ("table", "open"),
    "buy_in": ("none", [20, 100], [10, 400]),
    "lockout_minutes": (0, 60),
    "rake": (
        "none", {"percent": 5, "cap": 4}, {"percent": 10, "cap_big_blinds": 1.5, "no_flop_no_drop": True},
        {"time": 6, "minutes": 30}, {"drop": 3}, {"percent": 5, "cap": 4, "drop": 2},
        {"steps": [[20, 1], [40, 3], [90, 4]], "drop": 1, "no_flop_no_drop": True},
        {"by_players": [{"players": 2, "drop": 1}, {"players": 4, "percent": 10, "cap": 6}]},
    ),
    "kitty": ("none", "lowest-chip"),
    "short_buys": ("none", 1, "any"),
    "marker_least": (0, 50),
    "bomb_pot": ("none", {"ante": 10, "button_moves": False}, {"ante": 0, "button_moves": True}),
}  # fmt: skip
WORDS = ("call", "raise", "check", "fold", "all in", "pot", "raise to forty", "fifteen", "bet", "250", "complete")


def house(chance: random.Random) -> HouseRules:
    """A profile, and some options otherwise."""
    options = {key: chance.choice(values) for key, values in OPTIONS.items() if chance.random() < 0.4}
    if options.get("kill", "none") == "none":
        options.pop("kill_trigger", None)
    return load_house_rules(chance.choice(("tda", "cash", "home")), options)


def total(state: State) -> int:
    """Every chip that is on the table or has gone to the house."""
    hand = state.hand
    middle = state.carried if hand is None else hand.pot + hand.carried
    return sum(state.stacks.values()) + middle + sum(state.house_money.values())


class Evening:
    """One evening; every step is checked as it is told."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        chance = self.chance
        seats = chance.sample(range(1, 11), chance.randint(3, 7))
        self.setup = TableSetup(
            game=GameSettings(**chance.choice(GAMES)),
            house=house(chance),
            seats={seat: chance.randint(1, 60) * 10 + chance.randint(0, 9) for seat in sorted(seats)},
        )
        self.table = Table.begin(self.setup)
        self.told: list[Written] = []
        self.kinds: dict[str, int] = {}
        self.hands = 0
        self.kept: list[Table] = []
        self.brought = {id(self.table.state): total(self.table.state)}
        self.counted = set[int]()
        self.begun: dict[int, int] | None = None

    def play(self, steps: int) -> None:
        """So many steps, accepted or refused; then the story is told again from the beginning."""
        for _ in range(steps):
            self.tell(self._step())
        again = Table.begin(self.setup)
        for written in self.told:
            again = again.apply(parse_step(written)).table
        assert again.state == self.table.state

    def tell(self, written: Written) -> None:
        """One step, and what must hold of every step."""
        step = parse_step(json.loads(json.dumps(written)))
        assert parse_step(json.loads(json.dumps(step_to_mapping(step)))) == step
        before = self.table
        outcome = before.apply(step)
        after = outcome.table
        kind = next(key for key in written if key != "seat" or len(written) == 1)
        self.kinds[kind] = self.kinds.get(kind, 0) + (outcome.error is None)
        if outcome.error is not None:
            assert after is before, written
            assert outcome.error.sentence.endswith("."), written
            assert outcome.error.code != "unsupported" or "says" in written, (written, outcome.error)
            return
        self.table = after
        self.told.append(written)
        self.kept.append(after)
        self._check(before, written)
        if "next_hand" in written:
            self.hands += 1

    def _check(self, before: Table, written: Written) -> None:
        state = self.table.state
        known = self.brought.get(id(state))
        if (
            known is None
            and id(before.state) in self.counted
            and ("bet" in written.get("counts", ()) or written.keys() & _RETELLS)
        ):
            known = total(state)  # a stack counted since then holds, whatever was put in before
        if known is None:
            known = self.brought[id(before.state)] + _brought(before.state, state, written)
        assert total(state) == known, (written, total(state) - known)
        self.brought[id(state)] = known
        assert all(stack >= 0 for stack in state.stacks.values()), written
        if "stack" in written.get("counts", ()) or (id(before.state) in self.counted and "next_hand" not in written):
            self.counted.add(id(state))
        if "next_hand" in written and before.state.between_hands:
            self.begun = before.state.stacks
        elif self.begun is not None and written.keys() & _BRINGS:
            self.begun = None
        if self.begun is not None and not before.state.between_hands and written.keys() & {"fouled", "misdeal", "chop"}:
            back = {seat: stack for seat, stack in self.begun.items() if seat in state.players}
            if state.house_money.get("time", 0) == before.state.house_money.get("time", 0):
                began_with = {} if state.hand is None else state.hand.starting_stacks
                assert {**state.stacks, **began_with} == back, written
        hand = state.hand
        if hand is None:
            return
        assert hand.pot >= 0
        assert all(bet >= 0 for bet in hand.bets.values()), written
        if hand.next_seat is not None:
            assert hand.next_seat in hand.in_hand, written
            assert hand.stack(hand.next_seat) > 0, written
            assert hand.may, written
            least, most = hand.raise_range or (0, 0)
            assert least <= most <= hand.bet(hand.next_seat) + hand.stack(hand.next_seat), written
        if hand.round_over and not hand.hand_over:
            assert sum(pot.amount for pot in hand.pots) == hand.pot, written
        if hand.hand_over:
            plan = payout_plan(state)
            assert all(push.amount > 0 for push in plan)
            paid = before.state.hand.payouts if before.state.hand is not None else ()
            won = {payout.seat for payout in hand.payouts if payout.pot is not None and payout not in paid}
            assert not won & hand.folded or before.state.between_hands, written
            out = {place: sum(push.amount for push in plan if push.to == place) for place in ("rake", "kitty")}
            assert out["rake"] == sum(taking.rake for taking in state.takings)
            assert out["kitty"] == sum(taking.kitty for taking in state.takings)

    # what happens next

    def _step(self) -> Written:
        state, roll = self.table.state, self.chance.random()
        if state.between_hands:
            return self._next_hand() if roll < 0.45 else self.chance.choice(_BETWEEN)(self)
        if roll < 0.1:
            return self.chance.choice(_ANY_TIME)(self)
        if state.floor is not None:
            return self._decision()
        hand = state.hand
        assert hand is not None
        if hand.next_seat is None:
            return self._of_the_dealer()
        early = not hand.acts and hand.street == state.first_street
        return self.chance.choice(_EARLY)(self) if early and roll < 0.35 else self._act(hand.next_seat)

    def _seat(self, *, taken: bool = True) -> int:
        seats = list(self.table.state.players) if taken and self.chance.random() < 0.95 else list(range(1, 11))
        return self.chance.choice(seats or [1])

    def _next_hand(self) -> Written:
        chance, inner = self.chance, dict[str, Any]()
        if chance.random() < 0.12:
            inner["game"] = json.loads(json.dumps(chance.choice(GAMES)))
        if chance.random() < 0.06:
            inner["bomb_pot"] = chance.choice((0, 5, 20))
        if chance.random() < 0.05:
            inner["button"] = self._seat()
        if chance.random() < 0.04:
            inner |= step_to_mapping(NextHand(house=house(chance)))["next_hand"]
        return {"next_hand": inner or True}

    def _act(self, turn: int) -> Written:
        chance, state = self.chance, self.table.state
        hand = state.hand
        assert hand is not None
        roll = chance.random()
        if roll < 0.08:
            seat = turn if chance.random() < 0.6 else self._seat()
            chips = [chance.choice((1, 5, 25, 100)) for _ in range(chance.randint(1, 4))]
            if seat in hand.seats and sum(chips) <= hand.stack(seat):
                return {"seat": seat, "chips": chips}
        if roll < 0.12:
            return {"seat": turn if chance.random() < 0.6 else self._seat(), "says": chance.choice(WORDS)}
        blinds = {post.seat for post in state.due.posts} if state.due else set[int]()
        if roll < 0.4 and not hand.acts_with_chips and hand.in_hand <= blinds:
            return {"chop": True}
        if roll < 0.14:
            return {"seat": self._seat(), "gesture": chance.choice(("tap", "muck"))}
        if roll < 0.16:
            return {"seat": turn, "action": "all-in"}
        may = state.may
        bounds = state.raise_range
        if roll < 0.35 and bounds is not None:
            wager = next(
                (kind for kind in (ActionKind.BET, ActionKind.RAISE, ActionKind.COMPLETE) if kind in may), None
            )
            to = chance.randint(bounds[0], min(bounds[1], bounds[0] + chance.choice((0, 10, 400))))
            if wager is not None:
                return {"seat": turn, "action": str(wager), "to": to}
        if roll < 0.37 and bounds is not None and bounds[0] > 2:
            return {"seat": turn, "action": "raise", "to": chance.randint(1, bounds[1]), "accepted": True}
        if ActionKind.CHECK in may:
            return {"seat": turn, "action": "check"}
        return {"seat": turn, "action": "call" if chance.random() < 0.6 and ActionKind.CALL in may else "fold"}

    def _of_the_dealer(self) -> Written:
        chance, state = self.chance, self.table.state
        hand = state.hand
        assert hand is not None
        live = sorted(hand.in_hand)
        streets = state.structure.streets
        if not hand.round_over:
            return {"bring_in": chance.choice(live)}
        if hand.hand_over or hand.betting_over:
            if hand.street == streets[0] and chance.random() < 0.1:
                return {"pass_out": True}
            return {"award": [self._winners(pot.seats) for pot in hand.pots]}
        if chance.random() < 0.1:
            return {"pass_out": True}
        deal: Written = {"deal": streets[streets.index(hand.street) + 1]}
        if state.structure.opener_named:
            deal["first"] = chance.choice(live)
            deal["open_pair"] = chance.random() < 0.2
        return deal

    def _winners(self, seats: tuple[int, ...]) -> object:
        def some() -> list[int]:
            return self.chance.sample(seats, self.chance.randint(1, len(seats)))

        return {"parts": [some(), some()]} if self.chance.random() < 0.2 else some()[: self.chance.choice((1, 1, 9))]

    def _decision(self) -> Written:
        question = self.table.state.floor
        assert question is not None
        name, _, amount = self.chance.choice(question.verdict.offers or ("call",)).partition(":")
        return {"floor": {"ruling": name, **({"to": int(amount)} if amount else {})}}

    def sits(self) -> Written:
        who = {"player": f"p{self.chance.randint(1, 9)}"} if self.chance.random() < 0.5 else {}
        stack = self.chance.choice((20, 45, 100, 205, 400, 1000))
        seat = self._seat(taken=False)
        return {"sits": {"seat": seat, "stack": stack, "post": self.chance.random() < 0.7,
                         "buys_button": self.chance.random() < 0.2, **who}}  # fmt: skip

    def leaves(self) -> Written:
        return {"leaves": self._seat()}

    def away(self) -> Written:
        return {"away": self._seat()}

    def back(self) -> Written:
        gone = [seat for seat, player in self.table.state.players.items() if player.away]
        seat = self.chance.choice(gone) if gone else self._seat()
        return {"back": {"seat": seat, "post": self.chance.random() < 0.7, "buys_button": self.chance.random() < 0.2}}

    def adds(self) -> Written:
        busted = [seat for seat, player in self.table.state.players.items() if not player.stack]
        return {"adds": {"seat": self.chance.choice(busted) if busted else self._seat(),
                         "amount": self.chance.choice((10, 40, 100, 200, 400))}}  # fmt: skip

    def behind(self) -> Written:
        return {"behind": {"seat": self._seat(), "amount": self.chance.choice((10, 100)),
                           "cash": self.chance.random() < 0.3}}  # fmt: skip

    def borrows(self) -> Written:
        hand = self.table.state.hand
        out = sorted(hand.folded) if hand is not None and hand.folded else [self._seat()]
        source = self.chance.choice(("pot", self.chance.choice(out)))
        declined = {"declined": [self._seat()]} if self.chance.random() < 0.3 else {}
        return {"borrows": {"seat": self.table.state.next_seat or self._seat(), "from": source,
                            "amount": self.chance.choice((10, 60, 100)), **declined}}  # fmt: skip

    def moves(self) -> Written:
        places = ("tray", "kitty", "rake", self._seat(), self._seat())
        return {
            "moves": {
                "from": self.chance.choice(places),
                "to": self.chance.choice(places),
                "amount": self.chance.randint(1, 9),
                "why": self.chance.choice(("tip", "change", "sale")),
            }
        }

    def penalty(self) -> Written:
        return {"penalty": {"seat": self._seat(), "hands": self.chance.choice((0, 1, 2, 3))}}

    def time(self) -> Written:
        return {"after_minutes": self.chance.choice((1, 12, 31, 65))}

    def race(self) -> Written:
        if self.chance.random() < 0.8:  # a game of larger chips is not often left
            return self.time()
        remove, chip = self.chance.choice(((1, 5), (5, 10), (5, 25)))
        odd = {seat: stack % chip for seat, stack in self.table.state.stacks.items() if stack % chip}
        wins = self.chance.sample(sorted(odd), min(-(-sum(odd.values()) // chip), len(odd)))
        return {"race": {"remove": remove, "wins": wins, "to": chip}}

    def counts(self) -> Written:
        key = self.chance.choice(("stack", "bet"))
        return {"counts": {"seat": self._seat(), key: self.chance.choice((0, 7, 40, 300))}}

    def undo(self) -> Written:
        return {"undo": self.chance.choice((1, 1, 2, 5))}

    def reopens(self) -> Written:
        return {"reopens": "last_hand"}

    def misdeal(self) -> Written:
        return {"misdeal": True}

    def fouled(self) -> Written:
        return {"fouled": True}

    def kills(self) -> Written:
        return {"kills": {"seat": self._seat(), "why": "unprotected"}}

    def expires(self) -> Written:
        return {"expires": self.table.state.next_seat or self._seat()}

    def straddle(self) -> Written:
        big = self.table.state.structure.big_blind or 10
        seat = self.table.state.next_seat if self.chance.random() < 0.6 else self._seat()
        return {"straddle": {"seat": seat, "to": self.chance.choice((2, 2, 4, 8)) * big,
                             "kind": self.chance.choice(("live", "mississippi", "sleeper"))}}  # fmt: skip

    def button(self) -> Written:
        return {"button": self._seat()}

    def corrects(self) -> Written:
        return {"corrects": {"seat": self._seat(), "to": self.chance.randint(1, 60)}}

    def records(self) -> Written:
        hand = self.table.state.hand
        street = self.table.state.structure.streets[0] if hand is None else hand.street
        return {"records": {"street": street, "seat": self._seat(), "to": self.chance.randint(1, 60)}}

    def overrides(self) -> Written:
        chance, hand = self.chance, self.table.state.hand
        ruling = chance.choice(get_args(FloorRuling))
        to = {"to": chance.randint(1, 60)} if ruling in ("bet", "raise", "complete") or chance.random() < 0.1 else {}
        street = {"street": hand.street} if hand is not None and chance.random() < 0.2 else {}
        acted = self.table.step.seat if isinstance(self.table.step, Act) else self._seat()
        seat = acted if chance.random() < 0.6 else self._seat()
        return {"overrides": {"seat": seat, "ruling": ruling, **to, **street, "by": "p-f", "why": "as it was"}}

    def last_two(self) -> Written:
        return {"last_two": True} if self.chance.random() < 0.1 else self.time()


_Told: TypeAlias = Callable[[Evening], Written]
_COMING: tuple[_Told, ...] = (Evening.sits, Evening.sits, Evening.away, Evening.back, Evening.back, Evening.adds)
_BETWEEN: tuple[_Told, ...] = (
    *_COMING, Evening.adds, Evening.adds, Evening.leaves, Evening.behind, Evening.moves, Evening.penalty, Evening.time,
    Evening.race, Evening.counts, Evening.undo, Evening.reopens, Evening.corrects, Evening.records, Evening.overrides,
    Evening.last_two,
)  # fmt: skip
_EARLY: tuple[_Told, ...] = (Evening.straddle, Evening.straddle, Evening.straddle, Evening.straddle, Evening.button)
_ANY_TIME: tuple[_Told, ...] = (
    *_COMING, Evening.leaves, Evening.borrows, Evening.borrows, Evening.moves, Evening.penalty, Evening.time,
    Evening.counts, Evening.undo, Evening.reopens, Evening.misdeal, Evening.fouled, Evening.kills, Evening.expires,
    Evening.corrects, Evening.corrects, Evening.records, Evening.overrides, Evening.overrides,
)  # fmt: skip


_RETELLS = frozenset({"corrects", "records", "overrides"})
_BRINGS = frozenset(
    {"sits", "leaves", "adds", "behind", "borrows", "moves", "counts", "race", "undo", "reopens", "after_minutes"}
)
"""Steps after which a hand that is dealt again does not give back what everybody had when it began."""


def _brought(before: State, after: State, written: Written) -> int:
    """What a step that tells nothing again brings to the table, less what it takes away."""
    kind, value = next(iter(written.items()))
    gone = {seat for seat, one in before.players.items() if one.leaving and one is not after.players.get(seat)}
    match kind:
        case "sits":
            brought = int(value["stack"])
        case "leaves":
            brought = 0
            gone |= {value} - after.players.keys()
        case "adds" | "behind":
            brought = int(value["amount"])
        case "borrows":
            brought = int(value["amount"]) if value["from"] == "pot" else 0
        case "counts":
            brought = int(value["stack"]) - before.stacks[value["seat"]] if "stack" in value else 0
        case _:
            brought = 0
    return brought - sum(before.stacks[seat] for seat in gone if not _stays(after, seat))


def _stays(after: State, seat: int) -> bool:
    """A player who leaves when the hand is over is still there."""
    return seat in after.players and after.players[seat].leaving
