"""Whether two samples can be told apart: the Mann-Whitney rank test, two-sided, by its normal approximation with ties accounted for.

Mann and Whitney, "On a test of whether one of two random variables is stochastically larger than the other" (1947). For samples of thousands the approximation
is as good as exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist


def told_apart(one: Sequence[int], other: Sequence[int]) -> float:
    """Return p: how often chance alone would put two samples of the same kind as far apart as these."""
    counts, mine = Counter(one) + Counter(other), Counter(one)
    below, ranks = 0, 0.0
    for value in sorted(counts):
        ranks += mine[value] * (below + (counts[value] + 1) / 2)
        below += counts[value]
    first, second, both = len(one), len(other), len(one) + len(other)
    rank_sum = ranks - first * (both + 1) / 2
    ties = sum(count**3 - count for count in counts.values()) / (both * (both - 1))
    deviation = (first * second / 12 * (both + 1 - ties)) ** 0.5
    return 2 * (1 - NormalDist().cdf(abs(rank_sum) / deviation)) if deviation else 1.0
