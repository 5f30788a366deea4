"""A hand whose board and shown cards are read by PN532s on pseudo-terminals, from the tag to the award."""

from __future__ import annotations

import threading
from pathlib import Path

from betline.bus import Received
from betline.cards import DECK, parse_cards
from betline.settings import load_chip_set
from betline.topics import ZONE_CHIPS, ZONE_TAGS
from firmware_bridge.protocols.catalogue import FAMILIES
from firmware_bridge.protocols.family import LineSettings
from table_controller.session.edge import Edge
from tests.unit.firmware_bridge.test_service import bridging, eventually
from tests.unit.firmware_bridge.test_service_readers import outputs, with_readers
from tests.unit.session.desk import Desk, terms
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.server import ReaderServer

TAGS = {card: f"04{number * 7919 + 1:012X}" for number, card in enumerate(DECK)}
ZONES = ("board", "show-1", "show-2")


def test_a_hand_is_read_card_by_card_and_its_award_taken_by_one_key(server: ReaderServer, tmp_path: Path) -> None:
    table = with_readers(*({"protocol": "pn532", "antennas": outputs(zone)} for zone in ZONES))
    table = table.model_copy(update={"cameras": ()})
    lying: dict[str, list[str]] = {zone: [] for zone in ZONES}
    for number, zone in enumerate(ZONES, start=1):
        field = lying[zone]
        reader = virtual_reader("pn532", lambda field=field: [(uid, 1, 1.0) for uid in list(field)], seed=number)
        server.add(f"r{number}", reader, LineSettings(115_200, FAMILIES["pn532"].traits.line.parity))
    house = {"profile": "home", "cards": "board-and-shown"}
    desk = Desk(terms(table, cards="board-and-shown"))
    desk.key("setup", game={"limit": "no-limit", "blinds": [1, 2]}, seats={"1": 100, "2": 100}, button=1, house=house)
    desk.key("cards-out")
    while desk.hand.next_seat is not None:
        assert desk.key("act", seat=desk.hand.next_seat, action="all-in").ok
    edge = Edge(table, load_chip_set(table.chip_set), deck={uid: card for card, uid in TAGS.items()})
    lock, public = threading.Lock(), list[Received]()

    def take(received: Received) -> None:
        with lock:
            for given in edge.read(received):  # type: ignore[union-attr]
                desk.now_ms += 1
                desk.give(given)

    def lay(zone: str, cards: str) -> None:
        lying[zone] += [TAGS[card] for card in parse_cards(cards)]

    def places() -> dict[tuple[int | None, str], set[str]]:
        return {
            (one.seat, one.street): set(map(str, parse_cards(one.cards))) for one in desk.session.cards_view().places
        }

    with bridging(tmp_path, table) as listener:
        listener.bus.subscribe(ZONE_TAGS, take)
        listener.bus.subscribe(ZONE_CHIPS, public.append)
        lay("show-1", "AhJc")
        for street, cards in (("flop", "AsKd7c"), ("turn", "2c"), ("river", "2h")):
            lay("board", cards)
            assert eventually(lambda street=street: (None, street) in places()), street
        assert places()[None, "flop"] == {"As", "Kd", "7c"}
        lay("show-2", "QsQc")
        assert eventually(lambda: len(places()) == 5)
        with lock:
            view = desk.session.cards_view()
            assert view.proposal == ("Seat 1: two pair, aces and twos",)
            assert desk.key("answer", question=view.question, choice="award").ok
            assert desk.hand.stacks == {1: 200, 2: 0}
    assert not [one for one in public if one.topic.name in ZONES]
