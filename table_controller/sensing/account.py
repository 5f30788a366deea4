"""One seat's chips of this round, by UID: what lay there before, what was ruled on, what is new.

The durable part of sensing: with it a controller that was killed in mid-hand knows which chips it has ruled on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from betline.units import NS_PER_MS
from table_controller.sensing.belief import ZoneBelief

Aside = Literal[
    "early-chips", "early-amount", "before-cards", "house-chips", "protector", "moved-chips", "unseen-chips",
    "other-hand", "dead-money", "dead-amount",
]  # fmt: skip
"""Why it is in doubt whether chips are a bet."""
HOLDS: frozenset[Aside] = frozenset(
    {"early-chips", "early-amount", "before-cards", "moved-chips", "unseen-chips", "other-hand", "dead-amount"}
)
"""Doubts until whose end nothing is ruled for the seat: the chips may be part of its act."""
LAY_NS = 500 * NS_PER_MS
"""A chip that is last heard so soon after the street began may have been taken before: the round was under way, or was
long."""


@dataclass(frozen=True, slots=True)
class LastAct:
    """The newest act of a seat in this round, for a chip of it that comes late."""

    act_no: int
    chips: Mapping[str, int]
    taken_back: tuple[int, ...]
    by_motion: tuple[tuple[int, ...], ...]
    motions: int
    pays: int
    first_ns: int
    rest_ns: int
    ended_ns: int
    in_turn: bool
    passed: int
    """How often the turn had passed on by then."""
    epoch: str
    round_no: int
    """The zone's newest round by then, and the life of the reader's program that numbers it."""


@dataclass(frozen=True, slots=True)
class Account:
    """What of the chips in front of a seat has been accounted for since the street began (R-044)."""

    seat: int
    based: bool = False
    """Whether the base line is known; a zone that was never read has none yet."""
    lay: frozenset[str] = frozenset()
    """The base line: chips that were heard there since the street began, wherever they are now."""
    base: frozenset[str] = frozenset()
    """The chips of no act that lie there, or may."""
    based_ns: int = -1
    """When the base line was taken."""
    doubt: frozenset[str] = frozenset()
    """Those of the base line that came between two streets and may be an early bet."""
    counted: Mapping[str, int] = field(default_factory=dict)
    """Chips that were ruled on in this round and have not been accounted as gone."""
    left: frozenset[str] = frozenset()
    """Chips that were ruled on and have left the zone since the round was over: gathered, or given back as change."""
    gathered: int = 0
    """Value of chips that were ruled on and that the dealer has gathered since."""
    dead: int = 0
    """Its antes and dead blinds of this hand, by the books."""
    dead_here: int = 0
    """So much of them is among the chips ruled on, until it is gathered: it is no part of the bet."""
    taken: int = 0
    """So much of them was seen and is not among the chips ruled on any more: gathered, or in the base line."""
    awaited: int = 0
    """Value that was keyed or posted and whose chips have not been seen yet."""
    unposted: int = 0
    """What the books say was posted, until the zone has been read and it is known what of it lies there."""
    last_act: LastAct | None = None
    new: Mapping[str, int | None] = field(default_factory=dict)
    """Chips that lie there and are accounted nowhere."""
    moved_here: Mapping[str, int | None] = field(default_factory=dict)
    """Chips that lie there, and belong to the base line or the bet of another seat."""
    gone: Mapping[str, int] = field(default_factory=dict)
    """Chips that were counted and do not lie there."""
    gone_ns: int = -1
    """When the first of them was believed to have gone."""
    under_hand: bool = False
    """Whether the dealer said that what lies there counts, although a hand rests on it."""
    swept_ns: int = -1
    """When bets of it were last gathered."""
    keyed_ns: int = -1
    """When the dealer last keyed a bet of it."""
    bet_told_ns: int = -1
    """When its bet last changed in the table's books."""
    moved_ns: int = -1
    """When `new` or `gone` last changed."""
    ready_ns: int = -1
    """Since when an act of it waits for its turn; -1: none waits."""
    paid_ns: int = -1
    """When chips last made good a part of what was keyed or owed."""
    short_told: tuple[int, int] | None = None
    """The bet and what lay there when it was last reported that less lies there."""
    lifted: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Value of chips of the base line that lie there no more, and when they were last heard."""
    aside: Aside = "early-chips"
    """Why the chips in doubt are that."""

    @property
    def total(self) -> int:
        """Value of what was ruled on in this round, without the dead money beside it."""
        return sum(self.counted.values()) + self.gathered - self.dead_here

    @property
    def unknown(self) -> bool:
        """Whether a new chip's value is not known."""
        return None in self.new.values()

    @property
    def new_value(self) -> int:
        return sum(value or 0 for value in self.new.values())

    @property
    def gone_value(self) -> int:
        return sum(self.gone.values())

    def seen(self, belief: ZoneBelief, foreign: frozenset[str], now_ns: int) -> Account:
        """The account over what is believed to lie there; `foreign` are chips of other seats' base lines and bets."""
        if belief.at_ns < 0:
            return self  # a zone not heard of since the restart is not empty
        present = belief.present
        base = self.base
        if not self.based:
            if not belief.settled:
                return self
            base = frozenset(present) - self.counted.keys()
        elif base and belief.settled:
            base = frozenset(uid for uid in base if uid in present or uid in belief.tracks)
        new = {
            uid: value
            for uid, value in present.items()
            if uid not in base and uid not in self.counted and uid not in foreign
        }
        gone = {uid: value for uid, value in self.counted.items() if uid not in present}
        lifted = {uid: value for uid, value in self.lifted.items() if uid not in present}
        for uid in self.base:
            track = belief.tracks.get(uid)
            if uid not in present and uid not in lifted and track is not None and track.value is not None:
                lifted[uid] = track.value, track.heard_ns
        moved_here = {uid: value for uid, value in present.items() if uid in foreign and uid not in base}
        moved = (
            new.keys() != self.new.keys()
            or gone.keys() != self.gone.keys()
            or moved_here.keys() != self.moved_here.keys()
        )
        stayed = [uid for uid in base - self.lay if _heard_since(belief, uid, self.based_ns)]
        return replace(
            self,
            based=True,
            lay=self.lay.union(stayed) if stayed else self.lay,
            base=base,
            based_ns=self.based_ns if self.based else now_ns,
            doubt=self.doubt & base,
            new=new,
            moved_here=moved_here,
            gone=gone,
            gone_ns=(self.gone_ns if self.gone else now_ns) if gone else -1,
            moved_ns=now_ns if moved else self.moved_ns,
            ready_ns=-1 if moved else self.ready_ns,
            under_hand=self.under_hand and not moved,
            lifted=lifted,
        )

    def leaving(self) -> Account:
        """The round is over: what has gone is part of no bet any more, should it come again."""
        return replace(self, left=self.left.union(self.gone)) if self.gone.keys() - self.left else self

    def dead_gathered(self, uids: Collection[str]) -> Account:
        """These chips have gone, and were dead money."""
        value = sum(self.gone[uid] for uid in uids)
        return replace(
            self,
            counted={uid: one for uid, one in self.counted.items() if uid not in uids},
            gone={uid: one for uid, one in self.gone.items() if uid not in uids},
            dead_here=self.dead_here - value,
            taken=self.taken + value,
        )

    def set_aside(self, why: Aside | None = None) -> Account:
        """The new chips are no bet: they belong to the base line, with a reason in doubt, so that it is asked."""
        new = frozenset(self.new)
        return replace(
            self,
            lay=self.lay | new,
            base=self.base | new,
            doubt=self.doubt | new if why else self.doubt,
            aside=why or self.aside,
            new={},
            ready_ns=-1,
        )

    def in_doubt(self, uids: Iterable[str], why: Aside) -> Account:
        """These chips belong to the base line as long as nobody says otherwise, and it is asked what they are."""
        doubtful = frozenset(uids)
        return replace(self, base=self.base | doubtful, doubt=self.doubt | doubtful, aside=why, ready_ns=-1)

    @property
    def held(self) -> bool:
        """Whether nothing may be ruled for the seat yet, for chips of its act may be among those in doubt."""
        return self.unposted > 0 or (bool(self.doubt) and self.aside in HOLDS)

    def beside(self, paid: int, live: frozenset[str], amount: int) -> Account:
        """The new chips pay so much dead money; those that are ``live`` are a post of that amount that was awaited."""
        counted = {**self.counted, **{uid: self.new[uid] or 0 for uid in live}}
        dead = {uid: value for uid, value in self.new.items() if uid not in live}
        account = replace(self, new=dead).set_aside()
        return replace(account, counted=counted, taken=self.taken + paid, awaited=max(0, self.awaited - amount))

    def taken_for_bet(self) -> Account:
        """The chips in doubt are a bet: they are new."""
        taken = 0 if self.doubt and self.aside == "dead-money" else self.taken
        return replace(self, base=self.base - self.doubt, lay=self.lay - self.doubt, doubt=frozenset(), taken=taken)

    def no_bet(self) -> Account:
        """The chips in doubt are no bet; nor is the rest of a push that was half out when the street was keyed."""
        account = self.set_aside() if self.aside == "early-chips" else self
        return replace(account, doubt=frozenset())

    def exchanged(self, taken: Iterable[str]) -> Account:
        """The new chips have taken the place of these chips of the base line."""
        gone = frozenset(taken)
        account = self.set_aside()
        return replace(
            account, base=account.base - gone, lifted={uid: one for uid, one in self.lifted.items() if uid not in gone}
        )

    def accounted(self) -> Account:
        """Everything that moved has been accounted for: what lies there now is what was ruled on."""
        counted = {uid: value for uid, value in self.counted.items() if uid not in self.gone}
        counted.update({uid: value or 0 for uid, value in self.new.items()})
        return replace(self, counted=counted, new={}, gone={}, gone_ns=-1, ready_ns=-1, under_hand=False)

    def acted(self, memory: LastAct) -> Account:
        """Everything that moved was reported as an act."""
        return replace(self.accounted(), last_act=memory, awaited=0)

    def swept(self) -> Account:
        """The dealer has gathered the chips that are gone; they stay this seat's bet."""
        counted = {uid: value for uid, value in self.counted.items() if uid not in self.gone}
        gathered = self.gathered + self.gone_value
        return replace(self, counted=counted, gathered=gathered, swept_ns=self.gone_ns, gone={}, gone_ns=-1)

    def durable(self) -> dict[str, Any]:
        """Plain data; `Account.restored` makes the account again."""
        return {
            "based": int(self.based),
            "lay": sorted(self.lay),
            "base": sorted(self.base),
            "doubt": sorted(self.doubt),
            "aside": self.aside,
            "counted": [[uid, value] for uid, value in self.counted.items()],
            "left": sorted(self.left),
            "gathered": self.gathered,
            "dead": self.dead,
            "dead_here": self.dead_here,
            "taken": self.taken,
            "awaited": self.awaited,
            "unposted": self.unposted,
        }

    @classmethod
    def restored(cls, seat: int, plain: Mapping[str, Any]) -> Account:
        """The account of plain data, before anything is seen of its zone."""
        return cls(
            seat,
            bool(plain["based"]),
            frozenset(plain["lay"]),
            frozenset(plain["base"]),
            doubt=frozenset(plain["doubt"]),
            counted={str(uid): int(value) for uid, value in plain["counted"]},
            gathered=int(plain["gathered"]),
            awaited=int(plain["awaited"]),
            dead=int(plain.get("dead", 0)),
            dead_here=int(plain.get("dead_here", 0)),
            taken=int(plain.get("taken", 0)),
            aside=plain.get("aside", "early-chips"),
            unposted=int(plain.get("unposted", 0)),
            left=frozenset(plain.get("left", ())),
        )


def _heard_since(belief: ZoneBelief, uid: str, street_ns: int) -> bool:
    track = belief.tracks.get(uid)
    return uid in belief.present and track is not None and track.heard_ns > street_ns + LAY_NS


@dataclass(frozen=True, slots=True)
class Pushed:
    """What a seat has pushed that is in no act yet (for words that are keyed before their chips have settled)."""

    values: tuple[int, ...] = ()
    uids: tuple[str, ...] = ()
    taken_back: tuple[int, ...] = ()
    unknown: int = 0
    """Chips among them whose value nobody knows."""
    moving: bool = False
    """Whether chips still come or go there, or a hand is over the zone."""
    stale: bool = False
    """Whether no reader says what lies there."""
