"""The world lends its ports by the names that the table file has for them."""

import os
from pathlib import Path

from betline.settings import load_table
from firmware_bridge.ports import locate
from virtual_table.run.world_process import lend_names


def test_a_port_of_the_table_file_is_found_in_the_worlds_folder_by_the_name_of_the_file(tmp_path: Path) -> None:
    table = load_table("home-six")
    (tmp_path / "reader-1").symlink_to("/dev/null")

    lend_names(table, tmp_path)
    lend_names(table, tmp_path)

    assert os.path.realpath(locate(table.readers[0].port, tmp_path)) == "/dev/null"


def test_a_port_that_has_no_such_name_is_lent_by_the_readers_id_alone(tmp_path: Path) -> None:
    table = load_table("home-six")
    named = table.model_copy(update={"readers": (table.readers[0].model_copy(update={"port": "usb:A5000"}),)})

    lend_names(named, tmp_path)

    assert list(tmp_path.iterdir()) == []
