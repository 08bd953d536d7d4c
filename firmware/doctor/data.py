"""Check the clock's own data: the board, and the texts with the director's reasons."""

from __future__ import annotations

from appliance.checks.finding import Finding, counted, error_finding, ok
from appliance.errors import BoardError
from appliance.texts import Texts
from firmware.texts import load_texts
from firmware.texts.reasons import load_reasons
from hardware.boards.board import Board, load_board
from hardware.boards.kinds import CLOCK


def texts_and_reasons(language: str) -> Texts:
    """Return the texts of ``language``, with the director's reasons checked too.

    Raises:
        TileclockError: either is unusable.
    """
    load_reasons()
    return load_texts(language)


def check_board(file: str) -> tuple[Board | None, Finding]:
    """Return the board (None if its file is unusable) and the finding."""
    try:
        board = load_board(file, CLOCK)
    except BoardError as error:
        return None, error_finding("board file", error)
    parts = [counted(len(board.buttons), "button"), counted(len(board.lamps), "lamp"), "a buzzer" if board.buzzer else "no buzzer"]
    return board, ok("board file", f"{board.id}: {board.title}; {', '.join(parts)}")
