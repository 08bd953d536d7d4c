"""The listener's answers to beats: it sends two stamps, and knows them again when the device sends them back."""

from __future__ import annotations

from collections import deque

from hall.picture.offsets import MOST_EXCHANGES, Exchange
from wire.messages.proposals import TimeAnswer
from wire.messages.reports import DeviceBeat


class Answers:
    """The last answers to one device."""

    def __init__(self) -> None:
        self._sent: deque[TimeAnswer] = deque(maxlen=MOST_EXCHANGES)

    def answer(self, beat: DeviceBeat, received: int, now: int) -> TimeAnswer:
        """Return the answer to ``beat``; both instants in ns of the listener."""
        answer = TimeAnswer(boot=beat.boot, t1=beat.sent, t2=received, t3=now)
        self._sent.append(answer)
        return answer

    def exchange(self, beat: DeviceBeat) -> Exchange | None:
        """Return the exchange that ``beat`` completes. An echo counts once, and only of an answer that was sent to this boot."""
        echo = beat.echo
        if echo is None:
            return None
        answer = TimeAnswer(boot=beat.boot, t1=echo.t1, t2=echo.t2, t3=echo.t3)
        if answer not in self._sent:
            return None
        self._sent.remove(answer)
        return Exchange.of(echo)
