"""What a device publishes besides its rows: for each name only the latest value, so that nothing queues up."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from pydantic import BaseModel

from wire.local.packets import TO_LINK, encode

Published: TypeAlias = BaseModel | Callable[[], BaseModel] | None
"""A message, or what makes it when it is sent, in the server's thread; None: nothing stands there any more."""
_ANSWER: Final = "ack/"
_MOST_ANSWERS: Final = 32
"""Answers that wait for the link; the oldest goes."""


@dataclass(frozen=True, slots=True)
class _Slot:
    version: int
    value: Published


class Slots:
    """The latest values. Thread-safe; nothing blocks for longer than another thread's few instructions."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._slots: dict[str, _Slot] = {}
        self._version = 0

    def put(self, name: str, value: Published) -> None:
        """Replace the value of ``name``."""
        with self._lock:
            self._version += 1
            self._slots[name] = _Slot(self._version, value)
            answers = [each for each in self._slots if each.startswith(_ANSWER)]
            if len(answers) > _MOST_ANSWERS:
                del self._slots[min(answers, key=lambda each: self._slots[each].version)]

    def renew(self, *names: str) -> None:
        """Publish these again, where there is anything: something that they are made from has changed."""
        for name in names:
            with self._lock:
                slot = self._slots.get(name)
            if slot is not None:
                self.put(name, slot.value)

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
        # Made and encoded outside the lock, since this is the long part.
        message = value() if callable(value) else value
        plain = None if message is None else message.model_dump(mode="json", by_alias=True)
        return found, encode({"t": "set", "name": name, "value": plain}, TO_LINK)
