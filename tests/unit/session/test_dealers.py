"""Who deals is in the journal, by an id: the name stands apart, as players' names do, and can be erased."""

import json

from table_controller.accounts.read import sentence
from table_controller.journal.entries import DealerNamed
from tests.unit.session.desk import Desk, Pages


def dealer(desk: Desk) -> str:
    return desk.session.table_state(1, 1, "").dealer


def test_nobody_is_known_to_deal_until_somebody_says_so() -> None:
    desk = Desk()
    assert dealer(desk) == ""
    assert desk.key("dealer", name="Kim").sentence == "The dealer is named."
    assert dealer(desk) == "Kim"
    assert desk.key("dealer").sentence == "The dealer is not named."
    assert dealer(desk) == ""


def test_the_journal_has_an_id_and_never_the_name() -> None:
    desk = Desk()
    desk.begin()
    desk.key("dealer", name="Kim")
    named = [entry for entry in desk.entries if isinstance(entry, DealerNamed)]
    assert [desk.session.names[one.person] for one in named] == ["Kim"]
    assert "Kim" not in json.dumps([entry.data for entry in desk.entries])


def test_a_dealer_who_comes_back_is_the_same_person() -> None:
    desk = Desk()
    for name in ("Kim", "Lou", "kim "):
        desk.key("dealer", name=name)
    first, _, again = [entry for entry in desk.entries if isinstance(entry, DealerNamed)]
    assert first == again


def test_a_dealer_stays_through_undo_hands_and_a_restart() -> None:
    desk = Desk()
    desk.begin()
    desk.key("act", seat=4, action="fold")
    desk.key("dealer", name="Kim")
    desk.key("undo")
    assert dealer(desk) == "Kim"
    desk.key("rest-folds")
    desk.key("next-hand")
    names = desk.session.names
    desk.restart()
    desk.session = desk.session.called(names)
    assert dealer(desk) == "Kim"


def test_the_journal_shows_who_deals() -> None:
    desk = Desk()
    desk.key("dealer", name="Kim")
    desk.key("dealer")
    named, nobody = [one for one in Pages(desk.entries).recorded if one.kind == DealerNamed.kind]
    assert sentence(named, desk.session.names) == "Kim deals."
    assert sentence(named) == f"{named.data['person']} deals."
    assert sentence(nobody) == "The dealer is not named."
