"""What came of a guided test of a device: a note in its journal, which the desk reads. Its failures are in English; ``what`` is also a key."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from appliance.texts import Texts
from faults.errors import Phrase, in_a_row
from faults.validation import prepare

DEVICE_TEST: Final = "device_test"
"""The key of the note's body."""


TEST_LEFT: Final = {DEVICE_TEST: "left"}
"""The body of the note that a test was left before its result."""


class Failure(Struct, frozen=True):
    what: str
    found: str
    fix: str


class Presses(Struct, frozen=True):
    down_ms: tuple[int, ...] = ()
    bounces: int = 0
    touches: int = 0
    """Closings too short to be a press."""


class DeviceTest(Struct, frozen=True):
    checks: int
    failed: tuple[Failure, ...] = ()
    buttons: Mapping[str, Presses] = field(default_factory=dict)

    @property
    def body(self) -> dict[str, Any]:
        return {DEVICE_TEST: msgspec.to_builtins(self)}

    @property
    def words(self) -> Phrase:
        passed = Phrase("{passed} of {count} passed", passed=self.checks - len(self.failed), count=self.checks)
        return in_a_row(passed, *(f"{each.what}: {each.found}" for each in self.failed), between="; ")


prepare(DeviceTest)

_REMEDIES: Final = {
    **dict.fromkeys(("red", "green", "blue", "white", "black", "edges"), "panel"),
    **{each: each for each in ("both", "digits", "sound", "lamps", "power", "battery", "network")},
    **dict.fromkeys(("journal folder", "journal", "commits", "disk space"), "card"),
}
"""The key of the text that says what to do, by what has failed on a clock. All else: ``machine``."""


def clock_remedy(failure: Failure, texts: Texts) -> str:
    """Return what to do about a clock's failure, by the clock's ``texts``. A device of a hall may send anything as its failure."""
    button = f"button.{failure.what.removesuffix(' button')}"
    if failure.what.endswith(" button") and button in texts.by_key:
        return texts.say("test.do.button", button=texts.say(button))
    return texts.say(f"test.do.{_REMEDIES.get(failure.what, 'machine')}")


def tested_in(body: Mapping[str, Any]) -> DeviceTest | None:
    """Return the test that a note tells of; None: it tells of none, or not in this form."""
    try:
        return msgspec.convert(body.get(DEVICE_TEST), DeviceTest)
    except msgspec.ValidationError:
        return None
