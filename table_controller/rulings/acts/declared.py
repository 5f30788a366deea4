"""Rules on words: what a declaration makes of an act (TDA 40, 42, 43, 50, 51, 54, 55, 57; R-020 to R-035)."""

from __future__ import annotations

from dataclasses import replace

from table_controller.betting import ActionKind, Limit
from table_controller.rulings.acts.readings import makes_a_bet, read, total_of
from table_controller.rulings.values.reckoning import Reckoned, Reckoning
from table_controller.rulings.values.ruling import RulingKind, Verdict
from table_controller.rulings.values.situation import Situation, call, fold, pot_reckoned, wager
from table_controller.rulings.values.words import Said, Verb

_SIZED = frozenset({Verb.RAISE, Verb.BET, Verb.COMPLETE})


def said_fold(s: Situation) -> Verdict | None:
    """The word "fold" folds, and binds even with nothing to call (TDA 58)."""
    return fold(s, 'said "fold"') if _verb(s) is Verb.FOLD else None


def said_check(s: Situation) -> Verdict | None:
    """The word "check" checks; facing a bet only call or fold is left (TDA 55)."""
    if _verb(s) is not Verb.CHECK:
        return None
    if not s.facing:
        return Verdict(kind=RulingKind.CHECK, why='said "check"')
    return Verdict(
        kind=RulingKind.NONE, why='said "check" facing a bet, so it may call or fold but not raise', cites=("TDA-55",),
        standing=replace(s.standing, no_raise=True, why_no_raise="it checked facing a bet"),
    )  # fmt: skip


def said_call(s: Situation) -> Verdict | None:
    """The word "call" commits to the full bet (TDA 51-A); with no bet it is a check (TDA 55)."""
    if _verb(s) is not Verb.CALL:
        return None
    if not s.facing:
        return call(s, '"call" with nothing to call is a check', "TDA-55")
    amounts = (("bet", s.match), ("already in", s.bet), ("to call", s.match - s.bet))
    full = Reckoned("TDA-51", "the call", amounts, "the full bet must be called")
    return call(s, 'said "call", which is a call of the full bet', "TDA-51", reckoning=(full,))


def said_all_in(s: Situation) -> Verdict | None:
    """The word "all-in" commits all that the structure allows (TDA 40, 45)."""
    if _verb(s) is not Verb.ALL_IN:
        return None
    all_of_it = (("all-in", s.everything), ("bet", s.match))
    if s.everything <= s.match:
        step = Reckoned("TDA-40", "all-in", all_of_it, "no more than the bet, so a call")
        return call(s, "all-in for no more than the bet, which is a call", "TDA-40", reckoning=(step,))
    step = Reckoned("TDA-40", "all-in", all_of_it, "more than the bet, so a bet or raise")
    return wager(s, s.everything, 'said "all-in"', "TDA-40", reckoning=(step,))


def said_pot(s: Situation) -> Verdict | None:
    """The word "pot" is the pot-limit maximum (R-027); elsewhere it binds to a valid bet or raise (TDA 54-C)."""
    if _verb(s) is not Verb.POT:
        return None
    if s.hand.structure.limit is Limit.POT_LIMIT:
        to = s.everything if s.most is None else s.most
        return wager(s, to, 'said "pot"', "TDA-54", reckoning=pot_reckoned(s))
    sized = wager(
        s, max(s.out, 1), '"pot" is not a size in this game, but it commits the seat to a valid bet', "TDA-54"
    )
    return replace(sized, alerts=(*sized.alerts, "pot-in-no-limit"))


def not_understood(s: Situation) -> Verdict | None:
    """Words that are not understood are no act; a "bet" or "raise" among them stands without an amount (R-032)."""
    said = s.said
    if said is None or not said.unclear:
        return None
    pending = _bare(s) and s.least is not None
    return Verdict(
        kind=RulingKind.NONE, why="the words were not understood: key the action and the amount", cites=("TDA-57",),
        alerts=("amount-pending", "not-understood") if pending else ("not-understood",),
        standing=replace(s.standing, declared=said.verb.value if pending else None),
    )  # fmt: skip


def completing_what_is_complete(s: Situation) -> Verdict | None:
    """The word "complete" where no bet is short: in a blind it is a call, otherwise it means nothing (R-028)."""
    if _verb(s) is not Verb.COMPLETE or s.hand.wager_kind is ActionKind.COMPLETE:
        return None
    if s.said is not None and s.said.amount is not None:
        return None
    if s.bet and s.facing and s.hand.only_opening_bet:
        return call(s, 'said "complete" in the blind, which is a call')
    return Verdict(
        kind=RulingKind.NONE, why="there is no short bet to complete: key the action and the amount", cites=("TDA-57",),
        alerts=("not-understood",), standing=s.standing,
    )  # fmt: skip


def amount_stays_unclear(s: Situation) -> Verdict | None:
    """An amount that stays unclear is asked for, or ruled on as the house says (TDA 57; R-031).

    A bet or raise that was declared stands until its amount is named.
    """
    said = s.said
    if said is None or said.amount is None:
        return None
    reading = read(s, said)
    if reading.amount is not None:
        return None
    if s.house.unclear_amount == "minimum" and s.least is not None:
        why = f"{shown(said)} could mean several amounts, so it is the minimum"
        return wager(s, s.least, why, "TDA-57", reckoning=reading.reckoning)
    sized = makes_a_bet(s, said)
    if s.house.unclear_amount == "floor":
        kind = "raise" if s.hand.level else "bet"
        sizes = dict.fromkeys((*((s.least,) if sized and s.least is not None else ()), *reading.legal))
        passive = () if sized else ("call" if s.facing else "check",)
        return Verdict(
            kind=RulingKind.FLOOR, why=f"{shown(said)} could mean several amounts", cites=("TDA-57",),
            offers=(*passive, *[f"{kind}:{size}" for size in sizes]), reckoning=reading.reckoning,
        )  # fmt: skip
    return Verdict(
        kind=RulingKind.NONE, why=f"{shown(said)} could mean several amounts: ask for the exact one", cites=("TDA-57",),
        alerts=("amount-pending", "not-understood") if sized else ("not-understood",), reckoning=reading.reckoning,
        standing=replace(s.standing, declared=said.verb.value if sized else None),
    )  # fmt: skip


def amount_is_unclear(s: Situation) -> bool:
    """Whether an amount was said that nothing but its chips, or a human, can make clear."""
    if s.said is None or s.said.amount is None or (s.house.unclear_amount == "minimum" and s.least is not None):
        return False
    return read(s, s.said).amount is None


def declared_raise_of_an_amount(s: Situation) -> Verdict | None:
    """A declared "raise N" is the total, "raise by N" adds to the bet; too little is the minimum (TDA 43-B; R-024)."""
    said = s.said
    if said is None or said.amount is None or said.verb not in (Verb.RAISE, Verb.COMPLETE):
        return None
    amount, cites, reckoning = _meant(s, said)
    to, added = total_of(s, said, amount)
    reckoning += added
    if s.unopened:
        why = f"declared a raise to {_taken_as(said, amount)} with no bet before it, which is a bet"
        return wager(s, to, why, "TDA-55", *cites, reckoning=reckoning)
    noun = "completion" if said.verb is Verb.COMPLETE else "raise"
    why = f"declared a {noun} {'by' if to != amount else 'to'} {_taken_as(said, amount)}"
    return wager(s, to, why, "TDA-43", *cites, reckoning=reckoning)


def declared_raise_with_chips(s: Situation) -> Verdict | None:
    """A bare "raise" or "bet" with chips: as much as the one chip allows (TDA 44), or as was pushed (R-025)."""
    said = s.said
    if said is None or said.amount is not None or said.verb not in _SIZED:
        return None
    if not s.chips:
        return None
    cites: tuple[str, ...] = ("TDA-55",) if s.unopened and said.verb is Verb.RAISE else ("TDA-43",)
    if len(s.chips) == 1:
        cites = (*cites, "TDA-44")
    return wager(s, s.out, f'said "{said.verb}" and put out {s.out}', *cites)


def the_least_was_declared(s: Situation) -> Verdict | None:
    """The words "min raise" name their amount; what was pushed with them is made to fit (R-025)."""
    if s.said is None or not s.said.least:
        return None
    return wager(s, s.match + 1 if s.least is None else s.least, "asked for the minimum raise", "TDA-43")


def one_size_alone_needs_no_amount(s: Situation) -> Verdict | None:
    """Where only one size is legal, as in fixed limit, a bare "raise" is that size."""
    if not _bare(s) or s.least is None or s.least != s.most:
        return None
    return wager(s, s.least, "only one size is legal, so no amount is needed")


def declared_without_an_amount(s: Situation) -> Verdict | None:
    """A bare "bet" or "raise" without chips: everybody waits for the amount (TDA 50-B; R-025)."""
    if not _bare(s):
        return None
    if s.least is None:
        return wager(s, s.match + 1, 'said "raise"', "TDA-51")
    return Verdict(
        kind=RulingKind.NONE, why="the amount has not been named yet", cites=("TDA-50",), alerts=("amount-pending",),
        standing=replace(s.standing, declared=s.said.verb.value if s.said else None),
    )  # fmt: skip


def an_amount_alone(s: Situation) -> Verdict | None:
    """An amount alone is the same as silently pushing out that much (TDA 40-C)."""
    said = s.said
    if said is None or said.amount is None or said.verb not in (Verb.AMOUNT, Verb.BET):
        return None
    amount, cites, reckoning = _meant(s, said)
    cites = ("TDA-40", *cites)
    if s.unopened or (said.verb is Verb.BET and not s.facing):
        return wager(s, amount, f"said {_taken_as(said, amount)}", *cites, reckoning=reckoning)
    owed = s.match - s.bet
    if said.to or (said.by and not (s.bet and amount == owed)):
        to, added = total_of(s, said, amount)
        return wager(s, to, f"said {_taken_as(said, amount)}", *cites, reckoning=reckoning + added)
    if amount in (s.match, owed):
        amounts = (("said", amount), ("bet", s.match), ("to call", owed))
        step = Reckoned("TDA-40", "the amount said", amounts, "a call")
        return call(s, f"said {_taken_as(said, amount)}, which is the call", *cites, reckoning=(*reckoning, step))
    if amount < s.match:
        return None
    return fifty_percent(s, amount, f"said {_taken_as(said, amount)}", *cites, reckoning=reckoning)


def names_its_amount(s: Situation) -> bool:
    """Whether what was said tells, without the chips, how much it is."""
    said = s.said
    if said is None or said.unclear or amount_is_unclear(s):
        return False
    if said.amount is not None or said.least or s.least is None or s.least == s.most:
        return True
    if said.verb is Verb.POT:
        return s.hand.structure.limit is Limit.POT_LIMIT
    return said.verb not in _SIZED


def fifty_percent(s: Situation, total: int, why: str, *cites: str, reckoning: Reckoning = ()) -> Verdict:
    """Half a raise or more must be made a full raise, less is a call (TDA 43-A); exact, in whole chips."""
    cites = ("TDA-43", *cites)
    over, full = total - s.match, s.full_raise
    amounts = (("put out", total), ("bet", s.match), ("more than the bet", over), ("full raise", full))
    if over >= full:
        whole = Reckoned("TDA-43", "the 50 % standard", amounts, "a full raise or more, so a raise")
        return wager(s, total, why, *cites, reckoning=(*reckoning, whole))
    if over > 0 and s.house.half_standard and 2 * over >= full:
        half = Reckoned("TDA-43", "the 50 % standard", amounts, "at least half, so it is made a full raise")
        return wager(
            s,
            s.match + full,
            f"{why}, at least half a raise, so it is made a full raise",
            *cites,
            reckoning=(*reckoning, half),
        )
    part = "half a" if s.house.half_standard else "a full"
    less = Reckoned("TDA-43", "the 50 % standard", amounts, f"less than {part} raise, so a call")
    return call(s, f"{why}, less than {part} raise, so it is a call", *cites, reckoning=(*reckoning, less))


def undercalled_amount(s: Situation) -> int | None:
    """The amount said where it is less than the call; None where none was."""
    said = s.said
    if said is None or said.amount is None or said.verb not in (Verb.AMOUNT, Verb.BET) or said.by or said.to:
        return None
    amount, _, _ = _meant(s, said)
    return amount if s.facing and amount < s.match and amount != s.match - s.bet else None


def _verb(s: Situation) -> Verb | None:
    return None if s.said is None else s.said.verb


def _meant(s: Situation, said: Said) -> tuple[int, tuple[str, ...], Reckoning]:
    """What the amount means; an amount that stays unclear has been ruled on before this is asked."""
    reading = read(s, said)
    return reading.amount or 0, reading.cites, reading.reckoning


def shown(said: Said) -> str:
    """The amount as it was said: "3", "2.5"."""
    return f"{float(said.amount or 0):.10g}"


def _taken_as(said: Said, amount: int) -> str:
    return str(amount) if said.amount == amount else f"{shown(said)}, meaning {amount}"


def _bare(s: Situation) -> bool:
    said = s.said
    if said is None or s.chips:
        return False
    return said.amount is None and said.verb in _SIZED
