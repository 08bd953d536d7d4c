"""What the shell has to say aloud, beside the game: each notice stands as long as what it says is true."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware.core.game import Phase
from firmware.gestures.table import Table
from firmware.texts import Texts


@dataclass(slots=True)
class Notices:
    """The worries of the shell."""

    texts: Texts
    not_recorded: str | None = None
    """Why nothing is written, while that is so."""
    set_aside: str | None = None
    """The name under which a damaged journal is kept."""
    recovered_s: int | None = None
    """After a power cut: the seconds that may be missing, until the director has confirmed."""
    stuck: set[str] = field(default_factory=set)
    """Buttons that have been down since the start."""

    def said(self, table: Table) -> tuple[str, ...]:
        """Return the notices for the screen, gravest first."""
        notices: list[str] = []
        if self.recovered_s is not None:
            key = "notice.recovered_two" if table.setup.two_button else "notice.recovered"
            notices.append(self.texts.say(key, seconds=self.recovered_s))
        if self.not_recorded is not None:
            notices.append(self.texts.say("notice.not_recorded", why=self.not_recorded))
        # Until the first game is under way: nobody has to see it all evening.
        if self.set_aside is not None and table.record.game.phase in (Phase.READY, Phase.OVER):
            notices.append(self.texts.say("notice.set_aside", name=self.set_aside))
        notices += (self.texts.say("notice.stuck", button=button.upper()) for button in sorted(self.stuck))
        return tuple(notices)
