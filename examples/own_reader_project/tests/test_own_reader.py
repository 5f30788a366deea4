"""Our reader at a table: first alone, then in the place of a virtual one while a hand is played."""

import json
import subprocess
import sys

import pytest


def test_betline_reads_what_lies_above_our_reader(own_reader):
    uids = [f"E280{number:020X}" for number in range(40)]
    reader = own_reader(lambda: uids)
    line = ["bridge", "once", "--port", reader.port, "--protocol", "chafon", "--json"]
    said = subprocess.run([sys.executable, "-m", "betline", *line], capture_output=True, check=True)
    assert [tag["uid"] for tag in json.loads(said.stdout)["tags"]] == uids


@pytest.mark.betline(live=True, readers="chafon")
def test_a_raise_over_our_reader_is_ruled_on(virtual_table, own_reader):
    table = virtual_table
    reader = own_reader(lambda: [tag.uid for tag in table.zone("seat-3") if tag.signal > 0.35])
    table.replace_reader("reader-3", reader.port)
    table.next_hand(button=6)

    table.seat(3).pushes(500, 100)

    table.expect(ruling="raise", to=600, next=4, min_raise_to=1100)
    assert reader.inventories > 0
