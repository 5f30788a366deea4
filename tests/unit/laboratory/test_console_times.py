"""The figures of the suite `console`."""

from virtual_table.bench.console import TARGET_MS, report


def test_the_target_is_the_time_that_one_key_in_twenty_may_exceed() -> None:
    quick = report([20.0] * 95 + [900.0] * 5)
    slow = report([20.0] * 94 + [TARGET_MS] * 6)

    assert quick.json == {"key_to_effect_ms": {"p50": 20.0, "p95": 20.0, "p99": 900.0}}
    assert [figure.met for figure in quick.figures] == [True]
    assert [figure.met for figure in slow.figures] == [False]


def test_without_a_key_nothing_is_met() -> None:
    assert [figure.met for figure in report([]).figures] == [False]
