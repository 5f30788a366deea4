"""Rules on words: what a declaration makes of an act (TDA 40, 42, 43, 50, 51, 54, 55, 57; R-020 to R-035)."""

from __future__ import annotations

from dataclasses import replace

from table_controller.betting import ActionKind, Limit
from table_controller.rulings.values.reckoning import Reckoned, Reckoning
from table_controller.rulings.values.ruling import RulingKind, Verdict
from table_controller.rulings.values.situation import Situation, call, fold, pot_reckoned, wager
from table_controller.rulings.values.words import Said, Verb

_SIZED = frozenset({Verb.RAISE, Verb.BET, Verb.COMPLETE})


def said_fold(s: Situation) -> Verdict | None:
    """The word "fold" folds; with nothing to call it binds too (TDA 58)."""
    return fold(s, "it said fold") if _verb(s) is Verb.FOLD else None


def said_check(s: Situation) -> Verdict | None:
    """The word "check" checks; facing a bet it leaves the seat call or fold (TDA 55)."""
    if _verb(s) is not Verb.CHECK:
        return None
    if not s.facing:
        return Verdict(kind=RulingKind.CHECK, why="it said check")
    return Verdict(
        kind=RulingKind.NONE, why="a check facing a bet: it may call or fold, not raise", cites=("TDA-55",),
        standing=replace(s.standing, no_raise=True),
    )  # fmt: skip


def said_call(s: Situation) -> Verdict | None:
    """The word "call" commits to the full bet (TDA 51-A); with no bet it is a check (TDA 55)."""
    if _verb(s) is not Verb.CALL:
        return None
    if not s.facing:
        return call(s, "a call with nothing to call is a check", "TDA-55")
    amounts = (("to match", s.match), ("in before", s.bet), ("to add", s.match - s.bet))
    full = Reckoned("TDA-51", "the full bet", amounts, "a call")
    return call(s, "it said call: the full bet", "TDA-51", reckoning=(full,))


def said_all_in(s: Situation) -> Verdict | None:
    """The word "all-in" commits all that the structure allows (TDA 40, 45)."""
    if _verb(s) is not Verb.ALL_IN:
        return None
    all_of_it = (("everything", s.everything), ("to match", s.match))
    if s.everything <= s.match:
        step = Reckoned("TDA-40", "all-in", all_of_it, "no more than the bet: a call")
        return call(s, "all-in for the call or less", "TDA-40", reckoning=(step,))
    step = Reckoned("TDA-40", "all-in", all_of_it, "more than the bet")
    return wager(s, s.everything, "it said all-in", "TDA-40", reckoning=(step,))


def said_pot(s: Situation) -> Verdict | None:
    """The word "pot" is the pot-limit maximum (R-027); elsewhere it binds to a valid bet or raise (TDA 54-C)."""
    if _verb(s) is not Verb.POT:
        return None
    if s.hand.structure.limit is Limit.POT_LIMIT:
        to = s.everything if s.most is None else s.most
        return wager(s, to, "it said pot", "TDA-54", reckoning=pot_reckoned(s))
    sized = wager(s, max(s.out, 1), "there is no pot bet in this game, yet it binds to a valid one", "TDA-54")
    return replace(sized, alerts=(*sized.alerts, "pot-in-no-limit"))


def not_understood(s: Situation) -> Verdict | None:
    """Words that are not understood name no amount: nothing has been done, a bare "raise" in them stands (R-032)."""
    said = s.said
    if said is None or not said.unclear:
        return None
    pending = _bare(s) and s.least is not None
    return Verdict(
        kind=RulingKind.NONE, why="what it said is not understood: key the action and its amount", cites=("TDA-57",),
        alerts=("amount-pending", "not-understood") if pending else ("not-understood",),
        standing=replace(s.standing, declared=said.verb.value if pending else None),
    )  # fmt: skip


def completing_what_is_complete(s: Situation) -> Verdict | None:
    """The word "complete" where no bet is short: of a blind it is a call, else it says nothing (R-028)."""
    if _verb(s) is not Verb.COMPLETE or s.hand.wager_kind is ActionKind.COMPLETE:
        return None
    if s.said is not None and s.said.amount is not None:
        return None
    if s.bet and s.facing and s.hand.only_opening_bet:
        return call(s, "it completes its blind to the call")
    return Verdict(
        kind=RulingKind.NONE, why="there is nothing to complete: key the action and its amount", cites=("TDA-57",),
        alerts=("not-understood",), standing=s.standing,
    )  # fmt: skip


def declared_raise_of_an_amount(s: Situation) -> Verdict | None:
    """Said "raise N" is the total N, "raise by N" adds to the bet (TDA 43-B; R-024); too little is the least raise."""
    said = s.said
    if said is None or said.amount is None or said.verb not in (Verb.RAISE, Verb.COMPLETE):
        return None
    amount, cites, reckoning = _reading(s, said)
    to, added = _total(s, said, amount)
    reckoning += added
    if s.unopened:
        why = f"it said {said.verb} {amount} and nobody has bet: a bet"
        return wager(s, to, why, "TDA-55", *cites, reckoning=reckoning)
    why = f"it said {said.verb} {'by' if to != amount else 'to'} {amount}"
    return wager(s, to, why, "TDA-43", *cites, reckoning=reckoning)


def declared_raise_with_chips(s: Situation) -> Verdict | None:
    """Bare "raise" or "bet" with chips: one chip is its maximum (TDA 44), several what was pushed (R-025)."""
    said = s.said
    if said is None or said.amount is not None or said.verb not in _SIZED:
        return None
    if not s.chips:
        return None
    cites: tuple[str, ...] = ("TDA-55",) if s.unopened and said.verb is Verb.RAISE else ("TDA-43",)
    if len(s.chips) == 1:
        cites = (*cites, "TDA-44")
    return wager(s, s.out, f"it said {said.verb} and put out {s.out}", *cites)


def the_least_was_declared(s: Situation) -> Verdict | None:
    """The words "min raise" name their amount; what was pushed with them is made to fit (R-025)."""
    if s.said is None or not s.said.least:
        return None
    return wager(s, s.match + 1 if s.least is None else s.least, "it said the least there is", "TDA-43")


def one_size_alone_needs_no_amount(s: Situation) -> Verdict | None:
    """Where one size alone is legal a bare "raise" names it (fixed limit)."""
    if not _bare(s) or s.least is None or s.least != s.most:
        return None
    return wager(s, s.least, "it said so, and one size alone is legal")


def declared_without_an_amount(s: Situation) -> Verdict | None:
    """A bare "bet" or "raise" without chips: everybody waits for the amount (TDA 50-B; R-025)."""
    if not _bare(s):
        return None
    if s.least is None:
        return wager(s, s.match + 1, "it said raise", "TDA-51")
    return Verdict(
        kind=RulingKind.NONE, why="the amount is still to come", cites=("TDA-50",), alerts=("amount-pending",),
        standing=replace(s.standing, declared=s.said.verb.value if s.said else None),
    )  # fmt: skip


def an_amount_alone(s: Situation) -> Verdict | None:
    """An amount alone is the same as pushing out so much silently (TDA 40-C)."""
    said = s.said
    if said is None or said.amount is None or said.verb not in (Verb.AMOUNT, Verb.BET):
        return None
    amount, cites, reckoning = _reading(s, said)
    cites = ("TDA-40", *cites)
    if s.unopened or (said.verb is Verb.BET and not s.facing):
        return wager(s, amount, f"it said {amount}", *cites, reckoning=reckoning)
    owed = s.match - s.bet
    if said.to or (said.by and not (s.bet and amount == owed)):
        to, added = _total(s, said, amount)
        return wager(s, to, f"it said {amount}", *cites, reckoning=reckoning + added)
    if amount in (s.match, owed):
        amounts = (("said", amount), ("to match", s.match), ("to add", owed))
        step = Reckoned("TDA-40", "the amount said", amounts, "a call")
        return call(s, f"it said {amount}, which calls", *cites, reckoning=(*reckoning, step))
    if amount < s.match:
        return None
    return fifty_percent(s, amount, f"it said {amount}", *cites, reckoning=reckoning)


def names_its_amount(s: Situation) -> bool:
    """Whether what was said tells, without the chips, how much it is."""
    said = s.said
    if said is None or said.unclear:
        return False
    if said.amount is not None or said.least or s.least is None or s.least == s.most:
        return True
    if said.verb is Verb.POT:
        return s.hand.structure.limit is Limit.POT_LIMIT
    return said.verb not in _SIZED


def fifty_percent(s: Situation, total: int, why: str, *cites: str, reckoning: Reckoning = ()) -> Verdict:
    """Half of a raise or more must be made a full one, less is a call (TDA 43-A); exact, in whole chips."""
    cites = ("TDA-43", *cites)
    over, full = total - s.match, s.full_raise
    amounts = (("put out", total), ("to match", s.match), ("above that", over), ("a full raise adds", full))
    if over >= full:
        whole = Reckoned("TDA-43", "the 50 % standard", amounts, "a full raise or more: a raise")
        return wager(s, total, why, *cites, reckoning=(*reckoning, whole))
    if over > 0 and s.house.half_standard and 2 * over >= full:
        half = Reckoned("TDA-43", "the 50 % standard", amounts, "half of that or more: made a full raise")
        return wager(s, s.match + full, f"{why}, half a raise or more", *cites, reckoning=(*reckoning, half))
    part = "half a" if s.house.half_standard else "a full"
    less = Reckoned("TDA-43", "the 50 % standard", amounts, f"less than {part} raise: a call")
    return call(s, f"{why}, less than {part} raise", *cites, reckoning=(*reckoning, less))


def undercalled_amount(s: Situation) -> int | None:
    """The amount said where it is less than the call; None where none was."""
    said = s.said
    if said is None or said.amount is None or said.verb not in (Verb.AMOUNT, Verb.BET) or said.by or said.to:
        return None
    amount, _, _ = _reading(s, said)
    return amount if s.facing and amount < s.match and amount != s.match - s.bet else None


def _reading(s: Situation, said: Said) -> tuple[int, tuple[str, ...], Reckoning]:
    """The highest reasonable reading that is no more than the pot (TDA 57; R-031), and the rule where it was needed."""
    literal = said.amount or 0
    reasonable = s.least if s.least is not None else s.match
    if not said.loose or _total(s, said, literal)[0] >= reasonable or literal in (s.match, s.match - s.bet):
        return literal, (), ()
    limit = s.hand.pot if s.house.ambiguous_amount == "at-most-pot" else s.hand.pot - 1
    readings = [value for value in (literal * 100, literal * 1000) if value <= limit]
    amount = max(readings, default=literal)
    amounts = (("said", literal), ("times 100", literal * 100), ("times 1000", literal * 1000), ("at most", limit))
    outcome = f"the highest reading within the pot: {amount}" if readings else "no reading is within the pot: as said"
    step = Reckoned("TDA-57", "what the amount means", amounts, outcome)
    return amount, ("TDA-57",) if readings else (), (step,)


def _total(s: Situation, said: Said, amount: int) -> tuple[int, Reckoning]:
    """What an amount makes the seat's total: "by" adds to the bet, a bare one is as the house says (R-024)."""
    if said.verb is Verb.AMOUNT and not said.by:
        return amount, ()
    adds = said.by or (not said.to and said.verb is Verb.RAISE and s.house.bare_raise_amount == "by")
    if not (adds and s.hand.level):
        return amount, ()
    total = amount + s.match
    amounts = (("said", amount), ("to match", s.match), ("together", total))
    return total, (Reckoned("R-024", "an amount on top", amounts, f"the total is {total}"),)


def _verb(s: Situation) -> Verb | None:
    return None if s.said is None else s.said.verb


def _bare(s: Situation) -> bool:
    said = s.said
    if said is None or s.chips:
        return False
    return said.amount is None and said.verb in _SIZED
