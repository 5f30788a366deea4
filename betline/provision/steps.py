"""What is to be copied where after `betline provision`, in steps that can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from betline.provision import mosquitto
from betline.provision.acts import Outcome
from betline.provision.broker_folder import BrokerFolder
from betline.provision.web_folder import AUTHORITY, CERT, KEY, WEB

_PROGRAMS = {
    "controller": "betline controller",
    "bridge": "betline bridge run",
    "console": "betline console",
    "voice": "betline voice",
    "world": "betline world",
    "home": "betline home",
}
_ONLY_READ = ("display",)


def steps(outcome: Outcome, options: Sequence[str] = ()) -> list[str]:
    """One line a step; none where nothing has to be copied. `options` name the table to each program."""
    found: list[str] = []
    if outcome.changes.broker:
        found += for_the_broker(outcome.broker)
    if any(account != WEB for account in outcome.changes.logins):
        found += _for_the_programs(outcome, options)
    if WEB in outcome.changes.logins:
        found += _for_the_pages(outcome, options)
    if outcome.changes.logins:
        authority = shlex.quote(str(outcome.broker.folder / "ca"))
        found.append(f"Keep {authority} off the broker and the phones: who has it can make logins.")
    return found


def for_the_broker(broker: BrokerFolder, whose: str = "the broker's") -> list[str]:
    """How a broker's files are put in their place, its bridge too where it has one."""
    files = broker.folder / "mosquitto"
    there = shlex.quote(broker.terms.installed_in)
    configuration = shlex.quote(str(files / mosquitto.CONFIGURATION))
    bridge = files / mosquitto.BRIDGE
    bridged = [
        f"  sudo install -o mosquitto -g mosquitto -m 600 {shlex.quote(str(bridge))} "
        "/etc/mosquitto/conf.d/betline_bridge.conf"
    ]
    return [
        f"On {whose} machine (copy this folder there first, if it is another):",
        "  sudo apt install mosquitto",
        f"  sudo install -d -o mosquitto -g mosquitto -m 700 {there}",
        f"  sudo install -o mosquitto -g mosquitto -m 600 {shlex.quote(str(files))}/* {there}/",
        f"  sudo install -m 644 {configuration} /etc/mosquitto/conf.d/betline.conf",
        *(bridged if bridge.exists() else ()),
        "  sudo systemctl enable mosquitto",
        "  sudo systemctl restart mosquitto",
    ]


def _for_the_programs(outcome: Outcome, options: Sequence[str]) -> list[str]:
    logins = outcome.logins
    found = ["Copy each login to the machine of its program, and start the program with it:"]
    for account in (one for one in outcome.changes.logins if one != WEB):
        folder = shlex.quote(str(logins.folder / account))
        if account in _ONLY_READ:
            found.append(f"  {folder}: for whatever shows or reads the table; it can ask for nothing")
        else:
            program = " ".join((_PROGRAMS.get(account, "betline vision run"), *map(shlex.quote, options)))
            found.append(f"  {folder}: {program} --login {folder}")
    return found


def _for_the_pages(outcome: Outcome, options: Sequence[str]) -> list[str]:
    folder = shlex.quote(str(outcome.logins.web.folder))
    display = shlex.quote(str(outcome.logins.folder / "display"))
    program = " ".join(("betline web", *map(shlex.quote, options), "--host 0.0.0.0"))
    return [
        "Copy this folder and the login display to the machine of the pages, and start them (again) with it:",
        f"  betline web --new-tokens {folder}/web.tokens    (once; again ends all codes)",
        f"  {program} --login {display} --cert {folder}/{CERT} --key {folder}/{KEY} --tokens {folder}/web.tokens",
        f"Install {folder}/{AUTHORITY}, and nothing else, on each phone as an authority (docs/web.md).",
    ]
