"""The suite `small`: what it counts, and what it says where it cannot measure."""

from pathlib import Path

import pytest

from betline.options import UserError
from virtual_table.bench import small


def run(share: float) -> dict[str, object]:
    times = {"p50": 100.0 / share, "p95": 200.0 / share, "p99": 300.0 / share}
    return {
        "hands": 6, "load": 0.5, "acts": 40, "wrong": 0, "asked": 1, "rest_ms": times, "key_ms": times,
        "fps": 30.0 * share, "rounds_per_s": (5.0, 6.0), "cores": 2 * share,
    }  # fmt: skip


def test_rounds_a_second_are_of_the_time_between_the_first_and_the_last_report() -> None:
    seen = small.Seen(rounds={"a": [(10.0, 100.0), (12.0, 110.0), (14.0, 124.0)], "b": [(1.0, 5.0)]})

    assert seen.rounds_a_second() == [6.0]


def test_both_runs_stand_beside_each_other_in_the_report() -> None:
    report = small.report({"whole": run(1.0), "fifth": run(0.2)})

    lines = {figure.what: figure.measured for figure in report.figures}
    assert lines["pictures a second (whole)"] == "30.0"
    assert lines["pictures a second (fifth)"] == "6.0"
    assert lines["chips at rest to ruling, ms p50/p95 (fifth)"] == "500.0/1000.0"
    assert lines["wrong of acts (fifth)"] == "0 of 40"
    assert report.json["fifth"]["cores"] == 0.4


def test_without_a_control_group_it_says_what_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "_V1", tmp_path / "no")
    monkeypatch.setattr(small, "_V2", tmp_path / "no")

    with pytest.raises(UserError, match="run it as root"), small._group(0.2):
        pass


def test_a_control_group_that_gets_no_quota_is_taken_away_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, _text: str) -> int:
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "cgroup.controllers").touch()
    monkeypatch.setattr(small, "_V2", tmp_path)
    monkeypatch.setattr(Path, "write_text", refused)

    with pytest.raises(UserError, match="run it as root"), small._group(0.2):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["cgroup.controllers"]
