"""What is believed of the felt, and what was already reported of it: the state between two steps of sensing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

from betline.units import NS_PER_MS
from table_controller.sensing import order
from table_controller.sensing.account import Account, Pushed
from table_controller.sensing.alerts.raised import Told
from table_controller.sensing.belief import Standing, ZoneBelief
from table_controller.sensing.cues import Cues
from table_controller.sensing.observations import Alert, Asked, Key, Pile
from table_controller.sensing.origins import Origins
from table_controller.sensing.quality import Quality
from table_controller.sensing.setup import Setup, zone_of
from table_controller.sensing.travels import Travels
from table_controller.sensing.view import HandView
from table_controller.sensing.witness import SeatWitness, Witness

STILL_HAND_NS = 10_000 * NS_PER_MS
"""A hand without chips holds up the seats behind it for so long; a camera may see one that is none."""
MOVEMENT_NS = 3_000 * NS_PER_MS
"""Chips that came or went, and that are no act after this time, move no more."""


@dataclass(frozen=True, slots=True)
class SensingState:
    """What is believed of the felt, and what has been reported of it. `initial(setup)` makes the first."""

    setup: Setup
    zones: Mapping[str, ZoneBelief]
    witness: Witness
    hand: HandView
    accounts: Mapping[int, Account]
    turn: order.Turn
    house: frozenset[str]
    """Chips that lay in the tray, or came into it or the pot, during this hand; what a seat won before is its own."""
    act_no: int
    began_ns: int
    """The first step; -1 before it."""
    questions: Mapping[str, Asked]
    raised: Mapping[Key, Alert]
    """The alerts that are shown."""
    shown: Mapping[str, int | None]
    origins: Origins = field(default_factory=Origins)
    travels: Travels = field(default_factory=Travels)
    told: Told = field(default_factory=Told)
    """What people were told of the alerts."""
    hands: tuple[int, ...] = ()
    """Seats whose hand is over chips that are in no act yet."""
    pile: Pile | None = None
    """What has been heard so far of a pile that is still being counted."""
    hand_ns: int | None = None
    """When the hand began; None where it did before this program."""
    cues: Cues = field(default_factory=Cues)

    @classmethod
    def initial(cls, setup: Setup) -> Self:
        """Nothing is known yet."""
        accounts = {seat: Account(seat) for seat in setup.seats}
        zones = {zone: ZoneBelief(zone) for zone in sorted(setup.zones)}
        return cls(
            setup, zones, Witness(), HandView(), accounts, order.Turn(), frozenset(), 0, -1, {}, {},
            dict.fromkeys(zones),
        )  # fmt: skip

    def accounting(self, account: Account) -> Self:
        """The state with this account of its seat."""
        return replace(self, accounts={**self.accounts, account.seat: account})

    def pushed(self, seat: int, now_ns: int) -> Pushed:
        """What a seat has pushed that is in no act yet, and whether it still moves."""
        account = self.accounts[seat]
        chips = {uid: value for uid, value in account.new.items() if value is not None}
        return Pushed(
            tuple(chips.values()),
            tuple(chips),
            tuple(account.gone.values()),
            len(account.new) - len(chips),
            self.moves(seat, now_ns),
            not self.belief(seat).fresh(now_ns, self.setup.thresholds.stale_ms),
        )

    def durable(self) -> dict[str, Any]:
        """Plain data (dict, list, str, int) with which a new controller goes on in mid-hand."""
        return {
            "hand_no": self.hand.hand_no,
            "street": self.hand.street,
            "phase": self.hand.phase,
            "act_no": self.act_no,
            "house": sorted(self.house),
            "origins": self.origins.durable(),
            "cues": self.cues.durable(),
            "antennas": {zone: belief.quality.percent for zone, belief in self.zones.items() if belief.quality.poor},
            "seats": {str(seat): account.durable() for seat, account in self.accounts.items()},
        }

    def restored(self, plain: Mapping[str, Any]) -> Self:
        """The state with the durable part of an earlier life; raises ValueError where it is not one."""
        try:
            accounts = {
                seat: Account.restored(seat, plain["seats"][str(seat)]) if str(seat) in plain["seats"] else account
                for seat, account in self.accounts.items()
            }
            hand = replace(self.hand, hand_no=int(plain["hand_no"]), street=str(plain["street"]), phase=plain["phase"])
            house, act_no = frozenset(plain["house"]), int(plain["act_no"])
            zones = dict(self.zones)
            for zone, percent in plain.get("antennas", {}).items():
                if zone in zones:
                    zones[zone] = replace(zones[zone], quality=Quality.known(int(percent), self.setup.thresholds))
            origins, cues = Origins.restored(plain.get("origins", {})), Cues.restored(plain.get("cues", {}))
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"this is not what sensing had saved: {error!r}") from error
        return replace(
            self, zones=zones, accounts=accounts, hand=hand, house=house, act_no=act_no, origins=origins, cues=cues
        )

    def unread_bet(self, now_ns: int) -> int | None:
        """The seat to act, if the camera saw it bet and no reader says how much."""
        seat = self.hand.to_act
        if seat is None or not self.camera_live(now_ns):
            return None
        if self.belief(seat).fresh(now_ns, self.setup.thresholds.stale_ms):
            return None
        since_ns = max(self.accounts[seat].bet_told_ns, self.turn.street_ns)
        return seat if self.witness.seat(seat).bet_ns > since_ns else None

    def hand_on_chips(self, seat: int, now_ns: int) -> bool:
        """Whether the camera sees a hand over chips of the seat that are in no act yet: nothing is ruled then."""
        account = self.accounts.get(seat)
        waits = account is not None and bool(account.new) and not account.under_hand
        return waits and self.hand_there(seat, now_ns)

    def hand_there(self, seat: int, now_ns: int) -> bool:
        """Whether a camera that can be relied on sees a hand over the zone of the seat."""
        seen = self.seen(seat, now_ns)
        return seen is not None and seen.hand

    def rests_on(self, now_ns: int) -> tuple[int, ...]:
        """The seats whose chips have lain still under a hand for so long that the dealer is asked."""
        patience_ns = self.setup.thresholds.hand_ask_ms * NS_PER_MS
        return tuple(
            seat
            for seat in self.hand.order
            if self.hand_on_chips(seat, now_ns)
            and now_ns - max(self.accounts[seat].moved_ns, self.witness.seat(seat).entered_ns) >= patience_ns
        )

    def moves(self, seat: int, now_ns: int) -> bool:
        """Whether chips come or go at a seat, its hand is over its zone, or nobody can say yet what lies there."""
        thresholds = self.setup.thresholds
        seen, belief, account = self.seen(seat, now_ns), self.belief(seat), self.accounts[seat]
        if seen is not None and seen.hand and (account.new or now_ns - seen.entered_ns < STILL_HAND_NS):
            return not account.under_hand
        if not belief.fresh(now_ns, thresholds.stale_ms) or account.ready_ns >= 0:
            return False
        if account.held or not account.based:
            return True
        if (account.new or account.gone) and now_ns - account.moved_ns < MOVEMENT_NS:
            return True
        return not belief.settled and any(
            track.standing is Standing.CANDIDATE
            and track.uid not in account.base
            and not self._of_another(seat, track.uid)
            for track in belief.tracks.values()
        )

    def _of_another(self, seat: int, uid: str) -> bool:
        """Whether a chip lies in front of another seat: hearing it now and then is no movement here."""
        return any(
            uid in account.new or uid in account.counted for account in self.accounts.values() if account.seat != seat
        )

    @property
    def based(self) -> frozenset[int]:
        """The seats whose base line is known: chips that come there now are seen as new."""
        return frozenset(seat for seat, account in self.accounts.items() if account.based)

    def camera_live(self, now_ns: int) -> bool:
        """Whether there is a camera, and it was heard of lately."""
        return self.setup.camera and self.witness.live(now_ns, self.setup.thresholds.stale_ms)

    def seen(self, seat: int, now_ns: int) -> SeatWitness | None:
        """What the camera sees of a seat, None where it cannot be relied on."""
        return self.witness.seat(seat) if self.camera_live(now_ns) else None

    def belief(self, seat: int) -> ZoneBelief:
        """What is believed of the zone of a seat; nothing where no antenna reads it."""
        return self.zones.get(zone_of(seat)) or ZoneBelief(zone_of(seat))

    def mature(self, now_ns: int) -> dict[int, ZoneBelief]:
        """The beliefs of the seats' zones that are not stale and whose readers have had time to hear all chips."""
        thresholds = self.setup.thresholds
        beliefs = ((seat, self.belief(seat)) for seat in self.setup.seats)
        return {
            seat: belief
            for seat, belief in beliefs
            if belief.fresh(now_ns, thresholds.stale_ms) and belief.round_no >= thresholds.settle_rounds
        }
