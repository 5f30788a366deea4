"""The suite `chain`: the whole way from chips on the felt to the announcement, in the demonstration.

Every part is a process of its own, as `betline demo` starts them: readers on pseudo-terminals at 115200 baud, drawn
frames at 30 a second, bridge, camera, broker, controller, journal. Random hands of nine players at `casino-oval`, whose
pauses are shortened; motions, readers and camera keep real time. A ruling that is not as the player meant, and books
that are not as the chips lie, are wrong. The plan of `--faults` (docs/faults.md) strikes every evening; the times are
those of a table with these faults.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from betline.bench import Figure, Progress, Report
from betline.options import FAILED, UserError

TAKES: Final = ("seed", "faults")
TABLE: Final = "casino-oval"
HANDS, FULL_HANDS = 6, 40
AN_EVENING: Final = 6
SPEED: Final = 100
FEW_MS: Final = 600.0
SERIAL_MS: Final = 50.0
SUMS: Final = ("hands", "acts", "wrong", "asked", "alerts")


def measure(progress: Progress, *, full: bool = False, seed: int = 1, faults: Path | None = None) -> Report:
    """Plays evenings of some hands; raises UserError where a demonstration does not play them."""
    evenings = -(-(FULL_HANDS if full else HANDS) // AN_EVENING)
    played = []
    for number in range(evenings):
        progress.at(number, evenings, f"evening {number + 1} of {evenings}")
        played.append(_evening(seed + number, faults))
    return report(played, faults)


def _evening(seed: int, faults: Path | None) -> Mapping[str, Any]:
    line = ["demo", "--headless", "--json", "--table", TABLE, "--speed", str(SPEED)]
    line += [] if faults is None else ["--faults", str(faults)]
    done = subprocess.run(
        [sys.executable, "-m", "betline", *line, "--hands", str(AN_EVENING), "--seed", str(seed)],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        found: Mapping[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        said = done.stderr.strip().splitlines()
        raise UserError(f"The demonstration did not play: {said[-1] if said else 'it said nothing'}", FAILED) from None
    return found


def report(played: list[Mapping[str, Any]], faults: Path | None = None) -> Report:
    """The evenings together: counts are summed, of each time the slowest evening's counts."""
    document: dict[str, Any] = {name: sum(one[name] for one in played) for name in SUMS}
    latency = [one["latency_ms"] for one in played]
    times = {
        "rest_to_announcement_ms": _slowest(latency, "at_rest_to_announcement"),
        "few_chips_rest_to_announcement_ms": _slowest(latency, "few_chips_at_rest_to_announcement"),
        "serial_to_announcement_ms": _slowest(latency, "serial_to_announcement"),
    }
    few, serial = times["few_chips_rest_to_announcement_ms"], times["serial_to_announcement_ms"]
    figures = (
        Figure(
            "1 to 8 chips, rest to announcement, ms p50/p95/p99", _shown(few), "p95 < 600", _under(few, "p95", FEW_MS)
        ),
        Figure("    piles too", _shown(times["rest_to_announcement_ms"])),
        Figure("last serial byte to announcement, ms p50/p95/p99", _shown(serial)),
        Figure("wrong rulings and books", str(document["wrong"]), "0", document["wrong"] == 0),
        Figure("questions to the dealer", str(document["asked"])),
    )
    counted = (
        f"{document['hands']} hands, {document['acts']} acts; of {len(played)} evenings each time is the slowest's."
    )
    if faults is not None:
        document["plan"], counted = str(faults), f"Under the faults of {faults}: {counted}"
    return Report({**document, **times}, figures, (counted,))


def _slowest(latency: list[Mapping[str, Mapping[str, float | None]]], what: str) -> dict[str, float | None]:
    rows = [one[what] for one in latency]
    return {
        rank: max((value for row in rows if (value := row[rank]) is not None), default=None)
        for rank in ("p50", "p95", "p99")
    }


def _under(times: Mapping[str, float | None], rank: str, limit_ms: float) -> bool:
    value = times[rank]
    return value is not None and value < limit_ms


def _shown(times: Mapping[str, float | None]) -> str:
    return "/".join("-" if value is None else f"{value:g}" for value in times.values())
