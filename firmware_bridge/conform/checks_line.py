"""The judges of the line, and of recovery."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Final

from firmware_bridge.conform.check import Judge, Verdict, counted, failed, figure_of, judged, not_tried, observed
from firmware_bridge.conform.checks_tags import line_of
from firmware_bridge.conform.evidence import Evidence, uids_of
from firmware_bridge.conform.kit import Kit

GAP_MS: Final = 20.0
"""A longer silence ends a frame that has no delimiter (`sliding.GAP_MS`)."""
HOSTS_OWN: Final = 0.02
"""So many of the frames, and one in any case, may be torn by a host that was busy when their last bytes came."""
ANSWER_MS: Final = 800.0
"""The bridge waits at least so long for an answer (`adaptive_timeout`)."""
SLOW_LINE: Final = 0.5
BACK_MS: Final = 3000.0
"""A reader that is away for longer is offline (`[sensing]` of the table file)."""


def frames_intact(evidence: Evidence, kit: Kit) -> Verdict:
    seen = line_of(evidence, kit)
    words = f"{seen.damaged} damaged or cut short, {len(seen.frames)} whole"
    return judged(not seen.damaged, words, frames=len(seen.frames), damaged=seen.damaged)


def noise(evidence: Evidence, kit: Kit) -> Verdict:
    seen = line_of(evidence, kit)
    words = (
        "none"
        if not seen.noise_bytes
        else f"{counted(seen.noise_bytes, 'byte')} at {counted(seen.noise_runs, 'place')}"
    )
    return judged(not seen.noise_bytes, words, bytes=seen.noise_bytes, places=seen.noise_runs)


def gaps(evidence: Evidence, kit: Kit) -> Verdict:
    seen = line_of(evidence, kit)
    if not seen.frames:
        return not_tried("no frame came")
    worst = max(one.silence_ms for one in seen.frames)
    long = sum(one.silence_ms > GAP_MS for one in seen.frames)
    reads = Counter(one.reads for one in seen.frames)
    split = sum(count for number, count in reads.items() if number > 1)
    words = (
        f"longest silence {worst:.1f} ms, over {GAP_MS:.0f} ms in {counted(long, 'frame')}; {split} of "
        f"{counted(len(seen.frames), 'frame')} came in several reads, {max(reads)} at most; "
        f"reads of {min(seen.read_sizes)} to {max(seen.read_sizes)} bytes"
    )
    figures = {
        "silence_ms": figure_of(worst),
        "long_silences": long,
        "split_frames": split,
        "most_reads": max(reads),
        "usual_read_bytes": round(median(seen.read_sizes)),
    }
    return judged(long <= max(1, HOSTS_OWN * len(seen.frames)), words, **figures)


def answer_times(evidence: Evidence, kit: Kit) -> Verdict:
    seen = line_of(evidence, kit)
    late = sum(stage.session.health.late_replies for stage in evidence.stages)
    silent = sum(stage.session.health.timeouts for stage in evidence.stages)
    if not seen.answer_ms:
        return failed("no request of a round was answered")
    fullest = evidence.fullest
    tags = len(uids_of(fullest.session)) if fullest else 0
    limit_ms = max(ANSWER_MS, kit.reckoning.limit_ms(tags, evidence.byte_ms))
    worst = max(seen.answer_ms)
    words = f"first byte after {median(seen.answer_ms):.0f} ms, at worst {worst:.0f} ms"
    if silent or late:
        words += f"; {counted(silent, 'answer')} did not come in time, {late} came too late"
    figures = {
        "median_ms": figure_of(median(seen.answer_ms)),
        "worst_ms": figure_of(worst),
        "silent": silent,
        "late": late,
        "unanswered": seen.unanswered,
    }
    return judged(not silent and not late and worst <= limit_ms, words, **figures)


def line_speed(evidence: Evidence, kit: Kit) -> Verdict:
    speeds = [one.bytes_per_s for one in line_of(evidence, kit).frames if one.bytes_per_s]
    if not speeds:
        return not_tried("no frame was long enough and came in several reads: lay more tags there")
    measured, nominal = median(speeds), 1000 / evidence.byte_ms
    words = f"{measured:.0f} bytes a second, {100 * measured / nominal:.0f} % of what {evidence.baud} baud carry"
    figures = {"bytes_per_s": round(measured), "nominal_bytes_per_s": round(nominal)}
    if measured > 1.2 * nominal:
        return observed(f"{words}: USB, where the rate means nothing", **figures)
    return judged(measured >= SLOW_LINE * nominal, words, **figures)


def recovered(check_id: str) -> Judge:
    """The judge of a recovery: the first complete round comes before the reader would be offline."""

    def judge(evidence: Evidence, kit: Kit) -> Verdict:  # noqa: ARG001
        one = evidence.recoveries[check_id]
        if one.acknowledged is False:
            return failed("it did not acknowledge the request for it")
        session = one.session
        began_ms = session.began_ms if session.returned_ms is None else session.returned_ms
        first = next((each for each in session.rounds if each.ended_ms > began_ms), None)
        if check_id == "replug" and session.returned_ms is None:
            return failed("its port did not vanish and come back")
        if first is None:
            why = f": {session.failures[-1].sentence}" if session.failures else ""
            return failed(f"no complete round in {(session.ended_ms - began_ms) / 1000:.1f} s{why}")
        took_ms = first.ended_ms - began_ms
        fullest = evidence.fullest
        before = len(uids_of(fullest.session)) if fullest else 0
        words = f"first complete round after {took_ms:.0f} ms, with {len(first.strengths)} of {counted(before, 'tag')}"
        return judged(
            took_ms <= BACK_MS + evidence.boots_ms, words, first_round_ms=round(took_ms), tags=len(first.strengths)
        )

    return judge
