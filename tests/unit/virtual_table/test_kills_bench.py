"""How `bench kills` tells that a table stood still, and plays several evenings at once."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from betline.bench import Progress
from betline.options import UserError
from betline.settings import SettingsError
from betline.units import NS_PER_S
from virtual_table.bench import chain, kills
from virtual_table.bench.kills import Tally, measure, moved_on_ms, report, stalls


def at(*seconds: float) -> list[int]:
    return [round(second * NS_PER_S) for second in seconds]


def test_a_table_stands_still_where_no_step_follows_a_kill_within_a_minute() -> None:
    assert stalls(at(10, 50), at(5, 40, 100), 200 * NS_PER_S) == []
    assert stalls(at(10), at(5, 71), 200 * NS_PER_S) == [0]
    assert stalls(at(10, 20, 80), at(5, 75, 90), 200 * NS_PER_S) == [0], "kills within one stall are one"


def test_what_comes_after_the_last_step_is_a_stall_only_if_it_was_watched_for_so_long() -> None:
    assert stalls(at(10), at(5), 69 * NS_PER_S) == []
    assert stalls(at(10), at(5), 71 * NS_PER_S) == [0]


def test_the_time_to_the_next_step_counts_from_each_kill() -> None:
    assert moved_on_ms(at(10, 12, 30), at(11, 15)) == [1000, 3000]


def test_a_stall_misses_a_target_of_its_own() -> None:
    figures = {figure.what: figure.met for figure in report(Tally(stalls=1)).figures}
    assert figures["stood still for 60 s after a kill"] is False
    assert report(Tally()).json["stalls"] == 0


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The evenings that were played, by seed and kills; evenings of seeds below 3 wait for one another."""
    evenings: list[tuple[int, int]] = []
    together = threading.Barrier(2)

    class Evening:
        def __init__(self, seed: int, tally: Tally, planned: int, *_: object) -> None:
            self.seed, self.tally, self.planned = seed, tally, planned

        def play(self, shown: Callable[[], None]) -> None:
            if self.seed < 3:
                together.wait(20)
            evenings.append((self.seed, self.planned))
            for _ in range(self.planned - (self.seed == 1)):
                self.tally.kills["bridge"] += 1
                self.tally.back_ms["bridge"].append(5.0)
            shown()

    monkeypatch.setattr(kills, "Evening", Evening)
    return evenings


def test_two_evenings_at_once_kill_as_many_as_asked_and_an_early_end_is_made_up_for(
    played: list[tuple[int, int]],
) -> None:
    found = measure(Progress("kills", io.StringIO()), kills=120, at_once=2).json

    assert found["kills"] == {"bridge": 120}
    assert sorted(played)[:3] == [(1, 50), (2, 50), (3, 20)]
    assert sum(planned for _, planned in played) == 121
    assert len({seed for seed, _ in played}) == len(played)
    assert found["back_ms"]["bridge"]["p50"] == 5.0


def test_few_kills_are_shared_out_among_the_evenings(played: list[tuple[int, int]]) -> None:
    measure(Progress("kills", io.StringIO()), kills=20, at_once=2)
    assert sorted(played)[:2] == [(1, 10), (2, 10)]


def test_a_table_that_does_not_start_ends_the_other_evening_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Evening:
        def __init__(self, seed: int, tally: Tally, planned: int, stopping: threading.Event, *_: object) -> None:
            self.seed, self.tally, self.planned, self.stopping = seed, tally, planned, stopping

        def play(self, _: object) -> None:
            if self.seed == 2:
                raise UserError("The parts did not all start.")
            assert self.stopping.wait(20)

    monkeypatch.setattr(kills, "Evening", Evening)
    with pytest.raises(UserError, match="did not all start"):
        measure(Progress("kills", io.StringIO()), kills=120, at_once=2)


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ('what = "kill"\non = "any"\nat_s = 1', "events.0: this suite kills by itself, and times it; leave kill out"),
        ('what = "clock-step"\nstep_s = 1\nat_s = 1', "events.0: the clock of this machine is not ours to step"),
        ('what = "unplug"\non = "reader-99"\nat_s = 1', "there is no reader reader-99"),
    ],
)
def test_a_plan_that_the_suite_cannot_take_is_refused_with_its_file(tmp_path: Path, event: str, said: str) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(f"[[events]]\n{event}\n", encoding="utf-8")

    with pytest.raises(SettingsError, match=f"^{plan}: .*{said}"):
        measure(Progress("kills", io.StringIO()), kills=1, faults=plan)


def test_the_whole_chain_is_timed_under_a_plan_that_its_report_names(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[list[str]] = []
    times = {"p50": 1.0, "p95": 2.0, "p99": 3.0}
    latency = dict.fromkeys(
        ("at_rest_to_announcement", "few_chips_at_rest_to_announcement", "serial_to_announcement"), times
    )

    def demo(line: list[str], **_: object) -> SimpleNamespace:
        lines.append(line)
        return SimpleNamespace(stdout=json.dumps({**dict.fromkeys(chain.SUMS, 1), "latency_ms": latency}))

    monkeypatch.setattr("virtual_table.bench.chain.subprocess.run", demo)

    found = chain.measure(Progress("chain", io.StringIO()), faults=Path("plan.toml"))

    assert lines[0][lines[0].index("--faults") + 1] == "plan.toml"
    assert (found.json["plan"], found.measured[0][:30]) == ("plan.toml", "Under the faults of plan.toml:")
    assert "plan" not in chain.measure(Progress("chain", io.StringIO())).json
    assert "--faults" not in lines[-1]
