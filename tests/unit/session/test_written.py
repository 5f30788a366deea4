"""What the journal holds of a change to what sensing knows."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from table_controller.session.written import changed, merged

LEAVES = st.integers(0, 3) | st.lists(st.integers(0, 3), max_size=2) | st.text("ab", max_size=1)
PLAIN = st.dictionaries(
    st.sampled_from("abcd"), st.recursive(LEAVES, lambda inner: st.dictionaries(st.sampled_from("abcd"), inner))
)


@given(PLAIN, PLAIN)
def test_what_was_known_with_the_change_is_what_is_known(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert merged(old, changed(old, new)) == new


def test_a_muck_that_means_nothing_any_more_is_not_there_after_a_restart() -> None:
    before = {"cues": {"mucked": {"4": 0.9, "5": 0.8}}, "act_no": 3}
    after = {"cues": {"mucked": {"5": 0.8}}, "act_no": 4}

    change = changed(before, after)

    assert change == {"cues": {"mucked": {"4": None}}, "act_no": 4}
    assert merged(before, change) == after
