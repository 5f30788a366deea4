"""Options of the hands against PokerKit: how many, which ones, or one again. Without them a few thousand are played."""

from __future__ import annotations

from collections import Counter
from itertools import starmap
from pathlib import Path

import pytest

from tests.peers.variants import VARIANTS

HANDS, SEED = 3300, 1
CHUNK, MAX_CHUNK, CHUNKS = 75, 500, 20
"""Hands of one test: at least, at most, and how many tests a variant is cut into in between."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hands against PokerKit")
    group.addoption("--hands", type=int, metavar="N", help=f"play N hands over all variants instead of {HANDS}")
    group.addoption("--seed", type=int, metavar="S", help=f"other hands than those of seed {SEED}")
    group.addoption("--hand", metavar="VARIANT/SEED/NUMBER", help="play this one hand again, as a failure names it")


def pytest_configure(config: pytest.Config) -> None:
    hands = config.getoption("hands", None)
    if hands is not None and hands < 1:
        raise pytest.UsageError(f"--hands must be at least 1, not {hands}.")
    if (again := config.getoption("hand", None)) is not None:
        _named(again)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chunk" not in metafunc.fixturenames:
        return
    # asked for with a default: pytest adds these options too late where it was not started for this folder
    config = metafunc.config
    again, hands, seed = (config.getoption(name, None) for name in ("hand", "hands", "seed"))
    if again is not None:
        variant, seed, number = _named(again)
        chunks = [(variant, seed, number, number + 1)]
    else:
        seed = SEED if seed is None else seed
        each = -(-(hands or HANDS) // len(VARIANTS))
        size = min(max(CHUNK, each // CHUNKS), MAX_CHUNK)
        starts = range(0, each, size)
        chunks = [(name, seed, start, min(start + size, each)) for start in starts for name in VARIANTS]
    later = () if hands or again else (pytest.mark.nightly,)
    marked = [pytest.param(chunk, marks=later if chunk[2] > 0 else ()) for chunk in chunks]
    metafunc.parametrize("chunk", marked, ids=list(starmap("{}/{}/{}-{}".format, chunks)))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where hands are asked for, hands are played, and nothing else of this folder."""
    if config.getoption("hands", None) is None and config.getoption("hand", None) is None:
        return
    others = [
        i for i in items if i.path.parent == Path(__file__).parent and "chunk" not in getattr(i, "fixturenames", ())
    ]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]


def _named(hand: str) -> tuple[str, int, int]:
    variant, _, numbers = hand.partition("/")
    seed, _, number = numbers.partition("/")
    if variant not in VARIANTS or not seed.lstrip("-").isdecimal() or not number.isdecimal():
        raise pytest.UsageError(f"--hand is VARIANT/SEED/NUMBER, the variant one of {', '.join(VARIANTS)}; not {hand}.")
    return variant, int(seed), int(number)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What a run that was asked for has played."""
    if config.getoption("hands", None) is None:
        return
    hands: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    met: Counter[str] = Counter()
    for report in terminalreporter.getreports("passed"):
        played = dict(report.user_properties)
        if "variant" in played:
            hands[played["variant"]] += played["hands"]
            compared[played["variant"]] += played["compared"]
            met.update(played["met"])
    terminalreporter.section("hands against PokerKit that agree")
    for variant in VARIANTS:
        terminalreporter.line(f"{variant:22}{hands[variant]:9} hands {compared[variant]:9} questions compared")
    terminalreporter.line(f"{'together':22}{hands.total():9} hands {compared.total():9} questions compared")
    terminalreporter.section("hands in which a named difference was met")
    for name, times in met.most_common():
        terminalreporter.line(f"{name:24}{times:9}")
