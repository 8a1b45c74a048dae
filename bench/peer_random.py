# bench/peer_random.py: the check of peer_check.py with inputs from Python's own `random`: no shrinking, no database.
"""Usage: peer_random.py EXAMPLES REPETITIONS."""
import random

from peer_check import FACTORS, TYPES, imports_what_was_offered, measure


def run(examples):
    draw = random.Random(1)
    for _ in range(examples):
        shape = [draw.randrange(5) for _ in range(draw.randrange(6))]
        imports_what_was_offered(draw.choice(TYPES), shape, [draw.choice(FACTORS) for _ in shape], draw.randrange(9),
                                 draw.random() < 0.5, draw.randrange(256))


if __name__ == "__main__":
    measure(run)
