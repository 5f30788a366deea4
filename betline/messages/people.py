"""Signing in: the exchange by which a person proves a PIN (`betline.people.srp`), and who is known at the table."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from betline.messages.common import Body

HEX = r"^[0-9a-f]*$"


class SignIn(Body):
    """A person's side of a sign-in: first who it is and a public number, then the proof; at last the end of it."""

    step: Literal["begin", "prove", "end"]
    person: str = Field(default="", max_length=64, description="id of the person, in begin")
    public: str = Field(default="", max_length=512, pattern=HEX, description="public number in hex, in begin")
    proof: str = Field(default="", max_length=64, pattern=HEX, description="in prove and in end")


class SignInAnswer(Body):
    """The controller's side; ``code`` is ok, or the stable code of a refusal."""

    step: Literal["begin", "prove", "end"]
    ok: bool
    code: str
    sentence: str = ""
    salt: str = Field(default="", max_length=64, pattern=HEX)
    public: str = Field(default="", max_length=512, pattern=HEX)
    proof: str = Field(default="", max_length=64, pattern=HEX, description="by which the controller proves itself")


class StaffMember(Body):
    """One who may sign in."""

    id: str
    name: str
    role: Literal["dealer", "floor", "technician"]
    pin: bool = Field(description="has a PIN; whoever has none signs in with a badge")


class StaffState(Body):
    """Who may sign in at this table (retained); without anybody the table is open to everybody."""

    people: tuple[StaffMember, ...] = ()
    badge: str = Field(default="", description="id of the person whose badge lies there; empty where none does")
