"""The files of a table's services, as text. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from betline.login import CREDENTIAL
from betline.services import sandbox
from betline.services.plan import KIOSK_USER, USER, Plan
from betline.services.readers import RULES

MARK: Final = "# Written by betline install; betline uninstall takes it away."
WATCHDOG_S: Final = {"broker": 30, "controller": 20, "history": 60, "bridge": 30, "vision": 30, "voice": 60, "web": 30}
"""After so many seconds without a turn of its loop a part is killed and started again."""
_WEIGHT: Final = {"broker": 400, "controller": 800, "history": 30, "bridge": 400, "vision": 50, "voice": 100, "web": 40}
"""Who gets the processor first where there is too little of it: a ruling before a frame."""
HISTORY_NICE: Final = 10
_DESCRIPTIONS: Final = {
    "broker": "MQTT broker",
    "controller": "table controller",
    "history": "journals for the site",
    "bridge": "readers",
    "vision": "camera",
    "voice": "voice",
    "web": "pages for browsers",
    "kiosk": "console",
}
_WRONG_USAGE: Final = 2
"""The exit status of what a restart cannot mend."""


def files(plan: Plan) -> dict[str, str]:
    """The files by their path: below /etc for the system, below the user's systemd folder else."""
    units = {plan.target: _target(plan), **{plan.unit(part): _service(plan, part) for part in plan.parts()}}
    if plan.scope == "user":
        return units
    found = {f"systemd/system/{name}": text for name, text in units.items()}
    found["sysusers.d/betline.conf"] = _users(plan)
    found["tmpfiles.d/betline.conf"] = _folders(plan)
    if plan.table.readers:
        found["udev/rules.d/70-betline-readers.rules"] = f"{MARK}\n{RULES}"
    return found


def _target(plan: Plan) -> str:
    wants = " ".join(plan.unit(part) for part in plan.parts())
    wanted_by = "multi-user.target" if plan.scope == "system" else "default.target"
    return _text(
        ("Unit", (f"Description=Betline: {_plain(plan.table.title)}", f"Wants={wants}")),
        ("Install", (f"WantedBy={wanted_by}",)),
    )


def _service(plan: Plan, part: str) -> str:
    if part == "kiosk":
        return _kiosk(plan)
    return _text(
        ("Unit", tuple(_unit(plan, part))),
        ("Service", (*_running(plan, part), *_owner(plan), *_login(plan, part), *sandbox.lines(plan, part))),
        ("Install", (f"WantedBy={plan.target}",)),
    )


def _unit(plan: Plan, part: str) -> Iterator[str]:
    yield f"Description=Betline: {_DESCRIPTIONS[part]} of {_plain(plan.table.title)}"
    yield f"PartOf={plan.target}"
    yield "StartLimitIntervalSec=0"
    if part != "broker" and not plan.external:
        yield f"After={plan.unit('broker')}"
        yield f"Wants={plan.unit('broker')}"
    elif plan.scope == "system":
        yield "After=network-online.target mosquitto.service"
        yield "Wants=network-online.target"


def _running(plan: Plan, part: str) -> Iterator[str]:
    yield "Type=notify"
    yield "NotifyAccess=main"
    yield f"ExecStart={_command(plan.command(part))}"
    yield "Restart=always"
    yield "RestartSec=1"
    yield f"RestartPreventExitStatus={_WRONG_USAGE}"
    yield f"WatchdogSec={WATCHDOG_S[part]}"
    yield "TimeoutStartSec=120"
    yield "TimeoutStopSec=10"
    yield "LogRateLimitIntervalSec=30"
    yield "LogRateLimitBurst=500"
    yield "Environment=PYTHONUNBUFFERED=1"
    yield f"CPUWeight={_WEIGHT[part]}"
    if part == "history":
        yield f"Nice={HISTORY_NICE}"  # in its sandbox it cannot do so itself


def _owner(plan: Plan) -> Iterator[str]:
    if plan.scope == "system":
        yield f"User={USER}"
        yield f"Group={USER}"
        yield "Environment=XDG_STATE_HOME=/var/lib XDG_CONFIG_HOME=/etc XDG_CACHE_HOME=/var/cache"
        yield "StateDirectory=betline"
        yield "StateDirectoryMode=0700"
        yield "CacheDirectory=betline"
        yield "CacheDirectoryMode=0700"


def _login(plan: Plan, part: str) -> Iterator[str]:
    if part in plan.handed:
        yield f"LoadCredential={CREDENTIAL}:{_path(plan.handed[part])}"


def _path(text: str) -> str:
    """A path as the value of a setting, which systemd takes to the end of the line."""
    return text.replace("%", "%%")


def _kiosk(plan: Plan) -> str:
    """The console on the first screen: Cage shows one terminal, and nothing else can be reached from it."""
    return _text(
        (
            "Unit",
            (
                f"Description=Betline: {_DESCRIPTIONS['kiosk']} of {_plain(plan.table.title)}",
                f"PartOf={plan.target}",
                f"After={plan.unit('controller')} systemd-user-sessions.service plymouth-quit-wait.service",
                "After=dbus.socket systemd-logind.service getty@tty1.service",
                "Wants=dbus.socket systemd-logind.service",
                "Conflicts=getty@tty1.service",
                "ConditionPathExists=/dev/tty0",
                "StartLimitIntervalSec=0",
            ),
        ),
        (
            "Service",
            (
                "Type=simple",
                f"ExecStart={_command(plan.command('kiosk'))}",
                "Restart=always",
                "RestartSec=2",
                f"User={KIOSK_USER}",
                "PAMName=login",
                "TTYPath=/dev/tty1",
                "TTYReset=yes",
                "TTYVHangup=yes",
                "TTYVTDisallocate=yes",
                "StandardInput=tty-fail",
                "StandardOutput=journal",
                "StandardError=journal",
                "UtmpIdentifier=tty1",
                "UtmpMode=user",
                "Environment=LANG=C.UTF-8",
                "NoNewPrivileges=yes",
                "ProtectSystem=full",
                "ProtectKernelTunables=yes",
                "ProtectKernelModules=yes",
                "ProtectControlGroups=yes",
                "RestrictSUIDSGID=yes",
                "UMask=0077",
                *_login(plan, "kiosk"),
            ),
        ),
        ("Install", (f"WantedBy={plan.target}",)),
    )


def _users(plan: Plan) -> str:
    found = [MARK, f'u {USER} - "Betline table" /var/lib/betline']
    if plan.kiosk:
        found.append(f'u {KIOSK_USER} - "Betline console" /var/lib/betline-kiosk')
        found.append(f"m {KIOSK_USER} {USER}")  # the console reads the table file in /etc/betline
    return "\n".join(found) + "\n"


def _folders(plan: Plan) -> str:
    found = [MARK, f"d /etc/betline 0750 {USER} {USER} -", f"d /var/lib/betline 0700 {USER} {USER} -"]
    if plan.kiosk:
        found.append(f"d /var/lib/betline-kiosk 0700 {KIOSK_USER} {KIOSK_USER} -")
    return "\n".join(found) + "\n"


def _command(words: Iterable[str]) -> str:
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    """A word of a command as systemd reads it: no specifier, no variable, no second word in it."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{plain}"' if any(letter.isspace() or letter in "\"';\\" for letter in word) else plain


def _plain(text: str) -> str:
    """A table's title in one line, for people."""
    return " ".join(text.split()).replace("%", "%%").replace("\\", "/")


def _text(*sections: tuple[str, Iterable[str]]) -> str:
    parts = ["\n".join((f"[{name}]", *lines)) for name, lines in sections]
    return "\n\n".join((MARK, *parts)) + "\n"
