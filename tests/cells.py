"""The cells of a table, checked in one test: all of them, each by name. A case of its own for each cell would cost more than the check.

``subtests`` of pytest does the same, but reports each cell by itself: with workers, that takes as long as a case.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, TypeVar

import pytest

T = TypeVar("T")
_MAX_SHOWN: Final = 200
"""Characters of a cell's name, and of the reason why it failed."""


def each_cell(table: Iterable[T], name: Callable[[T], object] = lambda cell: cell) -> Iterator[AbstractContextManager[T]]:
    """Yield a context for each cell; after the last one, fail with the names of those whose context raised.

    ``for cell in each_cell(product(EVENTS, SITUATIONS)):``, then ``with cell as (event, situation):``. A table without cells fails, since it shows
    nothing; ``name`` returns what the message calls a cell. The cause of the AssertionError is the first failure, with its traceback.
    """
    failures: list[tuple[object, BaseException]] = []
    count = 0
    for value in table:
        count += 1
        yield _cell(value, name, failures)
    assert count, "the table has no cells"
    if failures:
        lines = [f"{str(each)[:_MAX_SHOWN]}: {_reason(error)}" for each, error in failures]
        # A lone surrogate would end the run: workers report in UTF-8.
        message = "\n".join([f"{len(failures)} of {count} cells fail:", *lines]).encode("utf-8", "backslashreplace").decode("utf-8")
        raise AssertionError(message) from failures[0][1]


@contextmanager
def _cell(value: T, name: Callable[[T], object], failures: list[tuple[object, BaseException]]) -> Iterator[T]:
    try:
        yield value
    except (Exception, pytest.fail.Exception) as failed:  # noqa: BLE001 - whatever a cell raises, the others are checked too
        failures.append((name(value), failed))


def _reason(error: BaseException) -> str:
    said = " ".join(str(error).split())[:_MAX_SHOWN]
    return said if isinstance(error, AssertionError) else f"{type(error).__name__}: {said}"
