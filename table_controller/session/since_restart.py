"""What lies on the felt after a restart, held against what the journal says: the dealer is told what differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

from betline.messages.table import Alert
from table_controller.sensing.account import Account
from table_controller.sensing.belief import ZoneBelief
from table_controller.sensing.setup import zone_of
from table_controller.sensing.state import SensingState

CODE: Final = "since-restart"
_COMPARED: Final = ("betting", "round-over", "showdown")


@dataclass(frozen=True, slots=True)
class Remembered:
    """The chips that each seat had in front of it by the journal, of the seats whose readers have not spoken yet."""

    street: tuple[int, str]
    """Hand number and street; with the next one it holds no more."""
    accounts: Mapping[int, Account]

    @classmethod
    def of(cls, sensing: SensingState) -> Self | None:
        """What the restored state remembers; None where no hand is being played or no reader serves a seat."""
        accounts = {
            seat: account
            for seat, account in sensing.accounts.items()
            if account.based and zone_of(seat) in sensing.zones
        }
        if not accounts or sensing.hand.phase not in _COMPARED:
            return None
        return cls((sensing.hand.hand_no, sensing.hand.street), accounts)

    def after(self, sensing: SensingState) -> tuple[Self | None, tuple[Alert, ...]]:
        """What is still to be compared, and what differs at the seats whose zones have settled."""
        if (sensing.hand.hand_no, sensing.hand.street) != self.street:
            return None, ()
        known = {seat: sensing.belief(seat) for seat in self.accounts if sensing.belief(seat).settled}
        if not known:
            return self, ()
        left = {seat: account for seat, account in self.accounts.items() if seat not in known}
        elsewhere = {
            seat: frozenset(
                uid for other in self.accounts.values() if other.seat != seat for uid in (*other.base, *other.counted)
            )
            for seat in known
        }
        alerts = [
            Alert(severity="warning", code=CODE, seat=seat, sentence=f"Since the restart: {what}")
            for seat, belief in known.items()
            for what in _differences(self.accounts[seat], belief, elsewhere[seat])
        ]
        return (replace(self, accounts=left) if left else None), tuple(alerts)


def _differences(account: Account, belief: ZoneBelief, elsewhere: frozenset[str]) -> Iterator[str]:
    """One sentence for chips that came, one for those that are missing."""
    seat = account.seat
    came = {
        uid: value
        for uid, value in belief.present.items()
        if uid not in account.base and uid not in account.counted and uid not in elsewhere
    }
    if came:
        worth = "chips of unknown worth" if None in came.values() else str(sum(value or 0 for value in came.values()))
        yield f"seat {seat} has {worth} more than was ruled on. It counts in turn; key it if no ruling comes."
    gone = [value for uid, value in account.counted.items() if uid not in belief.present]
    if gone:
        yield f"{sum(gone)} of seat {seat}'s bet no longer lies there. The bet stands: have it put back, or key it."
    lifted = len([uid for uid in account.base if uid not in belief.present])
    if lifted:
        chips = "1 chip" if lifted == 1 else f"{lifted} chips"
        yield f"{chips} that lay at seat {seat} before the street began {'is' if lifted == 1 else 'are'} gone. Ask why."
