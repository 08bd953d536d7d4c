"""Up to where the link has published the device's rows (docs/spec/wire.md, "Rows: arrival, gaps, catching up"). Pure."""

from __future__ import annotations

from typing import Any


class Cursor:
    """One position in one journal. It begins at the journal's end; the listener asks for what it lacks."""

    def __init__(self) -> None:
        self.epoch: str | None = None
        self.after = 0
        """The last row that has been published."""
        self._known = False
        self._asked: int | None = None

    @property
    def request(self) -> int | None:
        """The row after which rows have to be asked for now; None: a request is outstanding, or the end is not known yet."""
        return self.after if self._known and self._asked != self.after else None

    def asked(self) -> None:
        """Note that the request has been sent."""
        self._asked = self.after

    def stands_at(self, epoch: str | None, seq: int) -> None:
        """Take the end of the journal from a beat. Another epoch, or the first one known, puts the cursor there."""
        if not self._known or epoch != self.epoch:
            self.epoch, self.after, self._known, self._asked = epoch, seq, True, None

    def wanted(self, epoch: Any, after: Any) -> bool:
        """Take a listener's ``want``; return whether it changes anything."""
        if epoch != self.epoch or type(after) is not int or not 0 <= after < self.after:
            return False
        self.after = after
        return True

    def takes(self, batch: Any) -> bool:
        """Take a batch from the device; return whether it is the next one. Otherwise it is of a request before the last ``want``."""
        first, last = batch.get("first"), batch.get("last")
        # The first row makes the epoch.
        fits = batch.get("epoch") == self.epoch or (self.epoch is None and first == 1)
        if not fits or type(first) is not int or type(last) is not int or first != self.after + 1 or last < first:
            return False
        self.epoch, self.after, self._asked = batch["epoch"], last, None
        return True
