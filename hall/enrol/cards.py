"""Files for the boot partitions of many cards: for each device its settings, the hall's fingerprint, and a token for one use."""

from __future__ import annotations

import json
import re
import secrets
import shutil
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Final, Literal

from cryptography.hazmat.primitives.serialization import Encoding
from msgspec import Struct

from appliance.errors import SettingsError
from appliance.records.files import OWNER_ONLY, PUBLIC, write_whole
from faults.errors import reason
from faults.small_file import read_small
from hall.enrol.device import settings_of
from hall.enrol.protocol import fingerprint
from hall.enrol.registrar import TokenUse, new_tokens
from hall.errors import HallFolderError
from hall.keys.files import HallFiles
from rules.tables import MAX_TABLE, tables_of

_NAME: Final = re.compile(r"[\w][\w .-]{0,39}")
_CLOCK: Final = """# Table {table}. See the documents of Tileclock for all other settings.
[hall]
enabled = true
table = {table}

[machine]
table = {table}
"""
_STATION: Final = """# Station {name}. See the documents of Tileclock for all other settings.
name = "{name}"

[hall]
enabled = true
"""


class BrokerAddress(Struct, frozen=True):
    """Where the cards' devices find the hall; an empty host: they look for it."""

    host: str = ""
    port: int = 8883
    enrol_port: int = 8884


class Card(Struct, frozen=True):
    """One device's files."""

    kind: Literal["clock", "station"]
    folder: str
    name: str
    table: int | None
    template: Path | None
    """Its program's settings, with ``{table}`` or ``{name}``; None: the least that it needs."""

    @property
    def file(self) -> str:
        return "tileclock.toml" if self.kind == "clock" else "tilekiosk.toml"

    def settings(self) -> str:
        """Return its program's settings; raises ``SettingsError`` if the template cannot be read."""
        try:
            text = (_CLOCK if self.kind == "clock" else _STATION) if self.template is None else read_small(self.template).decode()
        except (OSError, ValueError) as error:
            raise SettingsError(where=self.template, expected="a settings file", found=reason(error)) from error
        return text.replace("{table}", str(self.table)).replace("{name}", self.name)


def clock_cards(tables: str, template: Path | None) -> list[Card]:
    """Return the cards of clocks, by a text such as ``1-60`` or ``1,2,7-9``; raises ``SettingsError`` for another one."""
    try:
        numbers = list(chain.from_iterable(tables_of(tables))) if tables else []
    except ValueError as error:
        raise SettingsError(where="--tables", expected="numbers of tables, as in 1-60 or 1,2,7-9", found=f'"{tables}"') from error
    if len(set(numbers)) != len(numbers):
        raise SettingsError(where="--tables", expected=f"numbers from 1 to {MAX_TABLE}, each once", found=f'"{tables}"')
    width = len(str(max(numbers, default=0)))
    return [Card("clock", f"table-{number:0{width}}", "", number, template) for number in numbers]


def station_cards(names: str, template: Path | None) -> list[Card]:
    """Return the cards of stations, by their names with commas between them; raises ``SettingsError`` for a name that no folder can have."""
    found = [name.strip() for name in names.split(",")] if names else []
    wrong = [name for name in found if not _NAME.fullmatch(name)]
    if wrong or len(set(found)) != len(found):
        raise SettingsError(where="--stations", expected="names of letters and digits, each once, as in A,B,C", found=f'"{names}"')
    return [Card("station", f"station-{name}", name, None, template) for name in found]


def write_cards(files: HallFiles, target: Path, cards: Sequence[Card], address: BrokerAddress) -> None:
    """Make a token for each card, and the new folder ``target`` with a folder for each: all of them, or nothing.

    Raises:
        SettingsError: the settings of a card are faulty.
        HallFolderError: ``target`` is there already, or cannot be written.
    """
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    if target.exists():
        raise HallFolderError(where=target, expected="no such folder yet", found="one", remedy="Name another folder, or delete this one")
    try:
        draft.mkdir(mode=0o700, parents=True)
        for card in cards:
            (draft / card.folder).mkdir()
            write_whole(draft / card.folder / card.file, card.settings().encode(), PUBLIC)
            _check(draft / card.folder / card.file, card)
        with files.changing():
            tokens = new_tokens(files, [TokenUse(kind=card.kind, name=card.name, table=card.table) for card in cards])
        for card, token in zip(cards, tokens, strict=True):
            write_whole(draft / card.folder / "tilehall.toml", _enrolment(files, card, token, address).encode(), OWNER_ONLY)
        draft.rename(target)
    except OSError as error:
        raise HallFolderError(where=target, expected="to write the cards' files", found=reason(error)) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _check(path: Path, card: Card) -> None:
    """Check the settings of a card as its own program does, and that they report this table to the hall."""
    where = str(card.template or card.file)
    try:
        if card.kind == "clock":
            clock = settings_of("tileclock", path).hall
            fits = clock.enabled and clock.table == card.table
        else:
            station = settings_of("tilekiosk", path)
            fits = station.hall.enabled and station.name == card.name
    except HallFolderError:
        # Only a machine with the program can check it.
        return
    except SettingsError as error:
        error.where = error.where.replace(str(path), where)
        raise
    if not fits:
        wanted = "table = {table}" if card.kind == "clock" else 'name = "{name}"'
        raise SettingsError(where=where, expected=f"enabled = true below [hall], and {wanted}", found="other settings")


def _enrolment(files: HallFiles, card: Card, token: str, address: BrokerAddress) -> str:
    hall = fingerprint(files.authority.certificate.public_bytes(Encoding.DER))
    plain = BrokerAddress(address.host)
    lines = [
        f"# {card.folder} of hall {files.authority.hall}, made by `tilehall token`. It admits one device, once: keep it like a key.",
        *(["[broker]", f"host = {json.dumps(address.host)}", f"port = {address.port}", ""] if address.host else []),
        "[enrol]",
        *([f"port = {address.enrol_port}"] if address.enrol_port != plain.enrol_port else []),
        f'hall = "{hall}"',
        f'token = "{token}"',
        "",
    ]
    return "\n".join(lines)
