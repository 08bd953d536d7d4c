"""The receipt of a signed result, from the players' row to the phone that reads it on the panel (docs/spec/result.md)."""

from pathlib import Path

import pygame
import pytest
import zxingcpp
from msgspec.structs import replace

from appliance.qr import qr_rows
from appliance.records.rows import hash_of
from firmware.face.value import Face
from firmware.journal.receipt import ReceiptCode, read_receipt
from firmware.screens.layout import Arrangement, arrange
from firmware.screens.painter import Painter
from records.journal import reading, rows_from
from records.receipt import Receipt, receipts
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.hall.hall_faces import hall_faces
from tests.firmware.shell.rig import LONG_NS, Hand, rig
from tests.firmware.signed_journal import RESULT, played, signed_result
from tests.processes import until
from wire.keys import load_key
from wire.topics import CLOCK, EPOCH_DIGITS

pytestmark = pytest.mark.usefixtures("letters")
LONGEST = "Maria Aleksandra Wiśniewska-Kowalczyk de la Fuente"


def _receipts(path: Path) -> list[Receipt]:
    with reading(path) as connection:
        return list(receipts(list(rows_from(connection, 1)), (hash_of(connection, 1) or "")[:EPOCH_DIGITS]))


def _read(face: Face, size: tuple[int, int], arrangement: Arrangement) -> list[str]:
    """Return what a reader of QR codes finds in the picture of ``face``."""
    surface = pygame.Surface(size)
    Painter(arrange(*size, arrangement, Side.RIGHT)).draw(surface, face)
    # The view does not hold what it looks at.
    pixels = pygame.image.tobytes(surface, "RGB")
    view = zxingcpp.ImageView(pixels, *size, zxingcpp.ImageFormat.RGB)
    return [each.text for each in zxingcpp.read_barcodes(view, zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCode]))]


def test_players_take_the_row_receipt_and_a_phone_reads_the_signed_row_on_both_halves(tmp_path: Path) -> None:
    with rig(tmp_path, Hand(wall=lambda: "2026-11-29T10:00:00.000+00:00"), director__results="clock") as table:
        moves = (
            table.press("5", "right"),
            table.press("20", "centre"),
            table.press("22", "left", held=LONG_NS),
            table.press("24.5", "left"),
            table.press("60", "centre", held=LONG_NS),
            # 455 and 455, each taken digit by digit.
            table.presses("65", *["centre"] * 7),
            table.press("75", "left", held=LONG_NS),
            table.press("80", "right", held=LONG_NS),
            table.press("90", "centre", held=LONG_NS),
            table.press("95", "centre"),
            [(table.at("99"), lambda: until(lambda: table.clock._receipt is not None or table.screen.woken.is_set(), "the receipt"))],
            table.press("110", "centre"),
        )
        table.play(*moves, until="115")
        assert table.face("105").code
        assert table.face("114").code == ()
        (receipt,) = _receipts(table.path)
        assert receipt.whole.startswith("TILECLOCK\n2026-11-29\nleft 455\nright 455\n")
        assert _read(table.face("105"), (800, 480), Arrangement.FACING) == [receipt.whole] * 2


def test_the_code_is_read_from_the_picture_of_every_panel_also_with_long_names_and_a_signature(tmp_path: Path) -> None:
    key = load_key(tmp_path / "device.pem", CLOCK)
    (receipt,) = _receipts(signed_result(tmp_path / "journal.db", key))
    date, names, row = "2026-07-03 #7", "Ada Lovelace 412\nBo Žižek 389", receipt.text.splitlines()[-1]
    assert receipt.text == f"TILECLOCK\n{date}\n{names}\n{row}"
    assert receipt.signature.startswith(f"{key.device} ")
    longest = receipt.whole.replace("Ada Lovelace", LONGEST).replace("Bo Žižek", LONGEST[::-1])
    for cell in each_cell([(size, text) for size in ((480, 320), (320, 480), (800, 480), (480, 800)) for text in (receipt.whole, longest)]):
        with cell as (size, text):
            face = replace(hall_faces()["receipt"], code=tuple(qr_rows(text, dense=True)))
            assert _read(face, size, Arrangement.FACING) == [text] * 2


def test_a_game_without_a_signed_result_has_no_receipt_and_one_without_a_hall_no_signature(tmp_path: Path) -> None:
    found: list[ReceiptCode] = []
    path = signed_result(tmp_path / "journal.db", None)
    read_receipt(path, found.append, 1)
    until(lambda: bool(found), "the receipt")
    assert found[0].game == 1
    (receipt,) = _receipts(path)
    assert (receipt.signature, receipt.whole) == ("", receipt.text)
    assert RESULT.names.left in receipt.text
    assert _receipts(played(tmp_path / "other.db", None)) == []
