"""Pages of the director's desk as events lead to them, and what stands on a page."""

from collections.abc import Iterator

from kiosk import events as players
from kiosk.events import Event, GiveVerdict, GoTo, JudgeDeskPlace, NewSlip, NoSide, VerdictWritten
from kiosk.face.page import Page
from kiosk.face.view import page
from kiosk.keyboards import keyboard
from kiosk.texts import load_texts
from tests.kiosk.station.playing import Playing, station

BOARD = keyboard("qwerty", tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))

ADJUDICATION = (
    GoTo(JudgeDeskPlace.JUDGE),
    NewSlip(),
    players.Type("7"),
    players.Next(),
    NoSide(),
    players.Type("HEM ZAX"),
    players.Finish(),
)

RULED = (players.Finish(), players.Type("AB"), players.Next(), GiveVerdict(acceptable=True), VerdictWritten(5))


def seen(played: Playing) -> Page:
    return page(played.now, played.at, load_texts, BOARD)


def at_desk(*events: Event) -> Page:
    return seen(station().opened().do(*events))


def texts_of(shown: Page) -> str:
    return "\n".join(_texts_of(shown))


def _texts_of(shown: Page) -> Iterator[str]:
    yield from (shown.title, *shown.lines, shown.entry or "", shown.notice or "", shown.banner.text if shown.banner else "")
    yield from (text for row in shown.rows for text in (row.text, row.detail))
    yield from (word.text for word in shown.words)
    yield from (target.text for target in shown.actions)


def ids(shown: Page) -> list[str]:
    return [target.id for target in shown.actions]


def rows_of(shown: Page) -> list[str]:
    return [row.target.id for row in shown.rows if row.target is not None]
