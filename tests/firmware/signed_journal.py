"""A clock's journal with a game whose end its key has signed."""

from pathlib import Path

from firmware.journal.writer import Store, open_journal
from firmware.shell.hall import wants_signature
from game import events as ev
from game.history import accept, begin
from records.journal import GameStamp, Kind, reading, row_of, rows_of
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.side import BySide, Side
from wire.keys import DeviceKey
from wire.record import HeadSigner


def stamp(at: int, boot: str = "boot") -> GameStamp:
    return GameStamp(at, at, boot, "2026-07-03T10:00:00.000+00:00")


RESULT = ev.Result(BySide(412, 389), False, BySide(412, 389), BySide(0, 7), BySide("Ada Lovelace", "Bo Žižek"), table=7)


def signed_result(path: Path, key: DeviceKey | None, *after: ev.Event) -> Path:
    """Make a journal with a signed result, and what follows it; ``key`` signs the result's row, if there is one."""
    open_journal(path)
    store, signer = Store(path), HeadSigner(wants_signature)
    history = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), NS)
    store.append(rows_of(None, history, 1, stamp(NS)), None)
    for second, event in enumerate((ev.Press(Side.RIGHT), ev.End("score agreed"), RESULT, *after), 5):
        before, history = history, accept(history, event, second * NS)
        store.append(rows_of(before, history, 1, stamp(second * NS)), None)
        if key is None:
            continue
        with reading(path) as connection:
            signed = signer.sign(connection, lambda: key)
        if signed is not None:
            store.append((row_of(Kind.SIGNED, 1, stamp(second * NS), signed.model_dump(mode="json")),), None)
    store.close()
    return path


def played(path: Path, key: DeviceKey | None, first_press: int = 5, boot: str = "boot") -> Path:
    """Make a journal with a game whose end is signed by ``key``, if there is one, and a note after that; the epoch follows from ``boot`` alone."""
    open_journal(path)
    store, signer = Store(path), HeadSigner(wants_signature)
    new = begin(ev.NewGame(load_rulebook("naspa-2017"), "naspa-2017", BySide(None, None)), NS)
    store.append(rows_of(None, new, 1, stamp(NS, boot)), None)
    pressed = accept(new, ev.Press(Side.RIGHT), first_press * NS)
    store.append(rows_of(new, pressed, 1, stamp(first_press * NS, boot)), None)
    ended = accept(pressed, ev.End("score agreed"), 60 * NS)
    store.append(rows_of(pressed, ended, 1, stamp(60 * NS, boot)), None)
    if key is not None:
        with reading(path) as connection:
            signed = signer.sign(connection, lambda: key)
        assert signed is not None
        store.append((row_of(Kind.SIGNED, 1, stamp(60 * NS, boot), signed.model_dump(mode="json")),), None)
    store.append((row_of(Kind.NOTE, 1, stamp(61 * NS, boot), {"power": "right again"}),), stamp(61 * NS, boot))
    store.close()
    return path
