"""All checks, in the order of the report."""

from __future__ import annotations

from typing import Final

from firmware_bridge.conform.check import Check, Group, Outcome, Result, not_tried
from firmware_bridge.conform.checks_line import (
    answer_times,
    frames_intact,
    gaps,
    line_speed,
    noise,
    recovered,
)
from firmware_bridge.conform.checks_tags import (
    cross_talk,
    duplicates,
    endurance,
    ghosts,
    inventory,
    misses,
    round_times,
    rounds_lost,
    strength,
)
from firmware_bridge.conform.checks_talk import answers, back_to_back, identity, provoked, unasked
from firmware_bridge.conform.evidence import Evidence
from firmware_bridge.conform.kit import COMMISSIONING_PAGE, READERS_PAGE, Kit, Said

_MUST: Final = f"{READERS_PAGE}, What a virtual reader must be able to do"
_FOLLOWS: Final = f"{READERS_PAGE}, What follows"
_ROUNDS: Final = f"{READERS_PAGE}, Rounds"
_ONE_AT_A_TIME: Final = Said("One request is in flight at a time; there are no sequence numbers.", _MUST)
_NEXT: Final = Said("Nothing is documented. The bridge waits for its time-out and asks again.", _ROUNDS)
_SETS: Final = Said("A count is a set of UIDs; one round that missed a chip never lowers a bet.", _FOLLOWS)
_CEILING: Final = Said(
    "20 chips of ISO 15693 take 183 ms on the air at best, 60 take 551 ms.",
    f"{READERS_PAGE}, How long an inventory takes",
)
_OFFLINE: Final = Said("Stale after 1.5 s without a round, offline after 3 s.", _ROUNDS)
_NEIGHBOUR: Final = Said("Tags of the neighbours: none, or with few hits.", f"{COMMISSIONING_PAGE}, 4")
_CLEAN: Final = Said("crc_errors and resyncs: 0; a few a day on a long cable.", f"{COMMISSIONING_PAGE}, 5")
_HARMLESS: Final = Said("Each family has a harmless question.", f"{COMMISSIONING_PAGE}, 2")
_WHO: Final = Said("A reader is asked which one it is after its first round.", f"{READERS_PAGE}, Which reader it is")
_ASKED: Final = Said("A reader that is asked speaks when asked.", f"{READERS_PAGE}, delivery")
_GAP: Final = Said(
    "20 ms of silence may end a frame that has no delimiter.", "hardware_docs/protocols/feig.md and m6e.md"
)
_SPEED: Final = Said("At 38400 baud the bytes of 40 chips take 0.12 s.", f"{COMMISSIONING_PAGE}, 3")

CHECKS: Final[tuple[Check, ...]] = (
    Check("answers", Group.TALK, "It answers", "The family's harmless question, at the line rate that was named.",
          "an answer that the family knows", _HARMLESS, answers),
    Check("identity", Group.TALK, "It says which reader it is",
          "The family's questions for firmware and serial number.",
          "what the family tells", _WHO, identity),
    Check("back-to-back", Group.TALK, "Requests right behind each other",
          "The harmless question ten times, each as soon as the answer before it is complete.",
          "all answered, each within 150 ms", _ONE_AT_A_TIME, back_to_back),
    Check("damaged-request", Group.TALK, "A request with a wrong checksum", "One, and then a good one.",
          "silence or a refusal; the next request is answered", _NEXT, provoked("damaged-request")),
    Check("cut-request", Group.TALK, "A request that is cut short", "Its beginning, 300 ms of silence, and a good one.",
          "silence or a refusal; the next request is answered", _NEXT, provoked("cut-request")),
    Check("impossible-request", Group.TALK, "A request that cannot be carried out",
          "A good frame that asks for what no reader of the family can do, and then a good request.",
          "a refusal; the next request is answered", _NEXT, provoked("impossible-request")),
    Check("unasked", Group.TALK, "Quiet when nothing is asked", "Listening for 1.2 s without a request.",
          "nothing but what the family sends by itself", _ASKED,
          unasked),
    Check("inventory-0", Group.TAGS, "No tag", "Rounds with nothing there.", "no tag is heard",
          Said('"No tag" is a good answer.', _ROUNDS), inventory("inventory-0")),
    Check("inventory-1", Group.TAGS, "One tag", "Rounds over one tag.", "heard within 3 rounds", _SETS,
          inventory("inventory-1")),
    Check("inventory-few", Group.TAGS, "A few tags", "Rounds over 2 to 10 tags.", "all heard within 3 rounds", _SETS,
          inventory("inventory-few")),
    Check("inventory-20", Group.TAGS, "Twenty tags", "Rounds over 11 to 40 tags.", "all heard within 3 rounds", _SETS,
          inventory("inventory-20")),
    Check("inventory-60", Group.TAGS, "Sixty tags", "Rounds over 41 tags and more.", "all heard within 3 rounds", _SETS,
          inventory("inventory-60")),
    Check("misses", Group.TAGS, "Missed answers",
          "Each tag and each round, without the first round and those with a warning.",
          "5 % of all (or two answers), 25 % of one tag", _SETS, misses),
    Check("ghosts", Group.TAGS, "No tag that is not there",
          "UIDs beyond those that lie there, or in less than a quarter of the rounds.", "none", _SETS, ghosts),
    Check("duplicates", Group.TAGS, "Each tag once an inventory", "Reports on the line, the first round left out.",
          "no repetition, but where the family repeats by design", Said("The same tag may be reported twice.", _MUST),
          duplicates),
    Check("round-time", Group.TAGS, "Time of a round", "Median of the rounds, the first one left out.",
          "three times the reckoned time and 100 ms", _CEILING, round_times),
    Check("strength", Group.TAGS, "Signal strength", "Each tag's RSSI over the rounds.", "",
          Said("A chip that two antennas hear belongs to the one that hears it better.", _FOLLOWS), strength),
    Check("rounds-lost", Group.TAGS, "No round is lost", "Rounds that failed: refused, damaged or silent.",
          "1 % of the rounds", _CLEAN, rounds_lost),
    Check("frames-intact", Group.LINE, "Whole frames with good checksums", "Every frame of every round.",
          "none damaged", _CLEAN, frames_intact),
    Check("noise", Group.LINE, "Nothing between frames", "Bytes in no frame, where the answer came all the same.",
          "none", _CLEAN, noise),
    Check("gaps", Group.LINE, "Frames in one go",
          "The time between two reads within a frame, less the line's time of the later one's bytes.",
          "20 ms, but in one frame or 2 % of them", _GAP, gaps),
    Check("answer-times", Group.LINE, "Answers in time",
          "From each request of the rounds to the first byte of its answer.",
          "none given up, none late, none over 0.8 s or three times a round's reckoned time", _OFFLINE, answer_times),
    Check("line-speed", Group.LINE, "Speed of the line", "The bytes of long frames behind their first read.",
          "half of the line rate", _SPEED,
          line_speed),
    Check("reopen", Group.RECOVERY, "Closing and opening the port", "From the opening to the end of the first round.",
          "3 s, and the time that the board may take to start", _OFFLINE, recovered("reopen")),
    Check("field-reset", Group.RECOVERY, "Field off and on", "From the opening after it to the end of the first round.",
          "acknowledged; 3 s", _OFFLINE, recovered("field-reset")),
    Check("soft-reset", Group.RECOVERY, "Restart by its own command",
          "From the opening after it to the end of the first round.",
          "acknowledged; 3 s", _OFFLINE, recovered("soft-reset")),
    Check("replug", Group.RECOVERY, "Unplugged and plugged in again",
          "From the port's return to the end of the first round.",
          "3 s", _OFFLINE, recovered("replug")),
    Check("cross-talk", Group.ANTENNAS, "Each antenna hears its own tags only",
          "Every tag at every antenna; with a person, one chip on each antenna alone.",
          "a tenth of the rounds of another antenna", _NEIGHBOUR, cross_talk),
    Check("endurance", Group.LONG_RUN, "Loss over a long run", "Rounds as fast as the reader can, for --minutes.",
          "1 % of the rounds lost, no 1.5 s without one beyond a round's own time", _OFFLINE, endurance),
)  # fmt: skip


def results_of(evidence: Evidence, kit: Kit) -> tuple[Result, ...]:
    """Every check with its verdict; what was left out is not tried, with the reason."""
    found = []
    for check in CHECKS:
        if check.id in evidence.left_out:
            verdict = not_tried(evidence.left_out[check.id])
        elif evidence.lost and not _has_evidence(check, evidence):
            verdict = not_tried(evidence.lost)
        else:
            verdict = check.judge(evidence, kit)
        found.append(Result(check, kit.says.get(check.id, check.says), verdict))
    return tuple(found)


def _has_evidence(check: Check, evidence: Evidence) -> bool:
    """Whether a run that ended early came as far as this check."""
    if check.id == "answers":
        return True
    if check.group is Group.TALK:
        return evidence.said is not None and (check.id in ("identity", "back-to-back") or bool(evidence.provoked))
    if check.group is Group.RECOVERY:
        return check.id in evidence.recoveries
    return evidence.endurance is not None if check.group is Group.LONG_RUN else bool(evidence.stages)


def summary(results: tuple[Result, ...]) -> str:
    """One sentence: will it do at a table?"""
    bad = [one.check.title for one in results if one.verdict.outcome is Outcome.FAILED]
    good = sum(one.verdict.outcome is Outcome.PASSED for one in results)
    left = sum(one.verdict.outcome is Outcome.NOT_TRIED for one in results)
    rest = f" {left} were not tried." if left > 1 else " One was not tried." if left else ""
    if bad:
        named = "; ".join(bad)
        tried = good + len(bad)
        return f"Not yet fit for a table: {good} of {tried} checks passed, {len(bad)} must be mended: {named}.{rest}"
    if not good:
        return f"Nothing can be said: no check was tried.{rest}"
    return f"Fit for a table{', as far as it was tried' if left else ''}: all {good} checks passed.{rest}"
