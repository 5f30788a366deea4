"""Readers of cards beside those of chips: no mixture of tags, and each zone has its place."""

from __future__ import annotations

import pytest

from betline.geometry import centroid
from betline.settings import Reader, TableSettings, load_table
from betline.tables.check_devices import readers_do_not_fit


def with_cards(*zones: str) -> TableSettings:
    table = load_table("home-six")
    readers = [
        Reader.model_validate(
            {
                "id": f"reader-{zone}", "protocol": "pn532", "port": f"usb:{zone}", "baud": 115_200,
                "antennas": ({"antenna": number, "zone": zone},),
            }
        )
        for number, zone in zip((1, 1, 2), zones, strict=False)
    ]  # fmt: skip
    return table.model_copy(update={"readers": (*table.readers, *readers)})


def test_a_pn532_for_cards_is_no_mixture_of_chips() -> None:
    assert list(readers_do_not_fit(with_cards("board", "show-3"))) == list(readers_do_not_fit(load_table("home-six")))


@pytest.mark.parametrize("zone", ["board", "show-3"])
def test_an_output_that_a_reader_of_cards_does_not_have_is_shown_at_its_place(zone: str) -> None:
    table = with_cards("show-1", "show-2", zone)

    (finding,) = [one for one in readers_do_not_fit(table) if one.where == f"reader-{zone}"]

    middle = centroid(table.pot.polygon_mm)
    assert finding.at_mm == (middle if zone == "board" else table.seat(3).cards_mm)
