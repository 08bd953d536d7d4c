"""Files that a person writes: settings, rulebooks, boards, alphabets. Whatever stands in their place, reading them ends soon and takes little memory."""

import errno
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, BinaryIO, Final

from faults.errors import Phrase, TileclockError, reason

MOST: Final = 64 * 1024
"""Bytes. The largest that is shipped has 4,000."""
_NOTHING: Final = Path(os.devnull)
"""As an option it asks for the defaults."""
_MOST_DOTS: Final = 100
"""In a line: for a key of thousands of parts the parser takes minutes."""


_read: Final[ContextVar[dict[str, bytes] | None]] = ContextVar("read", default=None)


@contextmanager
def read_once() -> Iterator[Mapping[str, bytes]]:
    """Within the block ``read_small`` reads each file once: a second read returns the same bytes. Yields them by absolute path."""
    found: dict[str, bytes] = {}
    token = _read.set(found)
    try:
        yield found
    finally:
        _read.reset(token)


def read_small(path: Path | str) -> bytes:
    """Raises OSError, also where a folder, a pipe, a device or a file larger than ``MOST`` is there."""
    if Path(path) == _NOTHING:
        return b""
    known, place = _read.get(), os.path.abspath(path)  # noqa: PTH100 - Path.resolve would follow links
    if known is not None and place in known:
        return known[place]
    with open_regular(path) as file:
        content = file.read(MOST + 1)
    if len(content) > MOST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    if known is not None:
        known[place] = content
    return content


def open_regular(path: Path | str) -> BinaryIO:
    """Raises OSError, also where a folder, a pipe or a device is there, even if only since a moment ago."""
    # O_PATH does not open it yet: a pipe would block, and some devices act at once.
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        mode = os.fstat(place).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "no regular file")
        return Path(f"/proc/self/fd/{place}").open("rb")
    finally:
        os.close(place)


def is_path(text: str) -> bool:
    """Return whether ``text`` is the path of a user's file, not the id of a shipped rulebook, board or alphabet."""
    return text.endswith(".toml") or os.sep in text


def read_written(path: str, what: str, unreadable: type[TileclockError]) -> bytes:
    """Return the content of a file that a person names; raises ``unreadable``. ``what``: such as "a rulebook's file"."""
    try:
        return read_small(path)
    except OSError as error:
        raise unreadable(where=path, expected=what, found=reason(error), remedy="Check the path") from error
    except ValueError as error:  # a NUL in the path
        raise unreadable(where=repr(path), expected=what, found=reason(error), remedy="Check the path") from error


def toml_in(file: Path | str, content: bytes, wrong: type[TileclockError]) -> dict[str, Any]:
    try:
        return parsed_toml(content)
    except UnicodeDecodeError as error:
        found = Phrase("letters of another kind in line {line}", line=content.count(b"\n", 0, error.start) + 1)
        raise wrong(where=file, expected="TOML in UTF-8", found=found, remedy="Save it as UTF-8") from error
    # The parser raises a plain ValueError for a number of thousands of digits, and recurses into tables.
    except (ValueError, RecursionError) as error:
        raise no_toml(file, error, wrong, content) from error


_AT: Final = re.compile(r"\(at (?:line (\d+), column \d+|end of document)\)")
_LONGEST: Final = 60
_STRAIGHT: Final = str.maketrans(
    dict.fromkeys("“”„«»", '"') | dict.fromkeys("\u2018\u2019\u201a", "'") | dict.fromkeys("\u00a0\u202f", " ")
)
_SET: Final = re.compile(r"([\w.-]+|\"[^\"]+\")\s*[=:\s]=?\s*(.*?)\s*(#[^\"']*)?")
_MEANT: Final = dict.fromkeys(("true", "yes", "on", "oui", "si", "sí"), "true") | dict.fromkeys(("false", "no", "off", "non"), "false")


def no_toml(file: Path | str, error: Exception, wrong: type[TileclockError], content: bytes = b"") -> TileclockError:
    """Return the error for a file that the parser, or a walk through its tables, rejects: with the line, and its right form where that is plain."""
    if isinstance(error, RecursionError):
        return wrong(where=file, expected="TOML in UTF-8", found="tables nested too deep", remedy="Correct the line")
    lines = content.decode("utf-8-sig", "replace").splitlines()
    at = _AT.search(str(error))
    line = (
        lines[int(at[1]) - 1] if at and at[1] and int(at[1]) <= len(lines) else next(filter(str.strip, reversed(lines)), "") if at else ""
    )
    said = "".join(each if each.isprintable() else " " for each in line.strip()[:_LONGEST])
    found = Phrase("a fault: {error}: {line}", error=str(error), line=said) if said else Phrase("a fault: {error}", error=str(error))
    right = _right_form(line.strip(" \t")) if len(line) <= _LONGEST else ""
    return wrong(
        where=file, expected="TOML in UTF-8", found=found, remedy=Phrase("Write {right}", right=right) if right else "Correct the line"
    )


def _right_form(line: str) -> str:
    """Return a line as it was probably meant: curly quotation marks, yes and no, zeros in front, a decimal comma, bare words; empty: unknown."""
    straight = line.translate(_STRAIGHT)
    if _is_toml(straight):
        return straight if straight != line else ""
    if (found := _SET.fullmatch(straight)) is None:
        return ""
    key, value, comment = found.groups()
    fits = (f"{key} = {each}" for each in _forms(value.rstrip(";,")) if each and _is_toml(f"{key} = {each}"))
    right = next(fits, "")
    return f"{right} {comment}" if right and comment else right


def _forms(value: str) -> tuple[str, ...]:
    """Return what may have been meant by a value, the likeliest first."""
    if not value:
        return ()
    if value[0] in "\"'":
        within = value[1:].removesuffix(value[0])
        return f"{value[0]}{within}{value[0]}", f"'{within}'", f'"{within}"'
    number = re.sub(r"^([-+]?)0+(?=\d)", r"\1", value.replace(",", "."))
    text = "" if re.search(r"[][{}=\"']", value) else f"'{value}'" if "\\" in value else f'"{value}"'
    return value, _MEANT.get(value.lower(), ""), number, f"0{number}", text


def _is_toml(line: str) -> bool:
    try:
        return bool(tomllib.loads(line))
    except ValueError:
        return False


def parsed_toml(content: bytes) -> dict[str, Any]:
    """Return the tables in ``content``, with or without byte order mark. Raises UnicodeDecodeError, another ValueError, or RecursionError."""
    text = content.decode("utf-8-sig")
    if any(line.count(".") > _MOST_DOTS for line in text.splitlines() if not line.lstrip().startswith("#")):
        raise ValueError(f"more than {_MOST_DOTS} dots in a line")
    return tomllib.loads(text)
