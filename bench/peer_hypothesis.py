# bench/peer_hypothesis.py: the check of peer_check.py with inputs that Hypothesis generates.
"""Usage: peer_hypothesis.py EXAMPLES REPETITIONS."""
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from peer_check import FACTORS, TYPES, imports_what_was_offered, measure


@st.composite
def layouts(draw):
    shape = draw(st.lists(st.integers(0, 4), max_size=5))
    return shape, [draw(st.sampled_from(FACTORS)) for _ in shape]


@given(st.sampled_from(TYPES), layouts(), st.integers(0, 8), st.booleans(), st.integers(0, 255))
def property_holds(dtype, layout, offset, read_only, seed):
    imports_what_was_offered(dtype, *layout, offset, read_only, seed)


def run(examples):
    settings(max_examples=examples, deadline=None, database=None, phases=[Phase.generate],
             suppress_health_check=list(HealthCheck))(property_holds)()


if __name__ == "__main__":
    measure(run)
