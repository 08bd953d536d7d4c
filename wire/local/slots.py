"""What a device publishes besides its rows: for each name only the latest value, so that nothing queues up."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from wire.local.packets import TO_LINK, encode

_ANSWER: Final = "ack/"
_MOST_ANSWERS: Final = 32
"""Answers that wait for the link; the oldest goes."""


@dataclass(frozen=True, slots=True)
class _Slot:
    version: int
    value: BaseModel | None


class Slots:
    """The latest values. Thread-safe; nothing blocks for longer than another thread's few instructions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._slots: dict[str, _Slot] = {}
        self._version = 0

    def put(self, name: str, value: BaseModel | None) -> None:
        """Replace the value of ``name``; None: nothing stands there any more."""
        with self._lock:
            self._version += 1
            self._slots[name] = _Slot(self._version, value)
            answers = [each for each in self._slots if each.startswith(_ANSWER)]
            if len(answers) > _MOST_ANSWERS:
                del self._slots[min(answers, key=lambda each: self._slots[each].version)]

    def packet_after(self, version: int) -> tuple[int, bytes] | None:
        """Return the oldest value newer than ``version``, with its own version, as a packet; None: there is none. An answer is given once."""
        with self._lock:
            newer = [(slot.version, name) for name, slot in self._slots.items() if slot.version > version]
            if not newer:
                return None
            found, name = min(newer)
            value = self._slots[name].value
            if name.startswith(_ANSWER):
                del self._slots[name]
        # Encoded outside the lock, since this is the long part.
        plain = None if value is None else value.model_dump(mode="json", by_alias=True)
        return found, encode({"t": "set", "name": name, "value": plain}, TO_LINK)
