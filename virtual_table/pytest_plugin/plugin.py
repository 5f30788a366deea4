"""The plugin as pytest loads it: options, the marker, and the fixtures.

It is loaded in every environment that has Betline, so it imports nothing of Betline before a fixture is asked for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from betline.settings import TableSettings
    from betline.topics import Namespace
    from virtual_table.pytest_plugin.clock import Clock
    from virtual_table.pytest_plugin.foreign import ForeignPort
    from virtual_table.pytest_plugin.programs import BrokerProgram, ControllerProgram
    from virtual_table.pytest_plugin.reader_ports import ReaderPort, RecordedLine
    from virtual_table.pytest_plugin.setting import Setting
    from virtual_table.pytest_plugin.table import Table

MARKER = "betline"
_table = pytest.StashKey["Table"]()
_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("betline", "a poker table in tests (docs/lab.md of Betline)")
    group.addoption("--betline-live", action="store_true", help="play with the real programs, in real time")
    group.addoption("--betline-frames", action="store_true", help="live: draw a camera's frames, and watch them")
    group.addoption(
        "--betline-port",
        action="append",
        default=[],
        metavar="PLACE=PORT[,protocol=NAME][,baud=N]",
        help="live: the reader at this port takes a virtual one's place; PLACE is a zone (seat-3) or a reader's name",
    )
    group.addoption(
        "--betline-broker",
        default="embedded",
        metavar="BROKER",
        help="live: embedded (default), mosquitto, or HOST:PORT of a broker that is there",
    )
    group.addoption("--betline-seed", type=int, metavar="N", help="the seed of every table, instead of its own")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"{MARKER}(table, game, house, seats, stack, chips, readers, camera, noise, faults, seed, live): the table "
        "that this test plays at (docs/lab.md)",
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    if not (config.getoption("betline_live") or config.getoption("betline_port")):
        return None
    frames = "with frames" if config.getoption("betline_frames") else "without frames"
    own = "".join(f", {one}" for one in config.getoption("betline_port"))
    return f"betline: live, {frames}, broker {config.getoption('betline_broker')}{own}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Tells the story of a test that failed at anything but an expectation, which tells it by itself."""
    report = yield
    table = item.stash.get(_table, None)
    if table is not None and report.when == "call" and report.failed and call.excinfo is not None:
        from virtual_table.pytest_plugin.failures import Unexpected  # noqa: PLC0415

        if not call.excinfo.errisinstance(Unexpected):
            report.sections.append(("the betline table", table.told()))
    return report


@pytest.fixture
def betline_ports(pytestconfig: pytest.Config) -> Mapping[str, ForeignPort]:
    """Readers of your own by the zone or the reader whose place they take: those of `--betline-port`.

    A fixture of this name in your conftest.py may give a port that it makes itself: where there is one, tests are live.
    """
    options = tuple(pytestconfig.getoption("betline_port"))
    if not options:
        return {}
    from virtual_table.pytest_plugin.foreign import read_ports  # noqa: PLC0415

    return read_ports(options)


@pytest.fixture(scope="session")
def betline_broker(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProgram]:
    """A real broker on a free port, the same for all tests: `betline_broker.url`."""
    from virtual_table.pytest_plugin.programs import start_broker  # noqa: PLC0415

    with ExitStack() as closing:
        folder = tmp_path_factory.mktemp("betline-broker")
        yield start_broker(pytestconfig.getoption("betline_broker"), folder, closing)


@pytest.fixture
def betline_setting(request: pytest.FixtureRequest) -> Setting:
    """Which table the test plays at: its marker's arguments, those nearest to the test first."""
    from virtual_table.pytest_plugin.failures import LabError  # noqa: PLC0415
    from virtual_table.pytest_plugin.setting import setting_of  # noqa: PLC0415

    said: dict[str, Any] = {}
    for mark in request.node.iter_markers(MARKER):
        if mark.args:
            raise LabError("The marker betline takes names, such as seats={3: 10_000}.")
        said = {**mark.kwargs, **said}
    setting = setting_of(said)
    seed = request.config.getoption("betline_seed")
    return setting if seed is None else replace(setting, seed=seed)


@pytest.fixture
def virtual_table(
    request: pytest.FixtureRequest,
    betline_setting: Setting,
    betline_ports: Mapping[str, ForeignPort],
    tmp_path: Path,
) -> Iterator[Table]:
    """A table at which everybody sits, between two hands: `virtual_table.seat(3).pushes(500, 100)`."""
    from virtual_table.faults.plan import TablePlan  # noqa: PLC0415
    from virtual_table.pytest_plugin.plans import plan_of  # noqa: PLC0415
    from virtual_table.pytest_plugin.setting import stacks_of  # noqa: PLC0415
    from virtual_table.pytest_plugin.table import Table  # noqa: PLC0415
    from virtual_table.pytest_plugin.ways import Way  # noqa: PLC0415

    way: Way
    if betline_setting.live or betline_ports or request.config.getoption("betline_live"):
        from virtual_table.pytest_plugin.live import Live  # noqa: PLC0415

        broker = request.getfixturevalue("betline_broker")
        folder = tmp_path / "betline"
        folder.mkdir()
        frames = request.config.getoption("betline_frames")
        way = Live(betline_setting, broker, _names, folder, frames, betline_ports, request.path.parent)
    else:
        from virtual_table.pytest_plugin.simulated import Simulated  # noqa: PLC0415

        way = Simulated(betline_setting, request.path.parent)
    with ExitStack() as closing:
        closing.callback(way.close)
        table = Table(way, stacks_of(betline_setting, way.settings), tmp_path)
        request.node.stash[_table] = table
        if betline_setting.faults is not None:
            plan = plan_of(betline_setting.faults, request.path.parent)
            way.faults.play(TablePlan(seed=plan.seed, events=plan.events))
        yield table


@pytest.fixture
def clock(virtual_table: Table) -> Clock:
    """The clock of the table: `clock.let(seconds)` lets simulated time pass, which costs nothing."""
    return virtual_table.clock


@pytest.fixture
def betline_controller(
    betline_broker: BrokerProgram, betline_setting: Setting, tmp_path: Path
) -> Iterator[ControllerProgram]:
    """A real controller on the broker, without readers and camera: for a bridge, console or other client of yours."""
    from virtual_table.pytest_plugin.programs import ControllerProgram  # noqa: PLC0415
    from virtual_table.pytest_plugin.setting import table_of  # noqa: PLC0415

    folder = tmp_path / "betline-controller"
    folder.mkdir()
    settings = table_of(betline_setting)
    with ExitStack() as closing:
        yield ControllerProgram(settings, betline_broker, _names(settings), folder, closing)


@pytest.fixture
def virtual_reader() -> Iterator[Callable[..., ReaderPort]]:
    """Makes virtual readers, each on a pseudo-terminal of its own, for the test of a driver.

    `virtual_reader(protocol="chafon", tags=3, antennas=1, plan=None, seed=1, baud=None)`: `tags` are UIDs, or how many;
    `plan` is one of `betline bridge virtual --faults`, as a file or a mapping.
    """
    from virtual_table.pytest_plugin.reader_ports import ReaderPort  # noqa: PLC0415

    with ExitStack() as closing:

        def make(
            protocol: str = "feig",
            tags: Any = 0,
            antennas: int = 1,
            plan: Any = None,
            seed: int = 1,
            baud: int | None = None,
        ) -> ReaderPort:
            reader = ReaderPort(protocol, tags, antennas, plan, seed, baud)
            closing.callback(reader.close)
            return reader

        yield make


@pytest.fixture
def recorded_line(request: pytest.FixtureRequest) -> Iterator[Callable[..., RecordedLine]]:
    """Plays recordings of `betline bridge record` back, each on a pseudo-terminal: `recorded_line("line.jsonl")`.

    The file is looked for beside the test. `speed` divides the delays; by default there are none.
    """
    from virtual_table.pytest_plugin.reader_ports import RecordedLine  # noqa: PLC0415

    with ExitStack() as closing:

        def play(path: str | Path, speed: float = float("inf")) -> RecordedLine:
            line = RecordedLine(request.path.parent / path, speed)
            closing.callback(line.close)
            return line

        yield play


def _names(table: TableSettings) -> Namespace:
    """A place on the bus that no other test has."""
    from betline.topics import Namespace  # noqa: PLC0415
    from virtual_table.pytest_plugin.programs import SITE  # noqa: PLC0415

    return Namespace(SITE, f"{table.name}-{next(_numbers)}")
