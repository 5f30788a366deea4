"""No order of evidence makes money: what the acts tell is what was pushed, each chip once."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.nightly import examples
from tests.unit.sensing.felt import Felt

pushes = st.lists(
    st.tuples(
        st.lists(st.sampled_from([1, 5, 25, 100, 500]), min_size=1, max_size=5),
        st.integers(0, 1500),
        st.integers(60, 900),
        st.integers(0, 200),
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=examples(60), deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(pushes=pushes, seed=st.integers(0, 10**6), camera=st.booleans(), dies_ms=st.integers(0, 4000))
def test_the_union_of_the_acts_is_the_chips_that_were_moved(
    pushes: list[tuple[list[int], int, int, int]], seed: int, camera: bool, dies_ms: int
) -> None:
    felt = Felt(seed, seats=(1, 2, 3, 4), camera=camera)
    felt.run(2500)
    felt.begin()
    felt.run(200)
    truth = {}
    for seat, (values, after_ms, leave_ms, spread_ms) in enumerate(pushes, start=1):
        chips = felt.push(seat, values, after_ms=after_ms, leave_ms=leave_ms, spread_ms=spread_ms)
        truth[seat] = {chip.uid: chip.value for chip in chips}
    felt.run(dies_ms)
    felt.sensing = type(felt.sensing).initial(felt.sensing.setup).restored(felt.sensing.durable())
    felt.tell()
    felt.run(9000)

    amended = {act.amends for act in felt.acts}
    told = [act for act in felt.acts if act.act_no not in amended]
    assert {act.seat: dict(zip(act.uids, act.pushed, strict=True)) for act in told} == truth
    assert [act.seat for act in told] == sorted(truth)
    assert all(act.in_turn for act in told)
