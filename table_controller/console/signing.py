"""The console's side of signing in: the exchange that proves a PIN, who is signed in, and the signature of a command.

The PIN never leaves this program. The steps of an exchange are taken on the bus's thread as the answers come, so the
screen does not wait for the arithmetic.
"""

from __future__ import annotations

import hmac
import itertools
import secrets
import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from betline import topics
from betline.bus import Bus, Received
from betline.messages.common import Signature
from betline.messages.people import SignIn, SignInAnswer, StaffMember, StaffState
from betline.people import srp
from betline.people.signature import farewell, sign
from betline.topics import topic

UNPROVEN = "The controller could not prove that it knows this PIN: it was not signed in. Tell the floor."


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A sign-in that the controller has accepted."""

    id: str
    key: bytes = field(repr=False)
    person: StaffMember
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1), repr=False, compare=False)

    def signature(self, sender: str, verb: str, command_id: str, expires_ms: int, args: Mapping[str, Any]) -> Signature:
        """The signature of a command; each is made once."""
        number = next(self.numbers)
        mac = sign(self.key, sender, verb, number, command_id, expires_ms, args)
        return Signature(sign_in=self.id, number=number, mac=mac)


@dataclass(frozen=True, slots=True)
class Staffing:
    """What the screen shows of the staff. ``stage`` is that of the exchange that was begun last."""

    people: tuple[StaffMember, ...] = ()
    badge: StaffMember | None = None
    """Whose badge lies on the badge antenna."""
    signed_in: SignedIn | None = None
    """Who works at this console from now on."""
    stage: Literal["", "waiting", "refused", "accepted"] = ""
    problem: str = ""
    code: str = ""
    """Why it was refused, as the controller's stable code; empty where it proved nothing itself."""
    accepted: SignedIn | None = None

    @property
    def who(self) -> str:
        """Who is signed in, for the head of the screen; empty where nobody has to."""
        if not self.people:
            return ""
        person = self.signed_in.person if self.signed_in else self.badge
        return f"{person.name} ({person.role})" if person else "nobody signed in"

    @property
    def signs(self) -> str:
        """Who a ruling of the floor is by, where that is proven by signing in; empty where it must be said."""
        if not self.people:
            return ""
        return self.signed_in.person.name if self.signed_in else self.badge.name if self.badge else "whoever signs in"

    def able(self, roles: tuple[str, ...]) -> tuple[StaffMember, ...]:
        """Who can sign in with a PIN and has one of these roles; any role where none is named."""
        return tuple(one for one in self.people if one.pin and (not roles or one.role in roles))

    def badge_is(self, roles: tuple[str, ...]) -> bool:
        """Whether the badge of somebody with one of these roles lies there."""
        return self.badge is not None and (not roles or self.badge.role in roles)


OPEN: Final = Staffing()
"""Nobody is enrolled."""


@dataclass(slots=True)
class _Exchange:
    id: str
    person: StaffMember
    side: srp.PersonSide
    proof: bytes = b""
    key: bytes = b""


class Signing:
    """Signs in and out over the bus. ``wake`` is called on the bus's thread when there is something to look at."""

    def __init__(self, bus: Bus, wake: Callable[[], object]) -> None:
        self._bus = bus
        self._wake = wake
        self._lock = threading.Lock()
        self._state = OPEN
        self._exchange: _Exchange | None = None

    def start(self) -> None:
        """Begins to listen."""
        self._bus.subscribe(topics.STAFF, self._on_staff)
        self._bus.subscribe(topics.SIGN_IN_ANSWER, self._on_answer)

    @property
    def state(self) -> Staffing:
        """How it stands now."""
        with self._lock:
            return self._state

    def begin(self, person: StaffMember, pin: str) -> None:
        """Begins to prove a PIN; how that went is the ``stage``."""
        side = srp.PersonSide(person.id, pin, secrets.randbits(srp.SECRET_BITS))
        exchange = _Exchange(uuid.uuid4().hex, person, side)
        with self._lock:
            self._exchange = exchange
            self._state = replace(self._state, stage="waiting", problem="", code="", accepted=None)
        self._say(exchange.id, SignIn(step="begin", person=person.id, public=f"{side.public:x}"))

    def stay(self, signed_in: SignedIn) -> None:
        """Who has just signed in works here from now on; whoever did before is signed out."""
        before = self.state.signed_in
        with self._lock:
            self._state = replace(self._state, signed_in=signed_in, stage="", accepted=None)
        if before is not None:
            self.end(before)

    def leave(self) -> SignedIn | None:
        """Nobody works here any more; returns who did."""
        with self._lock:
            gone = self._state.signed_in
            self._state = replace(self._state, signed_in=None, stage="", problem="", accepted=None)
        if gone is not None:
            self.end(gone)
        return gone

    def forget(self, sign_in: str) -> None:
        """The controller knows a sign-in no longer."""
        with self._lock:
            if self._state.signed_in is not None and self._state.signed_in.id == sign_in:
                self._state = replace(self._state, signed_in=None)

    def end(self, signed_in: SignedIn) -> None:
        """Tells the controller that a sign-in is over."""
        self._say(signed_in.id, SignIn(step="end", proof=farewell(signed_in.key)))

    def _say(self, name: str, message: SignIn) -> None:
        self._bus.publish(topic(topics.SIGN_IN, name), message)

    # --- on the bus's thread

    def _on_staff(self, received: Received) -> None:
        staff = received.body
        if not isinstance(staff, StaffState):
            return
        badge = next((one for one in staff.people if one.id == staff.badge), None)
        with self._lock:
            signed_in = self._state.signed_in
            if signed_in is not None and signed_in.person not in staff.people:
                signed_in = None
            self._state = replace(self._state, people=staff.people, badge=badge, signed_in=signed_in)
        self._wake()

    def _on_answer(self, received: Received) -> None:
        answer, exchange = received.body, self._exchange
        if not isinstance(answer, SignInAnswer) or exchange is None or received.topic.name != exchange.id:
            return
        if not answer.ok:
            self._ended(replace(self.state, stage="refused", problem=answer.sentence, code=answer.code))
        elif answer.step == "begin":
            self._prove(exchange, answer)
        elif answer.step == "prove" and exchange.proof and hmac.compare_digest(answer.proof, exchange.proof.hex()):
            accepted = SignedIn(exchange.id, exchange.key, exchange.person)
            self._ended(replace(self.state, stage="accepted", accepted=accepted))
        else:
            self._ended(replace(self.state, stage="refused", problem=UNPROVEN))

    def _prove(self, exchange: _Exchange, answer: SignInAnswer) -> None:
        try:
            proven = exchange.side.proven(bytes.fromhex(answer.salt), srp.public_from(answer.public))
        except (srp.BadExchange, ValueError):
            self._ended(replace(self.state, stage="refused", problem=UNPROVEN))
            return
        exchange.proof, exchange.key = proven.of_table, proven.key
        self._say(exchange.id, SignIn(step="prove", proof=proven.of_person.hex()))

    def _ended(self, state: Staffing) -> None:
        with self._lock:
            self._exchange, self._state = None, state
        self._wake()
