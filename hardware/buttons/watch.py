"""One button watched for one press with the game's contact logic, so that a press is the same as in a game; the bounces and spikes that the logic hides are counted. Pure."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from appliance.errors import Finding, counted, fail, note, ok
from rules.contact import MS, Contact, Ended, Spike, ripen
from rules.contact import edge as contact_edge


class SeenPress(Struct, frozen=True):
    at: int
    held_ns: int
    bounces: int


class Watch(Struct, frozen=True):
    button: str
    contact: Contact
    edges: int = 0
    spikes: int = 0
    """The number of closings too short to be a press."""
    others: frozenset[str] = frozenset()
    press: SeenPress | None = None

    def with_edge(self, button: str, at: int, *, down: bool) -> Watch:
        watch = self.until(at)
        if watch.press is not None:
            return watch
        if button != watch.button:
            return replace(watch, others=watch.others | {button})
        edges = int(down) if watch.contact.began_at is None else watch.edges + 1
        return replace(watch, contact=contact_edge(watch.contact, at, down=down), edges=edges)

    def until(self, now: int) -> Watch:
        watch = self
        while watch.press is None and watch.contact.due is not None and watch.contact.due <= now:
            contact, signal = ripen(watch.contact)
            watch = replace(watch, contact=contact)
            if isinstance(signal, Ended):
                watch = replace(watch, press=SeenPress(signal.at, signal.released_at - signal.at, max(0, watch.edges - 2)))
            elif isinstance(signal, Spike):
                watch = replace(watch, spikes=watch.spikes + 1, edges=0)
        return watch


def begin(button: str, *, down: bool) -> Watch:
    """Return a new watch; ``down``: the button is down now and must be released first."""
    return Watch(button, Contact(down=down))


def press_finding(watch: Watch, pin: object, limit: str, alternative: str = "") -> Finding:
    """Return what came of a watch that lasted ``limit``, in words; ``alternative``: what to do if two buttons' plugs cannot be swapped."""
    button = watch.button
    name, others = f"press {button}", ", ".join(sorted(watch.others))
    if watch.press is None:
        return _no_press(watch, pin, limit, alternative)
    seen = f"{button}: down for {watch.press.held_ns // MS} ms, {counted(watch.press.bounces, 'bounce')}"
    if watch.spikes:
        return note(name, f"{seen}; {counted(watch.spikes, 'touch', 'touches')} too short for a press before it: a loose contact?")
    return note(name, f"{seen}; {others} moved too: pressed as well, or wires that touch?") if others else ok(name, seen)


def _no_press(watch: Watch, pin: object, limit: str, alternative: str) -> Finding:
    button = watch.button
    name = f"press {button}"
    if watch.contact.down:
        return fail(name, f"it is down and did not come up {limit}", f"Free the button, and look for a short from {pin} to ground.")
    if watch.others:
        others = ", ".join(sorted(watch.others))
        return fail(name, f"no press {limit}, but {others} moved", f"Swap the plugs of {button} and {others}{alternative}.")
    touches = f", {counted(watch.spikes, 'touch', 'touches')} too short for one" if watch.spikes else ""
    return fail(name, f"no press {limit}{touches}", f"Check the button's two wires, one to {pin}, one to ground, and try again.")
