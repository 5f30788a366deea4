"""The door of a table: who is signed in, and whether a command is from the person that it claims.

A PIN is proven by an exchange (`betline.people.srp`), after which every command of that person carries a signature and
a number that rises. A badge signs in whatever comes without a signature, for as long as it lies there. The sign-ins
live in memory only: after a restart everybody signs in again. Used on the controller's loop alone.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from betline.messages.common import Command
from betline.messages.devices import ZoneChips
from betline.messages.people import SignIn, SignInAnswer, StaffMember, StaffState
from betline.people import srp
from betline.people.record import Person, Staff
from betline.people.signature import farewell, is_signed
from betline.settings import StaffRules
from betline.settings.table import Sensing
from betline.units import NS_PER_S
from table_controller.session.author import NOBODY, OPEN_TABLE, Author
from table_controller.session.badges import Badges

PENDING: Final = 16
"""Sign-ins that may be half done."""
SIGNED_IN: Final = 32
HALF_DONE_S: Final = 60
Way = Literal["pin", "badge"]


@dataclass(frozen=True, slots=True)
class Came:
    """Somebody has signed in."""

    author: Author
    way: Way


@dataclass(frozen=True, slots=True)
class Went:
    """Somebody is signed in no longer; ``why`` ends the sentence "Ann is signed out: ..."."""

    author: Author
    way: Way
    why: str


@dataclass(frozen=True, slots=True)
class WrongPin:
    """A wrong PIN; ``locked_s`` is how long the person is locked out now, 0 while there are tries left."""

    author: Author
    locked_s: int


News = Came | Went | WrongPin


@dataclass(frozen=True, slots=True)
class Refused:
    """A command that is not let in: a stable code, and what to do."""

    code: str
    sentence: str


@dataclass(slots=True)
class _SignedIn:
    person: str
    key: bytes
    seen_ns: int
    number: int = 0


@dataclass(frozen=True, slots=True)
class _HalfDone:
    side: srp.TableSide
    began_ns: int


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    locked_ns: int = 0


@dataclass(slots=True)
class Door:
    """Who may come in; `news` is taken by the controller after each call."""

    staff: Staff
    rules: StaffRules
    sensing: Sensing
    chance: Callable[[int], int] = secrets.randbits
    news: list[News] = field(default_factory=list)
    _half_done: dict[str, _HalfDone] = field(default_factory=dict)
    _signed_in: dict[str, _SignedIn] = field(default_factory=dict)
    _tries: dict[str, _Tries] = field(default_factory=dict)
    _badges: Badges = field(default_factory=Badges)
    _wearing: str = ""
    """The person whose badge counts."""

    @property
    def state(self) -> StaffState:
        """What everybody may know of the staff."""
        people = [StaffMember(id=one.id, name=one.name, role=one.role, pin=bool(one.pin)) for one in self.staff.people]
        return StaffState(people=tuple(people), badge=self._wearing)

    # --- commands

    def author(self, sender: str, verb: str, command: Command, now_ns: int) -> Author | Refused:
        """Whose command it is, or why it is not believed."""
        signature = command.signature
        if not self.staff:
            return OPEN_TABLE
        if signature is None:
            return self._author(self._wearing)
        known = self._signed_in.get(signature.sign_in)
        if known is None:
            return Refused("signed-out", "You are signed out: sign in, then key it again.")
        said = (sender, verb, signature.number, command.id, command.expires_ms, command.args)
        if not is_signed(known.key, signature.mac, *said):
            return Refused("forged", f"{verb} does not bear the signature of who signed in: sign in again and key it.")
        if signature.number <= known.number:
            return Refused("replayed", f"{verb} came a second time and was done or refused then: look, then key it.")
        known.number, known.seen_ns = signature.number, now_ns
        return self._author(known.person)

    def _author(self, person: str) -> Author:
        found = self.staff.person(person)
        return NOBODY if found is None else Author(found.id, found.name, found.role)

    # --- PINs

    def signs_in(self, name: str, asked: SignIn, now_ns: int) -> SignInAnswer:
        """The answer to one message of the sign-in of that id."""
        try:
            if asked.step == "begin":
                return self._begins(name, asked, now_ns)
            if asked.step == "prove":
                return self._proves(name, asked, now_ns)
        except srp.BadExchange:
            self._half_done.pop(name, None)
            return _refused(asked, "bad-exchange", "The sign-in was disturbed: sign in again.")
        return self._ends(name, asked)

    def _begins(self, name: str, asked: SignIn, now_ns: int) -> SignInAnswer:
        person = self.staff.person(asked.person)
        if person is None:
            return _refused(asked, "unknown-person", "This person is not on the staff: betline people add enrols one.")
        if person.pin is None:
            return _refused(
                asked, "no-pin", f"{person.name} has no PIN: lay the badge, or betline people pin gives one."
            )
        locked = self._locked(person, asked, now_ns)
        if locked is not None:
            return locked
        if name in self._half_done or name in self._signed_in:
            return _refused(asked, "bad-exchange", "The sign-in was disturbed: sign in again.")
        secret, there = self.chance(srp.SECRET_BITS), srp.public_from(asked.public)
        side = srp.TableSide(person.id, person.pin.salt, person.pin.verifier, secret, there)
        self._half_done[name] = _HalfDone(side, now_ns)
        for oldest in list(self._half_done)[:-PENDING]:
            del self._half_done[oldest]
        return SignInAnswer(step="begin", ok=True, code="ok", salt=side.salt.hex(), public=f"{side.public:x}")

    def _proves(self, name: str, asked: SignIn, now_ns: int) -> SignInAnswer:
        half = self._half_done.pop(name, None)
        person = None if half is None else self.staff.person(half.side.person)
        if half is None or person is None or now_ns - half.began_ns > HALF_DONE_S * NS_PER_S:
            return _refused(asked, "bad-exchange", "The sign-in took too long: sign in again.")
        locked = self._locked(person, asked, now_ns)
        if locked is not None:
            return locked
        proven = half.side.proven
        if not hmac.compare_digest(proven.of_person.hex(), asked.proof):
            return self._wrong(person, asked, now_ns)
        self._tries.pop(person.id, None)
        self._signed_in[name] = _SignedIn(person.id, proven.key, now_ns)
        for oldest in list(self._signed_in)[:-SIGNED_IN]:
            self._end(oldest, "too many have signed in since")
        self.news.append(Came(self._author(person.id), "pin"))
        return SignInAnswer(step="prove", ok=True, code="ok", proof=proven.of_table.hex())

    def _wrong(self, person: Person, asked: SignIn, now_ns: int) -> SignInAnswer:
        tries, use = self._tries.setdefault(person.id, _Tries()), self.rules.sign_in
        tries.wrong += 1
        left = use.pin_tries - tries.wrong
        if left <= 0:
            self._tries[person.id] = _Tries(locked_ns=now_ns + use.lock_out_s * NS_PER_S)
        self.news.append(WrongPin(self._author(person.id), use.lock_out_s if left <= 0 else 0))
        more = f"{left} {'try is' if left == 1 else 'tries are'} left." if left > 0 else ""
        more = more or f"{person.name} is locked out for {use.lock_out_s} s."
        return _refused(asked, "wrong-pin", f"That is not the PIN of {person.name}: {more}")

    def _locked(self, person: Person, asked: SignIn, now_ns: int) -> SignInAnswer | None:
        left_ns = self._tries.get(person.id, _Tries()).locked_ns - now_ns
        if left_ns <= 0:
            return None
        seconds = -(-left_ns // NS_PER_S)
        return _refused(
            asked, "locked-out", f"{person.name} is locked out: try again in {seconds} s, or lay the badge."
        )

    def _ends(self, name: str, asked: SignIn) -> SignInAnswer:
        known = self._signed_in.get(name)
        if known is None or not hmac.compare_digest(farewell(known.key), asked.proof):
            return _refused(asked, "signed-out", "You are signed out already.")
        self._end(name, "by key")
        return SignInAnswer(step="end", ok=True, code="ok")

    def _end(self, name: str, why: str) -> None:
        ended = self._signed_in.pop(name)
        self.news.append(Went(self._author(ended.person), "pin", why))

    # --- badges, time, and changes of the staff

    def reads(self, found: ZoneChips, now_ns: int) -> tuple[str, ...]:
        """What the badge antenna has read; returns the tags that are nobody's badge."""
        self._badges = self._badges.read(found, self.sensing, now_ns)
        self.passes(now_ns)
        if not self.staff:
            return ()
        lying = self._badges.lying(self.sensing, self.rules.sign_in.badge_s, now_ns)
        return tuple(uid for uid in lying if self.staff.wearing(uid) is None)

    def passes(self, now_ns: int) -> None:
        """Time has passed: badges go, and PINs that were not used for long sign out."""
        use = self.rules.sign_in
        self._badges = self._badges.cleared(self.sensing, use.badge_s, now_ns)
        owners = [self.staff.wearing(uid) for uid in self._badges.seen]
        wearing = next((one.id for one in reversed(owners) if one is not None), "")
        if wearing != self._wearing:
            before, self._wearing = self._author(self._wearing), wearing
            if before.person:
                self.news.append(Went(before, "badge", "the badge was taken away"))
            if wearing:
                self.news.append(Came(self._author(wearing), "badge"))
        for name, known in list(self._signed_in.items()) if use.idle_s else ():
            if now_ns - known.seen_ns > use.idle_s * NS_PER_S:
                self._end(name, f"no command for {use.idle_s} s")

    def enrols(self, staff: Staff, now_ns: int) -> None:
        """The file of the staff has changed: whoever has another PIN, another role or none is signed out."""
        before, gone = self.staff, []
        for name, known in self._signed_in.items():
            was, now = before.person(known.person), staff.person(known.person)
            if was is None or now is None or (was.pin, was.role) != (now.pin, now.role):
                gone.append(name)
        for name in gone:
            self._end(name, "the staff has changed")
        self._half_done.clear()
        self.staff = staff
        self.passes(now_ns)


def _refused(asked: SignIn, code: str, sentence: str) -> SignInAnswer:
    return SignInAnswer(step=asked.step, ok=False, code=code, sentence=sentence)
