"""The first start of a Pi: what `config/pi/first-boot.sh` needs, and what it starts."""

import os
import subprocess
from pathlib import Path

import pytest

from betline.settings.load import config_dir

SCRIPT = config_dir() / "pi" / "first-boot.sh"


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """The folder on the boot partition, and a version that is installed already and says how it is called."""
    folder = tmp_path / "card"
    (folder / "locks").mkdir(parents=True)
    (folder / "locks" / "base.txt").touch()
    (folder / "betline-0.1.0-py3-none-any.whl").touch()
    (folder / "table.toml").write_text("# table\n")
    program = tmp_path / "opt" / "0.1.0" / "bin" / "betline"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\nprintf '<%s>' \"$@\"\n")
    program.chmod(0o755)
    return folder


def first_boot(card: Path) -> subprocess.CompletedProcess[str]:
    places = {"BETLINE_HOME": str(card.parent / "opt"), "BETLINE_ETC": str(card.parent / "etc")}
    return subprocess.run(
        ["sh", str(SCRIPT), str(card)], capture_output=True, text=True, check=False, env={**os.environ, **places}
    )


def test_it_installs_the_table_that_lies_on_the_card(card: Path) -> None:
    done = first_boot(card)

    assert done.stdout == f"<install><--system><--table><{card.parent}/etc/table.toml>"
    assert os.readlink(card.parent / "opt" / "current") == "0.1.0"


def test_words_for_install_are_taken_from_the_card_a_line_each(card: Path) -> None:
    (card / "options").write_text("--voice\nde\n\n--kiosk")

    assert first_boot(card).stdout.endswith("<--voice><de><--kiosk>")


def test_a_second_start_keeps_the_table_and_the_version_in_use(card: Path) -> None:
    first_boot(card)
    table, link = card.parent / "etc" / "table.toml", card.parent / "opt" / "current"
    table.write_text("# changed by hand\n")
    link.unlink()
    link.symlink_to("0.1.0")
    assert first_boot(card).returncode == 0

    assert table.read_text() == "# changed by hand\n"


@pytest.mark.parametrize("name", ["table.toml", "locks/base.txt", "betline-0.1.0-py3-none-any.whl"])
def test_what_is_missing_on_the_card_is_said(card: Path, name: str) -> None:
    (card / name).unlink()
    done = first_boot(card)

    assert done.returncode == 1
    assert done.stderr.startswith("first-boot: ")
    assert not (card.parent / "opt" / "current").exists()
