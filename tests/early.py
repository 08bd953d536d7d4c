"""The order of a run with several workers: tests that wait for real time begin first, beside tests that compute.

A test that waits a minute hardly uses the processor. Begun last, it keeps the whole run; all of them at once leave the processors idle. The tests of a
mark stay with one worker, and so does what they share: a hall, a database, a browser.
"""

from collections.abc import Sequence
from itertools import chain

import pytest


def ordered(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests in parts of one size, one for each worker. Two thirds of the parts begin with tests that are marked ``waits(seconds)``.

    xdist's worksteal gives each worker such a part, and moves tests from the end of a part to a worker without any.
    """
    beginnings = _beginnings(items, workers)
    early = set(chain.from_iterable(beginnings))
    rest = [item for item in items if item not in early]
    found: list[pytest.Item] = []
    for number, beginning in enumerate(beginnings):
        size = (len(items) - len(found)) // (workers - number) - len(beginning)
        found += [*beginning, *rest[:size]]
        rest = rest[size:]
    return found


def _beginnings(items: Sequence[pytest.Item], workers: int) -> list[list[pytest.Item]]:
    """Return the tests that wait, by worker, so that none waits much longer than another. The tests of one module's mark stay together."""
    marked: dict[object, list[pytest.Item]] = {}
    seconds: dict[object, int] = {}
    for item in items:
        for node, mark in item.iter_markers_with_node("waits"):
            marked.setdefault(node, []).append(item)
            seconds[node] = mark.args[0]
    found: list[list[pytest.Item]] = [[] for _ in range(workers)]
    waited = [0] * max(1, 2 * workers // 3)
    for place in sorted(marked, key=seconds.__getitem__, reverse=True):
        worker = waited.index(min(waited))
        found[worker] += marked[place]
        waited[worker] += seconds[place]
    return found
