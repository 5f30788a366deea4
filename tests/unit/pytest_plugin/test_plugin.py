"""The plugin as pytest loads it: marker, options, failures that tell the story."""

import re
from pathlib import Path

import pytest

import virtual_table.pytest_plugin.simulated
import virtual_table.pytest_plugin.table  # noqa: F401 -- loaded here, it is not loaded again by each run

pytest_plugins = "pytester"

ALONE = ("-p", "betline", "-p", "no:cacheprovider", "--strict-markers")


@pytest.fixture(autouse=True)
def no_other_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the installed plugins only the one under test."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


@pytest.fixture
def played(pytester: pytest.Pytester):
    """Runs the source of a test file with the installed plugin, and gives what pytest printed."""

    def run(source: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(source)
        return pytester.runpytest_inprocess(*ALONE, *options)

    return run


FAILS = """
import pytest

@pytest.mark.betline(seats={1: 5000, 2: 5000, 3: 5000})
def test_it(virtual_table):
    virtual_table.next_hand(button=3)
    virtual_table.seat(3).pushes(500, 100)
    virtual_table.expect(ruling="call", to=1100, within_s=3)
"""


def test_a_failing_expectation_tells_the_story_and_draws_the_felt(played) -> None:
    result = played(FAILS)

    result.assert_outcomes(failed=1)
    said = result.stdout.str()
    for line in (
        "ruling: expected call, got raise; to: expected 1100, got 600",
        "PLAYER  seat 3 pushes 500 100",
        "reader  seat-3 hears 500:",
        "camera  seat 3: bet_settled",
        "RULING  1: seat 3 raise to 600 (chips)",
        "SAYS    Seat 1: call 550",
        "KEY     cards-out",
    ):
        assert line in said
    assert "expecting.py" not in said  # the failure is shown in the test, not in the plugin
    (felt,) = set(re.findall(r"the felt: (\S+)", said))  # under CI pytest says it in its summary too
    assert Path(felt).read_text(encoding="utf-8").count("<circle") > 30


def test_any_other_failure_has_the_story_beside_it(played) -> None:
    result = played(
        """
        def test_it(virtual_table):
            virtual_table.next_hand(button=6)
            assert virtual_table.seat(3).stack == 1
        """
    )

    result.stdout.fnmatch_lines(["*assert 10000 == 1*", "*the betline table*", "*DEALER  deals to 1 2 3 4 5 6*"])


@pytest.mark.parametrize(
    ("marker", "sentence"),
    [
        ("seat={3: 100}", "*The marker betline has no seat: did you mean seat*"),
        ("table='home-sixty'", "*home-sixty*"),
        ("game={'limit': 'none', 'blinds': [1, 2]}", "*limit*"),
        ("house={'profile': 'tda', 'bare': 1}", "*bare*"),
        ("seats={9: 100}", "*The table home-six has no seat 9*"),
        ("readers='sonar'", "*sonar*"),
        ("seats=6", "seats of the marker betline takes a stack for each seat, such as {1: 5000, 2: 5000}, not 6."),
        ("seats={1: 'all'}", "seats of the marker betline takes a stack for each seat, such as * not {1: 'all'}."),
        ("stack='many'", "stack of the marker betline takes a whole number above 0, not 'many'."),
        ("live='yes'", "live of the marker betline takes True or False, not 'yes'."),
        ("faults=7", "faults of the marker betline takes a plan: a file, a TOML text or a mapping, not 7."),
        ("faults='storm.toml'", "*storm.toml cannot be read*"),
        ("faults='events = 7'", "faults: events *"),
        ("faults='reading = ['", "faults is no valid TOML: *"),
        ("faults={'line': {'damage': 0.1}}", "line: the laboratory has no lines * --betline-live this test has lines."),
        ("faults={'readers': {'reader-9': {}}}", "*there is no reader reader-9*"),
    ],
)
def test_a_marker_that_cannot_be_is_refused_with_a_sentence(played, marker: str, sentence: str) -> None:
    result = played(f"import pytest\n@pytest.mark.betline({marker})\ndef test_it(virtual_table): pass\n")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"E *LabError: {sentence}"])


def test_the_marker_of_a_test_goes_before_that_of_its_module(played) -> None:
    result = played(
        """
        import pytest
        pytestmark = pytest.mark.betline(stack=500, seed=4, house={"profile": "cash"})

        @pytest.mark.betline(stack=700)
        def test_it(betline_setting):
            assert (betline_setting.stack, betline_setting.seed) == (700, 9)
            assert betline_setting.house == {"profile": "cash"}
            assert betline_setting.table == "home-six"
        """,
        "--betline-seed", "9",
    )  # fmt: skip

    result.assert_outcomes(passed=1)


def test_a_plan_of_the_marker_is_a_file_beside_the_test_or_a_text(pytester: pytest.Pytester, played) -> None:
    pytester.path.joinpath("plan.toml").write_text(
        "[reading]\nmissed = 1.0\n[[events]]\nwhat = 'camera-frozen'\nat_s = 0\n", encoding="utf-8"
    )
    result = played(
        """
        import pytest
        TEXT = "[[events]]\\nwhat = 'camera-frozen'\\nat_s = 2"

        @pytest.mark.parametrize("later_s", [
            pytest.param(0, marks=pytest.mark.betline(faults="plan.toml", seats={1: 500, 2: 500})),
            pytest.param(2, marks=pytest.mark.betline(faults=TEXT, seats={1: 500, 2: 500})),
        ])
        def test_it(virtual_table, clock, later_s):
            struck, began_s = virtual_table._way.table.faults.struck, clock.now_s
            assert clock.until(lambda: struck["camera-frozen"], within_s=5)
            assert abs(clock.now_s - began_s - later_s) < 0.1
            assert virtual_table._way.table.conditions.faults.reading.missed == (0.0 if later_s else 1.0)
        """
    )

    result.assert_outcomes(passed=2)


def test_a_port_of_ones_own_is_read_from_the_command_line(played) -> None:
    source = """
    def test_it(betline_ports):
        own = betline_ports["seat-3"]
        assert (own.port, own.protocol, own.baud) == ("/dev/ttyUSB7", "feig", 38400)
    """
    result = played(source, "--betline-port", "seat-3=/dev/ttyUSB7,protocol=feig,baud=38400")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["betline: live, without frames, broker embedded, seat-3=/dev/ttyUSB7,*"])


@pytest.mark.parametrize("option", ["seat-3", "seat-3=", "=/dev/x", "seat-3=/dev/x,speed=9", "seat-3=/dev/x,baud=fast"])
def test_a_port_that_cannot_be_read_is_refused_with_an_example(played, option: str) -> None:
    result = played("def test_it(betline_ports): pass\n", "--betline-port", option)

    result.stdout.fnmatch_lines(["E *LabError: --betline-port * cannot be read; write it as seat-3=/dev/ttyUSB0,*"])


def test_nothing_of_betline_is_loaded_before_a_fixture_is_asked_for(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_it():
            loaded = {name.partition(".")[0] for name in sys.modules}
            assert "virtual_table" in loaded
            assert not loaded & {"betline", "table_controller", "firmware_bridge", "vision", "numpy", "pydantic", "cv2"}
        """
    )
    result = pytester.runpytest_subprocess(*ALONE)

    result.assert_outcomes(passed=1)


def test_the_options_and_the_marker_are_in_pytests_help(pytester: pytest.Pytester) -> None:
    said = pytester.runpytest_inprocess("--help", *ALONE).stdout.str()

    assert "--betline-port=PLACE=PORT" in said
