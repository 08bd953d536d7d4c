"""The shell's notices on the screen, besides the game. Each lasts as long as it is true."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct, field

from appliance.clocks import wall_time, zone_is_set
from appliance.errors import Diagnosis
from appliance.power import Battery
from appliance.settings import RejectedSettings
from faults.errors import Phrase, as_phrase
from firmware.gestures.clock_state import ClockState
from firmware.texts import Texts
from game.game import Phase
from game.table import between_games
from rules.duration import NS
from rules.side import Side
from rules.wear import Worn

MINUTE: Final = timedelta(minutes=1)
HOUR: Final = timedelta(hours=1)
MANY_MINUTES: Final = 100
"""From so many minutes on, hours are shown."""


class Interruption(Struct, frozen=True):
    """An interrupted game is on the table, until the director has confirmed its times."""

    kind: str
    """Of its notice, by what ended: the power, the program or the clock in order."""
    missing_ns: int
    """The time of the running clock that may be missing."""
    until: datetime | None
    """The wall time up to which the game is recorded; None: unreadable, or the machine's date was not set."""


class Notices(Struct):
    no_buttons: Diagnosis | None = None
    not_recorded: Diagnosis | None = None
    late_since: int | None = None
    """Since when (ns) a mark is later than the previous one promised: a power cut would lose more time than the clock would then report."""
    interrupted: bool = False
    set_aside: str | None = None
    unusable: str = ""
    interruption: Interruption | None = None
    wall: Callable[[], str] = wall_time
    lost: Phrase | None = None
    leaving_until: int | None = None
    """Until when (ns) another request to quit ends the game in progress; None: there was none."""
    switching_off: bool = False
    stays_on: Diagnosis | None = None
    stuck: set[str] = field(default_factory=set)
    """Buttons that have been down since the start, or longer than any press lasts."""
    displays: dict[Side, str] = field(default_factory=dict)
    """The LED displays that show nothing, and the port where each is expected."""
    plugged_in: str = ""
    settings: RejectedSettings | None = None
    power_low: bool = False
    battery: Battery | None = None
    power_was_low: bool = False
    """The voltage was too low, until the director has seen it."""

    worn: tuple[Worn, ...] = ()
    """The buttons that are to be replaced before they lose a press: for the director, between games."""

    def acknowledge(self) -> None:
        self.settings = None
        self.power_was_low = False

    def desk_file_written(self) -> None:
        """What the desk ordered before is lost, but the file that said so is written anew."""
        if self.settings is not None and self.settings.own_file:
            self.settings = None

    def writing(self, trouble: Diagnosis | None) -> None:
        self.interrupted |= self.not_recorded is not None and trouble is None
        self.not_recorded = trouble

    def lines(self, state: ClockState) -> tuple[str, ...]:
        """Return the notices for the screen, gravest first."""
        told = (state.setup.texts.say(key, **values) for holds, key, values in self._notices(state) if holds)
        return (*told, *self._of_buttons(state))

    def _notices(self, state: ClockState) -> tuple[tuple[object, str, dict[str, object]], ...]:
        """Return the notices but for those of the buttons, gravest first: whether each holds, its key and its values."""
        texts, phase = state.setup.texts, state.history.game.phase
        battery, ended, kept, late = self.battery, self.interruption, self.settings, self.late_since is not None
        # Players need not see a long sentence while time runs, and what became of the journal only until the first game is under way.
        stands, between = phase not in (Phase.RUNNING, Phase.HOLD), phase in (Phase.READY, Phase.OVER)
        until, missing_ns = ("", 0) if ended is None else (self._until(ended.until, texts), ended.missing_ns)
        # One notice for both displays, so that none hides behind a count of further notices.
        sides = {side: texts.say(f"side.{side}") for side in Side if side in self.displays}
        missing = ", ".join(texts.say("notice.display", side=named, port=self.displays[side]) for side, named in sides.items())
        return (
            (self.leaving_until is not None, "notice.leaving", {}),
            (self.switching_off, "notice.switching_off", {}),
            (self.stays_on, "notice.stays_on", {"why": self.stays_on and self.stays_on.sentences}),
            # When no clock runs, the middle of the face shows it with the whole reason.
            (self.no_buttons and not stands, "notice.no_buttons", {}),
            (
                ended,
                f"notice.{ended and ended.kind}{'_two' if state.setup.two_button else ''}",
                {"until": until, "seconds": -(-missing_ns // NS)},
            ),
            (self.not_recorded, "notice.not_recorded", {"why": self.not_recorded and self.not_recorded.sentences}),
            (late and not self.not_recorded, "notice.late", {}),
            # The failure may have been brief, so every stop shows it to the director.
            (self.interrupted and phase is not Phase.RUNNING and not (self.not_recorded or late), "notice.interrupted", {}),
            (self.power_low, "notice.power", {}),
            (battery and battery.low, "notice.battery_low", {"percent": battery and battery.percent}),
            (stands and battery and battery.discharging and not battery.low, "notice.battery", {"percent": battery and battery.percent}),
            (stands and self.power_was_low and not self.power_low, "notice.power_was", {}),
            (
                stands and kept,
                "notice.settings_kept" if kept and kept.last_good else "notice.settings_none",
                {"why": kept and kept.why.sentences},
            ),
            (stands and missing, "notice.displays", {"missing": missing, "found": self.plugged_in}),
            (between and self.lost, "notice.lost", {"why": self.lost}),
            (between and self.set_aside, "notice.set_aside", {"name": self.set_aside, "why": as_phrase(self.unusable)}),
        )

    def _of_buttons(self, state: ClockState) -> Iterator[str]:
        texts = state.setup.texts
        for button in sorted(self.stuck):
            # With a stuck button, a two-button board has no chord: the notice explains how to stop the clock instead.
            key = "notice.stuck_two" if state.setup.two_button and len(self.stuck) == 1 else "notice.stuck"
            yield texts.say(key, button=texts.say(f"button.{button}"))
        if state.menu is not None and between_games(state.history.game):
            for worn in self.worn:
                button = texts.say(f"button.{worn.button}")
                yield texts.say(f"notice.worn_{worn.sign}", button=button, before=worn.before, now=worn.now)

    def _until(self, until: datetime | None, texts: Texts) -> str:
        """Return the time of the last record as the clock on the wall shows it, or how long ago it was where no zone is set."""
        if until is None:
            return texts.say("notice.no_time")
        if zone_is_set():
            return f"{until.astimezone():%H:%M:%S}"
        passed = datetime.fromisoformat(self.wall()) - until
        if passed < timedelta():
            # The date has been set back, or is not set yet.
            return texts.say("notice.no_time")
        minutes = max(1, round(passed / MINUTE))
        return texts.say("notice.ago", time=f"{minutes}\u00a0min" if minutes < MANY_MINUTES else f"{round(passed / HOUR)}\u00a0h")

    def next_due(self, now: int) -> int | None:
        counts = self.interruption is not None and self.interruption.until is not None and not zone_is_set()
        return now + 60 * NS if counts else None
