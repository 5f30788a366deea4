"""The command line of `betline home`: what goes together, and what is of no use."""

from __future__ import annotations

from pathlib import Path

import pytest

from betline.front_door import WRONG_USAGE, run


@pytest.mark.parametrize(
    ("buttons", "options", "mode", "sentence"),
    [
        ('["next-hand"]', ["--person", "Ann"], 0o600, "go together"),
        ('["next-hand"]', ["--pin-file", "PIN"], 0o600, "go together"),
        ("[]", ["--person", "Ann", "--pin-file", "PIN"], 0o600, "allows no buttons"),
        ('["next-hand"]', ["--person", "Ann", "--pin-file", "PIN"], 0o644, "chmod 600"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_joined(
    buttons: str, options: list[str], mode: int, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, pin = tmp_path / "my.toml", tmp_path / "PIN"
    table.write_text(
        f'based_on = "home-six"\nname = "my"\ntitle = "My table"\n[home_assistant]\nbuttons = {buttons}\n',
        encoding="utf-8",
    )
    pin.write_text("4711\n", encoding="utf-8")
    pin.chmod(mode)
    asked = ["home", "--table", str(table), *(str(pin) if one == "PIN" else one for one in options)]
    assert run(asked) == WRONG_USAGE
    assert sentence in capsys.readouterr().err
