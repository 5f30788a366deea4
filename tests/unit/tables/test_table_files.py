"""Table files of ten lines, things moved in them, ports named, and the verbs that write, check and draw them."""

import json
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest

from betline.front_door import run
from betline.settings import SettingsError, load_table
from betline.settings.readers import FAMILIES
from firmware_bridge.protocols.catalogue import family

KITCHEN = """# the kitchen
name = "kitchen"
title = "Kitchen table"
chip_set = "home"
starting_stack = 200
game = { limit = "no-limit", blinds = [1, 2] }
shape = { form = "oval", size_mm = [2100, 1050], seats = 8, readers = "feig", camera = "usb:0" }
"""


def write(folder: Path, text: str = KITCHEN) -> Path:
    file = folder / "kitchen.toml"
    file.write_text(text)
    return file


def test_ten_lines_are_a_table(tmp_path: Path) -> None:
    table = load_table(write(tmp_path))

    assert len(table.seats) == 8
    assert {antenna.zone for reader in table.readers for antenna in reader.antennas} == set(table.zones())
    assert table.cameras[0].source == "usb:0"


def test_a_shape_may_be_overruled_by_the_files_own_keys(tmp_path: Path) -> None:
    table = load_table(write(tmp_path, KITCHEN + 'muck_mm = [-200, -100]\n[felt]\ncolour = "#24476b"\n'))

    assert table.muck_mm == (-200, -100)
    assert table.felt.colour == "#24476b"
    assert table.felt.outline_mm == load_table(write(tmp_path)).felt.outline_mm


def test_antennas_on_shared_readers_leave_pot_and_tray_to_one_of_their_own(tmp_path: Path) -> None:
    table = load_table(write(tmp_path, KITCHEN.replace('"feig"', '"chafon", antennas_each = 3')))

    zones = {reader.id: [antenna.zone for antenna in reader.antennas] for reader in table.readers}
    assert zones == {
        "reader-1": ["seat-1", "seat-2", "seat-3"],
        "reader-2": ["seat-4", "seat-5", "seat-6"],
        "reader-3": ["seat-7", "seat-8"],
        "reader-middle": ["pot", "tray"],
    }
    assert {reader.baud for reader in table.readers} == {57600}


def test_a_family_with_one_antenna_gets_one_reader_a_zone_whatever_is_asked(tmp_path: Path) -> None:
    table = load_table(write(tmp_path, KITCHEN.replace('"feig"', '"bb", antennas_each = 4')))

    assert len(table.readers) == 10


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_what_table_files_know_of_a_family_is_what_the_bridge_knows(name: str) -> None:
    assert FAMILIES[name].antennas == family(name).traits.antennas  # type: ignore[index]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("oval", "ovl"), "shape: form cannot be 'ovl'; did you mean oval?"),
        (("seats = 8, ", ""), "shape: seats is missing."),
        (("size_mm = [2100, 1050], ", ""), "shape: Needs the size of the felt, either size_mm or size_in."),
        (("[2100, 1050]", "[1300, 800]"), "shape: 8 seats do not fit"),
        (("[2100, 1050]", "[1500, 600]"), "shape: a felt 600 mm deep has no room for bets and pot"),
    ],
)
def test_a_shape_that_cannot_be_is_refused_in_a_sentence(
    tmp_path: Path, change: tuple[str, str], sentence: str
) -> None:
    file = write(tmp_path, KITCHEN.replace(*change).replace("seats = 8", "seats = 8"))

    with pytest.raises(SettingsError) as refused:
        load_table(file)

    assert sentence in str(refused.value)


def test_things_are_moved_from_where_they_lay_with_or_without_quotes(tmp_path: Path) -> None:
    plain = load_table(write(tmp_path))
    moved = load_table(
        write(tmp_path, KITCHEN + '[moved]\n"pot" = [0, 15]\nseat-3.cards = [5, -5]\ncamera = [0, 0, 100]\n')
    )

    assert [(x, y + 15) for x, y in plain.pot.polygon_mm] == list(moved.pot.polygon_mm)
    assert moved.seat(3).cards_mm == pytest.approx((plain.seat(3).cards_mm[0] + 5, plain.seat(3).cards_mm[1] - 5))
    assert moved.cameras[0].position_mm[2] == plain.cameras[0].position_mm[2] + 100


def test_a_whole_seat_moves_with_all_its_parts_at_a_table_of_polygons_too(tmp_path: Path) -> None:
    base = load_table("home-six")
    text = 'based_on = "home-six"\nname = "mine"\ntitle = "Mine"\n[moved]\nseat-2 = [10, 0]\n'
    seat, was = load_table(write(tmp_path, text)).seat(2), base.seat(2)

    assert seat.rail_mm[0] == was.rail_mm[0] + 10
    assert [x for x, _ in seat.bet_zone_mm] == [x + 10 for x, _ in was.bet_zone_mm]
    assert [x for x, _ in seat.line_mm] == [x + 10 for x, _ in was.line_mm]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("[moved]\nseat-9 = [1, 2]", "moved.seat-9 is nothing that lies on this table; did you mean seat-8"),
        ("[moved]\npot = [1]", "moved.pot must be [x, y] in millimetres, not [1]."),
        ("[moved]\ncamera = [1, 2]", "moved.camera must be [x, y, z] in millimetres, not [1, 2]."),
        ("moved = 3", "moved must be a group of keys, not 3."),
        ('[ports]\nreader-77 = "usb:A1"', "ports.reader-77 is no reader of this table; did you mean reader-"),
        ("ports = 3", "ports must be a group of keys, one a reader, not 3."),
        ('[ports]\nreader-1 = "/dev/ttyUSB0"', "must not be /dev/ttyUSB0"),
    ],
)
def test_what_a_site_changes_wrongly_is_refused_in_a_sentence(tmp_path: Path, lines: str, sentence: str) -> None:
    with pytest.raises(SettingsError) as refused:
        load_table(write(tmp_path, KITCHEN + lines + "\n"))

    assert sentence in str(refused.value)


def test_ports_of_readers_are_named_by_their_ids(tmp_path: Path) -> None:
    table = load_table(write(tmp_path, KITCHEN + '[ports]\nreader-2 = "usb:A5000"\n'))

    assert {reader.id: reader.port for reader in table.readers}["reader-2"] == "usb:A5000"


def test_new_writes_a_table_that_checks_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, picture = tmp_path / "club.toml", tmp_path / "club.svg"

    assert run(["table", "new", "--oval", "2100x1050", "--seats", "8", "-o", str(file)]) == 0
    assert run(["table", "check", str(file), "--draw", str(picture)]) == 0

    said = capsys.readouterr().out
    assert said.count("8 seats, 10 readers, 8 markers; nothing wrong.") == 2
    assert load_table(file).name == "club"
    assert len([line for line in file.read_text().splitlines() if line and not line.startswith("#")]) <= 13
    root = ElementTree.parse(picture).getroot()
    assert root.attrib["width"].endswith("mm")
    words = {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"1", "8", "pot", "tray", "reader-8 / 1", "500 mm"} <= words


def test_new_takes_inches_over_the_rail_and_prints_where_no_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            [
                "table",
                "new",
                "--racetrack",
                "96x46in",
                "--over-rail",
                "--seats",
                "9",
                "--no-dealer",
                "--readers",
                "none",
            ]
        )
        == 0
    )

    said = capsys.readouterr().out
    assert "size_in = [96, 46]  # over the rail" in said
    assert "dealer = false" in said
    assert "readers" not in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seats", "8"], "Give one form with its size"),
        (["--oval", "2100x1050", "--round", "1300"], "Give one form with its size"),
        (["--oval", "2100"], "--oval 2100 is no size; write it as 2100x1050 or 84x42in."),
        (["--round", "900", "--seats", "6"], "6 seats do not fit on a felt of 900 x 900 mm"),
        (["--oval", "2100x1050", "--blinds", "one"], "--blinds one are no blinds; write them as 1/2."),
        (["--oval", "2100x1050", "--readers", "fieg"], "did you mean feig?"),
        (["--oval", "2100x1050", "--chips", "hme"], "There is no chip set hme; did you mean home?"),
    ],
)
def test_new_refuses_what_cannot_be(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "t.toml"

    assert run(["table", "new", *words, "-o", str(out)]) == 2

    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_new_writes_over_no_file_unless_it_is_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path)

    assert run(["table", "new", "--round", "1400", "-o", str(file)]) == 2
    assert file.read_text() == KITCHEN
    assert run(["table", "new", "--round", "1400", "--seats", "6", "-o", str(file), "--force"]) == 0
    assert 'form = "round"' in file.read_text()


def test_edit_moves_a_thing_further_and_back_and_leaves_the_other_lines(tmp_path: Path) -> None:
    file = write(tmp_path, KITCHEN + '\n[moved]\n"pot" = [0, 5]\n\n[ports]\nreader-1 = "usb:A1"\n')

    assert run(["table", "edit", str(file), "--move", "seat-3.bet_zone=4,-6", "--move", "pot=0,5"]) == 0
    assert file.read_text().startswith(KITCHEN)
    assert '"pot" = [0, 10]\n"seat-3.bet_zone" = [4, -6]' in file.read_text()
    assert '[ports]\nreader-1 = "usb:A1"' in file.read_text()

    assert run(["table", "edit", str(file), "--back", "pot", "--back", "seat-3.bet_zone"]) == 0
    assert "[moved]" not in file.read_text()
    assert load_table(file).readers[0].port == "usb:A1"


def test_an_edit_that_cannot_be_leaves_the_file_as_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path)

    assert run(["table", "edit", str(file), "--move", "set-3=1,2"]) == 2
    assert run(["table", "edit", str(file), "--move", "pot=up"]) == 2
    assert run(["table", "edit", str(file), "--back", "pot"]) == 2

    assert file.read_text() == KITCHEN
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kitchen.toml"]
    said = capsys.readouterr().err
    assert "did you mean seat-3?" in said
    assert "write it as seat-3.bet_zone=0,-20" in said
    assert "pot is not moved in this file; nothing is." in said


@pytest.mark.nightly
def test_check_ends_with_status_1_and_rings_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, KITCHEN + "[moved]\npot = [0, 400]\n")
    plain, ringed = tmp_path / "plain.png", tmp_path / "ringed.png"

    assert run(["table", "check", str(file), "--json", "--draw", str(ringed)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["table"] == "kitchen"
    assert {finding["where"] for finding in found["findings"]} >= {"pot"}
    assert run(["table", "draw", str(file), "-o", str(plain)]) == 0
    assert _red(ringed) > _red(plain) == 0


def test_a_picture_of_another_kind_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "draw", "home-six", "-o", str(tmp_path / "t.pdf")]) == 2
    assert "must end with .svg or .png" in capsys.readouterr().err


def _red(picture: Path) -> int:
    image = cv2.imread(str(picture))
    assert image is not None
    return int(np.all(np.abs(image.astype(int) - (0x39, 0x28, 0xD6)) < 8, axis=2).sum())
