"""What is to be copied where after `betline provision`, in steps that can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from betline.provision import mosquitto
from betline.provision.acts import Outcome

_PROGRAMS = {
    "controller": "betline controller",
    "bridge": "betline bridge run",
    "console": "betline console",
    "voice": "betline voice",
    "world": "betline world",
}
_ONLY_READ = ("display", "home")


def steps(outcome: Outcome, options: Sequence[str] = ()) -> list[str]:
    """One line a step; none where nothing has to be copied. `options` name the table to each program."""
    found: list[str] = []
    if outcome.changes.broker:
        found += _for_the_broker(outcome)
    if outcome.changes.logins:
        found += _for_the_programs(outcome, options)
    return found


def _for_the_broker(outcome: Outcome) -> list[str]:
    files = outcome.broker.folder / "mosquitto"
    there = shlex.quote(outcome.broker.terms.installed_in)
    configuration = shlex.quote(str(files / mosquitto.CONFIGURATION))
    return [
        "On the broker's machine (copy this folder there first, if it is another):",
        "  sudo apt install mosquitto",
        f"  sudo install -d -o mosquitto -g mosquitto -m 700 {there}",
        f"  sudo install -o mosquitto -g mosquitto -m 600 {shlex.quote(str(files))}/* {there}/",
        f"  sudo install -m 644 {configuration} /etc/mosquitto/conf.d/betline.conf",
        "  sudo systemctl enable mosquitto",
        "  sudo systemctl restart mosquitto",
    ]


def _for_the_programs(outcome: Outcome, options: Sequence[str]) -> list[str]:
    logins = outcome.logins
    found = ["Copy each login to the machine of its program, and start the program with it:"]
    for account in outcome.changes.logins:
        folder = shlex.quote(str(logins.folder / account))
        if account in _ONLY_READ:
            found.append(f"  {folder}: for whatever shows or reads the table; it can ask for nothing")
        else:
            program = " ".join((_PROGRAMS.get(account, "betline vision run"), *map(shlex.quote, options)))
            found.append(f"  {folder}: {program} --login {folder}")
    found.append(f"Keep {shlex.quote(str(outcome.broker.folder / 'ca'))} off the broker: who has it can make logins.")
    return found
