"""What overtime costs: by the begun or the completed period, in bands, up to a cap, and with or without the free reading -0:00."""

from hypothesis import given
from hypothesis import strategies as st

from rules.rulebooks import OvertimeBand, OvertimeRule
from tests.cells import each_cell

S = 1_000_000_000
TEN_A_MINUTE = (OvertimeBand(0, 10, 60),)
BANDS = (OvertimeBand(0, 5, 60), OvertimeBand(120, 10, 30))


def rule(
    bands: tuple[OvertimeBand, ...] = TEN_A_MINUTE,
    *,
    counts_completed: bool = False,
    cap: int | None = None,
    zero_reading_free: bool = True,
) -> OvertimeRule:
    return OvertimeRule(bands, counts_completed=counts_completed, cap=cap, zero_reading_free=zero_reading_free)


# the rule, the remaining ns, the points
COSTS = [
    (rule(), 1, 0),
    (rule(), 0, 0),
    (rule(), -1, 0),  # -0:00
    (rule(), -S + 1, 0),
    (rule(), -S, 10),  # -0:01 (2017 V.G.2)
    (rule(), -61 * S + 1, 10),  # -1:00
    (rule(), -61 * S, 20),  # -1:01
    (rule(zero_reading_free=False), 0, 0),
    (rule(zero_reading_free=False), -1, 10),  # -0:00
    (rule(zero_reading_free=False), -60 * S + 1, 10),  # -0:59, the sixtieth second
    (rule(zero_reading_free=False), -60 * S, 20),  # -1:00, the sixty-first
    (rule(counts_completed=True), -60 * S + 1, 0),
    (rule(counts_completed=True), -60 * S, 10),
    (rule(counts_completed=True), -119 * S, 10),
    (rule(counts_completed=True), -120 * S, 20),
    (rule(counts_completed=True, zero_reading_free=False), -60 * S + 1, 0),
    (rule(counts_completed=True, zero_reading_free=False), -60 * S, 10),
    (rule(BANDS), -S, 5),
    (rule(BANDS), -120 * S, 10),
    (rule(BANDS), -121 * S, 20),
    (rule(BANDS), -151 * S, 30),
    (rule(BANDS, counts_completed=True), -149 * S, 10),
    (rule(BANDS, counts_completed=True), -150 * S, 20),
    (rule(cap=15), -S, 10),
    (rule(cap=15), -61 * S, 15),
    (rule(cap=0), -600 * S, 0),
]


def test_overtime_costs_what_the_rule_says() -> None:
    for cell in each_cell(COSTS):
        with cell as (overtime, remaining, points):
            assert overtime.penalty(remaining) == points


@given(
    st.builds(
        rule,
        st.sampled_from([TEN_A_MINUTE, BANDS]),
        counts_completed=st.booleans(),
        cap=st.none() | st.integers(0, 100),
        zero_reading_free=st.booleans(),
    ),
    st.integers(-(10**12), 10**12),
    st.integers(0, 10**11),
)
def test_less_time_never_costs_less(overtime: OvertimeRule, remaining: int, fewer: int) -> None:
    assert overtime.penalty(remaining - fewer) >= overtime.penalty(remaining) >= 0
