"""Results of cases for people, for programs and for build servers, and a part of the cases that is always the same."""

from __future__ import annotations

import json as json_format
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TextIO
from xml.etree import ElementTree

from betline.cases.outcome import Result
from betline.cases.read import Case

_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def shard(cases: Iterable[Case], number: int, of: int) -> tuple[Case, ...]:
    """The cases of part ``number`` (from 1) of so many: a case stays in its part whatever other cases there are."""
    return tuple(case for case in cases if zlib.crc32(case.id.encode()) % of == number - 1)


class Lines:
    """Prints a line a case, and at the end how many passed, failed, were asked about and were skipped, and why."""

    def __init__(self, out: TextIO, *, json: bool, acted: bool, faults: str = "") -> None:
        """``faults`` names the plan that the cases are acted out under."""
        self._out = out
        self._json = json
        self._acted = acted
        self._faults = faults
        self._asked = 0
        self._passed = 0
        self._failed = 0
        self._skipped: Counter[str] = Counter()

    @property
    def failed(self) -> int:
        """How many have failed so far."""
        return self._failed

    def add(self, result: Result) -> None:
        """The line of one case."""
        if result.skip is not None:
            self._skipped[result.skip.reason] += 1
        elif result.asked:
            self._asked += 1
        elif result.passed:
            self._passed += 1
        else:
            self._failed += 1
        line = (
            json_format.dumps(result.as_json(acted=self._acted, faults=self._faults))
            if self._json
            else result.as_line()
        )
        print(line, file=self._out, flush=True)

    def end(self) -> None:
        """The last line for people."""
        if self._json:
            return
        why = ", ".join(f"{reason} {count}" for reason, count in sorted(self._skipped.items()))
        skipped = f", {self._skipped.total()} skipped ({why})" if why else ""
        asked, under = (f", {self._asked} asked", f"; faults: {self._faults}") if self._faults else ("", "")
        print(f"{self._passed} passed, {self._failed} failed{asked}{skipped}{under}", file=self._out)


def write_junit(results: Sequence[Result], path: Path, name: str, faults: str = "") -> None:
    """Writes the results as JUnit's XML, as build servers read it; raises OSError.

    The plan of ``faults`` and how many cases were asked about are properties of the suite. A case that was asked about
    was not played to its end, which JUnit calls skipped.
    """
    counts = {
        "tests": str(len(results)),
        "failures": str(sum(bool(result.failures) for result in results)),
        "errors": "0",
        "skipped": str(sum(result.skip is not None or bool(result.asked) for result in results)),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }
    root = ElementTree.Element("testsuites", counts)
    suite = ElementTree.SubElement(root, "testsuite", {"name": name, **counts})
    if faults:
        properties = ElementTree.SubElement(suite, "properties")
        for key, value in (("faults", faults), ("asked", str(sum(bool(result.asked) for result in results)))):
            ElementTree.SubElement(properties, "property", {"name": key, "value": _fit(value)})
    for result in results:
        case = result.case
        of_case = {
            "classname": _fit(f"{name}.{case.file.stem}"), "name": _fit(case.id), "time": f"{result.seconds:.3f}",
            "file": _fit(str(case.file)), "line": str(case.line),
        }  # fmt: skip
        element = ElementTree.SubElement(suite, "testcase", of_case)
        if result.skip is not None:
            ElementTree.SubElement(element, "skipped", {"message": _fit(result.skip.sentence)})
        elif result.asked:
            ElementTree.SubElement(element, "skipped", {"message": _fit(f"asked: {result.asked}")})
        elif result.failures:
            failure = ElementTree.SubElement(element, "failure", {"message": _fit(str(result.failures[0]))})
            failure.text = _fit("\n".join(str(one) for one in result.failures))
    fresh = path.with_name(f"{path.name}.new-{os.getpid()}")
    ElementTree.ElementTree(root).write(fresh, encoding="utf-8", xml_declaration=True)
    fresh.replace(path)


def _fit(text: str) -> str:
    """The text without what no XML may hold."""
    return _NOT_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text)
