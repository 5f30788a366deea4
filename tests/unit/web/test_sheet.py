"""The codes of the seats: what a phone's camera reads of them."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import cv2
import numpy as np
import pytest

from betline.front_door import run
from betline.options import DONE, WRONG_USAGE
from betline.qr import QUIET, modules
from table_controller.web.links import links
from table_controller.web.secret import read_tokens, write_tokens
from table_controller.web.sheet import sheet
from table_controller.web.tokens import role_of_token
from tests.unit.web.test_door import pair

__all__ = ["pair"]
SECRET = b"s" * 32
LINKS = links("https://table.lan:8420", range(1, 11), SECRET)


@pytest.mark.parametrize("link", LINKS[2:6], ids=lambda link: link.title)
def test_a_code_is_read_as_its_link(link) -> None:
    dark = np.pad(np.array(modules(link.address)), QUIET)
    picture = np.kron(np.where(dark, 0, 255).astype(np.uint8), np.ones((8, 8), np.uint8))

    assert cv2.QRCodeDetector().detectAndDecode(picture)[0] == link.address


def test_the_staff_has_a_link_to_the_remote_and_to_the_console_where_they_are_served() -> None:
    found = links("https://table.lan:8420", (1,), SECRET, remote=True, console=True, floor=True)
    paths = {link.address.partition("#")[0]: role_of_token(SECRET, link.address.partition("#")[2]) for link in found}

    assert paths["https://table.lan:8420/remote"] == paths["https://table.lan:8420/console"] == "dealer"
    assert paths["https://table.lan:8420/floor"] == "dealer"
    assert not any("/floor" in link.address for link in LINKS)
    assert not any("/console" in link.address for link in LINKS)


def test_each_link_has_a_code_for_its_own_page() -> None:
    roles = [role_of_token(SECRET, link.address.partition("#")[2]) for link in LINKS]

    assert roles == ["board", "overlay", *(f"seat-{seat}" for seat in range(1, 11))]
    assert LINKS[4].address.startswith("https://table.lan:8420/seat/3#seat-3.")


def test_ten_seats_are_two_pages() -> None:
    assert len(re.findall(rb"/Type /Page\b", sheet("table-one", LINKS[2:]))) == 2


def test_the_verb_writes_the_sheet_for_its_owner_only_and_prints_the_links(
    pair: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tokens, file = tmp_path / "web.tokens", tmp_path / "seats.pdf"
    write_tokens(tokens)
    server = ["--host", "0.0.0.0", "--cert", str(pair[0]), "--key", str(pair[1]), "--tokens", str(tokens)]

    assert run(["web", "--table", "home-six", *server, "--qr", str(file)]) == DONE

    printed = capsys.readouterr().out
    assert file.read_bytes().startswith(b"%PDF")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    found = re.findall(r"https://table\.lan:8420/\S+#(\S+)", printed)
    assert [role_of_token(read_tokens(tokens), one) for one in found][:3] == ["board", "overlay", "seat-1"]


def test_codes_for_a_server_that_no_phone_reaches_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["web", "--table", "home-six", "--qr", str(tmp_path / "seats.pdf")]) == WRONG_USAGE
    assert "--host, --cert, --key and --tokens" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
