"""Temporary folders are deleted, but for what somebody is told to look at."""

import tempfile
from pathlib import Path

import pytest

from betline.options import UserError
from betline.scratch import scratch_folder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def fill(folder: Path) -> None:
    (folder / "ports").mkdir()
    (folder / "ports" / "reader-1").symlink_to("/dev/null")
    for name in ("world.log", "demo.journal", "demo.journal-wal"):
        (folder / name).write_text(name)


def left(temporary: Path) -> list[str]:
    return sorted(path.name for path in temporary.rglob("*") if path.is_file() or path.is_symlink())


def test_nothing_is_left(temporary: Path) -> None:
    with scratch_folder("betline-demo-") as folder:
        fill(folder)

    assert list(temporary.iterdir()) == []


def test_what_is_to_be_kept_is_left_alone(temporary: Path) -> None:
    with scratch_folder("betline-demo-", "demo.journal*") as folder:
        fill(folder)

    assert left(temporary) == ["demo.journal", "demo.journal-wal"]


def failed(error: BaseException, keep: str = "") -> None:
    with scratch_folder("betline-demo-", keep) as folder:
        fill(folder)
        if isinstance(error, UserError):
            raise UserError(str(error).replace("FOLDER", str(folder)))
        raise error


def test_a_run_that_is_broken_off_leaves_no_more(temporary: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        failed(KeyboardInterrupt())

    assert list(temporary.iterdir()) == []


def test_a_refusal_leaves_nothing(temporary: Path) -> None:
    with pytest.raises(UserError):
        failed(UserError("There is no table oval."), "demo.journal*")

    assert list(temporary.iterdir()) == []


def test_a_log_that_an_error_names_is_left(temporary: Path) -> None:
    with pytest.raises(UserError):
        failed(UserError("The world ended early: (the whole log: FOLDER/world.log)"))

    assert "world.log" in left(temporary)
