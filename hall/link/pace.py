"""What a link keeps count of: events in a time, beats with the stamps of the last exchange, rows (docs/spec/wire.md, "Time" and "Rows"). Pure."""

import random
from collections import deque
from collections.abc import Iterator
from typing import Any, Final

_S: Final = 1_000_000_000


class Bucket:
    """Lets at most ``most`` events through in any time of ``within`` ns, and these at once."""

    def __init__(self, most: int, within: int = _S) -> None:
        self._passed: deque[int] = deque(maxlen=most)
        self._within = within

    def allows(self, now: int) -> bool:
        """Let one event through at ``now`` (ns), or return False."""
        if self.free_at(now) > now:
            return False
        self._passed.append(now)
        return True

    def free_at(self, now: int) -> int:
        """Return the first instant from ``now`` on at which one more event may pass."""
        full = len(self._passed) == self._passed.maxlen
        return max(now, self._passed[0] + self._within) if full else now


FIRST_PAUSES_NS: Final = (_S // 4, _S // 2, _S, 2 * _S, 4 * _S)
"""The pauses after the first beats of a new connection, times a random 0.5 to 1: the listener has an exchange at once and good ones soon, and bears
a hall whose devices all connect together."""
BEAT_MIN_NS: Final = 8 * _S
BEAT_MAX_NS: Final = 10 * _S
_AWAY_NS: Final = 4 * _S
"""A listener that has not answered for so long, and then answers within ``_PROMPT_NS``, was away: one that is only behind must not get more beats."""
_PROMPT_NS: Final = _S


class Stamps:
    """The link's side of the time exchange. Instants in ns of CLOCK_MONOTONIC."""

    def __init__(self) -> None:
        self.echo: dict[str, int] | None = None
        """The last complete exchange; None: none yet."""
        self._sent: deque[int] = deque(maxlen=16)
        self._first_pauses: Iterator[int] = iter(())
        self.due = 0
        self._unanswered_since: int | None = None

    def connected(self, now: int) -> None:
        self.echo = None
        self._sent.clear()
        self._unanswered_since = None
        self._first_pauses, self.due = iter(FIRST_PAUSES_NS), now

    def asked(self, now: int) -> None:
        """Note that a beat has been asked for: the next is due later, at random, so that the devices of a hall do not beat together."""
        pause = next(self._first_pauses, None)
        least, most = (BEAT_MIN_NS, BEAT_MAX_NS) if pause is None else (pause // 2, pause)
        # For spreading only, not for secrets.
        self.due = now + random.randint(least, most)  # noqa: S311

    def sent(self, now: int) -> None:
        self._sent.append(now)
        if self._unanswered_since is None:
            self._unanswered_since = now

    def answered(self, message: Any, now: int) -> None:
        """Take the listener's answer at ``now`` (t4), if it answers one of the last beats."""
        try:
            t1, t2, t3 = message["t1"], message["t2"], message["t3"]
        except (KeyError, TypeError):
            return
        if t1 not in self._sent or not all(type(each) is int for each in (t1, t2, t3)):
            return
        self._sent.remove(t1)
        self.echo = {"t1": t1, "t2": t2, "t3": t3, "t4": now}
        since, self._unanswered_since = self._unanswered_since, None
        if since is not None and now - since > _AWAY_NS and now - t1 < _PROMPT_NS:
            # It knows no exchange yet, and would wait for the next beat.
            self._first_pauses, self.due = iter(FIRST_PAUSES_NS), min(self.due, now + FIRST_PAUSES_NS[0])


class Cursor:
    """One position in one journal. It begins at the journal's end; the listener asks for what it lacks."""

    def __init__(self) -> None:
        self.epoch: str | None = None
        self.after = 0
        self._known = False
        self._asked: int | None = None

    @property
    def request(self) -> int | None:
        """The row after which rows have to be asked for now; None: a request is outstanding, or the end is not known yet."""
        return self.after if self._known and self._asked != self.after else None

    def asked(self) -> None:
        self._asked = self.after

    def stands_at(self, epoch: str | None, seq: int) -> None:
        """Take the end of the journal from a beat. Another epoch, or the first one known, puts the cursor there."""
        if not self._known or epoch != self.epoch:
            self.epoch, self.after, self._known, self._asked = epoch, seq, True, None

    def wanted(self, epoch: Any, after: Any) -> None:
        """Take a listener's ``want``, which only ever sets the cursor back."""
        if epoch == self.epoch and type(after) is int and 0 <= after < self.after:
            self.after = after

    def takes(self, batch: Any) -> bool:
        """Take a batch from the device; return whether it is the next one. Otherwise it is of a request before the last ``want``."""
        first, last = batch.get("first"), batch.get("last")
        # The first row makes the epoch.
        fits = batch.get("epoch") == self.epoch or (self.epoch is None and first == 1)
        if not fits or type(first) is not int or type(last) is not int or first != self.after + 1 or last < first:
            return False
        self.epoch, self.after, self._asked = batch["epoch"], last, None
        return True
