"""Reading case files: what is wrong is named with its file, line and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from betline.cases import CaseError, Expect, ExpectedPot, parse_cases, read_cases
from betline.steps import Act

FILE = Path("story.yaml")
GOOD = """\
- id: one-call
  source: nobody
  category: order
  game: {limit: no-limit, blinds: [1, 2]}
  house: {profile: tda, odd_chip: left-of-button}
  button: 3
  seats: {1: 200, 2: 200, 3: 200}
  play:
    - {seat: 3, action: call}
    - expect: {next: 1, pots: [{amount: 3, seats: [1, 2]}], bets: {3: 2}, may: [call, raise, fold]}
"""
LAST_HAND = "last_hand: {button: 1, small_blind: 2, big_blind: 3}"
UNEQUAL = "start: {street: flop, pot: 1}"


def wrong(old: str, new: str) -> CaseError:
    with pytest.raises(CaseError) as refused:
        parse_cases(GOOD.replace(old, new), FILE)
    return refused.value


def test_a_case_is_read() -> None:
    (case,) = parse_cases(GOOD, FILE)

    assert (case.id, case.category, case.line, case.play_lines) == ("one-call", "order", 1, (9, 10))
    assert case.setup.house.form == "tournament"
    assert case.setup.seats == {1: 200, 2: 200, 3: 200}
    assert case.play[0] == Act(seat=3, action="call")
    assert case.play[1] == Expect(
        {
            "next": 1,
            "pots": (ExpectedPot(3, (1, 2)),),
            "bets": {3: 2},
            "may": frozenset({"call", "raise", "fold"}),
        }
    )


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "part"),
    [
        ("  button: 3\n", "", 1, "button", "one of button and last_hand"),
        ("  button: 3\n", f"  button: 3\n  {LAST_HAND}\n", 6, "button", "one of button and last_hand"),
        ("  button: 3", "  buton: 3", 6, "buton", "did you mean button?"),
        ("  source: nobody", "  sauce: nobody", 2, "sauce", "did you mean source?"),
        ("- id: one-call", "- id: one call", 1, "id", "joined by hyphens"),
        ("blinds: [1, 2]", "blinds: [1, 2.5]", 4, "game.blinds.1", "whole number"),
        ("limit: no-limit", "limit: nolimit", 4, "game.limit", "did you mean no-limit?"),
        ("limit: no-limit", "limit: fixed-limit", 4, "game", "bets belongs to fixed-limit"),
        ("blinds: [1, 2]", "blind: [1, 2]", 4, "game.blind", "did you mean blinds?"),
        ("profile: tda", "profile: tds", 5, "house.profile", "did you mean tda?"),
        ("odd_chip: left-of-button", "odd_chips: high", 5, "house.odd_chips", "did you mean odd_chip?"),
        ("odd_chip: left-of-button", "odd_chip: left-button", 5, "house.odd_chip", "did you mean left-of-button?"),
        ("seats: {1: 200,", "seats: {11: 200,", 7, "seats.11", "1 to 10"),
        ("seats: {1: 200,", "seats: {1: no,", 7, "seats.1", "whole number"),
        ("{seat: 3, action: call}", "{seat: 3, action: cal}", 9, "play.0.action", "did you mean call?"),
        ("{seat: 3, action: call}", "{seat: 3, acton: call}", 9, "play.0.acton", "did you mean action?"),
        ("next: 1", "nxt: 1", 10, "play.1.expect.nxt", "did you mean next?"),
        ("may: [call", "may: [coll", 10, "play.1.expect.may.0", "did you mean call?"),
        ("bets: {3: 2}", "bets: {3: -2}", 10, "play.1.expect.bets.3", "at least 0"),
        ("  seats: {1: 200, 2: 200, 3: 200}", f"  {UNEQUAL}\n  seats: {{1: 2, 3: 4}}", 7, "start.pot", "from"),
        ("{seat: 3, action: call}", "{deal: flopp}", 9, "play.0.deal", "did you mean flop?"),
        ("{seat: 3, action: call}", "{floor: {ruling: cal}}", 9, "play.0.floor.ruling", "did you mean call?"),
        ("{seat: 3, action: call}", "{records: {street: flp, seat: 1, to: 2}}", 9, "play.0.records.street", "flop?"),
        ("{seat: 3, action: call}", "{back: {post: true}}", 9, "play.0.back.seat", "is missing"),
        ("{seat: 3, action: call}", "{seat: 11, action: call}", 9, "play.0.seat", "1 to 10"),
        ("next: 1", "offers: [cal]", 10, "play.1.expect.offers.0", "did you mean call?"),
        ("next: 1", "offers: ['raise:x']", 10, "play.1.expect.offers.0", "did you mean raise:N?"),
        ("next: 1", "street: flopp", 10, "play.1.expect.street", "did you mean flop?"),
        ("next: 1", "alerts: [string-bt]", 10, "play.1.expect.alerts.0", "did you mean string-bet?"),
        ("odd_chip: left-of-button", "rake: {percnt: 5}", 5, "house.rake.percnt", "did you mean percent?"),
        ("limit: no-limit", "limit: spread-limit, spread: [5, 1]", 4, "game", "least before the most"),
        ("limit: no-limit", "limit: spread-limit, spread: [[1, 5], [1, 9]]", 4, "game", "each of the 4 streets"),
        ("  source: nobody", "  source: no\x07body", 2, "", "U+0007"),
        ("  button: 3", "  button: 3\n  rock: 9", 7, "rock", "nobody sits in seat 9"),
        ("  button: 3", "  button: 3\n  button: 3", 7, "", "button is there twice"),
    ],
)  # fmt: skip
def test_an_error_names_line_and_key(old: str, new: str, line: int, key: str, part: str) -> None:
    error = wrong(old, new)

    assert (error.line, error.key) == (line, key)
    assert part in error.sentence
    assert str(error).startswith(f"story.yaml:{line}: ")


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("", 1, "must be a list of cases"),
        ("hello: there", 1, "must be a list of cases"),
        ("- id: x\n  play: [\n", 3, "is not valid YAML"),
        ("- &a [*a]", 1, "repeats itself"),
        ("- {[1]: 2}", 1, "no plain word"),
        ("- !!python/object:os.system 1", 1, "is not valid YAML"),
        ("- !!python/name:os.system", 1, "is not valid YAML"),
    ],
)
def test_what_is_no_case_file_is_refused(text: str, line: int, part: str) -> None:
    with pytest.raises(CaseError) as refused:
        parse_cases(text, FILE)

    assert refused.value.line == line
    assert part in str(refused.value)


def test_ids_are_unique_over_all_files(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "b.yaml").write_text(GOOD)

    with pytest.raises(CaseError, match=r"b\.yaml:1: id: one-call is also at .*a\.yaml:1"):
        read_cases([tmp_path])


def test_paths_without_cases_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere.yaml"):
        with pytest.raises(CaseError, match=r"no such file|no case file"):
            read_cases([path])
