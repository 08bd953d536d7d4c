"""Recognises word files by their content: only our own format has a magic number.

File names are not reliable. Each format starts differently; a file that starts like two is checked as both.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass

from lexicon.errors import BadWordFile
from lexicon.formats import kwg, quackle, zyzzyva
from lexicon.formats.found import Format, Found
from lexicon.header import MAGIC

HEAD = 1 << 16
"""Bytes at a file's start that distinguish our own files and texts from the rest."""

_BYTE_ORDER_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    format: Format | None
    fits: Callable[[bytes], bool]
    find: Callable[[bytes], Found]


_KINDS = (
    _Kind("KWG", Format.KWG, kwg.fits, kwg.find),
    _Kind("Node24 KWG (.kbwg)", None, kwg.fits_node24, kwg.find_node24),
    _Kind("Zyzzyva .dwg", Format.ZYZZYVA, zyzzyva.fits, zyzzyva.find),
    _Kind("Quackle .dawg version 1", Format.QUACKLE, quackle.fits, quackle.find),
    _Kind("Quackle .dawg version 0", Format.QUACKLE0, quackle.fits_0, quackle.find_0),
)

FINDERS = {kind.format: kind.find for kind in _KINDS if kind.format}
"""For each format of another program, the function that checks a file claimed to have it."""


def by_beginning(head: bytes) -> Format | None:
    """Return whether a file starting with ``head`` (``HEAD`` bytes, or all of it) is our own or a text; None if neither.

    A text has no zero byte; each other format has one near its start. ``wordtext`` checks encoding and words, and names the encodings it rejects.
    """
    if head.startswith(MAGIC):
        return Format.TILECLOCK
    if b"\0" not in head or head.startswith(_BYTE_ORDER_MARKS):
        return Format.TEXT
    return None


def recognise(data: bytes) -> Found:
    """Recognise and check another program's file; ``data`` is the whole file.

    Raises:
        BadWordFile: its format is unknown, unsupported or ambiguous, or it is damaged.
    """
    kinds = [kind for kind in _KINDS if kind.fits(data)]
    sound, faults = list[tuple[_Kind, Found]](), list[BadWordFile]()
    for kind in kinds:
        try:
            sound.append((kind, kind.find(data)))
        except BadWordFile as fault:
            fault.locate(f"taken for {kind.name}")
            faults.append(fault)
    if len(sound) == 1:
        return _readable(*sound[0])
    if sound:
        names = " and of ".join(kind.name for kind, _ in sound)
        raise BadWordFile(expected="a word file of one kind", found=f"one that could be of {names}", remedy="Name its format with --from")
    if faults:
        found = ", and ".join(f"{fault.found} ({fault.where})" for fault in faults)
        raise BadWordFile(expected=" or ".join(fault.expected for fault in faults), found=found, remedy=faults[0].remedy)
    names = ", ".join(kind.name for kind in _KINDS if kind.format)
    raise BadWordFile(expected=f"a word file (Tileclock, text in UTF-8, {names})", found="none of these", remedy="Give another file")


def _readable(kind: _Kind, found: Found) -> Found:
    if kind.format is None:
        raise BadWordFile(expected="a supported word file", found=kind.name, remedy="Make a KWG file of the list with wolges")
    return found
