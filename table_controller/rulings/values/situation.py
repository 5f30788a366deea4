"""An act as the rules see it: what lies in front of the seat, what it faces, what it may do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from betline.fields import Chips
from betline.settings import HouseRules
from betline.steps import Act
from table_controller.betting import Hand, Limit
from table_controller.rulings.values import motions
from table_controller.rulings.values.reckoning import Reckoned, Reckoning
from table_controller.rulings.values.ruling import RulingKind, Standing, Verdict
from table_controller.rulings.values.state import State
from table_controller.rulings.values.words import Said, Verb, heard


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All amounts are totals of this round unless they say otherwise."""

    hand: Hand
    house: HouseRules
    act: Act
    said: Said | None
    """The words that define the act; None where chips came first or nothing was said (TDA 40-A)."""
    standing: Standing
    chips: Chips
    """The new chips that count, largest first."""
    carried: Chips
    """Chips carried over the line and back, where only the floor says whether that commits (R-050)."""
    string: bool
    """Chips of later motions do not count (TDA 56)."""
    prior: int
    """What lay in front of the seat before, overchips not changed yet at their value."""
    taken: int
    """What it has pulled back of that."""
    taken_while_held: int
    """What it took back of these chips while its act out of turn was held (TDA 53-A)."""
    laid: int
    """What lies in front of it now, counted or not."""
    bet: int
    match: int
    """The total that calls, at most everything the seat has."""
    everything: int
    bets_made: tuple[int, ...]
    """The bets to match on this street so far, the opening bet first."""
    least: int | None
    """The least it may make it; None where it may not bet or raise."""
    most: int | None

    @property
    def seat(self) -> int:
        return self.act.seat

    @property
    def facing(self) -> bool:
        """There is something to call."""
        return self.match > self.bet

    @property
    def unopened(self) -> bool:
        """Nobody has bet on this street, and no blind is out."""
        return self.hand.level == 0

    @property
    def out(self) -> int:
        """The chips that count: what was left in front, and the new ones."""
        return self.prior - self.taken + sum(self.chips)

    @property
    def all_out(self) -> bool:
        """These were its last chips."""
        return self.out >= self.everything

    @property
    def fixed(self) -> bool:
        return self.hand.structure.limit is Limit.FIXED_LIMIT

    @property
    def full_raise(self) -> int:
        """What a full raise adds to the call."""
        if self.least is None or self.least >= self.everything:
            return self.hand.last_raise
        return self.least - self.match


def look(state: State, hand: Hand, act: Act, taken_while_held: int = 0) -> Situation:
    """The situation of an act of the seat to act."""
    seat = act.seat
    said = words_that_count(act, state.standing)
    bet, stack = hand.bet(seat), hand.stack(seat)
    call = hand.to_call or 0
    bounds = None if state.standing.no_raise else hand.raise_range
    prior = sum(state.in_front.get(seat, ())) or bet
    taken = state.standing.taken_back + sum(act.takes_back)
    counted = motions.counting(act, said, state.house, to_cover=bet + call - (prior - taken))
    laid = prior - taken + sum(act.pushed) + sum(act.splashes) - taken_while_held
    return Situation(
        hand=hand, house=state.house, act=act, said=said, standing=state.standing, chips=counted.chips,
        carried=act.carries_back if state.house.commit == "floor" else (), string=counted.string, prior=prior,
        taken=taken, taken_while_held=taken_while_held, laid=laid, bet=bet, match=bet + call,
        everything=bet + stack, bets_made=state.bets_made, least=None if bounds is None else bounds[0],
        most=None if bounds is None else bounds[1],
    )  # fmt: skip


def words_that_count(act: Act, standing: Standing) -> Said | None:
    """The words that define an act; a "bet" or "raise" that stood without an amount stays (TDA 50-B)."""
    declared = None if standing.declared is None else Said(Verb(standing.declared))
    said = heard(act)
    if declared is None or said is None:
        return declared or said
    if said.verb is Verb.UNCLEAR:
        return replace(said, verb=declared.verb)
    if said.verb in (Verb.BET, Verb.RAISE, Verb.COMPLETE, Verb.ALL_IN, Verb.POT):
        return said
    return replace(said, verb=declared.verb) if said.verb is Verb.AMOUNT else declared


# verdicts that many rules come to

SIZED_BY = {Limit.NO_LIMIT: "R-081", Limit.POT_LIMIT: "R-150", Limit.FIXED_LIMIT: "R-120", Limit.SPREAD_LIMIT: "R-125"}
"""The rule that bounds a raise in each structure."""


def call(
    s: Situation, why: str, *cites: str, alerts: tuple[str, ...] = (), reckoning: Reckoning = ()
) -> Verdict:  # fmt: skip
    """A call; where there is nothing to call, a check."""
    kind = RulingKind.CALL if s.facing else RulingKind.CHECK
    return Verdict(kind=kind, why=why, cites=cites, alerts=alerts, reckoning=reckoning)


def wager(s: Situation, to: int, why: str, *cites: str, reckoning: Reckoning = ()) -> Verdict:
    """A bet or raise to an amount, brought within what is legal; a call where the seat may not raise."""
    if s.least is None or s.most is None:
        alerts = ("raise-not-open",) if to > s.match or s.standing.no_raise else ()
        closed = _closed(s)
        if alerts and closed.rule.startswith("TDA"):
            cites = (closed.rule, *cites)
        why = f"{why}, but may not {s.hand.wager_kind} here"
        return call(s, why, *cites, alerts=alerts, reckoning=(*reckoning, closed))
    legal, alerts, outcome = to, (), "a legal size"
    if to < s.least:
        legal, alerts, outcome = s.least, ("underbet",), "too small, so it is made the minimum"
        why = f"{why}, brought up to the minimum of {s.least}"
    elif to > s.most and _overbet_stands(s, to):
        alerts, outcome = ("overbet",), "too large, but it stands until somebody objects"
        why = f"{why}; the maximum is {s.most}, and the bet stands unless somebody objects before the next act"
        reckoning = (*reckoning, *pot_reckoned(s))
    elif to > s.most:
        alerts = () if s.fixed or s.most == s.everything else ("overbet",)
        legal, outcome = s.most, "too large, so it is made the maximum"
        why = f"{why}, reduced to the maximum of {s.most}"
        reckoning = (*reckoning, *pot_reckoned(s))
    elif s.fixed and s.least < to < s.most:
        legal, outcome, why = s.least, "between two sizes, so the smaller", f"{why}, made the smaller of two sizes"
    amounts = (
        ("total", to), ("bet", s.match), ("full raise", s.full_raise), ("minimum", s.least), ("maximum", s.most),
    )  # fmt: skip
    size = Reckoned(SIZED_BY[s.hand.structure.limit], "the size", amounts, outcome)
    return Verdict(
        kind=RulingKind.BET, to=legal, why=why, cites=cites, alerts=alerts, reckoning=(*reckoning, size),
        as_put=legal > s.most,
    )  # fmt: skip


def _overbet_stands(s: Situation, to: int) -> bool:
    """Whether several chips above the pot stay where this house lets them until somebody objects (R-153).

    One chip larger than the pot is a bet of the pot, and needs change (R-159).
    """
    pot_limit = s.hand.structure.limit is Limit.POT_LIMIT and s.house.pot_limit_overbet == "stands"
    return pot_limit and len(s.chips) > 1 and to <= s.out and to <= s.everything


def _closed(s: Situation) -> Reckoned:
    """Why the seat may not raise; the engine's sentence ends with its rule, without one the stack is the reason."""
    amounts = (("bet", s.match), ("whole stack", s.everything))
    if s.standing.no_raise:
        return Reckoned(s.standing.no_raise_by, "the right to raise", amounts, s.standing.why_no_raise)
    _, sentence = s.hand.why_not(s.hand.wager_kind) or ("", "")
    reason, _, rule = sentence.rstrip(".)").partition(" (")
    return Reckoned(rule.replace(" ", "-") or "R-087", "the right to raise", amounts, reason)


def pot_reckoned(s: Situation) -> Reckoning:
    """How the pot bet of the seat came out, in pot-limit."""
    pot = s.hand.pot_bet
    if pot is None:
        return ()
    amounts = (
        ("last wager", pot.last_wager),
        ("trail", pot.trail),
        ("start", pot.start),
        ("rounded up by", pot.rounded),
    )
    outcome = f"3 x last wager + trail + start = {pot.maximum}"
    return (Reckoned("R-150", "the pot bet", amounts if pot.rounded else amounts[:3], outcome),)


def fold(s: Situation, why: str) -> Verdict:
    """A fold; with nothing to call it binds all the same (TDA 58)."""
    if s.facing:
        return Verdict(kind=RulingKind.FOLD, why=why)
    return Verdict(
        kind=RulingKind.FOLD, why=f"{why} with nothing to call, which is binding all the same", cites=("TDA-58",),
        alerts=("fold-without-bet",),
    )  # fmt: skip
