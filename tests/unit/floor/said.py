"""What a table's controller says, made for the tests of the floor."""

from betline.messages.common import Envelope, Health
from betline.messages.table import PushView, Question, TableState
from tests.unit.console.table import state as console_state

ONE, TWO = "life-one", "life-two"


def envelope(life: str = ONE, seq: int = 1, sender: str = "controller") -> Envelope:
    return Envelope(sender=sender, boot_id=life, seq=seq, ts_ms=0, mono_ns=0)


def state(version: int = 1, hand_no: int = 3, **changes: object) -> TableState:
    return console_state(version=version, hand_no=hand_no, journal="j", **changes)


def over(version: int, hand_no: int, pot: int) -> TableState:
    """A hand that is over, whose pot was so much; 40 that nobody called went back."""
    payouts = (PushView(to=2, pot=None, amount=40), PushView(to=2, pot=0, amount=pot - 5),
               PushView(to="rake", pot=0, amount=5))  # fmt: skip
    return state(version, hand_no, phase="hand-over", to_act=None, pot=0, payouts=payouts)


def ruling(name: str = "f1", seat: int = 4) -> Question:
    return Question(id=name, seat=seat, kind="floor", sentence=f"Floor: seat {seat}.", choices=("call", "raise:20"))


ALIVE = Health(counters={})
