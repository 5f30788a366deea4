"""A table file with wrong geometry is found out: each fault that a newcomer's table had, and others like it."""

import json
import re
from typing import Any

import pytest

from betline.settings import SettingsError, TableSettings, load_table, shipped
from betline.tables.check import findings, load_sound_table
from betline.tables.finding import Finding


def table(**changes: Any) -> TableSettings:
    return TableSettings.model_validate_json(json.dumps({**keys(), **changes}))


def keys() -> dict[str, Any]:
    return load_table("casino-oval").model_dump(mode="json")


def seats(**changes: dict[str, Any]) -> list[dict[str, Any]]:
    """The seats of the casino oval, with some keys of `seat_3` changed."""
    return [{**seat, **changes.get(f"seat_{seat['number']}", {})} for seat in keys()["seats"]]


def faults(changed: TableSettings) -> list[Finding]:
    return [finding for finding in findings(changed) if finding.is_fault]


@pytest.mark.parametrize("name", shipped("tables"))
def test_the_shipped_tables_have_nothing_wrong(name: str) -> None:
    assert findings(load_table(name)) == ()


def test_the_polygons_of_two_seats_swapped_are_found_at_both() -> None:
    third, fifth = keys()["seats"][2], keys()["seats"][4]
    changed = table(
        seats=seats(seat_3={"bet_zone_mm": fifth["bet_zone_mm"]}, seat_5={"bet_zone_mm": third["bet_zone_mm"]})
    )

    assert [str(finding) for finding in faults(changed)] == [
        "seat-3.bet_zone: lies at seat 5; are the places of seats 3 and 5 swapped?",
        "seat-5.bet_zone: lies at seat 3; are the places of seats 5 and 3 swapped?",
    ]


def test_a_zone_five_metres_off_the_felt_is_found() -> None:
    far = [[x + 5000, y] for x, y in keys()["seats"][2]["bet_zone_mm"]]

    found = faults(table(seats=seats(seat_3={"bet_zone_mm": far})))

    assert found[0].where == "seat-3.bet_zone"
    assert "m off the felt" in found[0].sentence


def test_two_seats_with_one_zone_are_found() -> None:
    changed = table(seats=seats(seat_4={"bet_zone_mm": keys()["seats"][2]["bet_zone_mm"]}))

    assert "seat-4.bet_zone: overlaps seat-3.bet_zone; a chip there would be in both. Move them apart." in [
        str(finding) for finding in faults(changed)
    ]


def test_an_outline_point_nine_metres_out_is_named() -> None:
    felt = keys()["felt"]
    felt["outline_mm"][4] = [9000, -280]

    found = faults(table(felt=felt))

    assert found[0].where == "felt.outline_mm"
    assert "corner 5, [9000, -280]" in found[0].sentence


def test_a_border_that_crosses_itself_is_found() -> None:
    felt = keys()["felt"]
    line = felt["betting_line_mm"]
    felt["betting_line_mm"] = [*line[:3], line[5], line[4], line[3], *line[6:]]

    found = faults(table(felt=felt))

    assert any(finding.where == "felt.betting_line_mm" and "crosses itself" in finding.sentence for finding in found)


def test_seats_that_run_anticlockwise_are_said_once() -> None:
    numbered = [{**seat, "number": 11 - seat["number"]} for seat in reversed(keys()["seats"])]
    readers = [
        {**reader, "antennas": [{"antenna": 1, "zone": zone}]}
        for reader, zone in zip(
            keys()["readers"], [*(f"seat-{11 - number}" for number in range(1, 11)), "pot", "tray"], strict=True
        )
    ]

    assert [str(finding) for finding in faults(table(seats=numbered, readers=readers))] == [
        "seats: they run anticlockwise; number them clockwise from the dealer's left."
    ]


def test_two_seats_in_the_wrong_order_are_named() -> None:
    third, fourth = keys()["seats"][2], keys()["seats"][3]
    changed = table(seats=seats(seat_3={**fourth, "number": 3}, seat_4={**third, "number": 4}))

    assert [finding.where for finding in faults(changed)] == ["seat-4"]


def test_a_bet_zone_behind_the_line_and_stacks_and_cards_over_it_are_found() -> None:
    first = keys()["seats"][0]
    changed = table(
        seats=seats(
            seat_1={
                "bet_zone_mm": [[x, y - 100] for x, y in first["bet_zone_mm"]],
                "stack_zone_mm": [[x, y + 150] for x, y in first["stack_zone_mm"]],
                "cards_mm": [-375, -300],
            }
        )
    )

    sentences = [str(finding) for finding in faults(changed)]

    assert any(sentence.startswith("seat-1.bet_zone: lies behind the betting line") for sentence in sentences)
    assert any(sentence.startswith("seat-1.stack_zone: reaches over the betting line") for sentence in sentences)
    assert any(sentence.startswith("seat-1.cards: [-375, -300] lies inside the betting line") for sentence in sentences)


def test_an_output_that_the_family_does_not_have_is_found_before_the_bridge_runs() -> None:
    readers = keys()["readers"]
    readers[0] = {**readers[0], "protocol": "bb", "antennas": [{"antenna": 4, "zone": "seat-1"}]}

    found = [str(finding) for finding in faults(table(readers=readers))]

    assert "reader-1: a bb reader has one antenna, no output 4; use one reader a zone, or another family." in found
    assert "readers: they do not all read the same chips: HF, NFC and UHF are mixed. Take one kind." in found


def test_a_seat_that_no_antenna_reads_is_a_warning() -> None:
    found = findings(table(readers=keys()["readers"][1:]))

    assert [(finding.where, finding.is_fault) for finding in found] == [("seat-1", False)]


def on_one_reader(stale_ms: int = 1500, protocol: str = "feig", seats: int = 6) -> TableSettings:
    """Home six with one reader for its first seats, pot and tray."""
    home = load_table("home-six").model_dump(mode="json")
    zones = [*(f"seat-{number}" for number in range(1, seats + 1)), "pot", "tray"]
    antennas = [{"antenna": number, "zone": zone} for number, zone in enumerate(zones, 1)]
    home["readers"] = [{**home["readers"][0], "id": "all", "protocol": protocol, "antennas": antennas}]
    home["sensing"] |= {"stale_ms": stale_ms, "offline_ms": 2 * stale_ms}
    return TableSettings.model_validate_json(json.dumps(home))


def test_a_reader_with_so_many_zones_that_some_count_as_silent_is_a_warning_with_what_to_do() -> None:
    (found,) = findings(on_one_reader())

    assert (found.where, found.is_fault) == ("all", False)
    said = re.fullmatch(
        r"it reads 8 zones one after the other: in a busy hand (pot|tray) waits (\d\.\d) s for its next round and "
        r"counts as silent "
        r"after 1\.5 s\. Give pot and tray, then some of the seats, another reader; or set stale_ms = (\d+) "
        r"and offline_ms = \d+ under \[sensing\], and wait longer for a reader that has died\.",
        found.sentence,
    )
    assert said is not None
    assert 0 <= int(said[3]) - 1000 * float(said[2]) < 550


def test_what_the_warning_advises_holds() -> None:
    assert findings(on_one_reader(stale_ms=3500)) == ()
    assert [one.where for one in findings(on_one_reader(stale_ms=2500))] == ["all"]
    alone = [one.where for one in findings(on_one_reader(seats=2, protocol="chafon"))]
    assert "all" not in alone, "two seats, pot and tray on a quick reader"


def test_a_camera_below_the_felt_or_too_low_to_see_the_line_is_a_fault() -> None:
    camera = keys()["cameras"][0]

    below = faults(table(cameras=[{**camera, "position_mm": [0, 0, -1500]}]))
    low = faults(table(cameras=[{**camera, "position_mm": [0, 0, 900]}]))

    assert [finding.where for finding in (*below, *low)] == ["camera", "camera"]
    assert "does not see the betting line" in low[0].sentence


def test_a_camera_so_high_that_chips_are_small_is_a_warning() -> None:
    camera = keys()["cameras"][0]

    found = findings(table(cameras=[{**camera, "position_mm": [0, 0, 2600]}]))

    assert [(finding.where, finding.is_fault) for finding in found] == [("camera", False)]
    assert "pixels wide" in found[0].sentence


def test_markers_at_one_end_or_too_few_are_a_warning() -> None:
    markers = keys()["markers"]

    few = findings(table(markers=markers[:3]))
    one_end = findings(
        table(
            markers=[
                {**marker, "centre_mm": [900 + 10 * i, -100 + 300 * (i % 2)]} for i, marker in enumerate(markers[:4])
            ]
        )
    )

    assert [finding.sentence for finding in few] == ["3 are too few to calibrate the camera by; list 4 or more."]
    assert any("spread them all around" in finding.sentence for finding in one_end)


def test_a_table_with_a_fault_is_not_played(tmp_path: Any) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('based_on = "casino-oval"\nname = "mine"\ntitle = "Mine"\n[moved]\npot = [0, 5000]\n')

    with pytest.raises(SettingsError, match=r"pot: reaches 4\.\d m off the felt.*betline table check"):
        load_sound_table(file)
