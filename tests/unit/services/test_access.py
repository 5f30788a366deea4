"""Whether the services' user can read a file: /etc/betline is its own once services were installed, shut to others."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline.services.access import Identity, shut_to


@pytest.fixture
def table() -> Iterator[Path]:
    """A table file in a folder that only its owner and group may enter, as /etc/betline."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # everybody may enter what lies above it
        file = Path(folder, "table.toml")
        file.touch()
        file.chmod(0o640)
        Path(folder).chmod(0o750)
        yield file


def identity(*, owner: bool = False, group: bool = False) -> Identity:
    return Identity(os.getuid() if owner else 54321, os.getgid() if group else 54321)


def test_what_is_the_users_own_or_its_groups_can_be_read(table: Path) -> None:
    assert shut_to(table, identity(owner=True)) is None
    assert shut_to(table, identity(group=True)) is None


def test_what_is_shut_to_the_user_is_named(table: Path) -> None:
    assert shut_to(table, identity()) == table.parent
    assert shut_to(table, None) == table.parent
    table.parent.chmod(0o755)
    assert shut_to(table, identity()) == table
    table.chmod(0o604)
    assert shut_to(table, identity()) is None
    assert shut_to(table, identity(group=True)) == table
