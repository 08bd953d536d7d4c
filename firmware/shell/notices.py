"""What the shell has to say aloud, beside the game: each notice stands as long as what it says is true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from appliance.errors import Diagnosis
from appliance.settings.layers import Refused
from firmware.core.game import Phase
from firmware.gestures.clock_state import ClockState
from firmware.texts import Texts
from rules.side import Side


@dataclass(slots=True)
class Notices:
    """The worries of the shell."""

    texts: Texts
    no_buttons: Diagnosis | None = None
    """Why the pins cannot be had, while that is so."""
    not_recorded: Diagnosis | None = None
    """Why nothing is written, while that is so."""
    late: bool = False
    """A mark is later than the one before it promised: more time than the clock would say is on no disk."""
    interrupted: bool = False
    """Something could not be written for a time, and has been since."""
    set_aside: str | None = None
    """The name under which a damaged journal is kept."""
    recovered_s: int | None = None
    """After an interruption: the seconds that may be missing if the journal was being written, until the director has confirmed."""
    recovered_until: str | None = None
    """After an interruption: the time of day (UTC, HH:MM:SS) up to which the game is recorded; None: it cannot be read."""
    switched_off: bool = False
    """It was no power cut: the clock was switched off in order."""
    restarted: bool = False
    """It was no power cut: the program alone was started again."""
    stood: bool = False
    """At the interruption all clocks stood: not seconds may be missing, but a press."""
    lost: str | None = None
    """Why the last game in the journal could not be brought back."""
    leaving: bool = False
    """Somebody has asked once to leave while a clock runs."""
    switching_off: bool = False
    """The machine is being switched off, as the director asked."""
    stays_on: Diagnosis | None = None
    """Why it could not be."""
    stuck: set[str] = field(default_factory=set)
    """Buttons that have been down since the start, or longer than anybody holds one."""
    displays: dict[Side, str] = field(default_factory=dict)
    """The LED displays that show nothing, and where each is looked for."""
    plugged_in: str = ""
    """Which serial devices there were when it was looked last."""
    settings: Refused | None = None
    """Why the machine's files are not in force, until the director has seen it."""
    power_low: bool = False
    """The voltage is too low."""
    power_was_low: bool = False
    """It was, until the director has seen it."""

    def seen(self) -> None:
        """Take in that the director has been at the menu, and has seen what stood on the screen."""
        self.settings = None
        self.power_was_low = False

    def said(self, table: ClockState) -> tuple[str, ...]:
        """Return the notices for the screen, gravest first."""
        runs = table.record.game.phase in (Phase.RUNNING, Phase.HOLD)
        # Else it stands in the middle of the face, with the whole reason.
        notices = [self.texts.say("notice.no_buttons")] if runs and self.no_buttons is not None else []
        if self.recovered_s is not None:
            key = f"notice.{self._interruption()}{'_two' if table.setup.two_button else ''}"
            notices.append(self.texts.say(key, until=self._until(), seconds=self.recovered_s))
        notices += self._of_the_disk(table)
        notices += self._of_the_machine(table)
        # Until the first game is under way: nobody has to see it all evening.
        if table.record.game.phase in (Phase.READY, Phase.OVER):
            if self.lost is not None:
                notices.append(self.texts.say("notice.lost", why=self.lost))
            if self.set_aside is not None:
                notices.append(self.texts.say("notice.set_aside", name=self.set_aside))
        notices += self._of_buttons(table)
        if self.stays_on is not None:
            notices.insert(0, self.texts.say("notice.stays_on", why=self.stays_on))
        if self.switching_off:
            notices.insert(0, self.texts.say("notice.switching_off"))
        if self.leaving:
            notices.insert(0, self.texts.say("notice.leaving"))
        return tuple(notices)

    def _interruption(self) -> str:
        if self.switched_off:
            return "switched_off"
        if self.restarted and not self.recovered_s:
            return "restarted_whole"
        if self.restarted:
            return "restarted_stood" if self.stood else "restarted_recovered"
        return "stood" if self.stood else "recovered"

    def _of_buttons(self, table: ClockState) -> Iterator[str]:
        for button in sorted(self.stuck):
            # On two buttons nobody can press both any more: what stops the clock then has to be told.
            key = "notice.stuck_two" if table.setup.two_button and len(self.stuck) == 1 else "notice.stuck"
            yield self.texts.say(key, button=button.upper(), other="RIGHT" if button == "left" else "LEFT")

    def _until(self) -> str:
        return self.texts.say("notice.no_time") if self.recovered_until is None else f"{self.recovered_until} UTC"

    def _of_the_disk(self, table: ClockState) -> Iterator[str]:
        if self.not_recorded is not None:
            yield self.texts.say("notice.not_recorded", why=self.not_recorded)
        elif self.late:
            yield self.texts.say("notice.late")
        elif self.interrupted and table.record.game.phase is not Phase.RUNNING:
            # It may have lasted for a moment only: said at every stop, so that the director comes to know of it.
            yield self.texts.say("notice.interrupted")

    def _of_the_machine(self, table: ClockState) -> Iterator[str]:
        if self.power_low:
            yield self.texts.say("notice.power")
        # A long sentence, which no player has to see while time runs.
        if table.record.game.phase in (Phase.RUNNING, Phase.HOLD):
            return
        if self.power_was_low and not self.power_low:
            yield self.texts.say("notice.power_was")
        if self.settings is not None:
            yield self.texts.say("notice.settings_kept" if self.settings.last_good else "notice.settings_none", why=self.settings.why)
        if self.displays:
            # One notice for both, so that neither is only counted.
            missing = (
                self.texts.say("notice.display", side=self.texts.say(f"side.{side}"), port=self.displays[side])
                for side in Side
                if side in self.displays
            )
            yield self.texts.say("notice.displays", missing=", ".join(missing), found=self.plugged_in)
