"""Tokens and passes: what proves a role, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_controller.web.tokens import pass_for, role_of_pass, role_of_token, sees, token_for

SECRET, OTHER = b"s" * 32, b"o" * 32
ROLES = ("board", "overlay", "dealer", "floor", "seat-1", "seat-10")


@pytest.mark.parametrize("role", ROLES)
def test_a_token_proves_its_role_under_its_secret_alone(role: str) -> None:
    token = token_for(SECRET, role)

    assert role_of_token(SECRET, token) == role
    assert role_of_token(OTHER, token) is None


@pytest.mark.parametrize("role", ["", "seat-0", "seat-11", "seat-03", "seat-1\n", "owner"])
def test_there_is_no_token_for_what_is_no_role(role: str) -> None:
    with pytest.raises(ValueError, match="no role"):
        token_for(SECRET, role)


def test_the_token_of_one_seat_is_none_of_another() -> None:
    mac = token_for(SECRET, "seat-1").partition(".")[2]

    assert role_of_token(SECRET, f"seat-10.{mac}") is None
    assert role_of_token(SECRET, f"seat-2.{mac}") is None


def test_a_pass_ends_and_cannot_be_made_longer() -> None:
    kept = pass_for(SECRET, "seat-3", 1000)

    assert role_of_pass(SECRET, kept, 999) == "seat-3"
    assert role_of_pass(SECRET, kept, 1000) is None
    assert role_of_pass(SECRET, kept.replace(".1000.", ".9000."), 999) is None


def test_a_token_is_no_pass_and_a_pass_no_token() -> None:
    assert role_of_pass(SECRET, token_for(SECRET, "floor"), 0) is None
    assert role_of_token(SECRET, pass_for(SECRET, "floor", 9)) is None


@given(st.text(max_size=100), st.sampled_from(ROLES))
def test_whatever_else_is_said_proves_nothing(said: str, role: str) -> None:
    for text in (said, f"{role}.{said}", f"{role}.9999.{said}"):
        assert role_of_token(SECRET, text) is None
        assert role_of_pass(SECRET, text, 0) is None


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        ("board", {"board"}),
        ("overlay", {"board", "overlay"}),
        ("seat-1", {"board", "seat-1"}),
        ("dealer", {"board", "overlay", "seat-1", "seat-2"}),
    ],
)
def test_a_role_sees_its_own_channel_and_the_board(role: str, seen: set[str]) -> None:
    assert {one for one in ("board", "overlay", "seat-1", "seat-2") if sees(role, one)} == seen
