"""Tags on an antenna for cards become cards at the edge, and only on the private topic."""

from __future__ import annotations

from typing import Any

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.cards import parse_cards
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.settings import load_chip_set, load_table
from betline.settings.table import Sensing
from betline.topics import Namespace, topic
from table_controller.session.card_tags import CardTags
from table_controller.session.edge import Edge
from table_controller.session.inputs import CardsRead, ReaderHeard

USE = Sensing()
ACE, KING = "04A1A1A1A1A180", "04B2B2B2B2B280"


def snapshot(*tags: tuple[str, int, int], zone: str = "board") -> ZoneChips:
    """Tags with their hits and how many rounds they have missed since."""
    chips = tuple(
        ChipEvidence(uid=uid, chip_type=None, hits=hits, rounds=8, missed=missed) for uid, hits, missed in tags
    )
    return ZoneChips(zone=zone, reader="reader-cards", round_no=1, chips=chips, last_byte_ns=0)


def test_a_card_comes_with_a_few_answers_once_and_again_after_it_was_taken_away() -> None:
    tags, come = CardTags().read(snapshot((ACE, 1, 0)), USE)
    assert come == ()
    tags, come = tags.read(snapshot((ACE, 2, 0)), USE)
    assert come == (ACE,)
    tags, come = tags.read(snapshot((ACE, 5, 1), (KING, 4, 0)), USE)
    assert come == (KING,)
    tags, come = tags.read(snapshot((ACE, 5, USE.absent_rounds)), USE)
    assert come == ()
    tags, come = tags.read(snapshot((ACE, 6, 0)), USE)
    assert come == (ACE,)


def edge() -> tuple[Edge, Any, Any]:
    base = load_table("home-six")
    reader = base.readers[0].model_copy(
        update={
            "id": "reader-cards",
            "antennas": tuple(
                base.readers[0].antennas[0].model_copy(update={"antenna": number, "zone": zone})
                for number, zone in enumerate(("board", "show-3"), 1)
            ),
        }
    )
    table = base.model_copy(update={"readers": (reader,), "cameras": ()})
    deck = dict(zip((ACE, KING), parse_cards("AsKd"), strict=True))
    made = Edge(table, load_chip_set(table.chip_set), new_salt=lambda: "salt", deck=deck)
    hub, names = MemoryHub(), Namespace("home", "six")
    bridge, controller = MemoryBus(hub, names, "bridge"), MemoryBus(hub, names, "controller")
    heard: list[Any] = []
    for kind in (topics.ZONE_CHIPS, topics.ZONE_TAGS):
        controller.subscribe(kind, heard.append)

    def read(kind: Any, body: ZoneChips) -> Any:
        bridge.publish(topic(kind, body.zone), body)
        return made.read(heard[-1])

    return made, read, heard


def test_tags_at_their_antennas_are_cards_of_the_deck() -> None:
    _, read, _ = edge()

    assert read(topics.ZONE_TAGS, snapshot((ACE, 3, 0), (KING, 1, 0))) == (
        CardsRead("reader-cards", None, parse_cards("As"), "salt"),
    )
    assert read(topics.ZONE_TAGS, snapshot((KING, 3, 0), ("04C3C3C3C3C380", 3, 0), zone="show-3")) == (
        CardsRead("reader-cards", 3, parse_cards("Kd"), "salt", strange=1),
    )
    assert read(topics.ZONE_TAGS, snapshot((KING, 3, 0), zone="show-3")) == (ReaderHeard("reader-cards"),)


def test_cards_on_the_public_topic_are_dropped() -> None:
    made, read, _ = edge()

    assert read(topics.ZONE_CHIPS, snapshot((ACE, 3, 0))) == ()
    assert made.dropped == {"zone-of-another-reader": 1}
