"""The blueprints for Home Assistant: when each begins, by the rules of a state trigger.

https://www.home-assistant.io/docs/automation/trigger/#state-trigger; `python -m tests.home_assistant` asks the program.
"""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.home_assistant import BLUEPRINTS, SAID


class Loader(yaml.SafeLoader):
    """Knows the tag of an input."""


Loader.add_constructor("!input", lambda loader, node: f"input {loader.construct_scalar(node)}")


def trigger(name: str) -> dict[str, Any]:
    """The one trigger of a blueprint."""
    [found] = yaml.load((BLUEPRINTS / f"{name}.yaml").read_text(), Loader)["triggers"]
    assert found["trigger"] == "state"
    return dict(found)


def begins(rule: dict[str, Any], before: str, after: str) -> bool:
    """Whether a state that changes begins the automation."""

    def named(key: str, state: str) -> bool:
        said = rule.get(key) or []
        return state in ([said] if isinstance(said, str) else said)

    return before != after and not named("not_from", before) and not named("not_to", after)


@pytest.mark.parametrize(("before", "after", "is_said"), SAID)
def test_an_announcement_is_said_when_it_is_new_and_not_when_the_table_is_back(
    before: str, after: str, is_said: bool
) -> None:
    assert begins(trigger("say_the_announcement"), before, after) == is_said


def test_an_alert_is_not_sent_again_when_the_table_is_back() -> None:
    rule = trigger("notify_on_an_alert")
    assert not begins(rule, "unavailable", "2026-11-28T01:00:00.000+00:00")
    assert begins(rule, "2026-11-28T01:00:00.000+00:00", "2026-11-28T01:00:09.000+00:00")
