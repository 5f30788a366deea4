"""What a part may do on its machine: systemd's sandbox, as tight as its work allows. Pure.

Programs of a user's own systemd cannot be given folders and devices of their own, so there only what works without
privileges is set.
"""

from __future__ import annotations

from typing import Final

from betline.services.plan import Plan

_ANYWHERE: Final = (
    "NoNewPrivileges=yes",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6",
    "SystemCallArchitectures=native",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@privileged @resources",
    "SystemCallErrorNumber=EPERM",
    "UMask=0077",
)
_SYSTEM: Final = (
    "CapabilityBoundingSet=",
    "AmbientCapabilities=",
    "ProtectSystem=strict",
    "ProtectHome=yes",
    "ProtectKernelTunables=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelLogs=yes",
    "ProtectControlGroups=yes",
    "ProtectClock=yes",
    "ProtectHostname=yes",
    "ProtectProc=invisible",
    "PrivateTmp=yes",
    "RemoveIPC=yes",
    "KeyringMode=private",
    "DevicePolicy=closed",
)
_NO_DEVICES: Final = ("PrivateDevices=yes", "PrivateUsers=yes", "ProcSubset=pid")
_LOCAL: Final = ("IPAddressDeny=any", "IPAddressAllow=localhost")
_DEVICES: Final = {
    "bridge": ("SupplementaryGroups=dialout", *(f"DeviceAllow=char-{kind} rw" for kind in ("ttyUSB", "ttyACM"))),
    "vision": ("SupplementaryGroups=video", "DeviceAllow=char-video4linux rw"),
    "voice": ("SupplementaryGroups=audio", "DeviceAllow=char-alsa rw"),
}
_UARTS: Final = ("ttyAMA", "ttyS")
"""Serial lines of the board itself, as the pins of a Pi: allowed only where the table file names one."""


def lines(plan: Plan, part: str) -> tuple[str, ...]:
    """The lines of a part's sandbox."""
    if plan.scope == "user":
        return _ANYWHERE
    devices = _DEVICES.get(part, _NO_DEVICES)
    if part == "bridge":
        ports = [reader.port for reader in plan.table.readers]
        uarts = [kind for kind in _UARTS if any(port.startswith(f"/dev/{kind}") for port in ports)]
        devices = (*devices, *(f"DeviceAllow=char-{kind} rw" for kind in uarts))
    local = _LOCAL if plan.stays_on_this_machine(part) else ()
    return (*_SYSTEM, *_ANYWHERE, *devices, *local)
