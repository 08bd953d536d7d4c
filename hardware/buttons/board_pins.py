"""The open pins of a board: edges in, lamps and buzzer out.

Every change of a button's pin becomes an ``Edge`` and goes into the sink, in the pin library's thread. Nothing is filtered here: what an edge means (press, bounce,
half of a chord) is decided by the gestures, from the instants alone. After a flood may have lost edges, each line is read again once it is quiet.

Lamps are beside each player's button of a clock; in the adjudication button and for each verdict at a station. The buzzer is optional on the board, and off by
default in the settings: it marks moments (a window's end, an opened menu); sound is never the only signal. Setting what the board lacks does nothing, so callers
need not check.
"""

import contextlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from math import log2
from typing import Any, Final, Self, TypeAlias

from msgspec import Struct

from appliance.errors import PinUnavailable
from appliance.log import get_logger
from faults.errors import Phrase, TileclockError, reason
from hardware.boards.board import MAKES, Board, PinSpec
from hardware.boards.parts import parts
from hardware.pins.contract import PinFactory


class Edge(Struct, frozen=True):
    button: str
    """The button's name on its board: left, right, centre, up, down, ok, key; adjudicate at a station."""
    down: bool
    at: int
    """The instant, in ns of CLOCK_MONOTONIC."""
    stamped: bool
    """True: the instant is that of the edge itself. False: Python took it later."""


Sink = Callable[[Edge], None]
"""Queues an edge, in the pin library's thread, and returns. It must not raise: that would end the library's only thread and with it every button."""


SETTLE_NS: Final = 100_000_000
"""How long to wait for a late edge before trusting a differing level, in ns."""
STALLED_NS: Final = 2_000_000_000
"""A library with unread edges that delivers none for so long (ns) has stalled: trust the levels."""


class _Contact:
    """One button's contact to ground; low is down."""

    def __init__(self, button: str, *, stamped: bool, down: bool, sink: Sink) -> None:
        self._button = button
        self._stamped = stamped
        self._sink = sink
        self._down = down
        self.edges_seen = 0
        self._doubted_since: int | None = None
        self._reported_at: int | None = None
        """The instant of an edge that was inferred from the level."""
        self.lost = 0
        """Edges that must have been lost: two consecutive edges had the same direction, or the level differs from the last edge."""

    def changed(self, at: int, state: int) -> None:
        down = not state
        if self._reported_at is not None and at < self._reported_at:
            # The edge was late, not lost: the library's thread did not run, and ``check_level`` inferred the edge too early.
            self.lost -= 1
            self._reported_at = None
        else:
            # Python reads the level late, and may read the same level twice inside a bounce.
            self.lost += self._stamped and down is self._down
        self.edges_seen += 1
        self._emit(Edge(self._button, down=down, at=at, stamped=self._stamped))

    def clear_doubt(self) -> None:
        """Reset the doubt: edges are arriving and may explain the level."""
        self._doubted_since = None

    def check_level(self, *, down: bool, now: int) -> bool:
        if down is self._down:
            self._doubted_since = None
            return True
        if self._doubted_since is None:
            self._doubted_since = now
        if now - self._doubted_since < SETTLE_NS:
            return False
        self.lost += 1
        self._reported_at = self._doubted_since
        # The line had this level then, whatever arrives late. A late edge has its own, earlier instant.
        self._emit(Edge(self._button, down=down, at=self._doubted_since, stamped=False))
        return True

    def _emit(self, edge: Edge) -> None:
        self._down = edge.down
        self._sink(edge)


class ButtonPins:
    """The open pins of a board's buttons; edges arrive until ``close`` or until this object is garbage. The caller closes ``factory``.

    ``sink`` takes every edge, in the pin library's thread; it must only enqueue and not raise. Raises PinUnavailable: those opened are released.
    """

    def __init__(self, board: Board, factory: PinFactory, sink: Sink) -> None:
        self._factory = factory
        self._pins: dict[str, Any] = {}
        # gpiozero only holds a weak reference to the handler: without this one the contact would be collected and its button silently dead.
        self._contacts: dict[str, _Contact] = {}
        self._edges_at_last_read = 0
        self._rereads, self._reported = True, 0
        self._quiet_since: int | None = None
        """The ``reread`` (ns) since which no edge has arrived."""
        try:
            for button, spec in board.buttons.items():
                self._open(button, spec, factory, sink)
        except factory.failures as why:
            ButtonPins.close(self)
            raise PinUnavailable(
                where=f"board {board.id}",
                expected=Phrase("{pin} for {user}", pin=spec, user=f"buttons.{button}"),
                found=reason(why),
                remedy=Phrase("{freed}, or give the button another", freed=spec.freed_by),
            ) from why

    def _open(self, button: str, spec: PinSpec, factory: PinFactory, sink: Sink) -> None:
        pin = factory.pin(spec.name)
        pin.input_with_pull("up")
        pin.edges = "both"
        pin.bounce = None
        contact = _Contact(button, stamped=factory.stamps == "kernel", down=not pin.state, sink=sink)
        pin.when_changed = contact.changed
        self._contacts[button] = contact
        self._pins[button] = pin

    def down(self) -> frozenset[str]:
        """Return the buttons that are down now: at the start, stuck or held ones, or a key switch that is on."""
        return frozenset(button for button, pin in self._pins.items() if not pin.state)

    @property
    def lost(self) -> int:
        """The number of edges known to be lost, by the library's count or ours: a lower bound."""
        return max(self._factory.lost, sum(contact.lost for contact in self._contacts.values()))

    @property
    def behind(self) -> bool:
        """Whether edges are known to be unread; False also where the library has failed, which ``reread`` reports."""
        try:
            return self._factory.behind
        except self._factory.failures:
            return False

    def reread(self, now: int) -> int | None:
        """Compare every line's level with its last edge at ``now`` (ns); a lasting difference becomes an edge without the kernel's stamp.

        Return the instant (ns) at which to compare again, or None if all levels agree. Raises PinUnavailable: the library failed.
        """
        try:
            down = {button: not pin.state for button, pin in self._pins.items()}
            # Query this after the levels: earlier edges are then delivered or still unread.
            behind = self._factory.behind
        except self._factory.failures as why:
            raise PinUnavailable(
                expected="to read the buttons' pins", found=reason(why), remedy="Check the board and restart the clock"
            ) from why
        if self._edges_arriving(now, behind=behind):
            for contact in self._contacts.values():
                contact.clear_doubt()
            return now + SETTLE_NS
        settled = [contact.check_level(down=down[button], now=now) for button, contact in self._contacts.items()]
        return None if all(settled) else now + SETTLE_NS

    def look_again(
        self, now: int, failed: Callable[[TileclockError], object], lost: Callable[[int], object] = lambda _: None
    ) -> int | None:
        """Reread the lines at ``now`` (ns) once they are quiet, until that fails; return when to do so again, or None.

        ``failed`` is called once, with the reason; ``lost`` with the number of lost edges, whenever their lines have been read again.
        """
        if not self._rereads:
            return None
        try:
            again = self.reread(now)
        except TileclockError as error:
            self._rereads = False
            failed(error)
            return None
        if again is None and self.lost != self._reported:
            self._reported = self.lost
            get_logger().warning("edges of the buttons were lost; their lines are read again", lost=self._reported)
            lost(self._reported)
        return again

    def _edges_arriving(self, now: int, *, behind: bool) -> bool:
        """Return whether edges of any button are arriving.

        Edges of other buttons may be queued behind them, with their own instants; inferring these now would date them late.
        """
        seen = sum(contact.edges_seen for contact in self._contacts.values())
        if seen != self._edges_at_last_read or self._quiet_since is None:
            fresh = seen != self._edges_at_last_read
            self._edges_at_last_read, self._quiet_since = seen, now
            return fresh or behind
        return behind and now - self._quiet_since < STALLED_NS

    def close(self) -> None:
        for pin in self._pins.values():
            pin.when_changed = None
        self._pins.clear()
        self._contacts.clear()


class Lamps:
    """The lamps of a board, initially off; a name that this kind of board cannot have is a KeyError. Raises PinUnavailable: a lamp's pin is unavailable."""

    def __init__(self, board: Board, factory: PinFactory) -> None:
        from gpiozero import LED  # noqa: PLC0415 - it loads for as long as the clock's own modules: the first picture must not wait

        self._failures = factory.failures
        self._lit: frozenset[str] = frozenset()
        self._leds: dict[str, Any] = dict.fromkeys(MAKES[board.kind].lamps)
        for name, spec in board.lamps.items():
            try:
                self._leds[name] = LED(spec.name, pin_factory=factory)
            except factory.failures as why:
                self.close()
                raise PinUnavailable(
                    where=f"board {board.id}",
                    expected=Phrase("{pin} for {user}", pin=spec, user=f"lamps.{name}"),
                    found=reason(why),
                    remedy=Phrase("{freed}, or give the lamp another", freed=spec.freed_by),
                ) from why

    def set(self, name: str, *, on: bool) -> None:
        led = self._leds[name]
        if led is not None:
            try:
                (led.on if on else led.off)()
            except self._failures as why:
                raise PinUnavailable(
                    expected=Phrase("to switch the lamp {name}", name=name), found=reason(why), remedy="Check its wire and its pin"
                ) from why

    def light(self, names: frozenset[str]) -> None:
        """Switch these lamps on and the others off, if anything changes. Raises PinUnavailable: the library failed."""
        changed, self._lit = self._lit ^ names, names
        # Darken first: two verdicts, or both players' lamps, must never be lit at once.
        for name in sorted(changed, key=lambda name: name in names):
            self.set(name, on=name in names)

    def close(self) -> None:
        for name, led in self._leds.items():
            if led is not None:
                with contextlib.suppress(*self._failures):
                    led.off()  # a released pin floats
                led.close()
                self._leds[name] = None


Melody: TypeAlias = Sequence[tuple[int, int]]
"""Tones in their order: pitch in Hz, 0 for silence, and length in ms, a multiple of ``STEP_MS``."""
BEEP_S: Final = 0.08
STEP_MS: Final = 20
_MID_HZ: Final = 440
_OCTAVES: Final = 2
"""A pitched buzzer plays from 110 to 1,760 Hz."""


class Buzzer:
    """A board's buzzer, initially silent; without one, or if disabled, all calls do nothing. Raises PinUnavailable: the buzzer's pin is unavailable.

    One that sounds by itself beeps at its own pitch; a part that is ``pitched`` plays melodies, which needs a pin library with PWM.
    """

    def __init__(self, board: Board, factory: PinFactory, *, enabled: bool = False) -> None:
        self._board, self._factory, self._failures = board, factory, factory.failures
        self._buzzer: Any = None
        self.enable(enabled=enabled)

    def enable(self, *, enabled: bool) -> None:
        """Open the buzzer's pin, or release it. Idempotent. Raises PinUnavailable: the pin is unavailable."""
        from gpiozero import Buzzer as Beeper  # noqa: PLC0415 - as above
        from gpiozero import PinPWMUnsupported, TonalBuzzer  # noqa: PLC0415

        pin = self._board.buzzer
        if not enabled:
            self.close()
        if pin is None or not enabled or self._buzzer is not None:
            return
        try:
            pitched = bool(pin.part) and parts()[pin.part].pitched
            self._buzzer = (partial(TonalBuzzer, octaves=_OCTAVES) if pitched else Beeper)(pin.name, pin_factory=self._factory)
        except self._failures as why:
            raise PinUnavailable(
                where=f"board {self._board.id}",
                expected=Phrase("{pin} for {user}", pin=pin, user="buzzer"),
                found=reason(why),
                remedy=Phrase("{freed}, or turn the buzzer off", freed=pin.freed_by)
                if not isinstance(why, PinPWMUnsupported)
                else 'Set pins = "rpigpio", whose pins play tones, or take a buzzer that sounds by itself',
            ) from why

    def sound(self, times: int, melody: Melody) -> None:
        """Beep ``times`` times, each 80 ms, or play ``melody``; a second call cuts off the first. Raises PinUnavailable: the library failed."""
        buzzer = self._buzzer
        if buzzer is None:
            return
        try:
            if hasattr(buzzer, "beep"):
                buzzer.beep(on_time=BEEP_S, off_time=BEEP_S, n=times, background=True)
            else:
                buzzer.source_delay, buzzer.source = STEP_MS / 1000, _steps(melody)
        except self._failures as why:
            raise PinUnavailable(expected="to sound the buzzer", found=reason(why), remedy="Check its wire and its pin") from why

    def close(self) -> None:
        if self._buzzer is not None:
            # Silent first: a released pin floats.
            self._buzzer.source, self._buzzer.value = None, None if hasattr(self._buzzer, "tone") else 0
            self._buzzer.close()
            self._buzzer = None


def _steps(melody: Melody) -> list[float | None]:
    """Return what gpiozero's TonalBuzzer takes for each step of ``melody``: octaves above its middle tone, as a share of its range; None: silence, also the last."""
    values = [(None if hz == 0 else log2(hz / _MID_HZ) / _OCTAVES, ms // STEP_MS) for hz, ms in melody]
    return [*(value for value, steps in values for _ in range(steps)), None]


class BoardPins(ButtonPins):
    """A board's open pins; lamps or a buzzer that the board lacks do nothing. Closes ``factory`` at the end.

    ``on_edge`` takes every edge, in the pin library's thread; it must only enqueue and not raise. Raises PinUnavailable: those opened are closed.
    """

    def __init__(self, board: Board, factory: PinFactory, on_edge: Sink, *, buzzer: bool = False) -> None:
        with ExitStack() as opened:
            opened.callback(factory.close)
            super().__init__(board, factory, on_edge)
            opened.callback(super().close)
            self.lamps = Lamps(board, factory)
            opened.callback(self.lamps.close)
            self.buzzer = Buzzer(board, factory, enabled=buzzer)
            opened.callback(self.buzzer.close)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._opened.close()
