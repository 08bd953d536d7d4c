"""The schema of alphabet files, and one sentence for each fault.

Separate from ``alphabet`` because it needs pydantic, which is only loaded to read a file.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, NoReturn

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from faults.errors import Phrase
from lexicon.errors import BadAlphabet
from lexicon.limits import TILES_IN_ALPHABET
from lexicon.spelling import LONGEST_TEXT, composing, is_normal, of_tiles_alone

_ID: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")

_MAX_TYPED: Final = 500
_TEXT: Final = Phrase(
    "1 to {most} characters, in capitals, composed (NFC), without spaces, brackets or control characters", most=LONGEST_TEXT
)
_LINE: Final = "one line of text, at most 200 characters"
_NUMBER: Final = "a whole number from 0 to 1000"
_TILES: Final = Phrase("a list of 1 to {most} tiles, each with tile, score and count, in sorting order", most=TILES_IN_ALPHABET)
_ALLOWED: Final = {
    "id": "lower-case letters, digits and hyphens, at most 64",
    "name": _LINE,
    "source": "one line of text, at most 200 characters: the tile set's origin",
    "blanks": _NUMBER,
    "tiles": _TILES,
    "tile": _TEXT,
    "score": _NUMBER,
    "count": _NUMBER,
    "always": "true or false",
    "joined": "true or false",
    "coded": "a table of characters, each with the tile that some lists write it for",
    "typed": Phrase("a table of at most {most} texts, each with the list of tiles it stands for", most=_MAX_TYPED),
}


def _id(text: str) -> str:
    return text if _ID.fullmatch(text) else _misfit()


def _line(text: str) -> str:
    return text if text.strip() and len(text) <= 200 and text.isprintable() else _misfit()


def _text(text: str) -> str:
    bare = text.isprintable() and not set(text) & set(" []")
    return text if 0 < len(text) <= LONGEST_TEXT and bare and is_normal(text) else _misfit()


def _misfit() -> NoReturn:
    raise PydanticCustomError("form", "not in the allowed form")


_Line = Annotated[str, AfterValidator(_line)]
_Text = Annotated[str, AfterValidator(_text)]
_Number = Annotated[int, Field(ge=0, le=1000)]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


class TileSource(_Table):
    """A line of ``tiles``."""

    tile: _Text
    score: _Number
    count: _Number
    always: bool = False
    joined: bool = False


class AlphabetSource(_Table):
    """A whole alphabet file."""

    id: Annotated[str, AfterValidator(_id)]
    name: _Line
    source: _Line
    blanks: _Number
    tiles: Annotated[list[TileSource], Field(min_length=1, max_length=TILES_IN_ALPHABET)]
    typed: Annotated[dict[_Text, Annotated[list[str], Field(min_length=1, max_length=LONGEST_TEXT)]], Field(max_length=_MAX_TYPED)] = {}
    coded: Annotated[dict[Annotated[_Text, Field(max_length=1)], str], Field(max_length=TILES_IN_ALPHABET)] = {}

    @model_validator(mode="after")
    def _every_tile_is_there_once(self) -> AlphabetSource:
        first: dict[str, int] = {}
        for number, each in enumerate(self.tiles, 1):
            if first.setdefault(each.tile, number) != number:
                raise _together(
                    expected="each tile once",
                    found=Phrase("{tile} as tiles {first} and {second}", tile=shown(each.tile), first=first[each.tile], second=number),
                    remedy="Remove one",
                )
        return self

    @model_validator(mode="after")
    def _tiles_side_by_side_stay_what_they_are(self) -> AlphabetSource:
        # NFC would compose an accent tile with the previous letter, and it would never be read as a tile again.
        for left, right in composing(each.tile for each in self.tiles):
            found = Phrase("{one} and {other}", one=shown(left), other=shown(right))
            raise _together(expected="tiles that stay as they are side by side", found=found, remedy="Choose another text for one")
        return self

    @model_validator(mode="after")
    def _what_is_typed_stands_for_tiles(self) -> AlphabetSource:
        tiles = {each.tile for each in self.tiles}
        for text in of_tiles_alone(self.typed, tiles):
            expected = "typed texts with a character that no tile has"
            raise _together(expected=expected, found=Phrase("{text}, which has none", text=shown(text)), remedy="Remove it")
        for text, stands_for in self.typed.items():
            for tile in stands_for:
                if tile not in tiles:
                    found = Phrase("{tile}, for which {text} stands", tile=shown(tile), text=shown(text))
                    raise _together(expected="tiles that typed texts stand for", found=found, remedy="Add that tile or correct it")
        return self

    @model_validator(mode="after")
    def _what_is_coded_is_a_tile_and_nothing_else(self) -> AlphabetSource:
        tiles = {each.tile for each in self.tiles}
        for text, tile in self.coded.items():
            if tile not in tiles or text in tiles | self.typed.keys():
                found = Phrase("{text} for {tile}", text=shown(text), tile=shown(tile))
                raise _together(expected="coded characters of their own, each for a tile", found=found, remedy="Correct it")
        return self


def checked(file: str, content: dict[str, Any]) -> AlphabetSource:
    """Return the checked ``content`` of an alphabet file, whose name in errors is ``file``; raises ``BadAlphabet``."""
    try:
        return AlphabetSource.model_validate(content)
    except ValidationError as invalid:
        error = _error(invalid)
        error.locate(file)
        raise error from invalid


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``Did you mean X?`` for the closest match in ``known``, or an empty text."""
    found = difflib.get_close_matches(name.lower(), list(known), n=1, cutoff=0.5)
    return Phrase("Did you mean {name}?", name=found[0]) if found else ""


def shown(value: Any) -> str:
    """Return ``value`` roughly as in TOML, unprintable characters escaped, cut to fit a sentence."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python does not print integers of more than 4300 digits
        return "a number too long to show"
    safe = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text)
    return safe if len(safe) <= 60 else f"{safe[:57]}..."


def _together(*, expected: str, found: str, remedy: str) -> PydanticCustomError:
    # Pass them as context: pydantic expands braces in a message.
    return PydanticCustomError("together", "do not go together", {"expected": expected, "found": found, "remedy": remedy})


def _error(invalid: ValidationError) -> BadAlphabet:
    """Return the first fault as an error; unknown keys before missing ones, since a misspelt key causes both."""
    faults = invalid.errors(include_url=False)
    fault = next((each for each in faults if each["type"] == "extra_forbidden"), faults[0])
    if fault["type"] == "together":
        return BadAlphabet(**fault["ctx"])
    if fault["type"] == "extra_forbidden":
        known = (TileSource if fault["loc"][0] == "tiles" else AlphabetSource).model_fields
        remedy = nearest(str(fault["loc"][-1]), known) or "Remove it"
        return BadAlphabet(
            expected=Phrase("only the keys {keys}", keys=", ".join(known)),
            found=Phrase("the unknown key {place}", place=_place(fault)),
            remedy=remedy,
        )
    expected = _expected(fault["loc"])
    if fault["type"] == "missing":
        return BadAlphabet(where=_place(fault), expected=expected, found="nothing", remedy="Add it")
    return BadAlphabet(where=_place(fault), expected=expected, found=shown(fault["input"]), remedy="Correct it")


def _place(fault: ErrorDetails) -> str:
    """Return the place of the fault: ``score of tile 4``, ``typed "Á"``, ``blanks``."""
    match fault["loc"]:
        case ("tiles", int(at), *key):
            return f"{''.join(f'{each} of ' for each in key)}tile {at + 1}"
        case ("typed" | "coded" as table, str(text), *_):
            return f"{table} {shown(text)}"
        case (key, *_):
            return str(key)
        case _:
            return "the file"


def _expected(place: tuple[int | str, ...]) -> str:
    match place:
        case ("typed", _, "[key]"):
            return _TEXT
        case ("coded", _, *_):
            return _ALLOWED["coded"]
        case ("typed", _, *_):
            return Phrase("a list of 1 to {most} texts of tiles", most=LONGEST_TEXT)
        case ("tiles", int(), key):
            return _ALLOWED[str(key)]
        case ("tiles", int()):
            return "a table with tile, score and count"
        case (key, *_):
            return _ALLOWED[str(key)]
        case _:
            return "a table"
