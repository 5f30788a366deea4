"""The ledger: what everybody brought, took and won, whatever was taken back, put right or fouled."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import pytest

from betline.steps import Borrow, Leave, MoveChips, Rebuy, SitDown
from table_controller.accounts.ledger import DIFFERENCE, EVENING_GAP_MS, Account, Ledger, ledger_of
from table_controller.accounts.settle import between_players, kept_by_bank, with_bank
from table_controller.journal.entries import Entry, Named, Recorded, SetUp, Stepped
from table_controller.journal.errors import JournalError
from tests.unit.journal.stories import MINUTE_MS, Story, recorded
from tests.unit.session.desk import START_MS, Desk, terms

STORIES = int(os.environ.get("BETLINE_LEDGERS", "30"))
OFTEN = {"sits", "leaves", "adds", "moves", "undo", "after_minutes", "award", "next_hand", "fouled"}


def by_person(ledger: Ledger) -> dict[str, int]:
    """Results, those of nameless visitors of a seat together."""
    found: dict[str, int] = {}
    for key, account in ledger.accounts.items():
        name = account.person or "-".join(key.split("-")[:2])
        found[name] = found.get(name, 0) + account.result
    return found


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(5))
def test_results_are_what_went_out_and_lies_there_and_all_of_them_with_the_house_make_nothing(first: int) -> None:
    kinds: set[str] = set()
    for seed in range(first, STORIES, 5):
        story = Story(seed, 300)
        kinds |= story.kinds
        ledger = ledger_of(story.entries)
        expected = dict(story.cash)
        for who, amount in story.holdings().items():
            expected[who] = expected.get(who, 0) + amount

        assert by_person(ledger) == expected, seed
        assert sum(by_person(ledger).values()) + sum(ledger.house.values()) == 0
        if "counts" not in story.kinds:
            assert DIFFERENCE not in ledger.house, seed
        assert sum(one.received for one in ledger.accounts.values()) == 0
        assert sum(one.charged for one in ledger.accounts.values()) == ledger.places.get("time", 0)
        _settles(ledger)
    assert kinds >= OFTEN


def _settles(ledger: Ledger) -> None:
    """Whoever pays and is paid has nothing open afterwards."""
    open_ones = {key: account.result for key, account in ledger.accounts.items()} | ledger.house
    payments = between_players(ledger)
    for one in payments:
        assert one.amount > 0
        open_ones[one.payer] += one.amount
        open_ones[one.payee] -= one.amount
    assert not any(open_ones.values())
    assert len(payments) < len(open_ones)
    out = {key: account.cashed_out for key, account in ledger.accounts.items()}
    bank = sum(account.bought - account.cashed_out for account in ledger.accounts.values())
    for one in with_bank(ledger):
        bank += one.amount if one.payee == "bank" else -one.amount
        for key, sign in ((one.payee, 1), (one.payer, -1)):
            if key in out:
                out[key] += sign * one.amount
    assert bank == kept_by_bank(ledger)
    assert {key: cash - ledger.accounts[key].bought for key, cash in out.items()} == {
        key: account.result for key, account in ledger.accounts.items()
    }


# --- single rules, through keys


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    for seat, name in ((1, "Ann"), (2, "Bob"), (3, "")):
        desk.key("sit-down", seat=seat, stack=200, player=name)
    return desk


def ledger(desk: Desk, **options: Any) -> Ledger:
    return ledger_of(recorded(desk.entries), **options)


def named(desk: Desk, name: str, **options: Any) -> Account:
    person = next(person for person, called in desk.session.names.items() if called == name)
    return ledger(desk, **options).accounts[person]


def won_by_folds(desk: Desk, **args: Any) -> None:
    """A hand that all fold to the big blind."""
    assert desk.key("next-hand", **args).ok
    desk.key("cards-out")
    assert desk.key("rest-folds").ok


def test_a_person_has_one_account_over_all_seats(desk: Desk) -> None:
    won_by_folds(desk, button=1)
    desk.key("leave", seat=2)
    won_by_folds(desk)
    desk.key("sit-down", seat=5, stack=250, player="bob")
    won_by_folds(desk)

    bob = named(desk, "Bob")
    assert [(stay.seat, stay.from_hand, stay.to_hand) for stay in bob.stays] == [(2, 1, 1), (5, 3, None)]
    assert bob.bought == 450
    assert bob.cashed_out == 199
    assert bob.result == bob.cashed_out + bob.on_table - 450


def test_visitors_without_a_name_are_never_taken_for_one(desk: Desk) -> None:
    won_by_folds(desk, button=1)
    desk.key("leave", seat=3)
    assert desk.key("sit-down", seat=3, stack=250).ok

    accounts = ledger(desk).accounts
    assert [(key, one.bought, one.result) for key, one in accounts.items() if not one.person] == [
        ("seat-3", 200, 1),
        ("seat-3-2", 250, 0),
    ]


def test_what_was_taken_back_counts_for_nothing(desk: Desk) -> None:
    before = ledger(desk)
    desk.key("rebuy", seat=1, amount=50)
    desk.key("leave", seat=3)
    desk.key("undo", count=2)

    assert replace(ledger(desk), to_ms=0) == replace(before, to_ms=0)


def test_a_hand_in_progress_counts_as_if_its_chips_were_not_yet_played(desk: Desk) -> None:
    desk.key("next-hand", button=1)
    desk.key("cards-out")
    assert desk.key("act", seat=1, action="raise", to=7).ok

    found = ledger(desk)
    assert found.in_hand
    assert [one.on_table for one in found.accounts.values()] == [200, 200, 200]
    assert found.house == {}
    desk.key("rest-folds")
    assert [one.result for one in ledger(desk).accounts.values()] == [3, -1, -2]


def test_another_setup_cashes_out_the_old_table(desk: Desk) -> None:
    won_by_folds(desk, button=1)
    game = {"limit": "no-limit", "blinds": [1, 2]}
    assert desk.key("setup", game=game, seats={"3": 70, "4": 80}, button=3, names={"4": "Ann"}).ok

    found = ledger(desk)
    ann = named(desk, "Ann")
    assert (ann.bought, ann.cashed_out, ann.on_table, ann.result) == (280, 200, 80, 0)
    assert [stay.seat for stay in ann.stays] == [1, 4]
    nameless = found.accounts["seat-3"]
    assert (nameless.bought, nameless.cashed_out, nameless.on_table) == (270, 201, 70)
    assert sum(one.result for one in found.accounts.values()) == 0


def two_evenings(desk: Desk, gap_ms: int) -> list[Recorded]:
    """All go home, and Ann and a stranger come back after the gap."""
    won_by_folds(desk, button=1)
    for seat in (1, 2, 3):
        desk.key("leave", seat=seat)
    first = len(desk.entries)
    desk.key("sit-down", seat=1, stack=100, player="Ann")
    desk.key("sit-down", seat=2, stack=100)
    everything = recorded(desk.entries)
    last_ms = max(one.at_ms for one in everything[:first] if one.kind == "step")
    moved = [replace(one, at_ms=last_ms + gap_ms + number) for number, one in enumerate(everything[first:])]
    return [*everything[:first], *moved]


def test_an_evening_begins_when_somebody_comes_to_a_table_that_stood_empty_for_hours(desk: Desk) -> None:
    entries = two_evenings(desk, EVENING_GAP_MS)

    last, whole = ledger_of(entries), ledger_of(entries, whole=True)
    assert [one.bought for one in last.accounts.values()] == [100, 100]
    assert last.from_hand == 2
    assert [one.bought for one in whole.accounts.values()] == [300, 200, 200, 100]
    assert [one.result for one in whole.accounts.values()] == [0, -1, 1, 0]


def next_week(entries: list[Recorded], first: int) -> list[Recorded]:
    """The entries, those from one on a week later."""
    week = 7 * 24 * 60 * MINUTE_MS
    return [*entries[:first], *[replace(one, at_ms=one.at_ms + week) for one in entries[first:]]]


def test_seats_that_are_given_up_only_when_the_next_evening_begins_belong_to_the_last(desk: Desk) -> None:
    won_by_folds(desk, button=1)
    first = len(desk.entries)
    for seat in (1, 2, 3):
        desk.key("leave", seat=seat)
    desk.key("sit-down", seat=5, stack=100, player="Ann")
    entries = next_week(recorded(desk.entries), first)

    assert [one.bought for one in ledger_of(entries).accounts.values()] == [100]
    assert [one.bought for one in ledger_of(entries, whole=True).accounts.values()] == [300, 200, 200]


def test_who_was_left_without_chips_and_never_gave_up_the_seat_does_not_hold_up_the_evening(desk: Desk) -> None:
    draft = desk.session._draft(desk.now)
    assert draft.apply(MoveChips(source=2, to=3, amount=200, why="sale"), "keyed") is None
    for seat in (1, 3):
        assert draft.apply(Leave(seat=seat), "keyed") is None
    first = len(desk.entries) + len(draft.entries)
    assert draft.apply(SitDown(seat=5, stack=100, player="p-1-1"), "keyed") is None
    assert draft.apply(Rebuy(seat=2, amount=90), "keyed") is None
    entries = next_week(recorded([*desk.entries, *draft.entries]), first)

    last = ledger_of(entries)
    assert [(one.bought, one.result) for one in last.accounts.values()] == [(90, 0), (100, 0)]
    assert [stay.seat for stay in last.stays] == [2, 5]
    assert ledger_of(entries[:-1]).accounts.keys() == {"p-1-1"}
    whole = ledger_of(entries, whole=True)
    assert [one.received for one in whole.accounts.values()] == [0, -200, 200]
    assert [one.result for one in whole.accounts.values()] == [0, -200, 200]


def test_a_table_that_is_set_up_anew_after_hours_is_another_evening(desk: Desk) -> None:
    won_by_folds(desk, button=1)
    first = len(desk.entries)
    game = {"limit": "no-limit", "blinds": [1, 2]}
    desk.key("setup", game=game, seats={"3": 70, "4": 80}, button=3, names={"4": "Ann"})
    entries = next_week(recorded(desk.entries), first)

    last = ledger_of(entries)
    assert [(one.bought, one.cashed_out, one.on_table) for one in last.accounts.values()] == [(70, 0, 70), (80, 0, 80)]
    assert last.house == {}
    assert sum(one.bought for one in ledger_of(entries, whole=True).accounts.values()) == 750


def test_the_house_starts_every_evening_with_nothing(desk: Desk) -> None:
    draft = desk.session._draft(desk.now)
    assert draft.apply(MoveChips(source=1, to="kitty", amount=5, why="food"), "keyed") is None
    for seat in (1, 2, 3):
        assert draft.apply(Leave(seat=seat), "keyed") is None
    first = len(desk.entries) + len(draft.entries)
    assert draft.apply(SitDown(seat=4, stack=100), "keyed") is None
    assert draft.apply(MoveChips(source=4, to="kitty", amount=2, why="food"), "keyed") is None
    entries = next_week(recorded([*desk.entries, *draft.entries]), first)

    assert ledger_of(entries).house == {"kitty": 2}
    assert ledger_of(entries, whole=True).house == {"kitty": 7}


def test_markers_are_debts_to_the_lender_or_to_the_pot() -> None:
    desk = Desk(terms(stakes="open"))
    for seat, name in ((1, "Ann"), (2, "Bob"), (3, "Cem")):
        desk.key("sit-down", seat=seat, stack=200, player=name)
    desk.key("next-hand", button=1)
    desk.key("cards-out")
    desk.key("act", seat=1, action="fold")
    draft = desk.session._draft(desk.now)
    assert draft.apply(Borrow(seat=2, amount=50, source=1), "keyed") is None
    assert draft.apply(Borrow(seat=3, amount=30, source="pot"), "keyed") is None

    found = ledger_of(recorded([*desk.entries, *draft.entries]))
    ann, bob, cem = found.accounts.values()
    assert (ann.lent, ann.on_table, ann.result, ann.claim) == (50, 150, 0, 200)
    assert (bob.borrowed, bob.on_table, bob.result, bob.claim) == (50, 250, 0, 200)
    assert (cem.borrowed, cem.on_table, cem.result, cem.claim) == (30, 230, 0, 200)
    assert found.house == {}


def test_a_short_break_of_all_is_the_same_evening(desk: Desk) -> None:
    entries = two_evenings(desk, EVENING_GAP_MS - MINUTE_MS)

    assert ledger_of(entries).accounts == ledger_of(entries, whole=True).accounts


def test_who_stays_in_the_seat_over_night_has_not_gone_home(desk: Desk) -> None:
    won_by_folds(desk, button=1)
    first = len(desk.entries)
    desk.key("sit-down", seat=5, stack=100)
    entries = recorded(desk.entries)
    moved = [replace(one, at_ms=one.at_ms + 2 * EVENING_GAP_MS) for one in entries[first:]]

    assert len(ledger_of([*entries[:first], *moved]).accounts) == 4


def test_an_empty_journal_has_an_empty_ledger() -> None:
    found = ledger_of([])

    assert (found.accounts, found.house, found.stays) == ({}, {}, ())


def test_a_journal_of_version_1_gives_the_name_after_the_seat(desk: Desk) -> None:
    entries: list[Entry] = []
    for one in desk.entries:
        if isinstance(one, SetUp):
            entries.append(replace(one, persons={}, money=None))
        elif isinstance(one, Stepped) and isinstance(one.step, SitDown) and one.step.player:
            entries.append(replace(one, step=replace(one.step, player=""), money=None))
            entries.append(Named(seat=one.step.seat, name=desk.session.names[one.step.player]))
        else:
            entries.append(replace(one, money=None) if isinstance(one, Stepped) else one)

    found = ledger_of(recorded(entries))
    assert [(key, one.bought) for key, one in found.accounts.items()] == [
        ("name:Ann", 200),
        ("name:Bob", 200),
        ("seat-3", 200),
    ]


def test_entries_that_no_controller_writes_get_a_sentence(desk: Desk) -> None:
    broken = Recorded(1, START_MS, 0, "step", {"step": {"undo": 9}}, "", "")

    with pytest.raises(JournalError) as caught:
        ledger_of([*recorded(desk.entries), broken])
    assert caught.value.code == "damaged"
