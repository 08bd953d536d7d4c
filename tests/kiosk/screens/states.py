"""Every state of the station as its own face shows it: what the players see, the director's door and desk, the word judge. For the golden pictures."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from appliance.qr import qr_rows
from appliance.texts import about
from faults.errors import Phrase
from kiosk import events
from kiosk.challenge.flow import EarlierRow, Flow, Question, notice
from kiosk.challenge.timeouts import clears_at
from kiosk.context import Facts, LexiconFile, LogLine, LogPage, RulebookChoice, SelfTestResult, TroubleKind
from kiosk.director.door import Lock
from kiosk.face.page import Page
from kiosk.face.view import page, players_page
from kiosk.keyboards import keyboard
from kiosk.station import begin
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from rules.duration import NS
from rules.side import Side
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face import flows
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.station.playing import BEGUN, Playing

State = Callable[[str], Page]
POINTS: Final = "naspa-2017-collins-10"
NO_WAY_OUT: Final = "nzasp-2022"
EIGHT: Final = tuple(map(tuple, ("QUIXOTRY", "ZA", "OXAZOLE", "UNEXCEPTIONABLE", "MAWS", "LETTERPRESSES", "TE", "AQUEDUCT")))
POLISH: Final = tuple(map(tuple, ("ŻÓŁĆ", "GĘŚ", "ŹDŹBŁO", "KONSTANTYNOPOLI", "MAŚĆ", "ŁĄKA", "TĘ", "ŚWIERSZCZ")))
PRACTISING: Final = lexicon_name(practice=True)


def players_state(flow: Flow, *, last: int | None = None) -> State:
    """Return the players' page of ``flow``; ``last``: so many seconds before the screen clears itself."""
    spelling = flow.context.spelling
    tiles = spelling.tiles if spelling else ()
    end = None if last is None else clears_at(flow)
    now = flows.NOW if end is None or last is None else end - last * NS

    def made(language: str) -> Page:
        return players_page(flow.replace(language=language), now, load_texts(language), keyboard(about(language).say("keyboard"), tiles))

    return made


def desk_state(
    *done: events.Event, opened: bool = True, lock: Lock | None = None, before: tuple[events.Event, ...] = (), **more: Any
) -> State:
    """Return the director's page after these events, ``before`` being the players'."""

    def made(language: str) -> Page:
        stands = replace(context("naspa-2017"), language=language)
        played = Playing(begin(replace(stands, **more), lock or Lock(KEPT_PIN, key=True), BEGUN)).do(*before)
        shown = (played.opened() if opened else played.do(events.KnockAtDoor())).do(*done)
        return page(shown.now, shown.at, load_texts, keyboard(about(language).say("keyboard"), tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ")))

    return made


def facts(place: events.JudgeDeskPlace, **known: Any) -> tuple[events.Event, ...]:
    return events.GoTo(place), events.JudgeDeskAnswer(Facts(**known))


WRONG = (events.Type("1111"), events.Next())
LEXICONS = (
    LexiconFile("/var/lib/tilekiosk/club.dawg", lexicon_name()),
    LexiconFile("/var/lib/tilekiosk/school.dawg", replace(lexicon_name(practice=True), name="School list", sha256="f" * 64, words=8_120)),
    LexiconFile(
        "/var/lib/tilekiosk/fise.dawg",
        replace(lexicon_name("spanish"), name="LISTA", edition="2025", sha256="e" * 64),
        Phrase(
            "/var/lib/tilekiosk/fise.dawg: expected the tiles of the alphabet english, found those of spanish. "
            "Choose a lexicon of that alphabet, or correct the alphabet in the settings."
        ),
    ),
    LexiconFile("/var/lib/tilekiosk/old.dawg", None, Phrase("expected the SHA-256 1f0c9a3e, found 77aa01d2. Copy the file again.")),
)
BOOKS = (
    RulebookChoice("naspa-2017", "NASPA Official Tournament Rules 2017"),
    RulebookChoice("naspa-2017-collins-5", "NASPA 2017, Collins divisions, 5 points"),
    RulebookChoice("naspa-2017-collins-10", "NASPA 2017, Collins divisions, 10 points"),
    RulebookChoice("nzasp-2022", "New Zealand Tournament Rules 2022"),
    RulebookChoice("club", "Club play"),
    RulebookChoice("school", "School play"),
)
ROWS = LogPage(
    tuple(
        LogLine(row, f"2026-11-21 10:4{row % 10}:02 UTC", entry)
        for row, entry in (
            (128, Entry(Kind.LOOKUP, 12, "left", ("QUIXOTRY", "ZA"), acceptable=False)),
            (127, Entry(Kind.REPEAT, 7, "left", ("HEM", "ZAX"), acceptable=True, first=125)),
            (126, Entry(Kind.WITHDRAWN, 3)),
            (125, Entry(Kind.LOOKUP, 7, "left", ("HEM", "ZAXX"), acceptable=False)),
            (124, Entry(Kind.DIRECTOR_CALLED, 4)),
        )
    ),
    None,
    older=True,
)
FINDINGS = (
    SelfTestResult(Phrase("Lexicon TEST LIST: 270,163 words, 01234567"), fine=True),
    SelfTestResult(Phrase("Log: 128 rows, the chain is whole"), fine=True),
    SelfTestResult(Phrase("Printer: expected /dev/ttyUSB0, found nothing. Plug it in."), fine=False),
)
SLIP = (events.GoTo(events.JudgeDeskPlace.JUDGE), events.Begin(), events.Type("7"), events.Next())
PLAYED = (*SLIP, events.ChooseChallenger(None), events.Type("HEM ZAX"), events.Finish())
WHO = (*PLAYED, events.Finish(), events.Type("AB"))
BOOK = (*WHO, events.Next())
RULED = (*BOOK, events.GiveVerdict(acceptable=True), events.VerdictWritten(5))
DIFFER = (
    *RULED,
    events.SecondOpinion(here=False),
    events.Type("CD"),
    events.Next(),
    events.GiveVerdict(acceptable=False),
    events.VerdictWritten(6),
)
ASKED = (events.Begin(), events.Type("7"), events.Next(), events.ChooseChallenger(Side.LEFT), events.Type("HEM ZAX"))

STATES: dict[str, State] = {
    "idle": players_state(flows.idle()),
    "still_there_checking": players_state(flows.checking(still_there=True)),
    "idle_practice": players_state(flows.idle(context=replace(context(), lexicon=PRACTISING))),
    **{
        f"trouble_{trouble_kind}": players_state(flows.ailing(trouble_kind))
        for trouble_kind in (TroubleKind.LEXICON_MISSING, TroubleKind.LOG)
    },
    "looking": players_state(flows.asked(Question.LOOKING, digits="12", linked=True, asks_clock=True)),
    "table": players_state(flows.asked(Question.TABLE, digits="12")),
    "table_notice": players_state(flows.asked(Question.TABLE, notice=notice("table_digits")), last=8),
    "repeat": players_state(flows.last_asked()),
    "challenger": players_state(flows.asked(Question.CHALLENGER, digits="12")),
    "runs": players_state(flows.asked(Question.RUNS, digits="12", linked=True, asks_clock=True)),
    "words": players_state(flows.typing()),
    "words_begun": players_state(flows.typing(words=((),), chosen=0)),
    "words_next": players_state(flows.typing(words=(*EIGHT[:2], ()), chosen=2, challenger=Side.RIGHT)),
    "words_first": players_state(flows.typing(chosen=0)),
    "words_fixed": players_state(
        flows.typing(words=(*EIGHT[:1], ()), count=2, link=EarlierRow(Kind.REPEAT, 3, 1), notice=notice("count_differs", count=2, words=1))
    ),
    "words_eight": players_state(flows.typing(words=EIGHT, chosen=3)),
    "words_spanish": players_state(
        flows.typing(words=(("CH", "O", "RR", "O"), ("LL", "E", "Ñ", "O")), context=context(alphabet="spanish")), last=7
    ),
    "words_polish": players_state(
        flows.typing(
            words=POLISH, count=8, chosen=7, context=replace(context(alphabet="polish"), lexicon=lexicon_name("polish", practice=True))
        )
    ),
    "words_repeated": players_state(flows.typing(count=2, link=EarlierRow(Kind.REPEAT, 3, 1))),
    "checking": players_state(flows.checking()),
    "checking_one": players_state(flows.checking(NO_WAY_OUT, words=EIGHT[:1], count=1, challenger=Side.RIGHT)),
    "checking_eight": players_state(flows.checking(words=EIGHT, count=8, challenger=Side.RIGHT), last=9),
    "checking_practice": players_state(flows.checking(words=EIGHT, count=8, context=replace(context(), lexicon=PRACTISING))),
    "checking_opinion": players_state(flows.checking(link=EarlierRow(Kind.SECOND_OPINION, 3, 0))),
    "shown_again_points": players_state(flows.shown_again(POINTS, acceptable=True)),
    "acceptable": players_state(flows.verdict(acceptable=True), last=9),
    "acceptable_points": players_state(flows.verdict(POINTS, acceptable=True)),
    "unacceptable": players_state(flows.verdict(acceptable=False), last=4),
    "unacceptable_repeated": players_state(
        flows.verdict(acceptable=False, row=None, link=EarlierRow(Kind.REPEAT, 3, 1), open=()).replace(
            context=replace(context(), lexicon=PRACTISING)
        )
    ),
    "withdrawn": players_state(flows.withdrawn()),
    "conceded_acceptable": players_state(flows.conceded(acceptable=True)),
    "conceded_unacceptable": players_state(flows.conceded(acceptable=False)),
    "director": players_state(flows.typing(calling=True)),
    "door_pin": desk_state(events.Type("2468"), opened=False),
    "door_wrong": desk_state(*WRONG, opened=False),
    "door_shut": desk_state(*WRONG * 3, opened=False),
    "door_none": desk_state(opened=False, lock=Lock(key=True)),
    "concede": players_state(flows.typing(leaving=True, conceding=Side.RIGHT)),
    "desk_menu": desk_state(),
    "desk_menu_busy": desk_state(before=ASKED),
    "desk_lexicons": desk_state(*facts(events.JudgeDeskPlace.LEXICONS, lexicons=LEXICONS, in_use=LEXICONS[0].id)),
    "desk_lexicons_none": desk_state(*facts(events.JudgeDeskPlace.LEXICONS, lexicons=())),
    "desk_rulebooks": desk_state(
        *facts(events.JudgeDeskPlace.RULEBOOKS, rulebooks=BOOKS, result="NASPA 2017: in force.", done=True), before=ASKED
    ),
    "desk_name": desk_state(events.GoTo(events.JudgeDeskPlace.NAME)),
    "desk_log": desk_state(*facts(events.JudgeDeskPlace.LOG, log=ROWS)),
    "desk_export": desk_state(*facts(events.JudgeDeskPlace.EXPORT, result="/var/lib/tilekiosk/log-2026-11-21.csv", done=True)),
    "desk_self_test": desk_state(*facts(events.JudgeDeskPlace.SELF_TEST, findings=FINDINGS)),
    "desk_quit": desk_state(events.GoTo(events.JudgeDeskPlace.QUIT)),
    "judge_start": desk_state(events.GoTo(events.JudgeDeskPlace.JUDGE)),
    "judge_table": desk_state(*SLIP[:-1]),
    "judge_side": desk_state(*SLIP),
    "judge_words": desk_state(*PLAYED[:-1]),
    "judge_played": desk_state(*PLAYED),
    "judge_who": desk_state(*WHO),
    "judge_book": desk_state(*BOOK),
    "desk_touch": desk_state(events.GoTo(events.JudgeDeskPlace.SELF_TEST), events.Begin(), *[events.PointDone(answers=True)] * 3),
    "judge_ruled": desk_state(*RULED),
    "judge_differ": desk_state(*DIFFER),
    # New ones go last: a state between the others would change every one's languages.
    "desk_confirm": desk_state(
        *facts(events.JudgeDeskPlace.LEXICONS, lexicons=LEXICONS, in_use=LEXICONS[0].id),
        events.Choose(LEXICONS[1].id),
        before=ASKED,
    ),
    "desk_confirm_unusable": desk_state(
        *facts(events.JudgeDeskPlace.LEXICONS, lexicons=LEXICONS, in_use=LEXICONS[0].id), events.Choose(LEXICONS[2].id)
    ),
    "ways": players_state(flows.typing(leaving=True)),
    "word_judge": players_state(flows.judge_called()),
    "desk_off": desk_state(events.GoTo(events.JudgeDeskPlace.QUIT), power_off=True),
    "desk_menu_off": desk_state(power_off=True),
    "table_asks_clock": players_state(flows.asked(Question.TABLE, digits="12", linked=True, asks_clock=True)),
    "acceptable_last": players_state(flows.verdict(POINTS, acceptable=True, last_play=True)),
    "acceptable_nz": players_state(flows.verdict(NO_WAY_OUT, acceptable=True)),
    "help_words": players_state(flows.typing(helping=True)),
    "help_menu": desk_state(events.ShowHelp()),
    "idle_joins": players_state(flows.idle(joins=events.JoinAsked("cambridge", "1234-5678", tuple(qr_rows("0123456789abcdef" * 4))))),
    "still_there": players_state(flows.typing(still_there=True), last=48),
    "shown_again": players_state(flows.shown_again(acceptable=False), last=8),
}
