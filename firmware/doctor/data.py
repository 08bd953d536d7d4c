"""Check the clock's data: settings, rulebooks, texts, board."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.checks.finding import Finding, counted, error_finding, ok
from appliance.errors import BoardError, TileclockError
from appliance.settings.last_good import finding
from firmware.settings import Layered, Settings
from firmware.texts import load_texts
from firmware.texts.reasons import load_reasons
from hardware.boards.board import Board, load_board
from hardware.boards.kinds import CLOCK
from rules.rulebooks import RulebookError, load_rulebook, load_source, shipped_ids


def check_settings(layered: Layered) -> Iterator[Finding]:
    """Yield the source of each setting; or why the machine's files are not in force, and what replaces them."""
    yield finding(layered)


def check_rulebooks(settings: Settings) -> Iterator[Finding]:
    """Yield each unusable rulebook, or one line for all."""
    bad = False
    for name in dict.fromkeys((settings.rulebook, *shipped_ids(), *settings.own_rulebooks)):
        try:
            load_rulebook(name)
        except RulebookError as error:
            bad = True
            yield error_finding(
                f"rulebook {name}",
                error,
                "Correct the file at that place, or name another rulebook in the settings; `tileclock rulebooks` lists the shipped ones",
            )
    if not bad:
        own = counted(len(settings.own_rulebooks), "own", "own")
        yield ok("rulebooks", f"{len(shipped_ids())} shipped, {own}; a game begins with {load_source(settings.rulebook).title}")


def check_texts(language: str) -> Iterator[Finding]:
    """Yield whether the screen's texts and the director's reasons are usable."""
    try:
        texts = load_texts(language)
        load_reasons()
    except TileclockError as error:
        yield error_finding(
            "texts", error, "Choose a shipped language with --language, or install Tileclock anew if a shipped file was changed"
        )
        return
    yield ok("texts", f"{language}: {counted(len(texts.by_key), 'text')}")


def check_board(file: str) -> tuple[Board | None, Finding]:
    """Return the board (None if its file is unusable) and the finding."""
    try:
        board = load_board(file, CLOCK)
    except BoardError as error:
        return None, error_finding("board file", error)
    parts = [counted(len(board.buttons), "button"), counted(len(board.lamps), "lamp"), "a buzzer" if board.buzzer else "no buzzer"]
    return board, ok("board file", f"{board.id}: {board.title}; {', '.join(parts)}")
