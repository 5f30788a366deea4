"""The report of one run as values, and the two forms of it that a terminal and a program read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from firmware_bridge.conform.check import Outcome, Result
from firmware_bridge.conform.checks import summary
from firmware_bridge.conform.evidence import Evidence

MARKS: Final = {Outcome.PASSED: "pass", Outcome.FAILED: "FAIL", Outcome.NOT_TRIED: "-", Outcome.OBSERVED: "seen"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What was on the port, when, and with what it was looked at."""

    protocol: str
    title: str
    """The family in words."""
    page: str
    port: str
    baud: int
    parity: str
    began: str
    """ISO 8601 with the time zone."""
    versions: Mapping[str, str]
    """Of Betline, Python and the system."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """One run of the kit."""

    subject: Subject
    evidence: Evidence
    results: tuple[Result, ...]

    @property
    def summary(self) -> str:
        return summary(self.results)

    @property
    def good(self) -> bool:
        """Whether no check failed."""
        return all(one.verdict.outcome is not Outcome.FAILED for one in self.results)

    @property
    def counts(self) -> dict[str, int]:
        """How many checks ended in which way."""
        counted = Counter(one.verdict.outcome for one in self.results)
        return {outcome.value: counted[outcome] for outcome in Outcome}


def as_text(report: Report) -> str:
    """The table for a terminal."""
    lines: list[str] = []
    width = max(len(one.check.title) for one in report.results)
    group = None
    for one in report.results:
        if one.check.group != group:
            group = one.check.group
            lines += ["", group.value]
        lines.append(f"  {MARKS[one.verdict.outcome]:<4}  {one.check.title:<{width}}  {one.verdict.seen}")
        if one.verdict.outcome is Outcome.FAILED:
            lines.append(f"  {'':<4}  {'':<{width}}  limit: {one.check.limit}")
            lines.append(f"  {'':<4}  {'':<{width}}  manual: {one.says.text} ({one.says.source})")
    return "\n".join((*lines[1:], "", report.summary))


def as_document(report: Report) -> dict[str, Any]:
    """The report as one JSON document."""
    subject, who = report.subject, report.evidence.identity
    return {
        "protocol": subject.protocol,
        "reader": report.evidence.said,
        "firmware": who.firmware if who else "",
        "serial": who.serial if who else "",
        "port": subject.port,
        "baud": subject.baud,
        "parity": subject.parity,
        "parity_refused": report.evidence.parity_refused,
        "antennas": report.evidence.antennas,
        "began": subject.began,
        "versions": dict(subject.versions),
        "note": subject.note,
        "good": report.good,
        "summary": report.summary,
        "counts": report.counts,
        "checks": [
            {
                "id": one.check.id,
                "group": one.check.group.value,
                "title": one.check.title,
                "outcome": one.verdict.outcome.value,
                "seen": one.verdict.seen,
                "figures": dict(one.verdict.figures),
                "limit": one.check.limit,
                "manual": one.says.text,
                "source": one.says.source,
                "how": one.check.how,
            }
            for one in report.results
        ],
    }


def as_json(report: Report) -> str:
    """`as_document` as text."""
    return json.dumps(as_document(report))
