"""Errors are asserted by their kind and their fields. The sentence that the fields make has a test of its own: tests/appliance/test_errors.py."""

from __future__ import annotations

import re
from collections.abc import Callable


def with_fields(**wanted: str | re.Pattern[str]) -> Callable[[BaseException], bool]:
    """Return the ``check`` of ``pytest.raises`` for an error of ours, by its fields ``where``, ``expected``, ``found`` and ``remedy``.

    Args:
        wanted: what each field must be, or a pattern that must be found in it. Fields that are not named may be anything.
    """

    def check(error: BaseException) -> bool:
        fields = {name: getattr(error, name) for name in wanted}
        wrong = {name: fields[name] for name, value in wanted.items() if not _fits(value, fields[name])}
        assert not wrong, "; ".join(f"{name} is {found!r}, not {wanted[name]!r}" for name, found in wrong.items())
        return True

    return check


def _fits(wanted: str | re.Pattern[str], found: str) -> bool:
    return found == wanted if isinstance(wanted, str) else wanted.search(found) is not None
