"""From where chips came: change, payouts, chips exchanged, card protectors and bets (R-041, R-070, R-287).

Pure. What looks like an act by its chips alone is none

- if all of it left the tray or the pot in this hand just before, and the seat's own hand did not bring it: the dealer
  did. It is asked about once, and no bet until somebody says so; while change is due it is that;
- if chips of the base line of the same value were taken in the same visit of the hand: they were exchanged;
- if it is one chip that has lain there since long before the seat's turn and does not cover the call: it is asked once
  a hand whether it is a card protector, and one that is, is remembered for the chip. One that covers the call is an
  early act, as players make them, and the dealer who is asked about the seats before it may say that it is no bet.

The other way round, chips that came into the pot past every zone are a wager that nobody reported (R-068): the seat
that had them last is named, and the dealer keys its act.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account, Aside
from table_controller.sensing.acts import WAIT, Act, Verdict, Wait
from table_controller.sensing.belief import ZoneBelief
from table_controller.sensing.setup import HOUSE_ZONES, seat_of
from table_controller.sensing.view import SeatBook
from table_controller.sensing.witness import SeatWitness

CARRY_NS = 6_000 * NS_PER_MS
"""Chips that come so soon after they lay in the tray or the pot were carried from there, which takes seconds; later
they were a stack's: a seat that got change may bet it on the next street."""
ONE_PUSH_NS = 800 * NS_PER_MS
"""The chips of one push are first heard within this time after a reading that heard none of them. Whoever makes change
for a chip must see it lie there, reach to the tray, count and come back: that takes longer."""
EXCHANGE_NS = 700 * NS_PER_MS
"""Without a camera: a chip that was still heard so shortly before the new ones was taken in the visit that brought
them. A seat that takes chips up and then bets others needs longer."""
ROUND_NS = 300 * NS_PER_MS
"""A chip may have been heard last this long before the hand that took it was seen."""
SETTLING_NS = 2_500 * NS_PER_MS
"""Antes put into the pot before the cards came may be heard so much later: three rounds of the pot's reader."""
PROTECTOR_NS = 5_000 * NS_PER_MS
"""A single chip that lay there so long before its seat's turn may be a protector."""


def in_a_stack(account: Account, belief: ZoneBelief) -> frozenset[str]:
    """The new chips of a seat that left tray or pot too long ago to be in the dealer's hand."""
    tracks = [belief.tracks[uid] for uid in account.new]
    return frozenset(
        track.uid for track in tracks if track.from_zone in HOUSE_ZONES and track.since_ns - track.from_ns > CARRY_NS
    )


def is_one_push(account: Account, belief: ZoneBelief) -> bool:
    """Whether the new chips of a seat came at once, those of tray or pot among chips of a stack: a player's hand.

    The dealer's hand brings chips of the house alone, and change for a chip comes after the chip.
    """
    tracks = [belief.tracks[uid] for uid in account.new]
    first_ns, last_ns = min(track.since_ns for track in tracks), max(track.since_ns for track in tracks)
    own = bool(in_a_stack(account, belief)) or any(track.from_zone not in HOUSE_ZONES for track in tracks)
    at_once = 0 <= belief.before_ns < first_ns and last_ns - belief.before_ns <= ONE_PUSH_NS
    return own and at_once and not account.gone


@dataclass(frozen=True, slots=True)
class SetAside:
    """The chips are no bet; with a reason in doubt it is asked."""

    why: Aside | None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The chips have taken the place of these of the base line, unless the dealer has gathered these meanwhile."""

    taken: frozenset[str]
    more: bool = False
    """Whether other chips came after them, so that only a part has."""


@dataclass(frozen=True, slots=True)
class Origins:
    """What is known of where chips came from besides their zones."""

    handed: frozenset[str] = frozenset()
    """Chips that came to a seat straight from the tray or the pot in this hand."""
    bets: frozenset[str] = frozenset()
    """Chips of which the dealer said in this hand that they are a bet."""
    thrown: Mapping[str, int] = field(default_factory=dict)
    """Chips that came into the pot past every seat's zone on this street, with the seat that had each last."""
    protectors: Mapping[str, int] = field(default_factory=dict)
    """Chips of which the dealer said that they are no bet of this seat; remembered from hand to hand."""

    def arrived(self, uids: Iterable[str], belief: ZoneBelief, hand_ns: int | None) -> Origins:
        """With chips that have just come to a seat's zone. What left tray or pot before the hand began, at `hand_ns`,
        was won or bought: it came from a stack.
        """
        tracks = [belief.tracks[uid] for uid in uids]
        handed = frozenset(
            track.uid
            for track in tracks
            if track.from_zone in HOUSE_ZONES
            and track.since_ns - track.from_ns <= CARRY_NS
            and (hand_ns is None or track.from_ns >= hand_ns)
        )
        return replace(self, handed=self.handed | handed) if handed - self.handed else self

    def in_pot(
        self, uids: Iterable[str], pot: ZoneBelief, accounts: Iterable[Account], betting_ns: int, hand_ns: int | None
    ) -> Origins:
        """With chips that have just come into the pot, where there is betting since `betting_ns`.

        What a seat has before it, or had in this hand, was gathered, whoever's last place it is.
        """
        theirs = frozenset(uid for one in accounts for uid in (*one.lay, *one.counted, *one.new))
        tracks = [pot.tracks[uid] for uid in uids if uid not in theirs]
        thrown = {
            track.uid: seat_of(track.from_zone)
            for track in tracks
            if track.from_zone not in ("", *HOUSE_ZONES)
            and hand_ns is not None
            and track.from_ns < hand_ns
            and track.since_ns - betting_ns > SETTLING_NS
        }
        return replace(self, thrown={**self.thrown, **thrown}) if thrown else self

    def accounted(self) -> Origins:
        """What is still known when a street begins, or the dealer has keyed what a seat did."""
        return replace(self, thrown={}) if self.thrown else self

    def of_new_hand(self) -> Origins:
        """What is still known when a hand begins."""
        return Origins(protectors=self.protectors)

    def answered(self, account: Account, choice: str) -> Origins:
        """After the dealer said what the chips in doubt of a seat are."""
        if choice == "bet":
            return self.betting(account.doubt)
        return self.protecting(account.doubt, account.seat) if account.aside == "protector" else self

    def betting(self, uids: Iterable[str]) -> Origins:
        """With these chips as bets, for the dealer said so."""
        return replace(self, bets=self.bets.union(uids))

    def protecting(self, uids: Iterable[str], seat: int) -> Origins:
        """With these chips as the seat's card protectors."""
        return replace(self, protectors={**self.protectors, **dict.fromkeys(uids, seat)})

    def protects(self, account: Account) -> bool:
        """Whether what is new at a seat is one chip, and known as its protector."""
        return (
            len(account.new) == 1
            and not account.gone
            and not account.new.keys() & self.bets
            and all(self.protectors.get(uid) == account.seat for uid in account.new)
        )

    def judged(
        self,
        verdict: Verdict,
        account: Account,
        belief: ZoneBelief,
        book: SeatBook,
        seen: SeatWitness | None,
        own: bool,
        turn_ns: int,
        call: int,
    ) -> Verdict | SetAside | Exchanged | Wait:
        """The verdict once it is known where the chips came from. `own`: the camera saw the seat's own hand bring them;
        `turn_ns` is when the turn came to the seat, -1 where it has not, and `call` what it costs to call.
        """
        if not isinstance(verdict, Act) or verdict.pays or account.new.keys() & self.bets:
            return verdict
        if self.protects(account):
            return SetAside(None)
        if account.new.keys() <= self.handed and not own:
            return WAIT if book.change_due else SetAside("house-chips")
        exchanged = _exchanged(account, belief, seen)
        if exchanged is not None:
            return exchanged
        since_ns = min(belief.tracks[uid].since_ns for uid in account.new)
        single = len(account.new) == 1 and not account.gone and account.new_value < call
        if single and turn_ns - since_ns >= PROTECTOR_NS:
            return SetAside("protector")
        return verdict

    def durable(self) -> dict[str, Any]:
        """Plain data; `Origins.restored` makes them again."""
        return {"handed": sorted(self.handed), "bets": sorted(self.bets), "protectors": dict(self.protectors)}

    @classmethod
    def restored(cls, plain: Mapping[str, Any]) -> Self:
        """Of plain data; a journal of before they were kept has none."""
        return cls(
            handed=frozenset(plain.get("handed", ())),
            bets=frozenset(plain.get("bets", ())),
            protectors={str(uid): int(seat) for uid, seat in dict(plain.get("protectors", {})).items()},
        )


def _exchanged(account: Account, belief: ZoneBelief, seen: SeatWitness | None) -> Exchanged | None:
    """Whether chips of the base line, worth as much, were taken in the visit that brought the first new ones."""
    if account.gone or account.unknown:
        return None
    first_ns = min(belief.tracks[uid].since_ns for uid in account.new)
    since_ns = first_ns - EXCHANGE_NS
    if seen is not None:
        visit = seen.brought(first_ns)
        if visit is None:
            return None
        since_ns = visit[0] - ROUND_NS
    taken = {uid: value for uid, (value, heard_ns) in account.lifted.items() if heard_ns >= since_ns}
    first = [uid for uid in account.new if belief.tracks[uid].since_ns - first_ns <= ONE_PUSH_NS]
    same = taken and sum(taken.values()) == sum(account.new[uid] or 0 for uid in first)
    return Exchanged(frozenset(taken), len(first) < len(account.new)) if same else None
