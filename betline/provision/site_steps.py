"""What is to be copied where after `betline provision site`, in steps that can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from betline.provision.site_acts import SITE, SiteOutcome
from betline.provision.steps import for_the_broker


def site_steps(outcome: SiteOutcome) -> list[str]:
    """One line a step; none where nothing has to be copied."""
    found: list[str] = []
    for name, broker in outcome.brokers.items():
        found += for_the_broker(broker, "the site broker's" if name == SITE else f"the broker's of {name}")
    tables = _folders(folder for folder in outcome.logins if folder.parent.name != SITE)
    own = [folder for folder in outcome.logins if folder.parent.name == SITE]
    if own:
        found.append("Copy each of these logins to the site's machine where its program runs (--login DIR):")
        found += [f"  {shlex.quote(str(folder))}" for folder in own]
    if tables:
        found.append("Copy each of these folders to its table's machines, and start the table's programs with it:")
        found += [f"  betline run --login {shlex.quote(str(folder))}" for folder in tables]
    if outcome.brokers or outcome.logins:
        found.append("Keep every folder ca off the brokers and the tables: who has one can make logins.")
    return found


def _folders(logins: Iterable[Path]) -> list[Path]:
    return list(dict.fromkeys(login.parent for login in logins))
