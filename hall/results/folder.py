"""A folder with the results for another program: each file is written whole, and only when it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.records.files import write_whole
from hall.errors import ResultsError, explained
from hall.event.model import Event
from hall.event.parsing import Spot, UnreadableEvent, found_as, text_of, tsh_division
from hall.event.reading import contents_of, lost, read_event
from hall.event.tsh import divisions_of, encodings_of
from hall.results.book import Applied
from hall.results.queue import FOLDER, queue_results
from hall.results.standings import Caps, coco_csv, results_csv, standings, standings_csv
from hall.results.tou import tou_text
from hall.results.tsh import division_text, naspa_text, newt_text

_READABLE: Final = 0o644
_CONFIG: Final = "config.tsh"


class About(Struct, frozen=True):
    """What files say that no result does."""

    title: str
    """The event's."""
    day: date
    caps: Caps = Caps()
    encoding: str = ""
    """Of ``.t`` files, as Python names it; empty: what ``config.tsh`` in the folder says, else ISO 8859-1 where all names fit, and UTF-8."""
    replaces: bool = False
    """A ``.t`` file that has something else than the hall is replaced."""


FORMATS: Final[Mapping[str, Callable[[Applied, About], dict[str, str]]]] = {
    "csv": lambda results, _about: {"results.csv": results_csv(results.event)},
    "coco": lambda results, _about: {
        f"results-{tsh_division(each).lower()}.csv": coco_csv(results.event, each) for each in sorted(results.event.divisions)
    },
    "standings": lambda results, about: {"standings.csv": standings_csv(standings(results.event, about.caps))},
    "naspa": lambda results, _about: {"naspa.txt": naspa_text(results.event)},
    "tourney": lambda results, _about: {"tourney.js": newt_text(results.event)},
    "tou": lambda results, about: {"results.tou": tou_text(results, about.title, about.day, woogles=False)},
    "tou-woogles": lambda results, about: {"results.tou": tou_text(results, about.title, about.day, woogles=True)},
}
"""The files of each format, by name."""
KINDS: Final = ("tsh", "tsh-queue", *FORMATS)


def write_results(folder: Path, kind: str, results: Applied, about: About) -> list[str]:
    """Write the results into ``folder`` in a format of ``KINDS``; return what was written and what is left to do, in sentences.

    Raises ``ResultsError`` where the format, or what is in the folder, does not allow it.
    """
    with explained(ResultsError, "a folder to write to", where=folder):
        if kind == "tsh-queue":
            return queue_results(folder / FOLDER, results, _of_tsh(folder))
        files = (
            _division_files(folder, results, about)
            if kind == "tsh"
            else {name: text.encode() for name, text in FORMATS[kind](results, about).items()}
        )
        changed = [name for name, content in files.items() if not _has(folder / name, content)]
        for name in changed:
            write_whole(folder / name, files[name], _READABLE)
    return [f"Written: {', '.join(changed)}."] if changed else []


def _of_tsh(folder: Path) -> Event:
    """Return what TSH's own files have; what cannot be read has nothing."""
    try:
        return read_event(contents_of([folder / _CONFIG]))
    except UnreadableEvent:
        return Event()


def _has(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def _division_files(folder: Path, results: Applied, about: About) -> dict[str, bytes]:
    _refuse_running(folder)
    config = text_of(_CONFIG, (folder / _CONFIG).read_bytes()) if (folder / _CONFIG).is_file() else ""
    named, encoding = dict(divisions_of(config)), about.encoding or encodings_of(config, Spot(_CONFIG))[1]
    found: dict[str, bytes] = {}
    for division in sorted(results.event.divisions):
        name = _within(folder, named.get(tsh_division(division), f"{tsh_division(division).lower()}.t"))
        if not about.replaces:
            _refuse_other(folder / name, division, results)
        found[name] = _encoded(division_text(results.event, division), encoding, name)
    return found


def _within(folder: Path, said: str) -> str:
    """Return the name of a division's file, as it is in the folder; never one elsewhere."""
    name = Path(said.replace("\\", "/")).name
    return found_as(name, {each.name: each for each in folder.iterdir()}) or name


def _refuse_running(folder: Path) -> None:
    """Raise ``ResultsError`` while TSH runs on this machine: it keeps its files in memory, and writes them again."""
    signal = folder / FOLDER / "_signal.txt"
    said = signal.read_text(errors="replace").strip() if signal.is_file() else ""
    if said.isascii() and said.isdigit() and Path(f"/proc/{said}").exists():
        raise ResultsError(
            where=folder,
            expected="that TSH does not run while its files are written",
            found=f"that it does (process {said})",
            remedy="Leave TSH first, or write with --as tsh-queue",
        )


def _refuse_other(path: Path, division: str, results: Applied) -> None:
    """Raise ``ResultsError`` where a file has pairings or scores that would go."""
    if not path.is_file():
        return
    try:
        theirs = read_event({f"{division}.t": path.read_bytes()})
        gone = lost(theirs, results.event)
    except UnreadableEvent as error:
        gone = [str(error)]
    if gone:
        raise ResultsError(
            where=path,
            expected="nothing that the hall does not know",
            found=f'"{gone[0]}"',
            remedy="Import it first; or replace it, with --replace",
        )


def _encoded(text: str, encoding: str, name: str) -> bytes:
    try:
        return text.encode(encoding or "iso-8859-1")
    except UnicodeEncodeError as error:
        if not encoding:
            return text.encode()
        raise ResultsError(
            where=name,
            expected=f"names in {encoding}",
            found=f'"{error.object[error.start]}"',
            remedy="Write config tfile_encoding = 'utf8' into config.tsh",
        ) from error
