"""Errors are asserted by their kind and their fields. The sentence that the fields make has a test of its own: tests/appliance/test_errors.py."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn
from unittest.mock import patch

from click.testing import Result

from faults import endings
from faults.endings import fail, printable
from faults.errors import TileclockError


def with_fields(**wanted: str | re.Pattern[str]) -> Callable[[BaseException], bool]:
    """Return the ``check`` of ``pytest.raises`` for an error of ours, by its fields ``where``, ``expected``, ``found`` and ``remedy``: a text or a pattern in it."""

    def check(error: BaseException) -> bool:
        fields = {name: getattr(error, name) for name in wanted}
        wrong = {name: fields[name] for name, value in wanted.items() if not _fits(value, fields[name])}
        assert not wrong, "; ".join(f"{name} is {found!r}, not {wanted[name]!r}" for name, found in wrong.items())
        return True

    return check


_reported: list[Exception] = []
"""What a command line within this process reported last."""


@contextmanager
def recorded() -> Iterator[None]:
    """Record within the block what command lines report: click's runner gives exit code and output, but not the error."""
    with patch.object(endings, "fail", _recording_fail):
        yield


def _recording_fail(program: str, error: Exception) -> NoReturn:
    _reported[:] = [error]
    fail(program, error)


def refused(done: Result, **wanted: str | re.Pattern[str]) -> TileclockError:
    """Return the error of ours that ended a command line, with exit code 2; ``wanted`` as ``with_fields``. How it is written: tests/test_exit_codes.py."""
    assert done.exit_code == 2, done.output
    error = _reported[-1]
    assert isinstance(error, TileclockError)
    # It is the one of this result: its sentence stands there.
    assert done.stderr.endswith(f": {printable(str(error))}\n")
    assert with_fields(**wanted)(error)
    return error


def _fits(wanted: str | re.Pattern[str], found: str) -> bool:
    return found == wanted if isinstance(wanted, str) else wanted.search(found) is not None
