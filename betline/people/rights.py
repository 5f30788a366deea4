"""The table of rights with the commands that there are: which roles may ask for what. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from betline.settings import OTHER, SettingsError, StaffRules
from betline.settings.model import nearest
from betline.settings.staff import Role
from betline.steps import VERBS


def check_rights(rules: StaffRules, where: str) -> StaffRules:
    """The rules as they are; raises SettingsError for a right to what is no command."""
    for verb in rules.rights:
        if verb != OTHER and verb not in VERBS:
            raise SettingsError(f"{where}: rights.{verb} is no command; {nearest(verb, [*VERBS, OTHER])}")
    return rules


def table_of(rules: StaffRules) -> Iterator[tuple[str, tuple[Role, ...]]]:
    """Every command with the roles that may ask for it, by name."""
    for verb in sorted(VERBS):
        yield verb, rules.roles_for(verb)


def roles_in_words(roles: tuple[str, ...]) -> str:
    """The roles for a sentence: `the dealer or the floor`."""
    return " or ".join(f"the {role}" for role in roles) or "everybody"
