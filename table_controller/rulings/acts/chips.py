"""Rules on silent chips (TDA 41 to 46, 51, 56; R-054 to R-066, R-240)."""

from __future__ import annotations

from dataclasses import replace

from table_controller.rulings.acts.declared import fifty_percent, undercalled_amount
from table_controller.rulings.values.reckoning import Reckoned, Reckoning
from table_controller.rulings.values.ruling import RulingKind, Verdict
from table_controller.rulings.values.situation import Situation, call, wager

TINY = 20
"""A chip is tiny that is worth at most this part of the call (R-065)."""


def pulled_back_alone(s: Situation) -> Verdict | None:
    """Chips pulled back with none put out: facing a raise they are owed again, and a fold is closed (TDA 46-B)."""
    if not s.taken or s.chips or s.said is not None:
        return None
    return Verdict(
        kind=RulingKind.NONE, why="pulled chips back, so it must call or raise", cites=("TDA-46",),
        standing=replace(s.standing, no_fold=s.facing, taken_back=s.taken),
    )  # fmt: skip


def nothing_counts(s: Situation) -> Verdict | None:
    """Chips that were carried back unreleased, or changed, are no act (R-050, R-071)."""
    if s.chips or s.said is not None:
        return None
    return Verdict(kind=RulingKind.NONE, why="no chips were put out")


def tiny_chip(s: Situation) -> Verdict | None:
    """A silent chip that is tiny against the bet: up to the floor, or a call, as the house says (TDA 41; R-065)."""
    if s.said is not None or not s.facing or s.all_out or TINY * sum(s.chips) > s.match - s.bet:
        return None
    if s.prior - s.taken >= s.match:
        return None
    amounts = (("put out", sum(s.chips)), ("to call", s.match - s.bet), ("times smaller, at least", TINY))
    tiny = Reckoned("R-065", "a tiny chip", amounts, "too small to be an undercall")
    if s.house.tiny_chip == "call":
        return call(s, "a chip this small against the bet is a call in this house", "TDA-41", reckoning=(tiny,))
    why = "put out a chip that is tiny against the bet"
    return _ask(s, why, "TDA-41", offers=("call", "fold"), amount=s.out, reckoning=(tiny,))


def undercall(s: Situation) -> Verdict | None:
    """Less than the call is made up heads-up or facing the opening bet; otherwise the floor decides (TDA 51-B)."""
    said = undercalled_amount(s)
    if said is None and (s.said is not None or s.out >= s.match or s.all_out):
        return None
    if said is None and not s.facing:
        return None
    amount = s.out if said is None else said
    why = f"{'put out' if said is None else 'said'} {amount}, less than the bet of {s.match}"
    opening, hands = s.hand.only_opening_bet, len(s.hand.in_hand)
    which = "the opening bet" if opening else "a raised bet"
    amounts = (("put out" if said is None else "said", amount), ("bet", s.match), ("players in the hand", hands))
    reckoning = (Reckoned("TDA-51", "the undercall", amounts, f"less than the call, facing {which}"),)
    match s.house.undercall:
        case "full-call":
            return _must_call(s, why, reckoning)
        case "tda" if opening or hands == 2:
            return _must_call(s, why, reckoning)
        case "bound" if opening:
            return _must_call(s, why, reckoning)
        case "bound":
            return _ask(s, why, "TDA-51", offers=("call", "withdraw"), amount=amount, reckoning=reckoning)
        case _:
            return _ask(s, why, "TDA-51", offers=("call", "fold"), amount=amount, reckoning=reckoning)


def unopened_chips_are_a_bet(s: Situation) -> Verdict | None:
    """With no bet yet chips are a bet of their value, a single one too; too few are a minimum bet (TDA 40, 44)."""
    if not s.unopened:
        return None
    return wager(s, s.out, f"put out {s.out} with no bet before it", "TDA-44" if len(s.chips) == 1 else "TDA-40")


def big_blind_adds_a_chip(s: Situation) -> Verdict | None:
    """One chip added in the big blind's option is a raise, or a check, as the house says (TDA 46-C; R-064)."""
    if s.facing or len(s.chips) != 1:
        return None
    swapped = s.taken == s.prior
    if (s.house.big_blind_swap if swapped else s.house.big_blind_overchip) == "check":
        return call(s, "one silent chip in the big blind's option is a check in this house", "TDA-44")
    return fifty_percent(s, s.out, f"has {s.out} in front in the big blind's option", "TDA-46")


def same_denomination(s: Situation) -> Verdict | None:
    """In fixed limit silent chips of one denomination are a call, where the house says so (R-060)."""
    if not (s.fixed and s.house.same_denomination_exempt and s.facing and len(set(s.chips)) == 1):
        return None
    return call(s, "silent chips of one denomination are a call in this house")


def prior_chips_combine(s: Situation) -> Verdict | None:
    """Prior chips that cover the call, or were partly pulled back, count with the new ones (TDA 46-C2)."""
    partly = 0 < s.taken < s.prior
    covers = not s.taken and s.prior >= s.match
    if not (partly or covers):
        return None
    why = f"has {s.out} out with the chips from before"
    return fifty_percent(s, s.out, why, "TDA-46", reckoning=_before(s, "all the chips count together"))


def single_overchip(s: Situation) -> Verdict | None:
    """One silent chip facing a bet is a call, even the last one (TDA 44)."""
    if not s.facing or len(s.chips) != 1:
        return None
    why = "put out the exact call" if s.out == s.match else "put out one oversized chip without a word"
    amounts = (("chip", s.chips[0]), ("put out", s.out), ("bet", s.match))
    one = Reckoned("TDA-44", "a single chip", amounts, "a call")
    return call(s, why, "TDA-44", *_prior(s), reckoning=(*_new_decide(s), one))


def every_chip_is_needed(s: Situation) -> Verdict | None:
    """Several chips are a call if taking away one of the smallest leaves less than the bet (TDA 45-A)."""
    if not s.facing:
        return None
    needed, step = _without_the_smallest(s)
    if not needed:
        return None
    exact = s.out == s.match
    why = "put out the exact call" if exact else f"needs the {s.chips[-1]} to cover the bet, so it is a call"
    return call(s, why, "TDA-45", *_prior(s), reckoning=(*_new_decide(s), step))


def last_chips_are_all_in(s: Situation) -> Verdict | None:
    """The last chips, if not all are needed to call, are all-in even below half a raise (TDA 45-B2)."""
    if not s.all_out:
        return None
    why = "put out its last chips, and not all of them are needed to call"
    return wager(s, s.everything, why, "TDA-45", *_prior(s), reckoning=_not_all_needed(s))


def several_chips(s: Situation) -> Verdict | None:
    """For several chips that are not all needed to call the 50 % standard decides (TDA 45-B1)."""
    why = f"put out {s.out} facing {s.match}"
    return fifty_percent(s, s.out, why, "TDA-45", *_prior(s), reckoning=_not_all_needed(s))


def _prior(s: Situation) -> tuple[str, ...]:
    return ("TDA-46",) if s.prior else ()


def _without_the_smallest(s: Situation) -> tuple[bool, Reckoned]:
    """Whether every chip is needed to call: the rest without one of the smallest does not cover it (TDA 45)."""
    smallest = s.chips[-1]
    rest = s.out - smallest
    needed = rest < s.match
    amounts = (("put out", s.out), ("smallest chip", smallest), ("without it", rest), ("bet", s.match))
    outcome = (
        "the rest does not cover the bet, so a call" if needed else "the rest covers the bet, so it may be a raise"
    )
    return needed, Reckoned("TDA-45", "without one of the smallest", amounts, outcome)


def _not_all_needed(s: Situation) -> Reckoning:
    return (*_new_decide(s), _without_the_smallest(s)[1]) if s.facing else _new_decide(s)


def _new_decide(s: Situation) -> Reckoning:
    """Chips from before that neither cover the call nor were pulled back in part: the new ones decide (TDA 46-C1)."""
    return _before(s, "only the new chips decide") if s.prior else ()


def _before(s: Situation, outcome: str) -> Reckoning:
    amounts = (("from before", s.prior), ("pulled back", s.taken), ("new", sum(s.chips)), ("now out", s.out))
    return (Reckoned("TDA-46", "chips from before", amounts, outcome),)


def _must_call(s: Situation, why: str, reckoning: Reckoning) -> Verdict:
    why = f"{why}, and must make up the full call"
    return call(s, why, "TDA-51", alerts=("undercall",), reckoning=reckoning)


def _ask(
    s: Situation, why: str, *cites: str, offers: tuple[str, ...], amount: int, reckoning: Reckoning
) -> Verdict:  # fmt: skip
    """The floor decides; a fold would leave in the pot the bet that the seat meant to call."""
    meant = max([made for made in s.bets_made if s.bet < made <= amount], default=max(amount, s.bet))
    amounts = (("meant to call", meant), ("already in", s.bet), ("forfeited", meant - s.bet))
    fold = Reckoned("TDA-51", "the price of a fold", amounts, "stays in the pot if the floor allows a fold")
    return Verdict(
        kind=RulingKind.FLOOR, why=why, cites=cites, alerts=("undercall",), offers=offers, forfeits=meant - s.bet,
        reckoning=(*reckoning, fold) if "fold" in offers else reckoning,
    )  # fmt: skip
