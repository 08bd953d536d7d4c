"""The pages on which a director chooses a lexicon or a rulebook: what tells one from another, and what is asked before it is taken."""

from dataclasses import replace

import pytest

from appliance.errors import Diagnosis
from faults.errors import Phrase
from kiosk import events as players
from kiosk.challenge.context import Trouble, TroubleKind
from kiosk.director.desk import ROWS
from kiosk.director.door import Lock
from kiosk.events import ChooseLexicon, ChooseRulebook, DeskAnswer, DeskPlace, GoTo, TakeWanted
from kiosk.face.page import Icon, Tone
from kiosk.facts import Facts, LexiconFile, RulebookChoice
from kiosk.station.apply import begin
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.face.desk_pages import at_desk, ids, rows_of, seen
from tests.kiosk.station.playing import BEGUN, Playing, station


def test_a_lexicon_is_shown_with_all_that_tells_it_from_another_or_why_it_cannot_be_used() -> None:
    files = (LexiconFile("/x/a.dawg", lexicon_name()), LexiconFile("/b", None, Phrase("expected 3 words, found 2. Copy it again.")))
    shown = at_desk(GoTo(DeskPlace.LEXICONS), DeskAnswer(Facts(lexicons=files, in_use="/x/a.dawg")))
    good, bad = shown.rows
    assert (good.text, good.detail) == ("TEST LIST · 2026-11-21", "In force · a.dawg · 270,163 words · 01234567")
    assert (bad.text, bad.detail) == ("/b", "expected 3 words, found 2. Copy it again.")
    assert bad.target is not None
    assert (bad.target.icon, bad.target.tone) == (Icon.WARNING, Tone.WARNING)
    practice = LexiconFile("/p", lexicon_name(practice=True))
    assert "PRACTICE" in at_desk(GoTo(DeskPlace.LEXICONS), DeskAnswer(Facts(lexicons=(practice,)))).rows[0].detail


@pytest.mark.parametrize(("language", "mark"), [("en", "Not usable here"), ("fr", "Inutilisable ici"), ("es", "No se puede usar aquí")])
def test_a_list_of_another_alphabet_is_marked_before_it_is_chosen_and_says_why_before_it_is_taken(language: str, mark: str) -> None:
    why = Phrase("/x/es.dawg: expected the tiles of the alphabet english, found those of spanish. Choose a lexicon of that alphabet.")
    files = (LexiconFile("/x/a.dawg", lexicon_name()), LexiconFile("/x/es.dawg", lexicon_name("spanish"), why))
    listed = (GoTo(DeskPlace.LEXICONS), DeskAnswer(Facts(lexicons=files, in_use="/x/a.dawg")))
    stands = replace(context(), language=language)
    there = Playing(begin(stands, Lock(pin=True), BEGUN)).opened().do(*listed)
    _, foreign = seen(there).rows
    assert foreign.text == "TEST LIST · 2026-11-21"
    assert foreign.detail.startswith(f"{mark} · alfabeto: " if language == "es" else f"{mark} · alphabet")
    assert "spanish · es.dawg · 270" in foreign.detail
    assert foreign.target is not None
    assert (foreign.target.icon, foreign.target.tone) == (Icon.WARNING, Tone.WARNING)
    assert seen(there.do(ChooseLexicon("/x/es.dawg"))).notice == why
    assert seen(there.do(players.Back())).notice is None


def test_of_two_files_of_the_same_list_only_the_one_in_use_is_in_force() -> None:
    files = tuple(LexiconFile(f"/x/{name}.dawg", lexicon_name()) for name in ("a", "b"))
    first, second = at_desk(GoTo(DeskPlace.LEXICONS), DeskAnswer(Facts(lexicons=files, in_use="/x/b.dawg"))).rows
    assert (first.detail, second.detail) == ("a.dawg · 270,163 words · 01234567", "In force · b.dawg · 270,163 words · 01234567")


def test_before_another_lexicon_is_taken_both_stand_there_with_their_files() -> None:
    files = tuple(LexiconFile(f"/x/{name}.dawg", lexicon_name()) for name in ("a", "b"))
    shown = at_desk(GoTo(DeskPlace.LEXICONS), DeskAnswer(Facts(lexicons=files, in_use="/x/b.dawg")), ChooseLexicon("/x/a.dawg"))
    told = "TEST LIST · 2026-11-21 · 270,163 words · 01234567"
    assert shown.lines == (f"In force now: {told} · /x/b.dawg", f"Take instead: {told} · /x/a.dawg")
    assert (shown.name, ids(shown)) == ("desk.confirm", ["take", "back"])
    assert (shown.keys["return"], shown.keys["escape"]) == (TakeWanted(), players.Back())


def test_before_another_rulebook_is_taken_both_stand_there_and_when_it_is_taken() -> None:
    books = tuple(RulebookChoice(name, name.upper()) for name in (context().rulebook.id, "club"))
    played = station().typed().opened().do(GoTo(DeskPlace.RULEBOOKS), DeskAnswer(Facts(rulebooks=books)), ChooseRulebook("club"))
    now, instead, when = seen(played).lines
    assert (now, instead) == (f"In force now: {books[0].title} · {books[0].id}", "Take instead: CLUB · club")
    assert "as soon as nobody is in one" in when


def test_where_no_file_listed_is_in_force_the_question_names_the_list_or_says_there_is_none() -> None:
    bad = (GoTo(DeskPlace.LEXICONS), DeskAnswer(Facts(lexicons=(LexiconFile("/b", None, Phrase("damaged")),))), ChooseLexicon("/b"))
    assert at_desk(*bad).lines == ("In force now: TEST LIST · 2026-11-21 · 270,163 words · 01234567", "Take instead: /b")
    broken = replace(context(), lexicon=None, spelling=None, trouble=Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("none")))
    assert seen(Playing(begin(broken, Lock(pin=True), BEGUN)).opened().do(*bad)).lines[0] == "In force now: none"


def test_a_list_that_is_not_there_yet_asks_for_patience_and_an_empty_one_says_what_to_do() -> None:
    assert at_desk(GoTo(DeskPlace.LEXICONS)).lines == ("One moment.",)
    assert "put it there" in at_desk(GoTo(DeskPlace.LEXICONS), DeskAnswer(Facts(lexicons=()))).lines[0]


def test_a_long_list_shows_five_rows_and_says_which() -> None:
    books = tuple(RulebookChoice(f"book-{number}", f"Book {number}") for number in range(ROWS + 2))
    first = at_desk(GoTo(DeskPlace.RULEBOOKS), DeskAnswer(Facts(rulebooks=books)))
    assert (len(first.rows), ids(first), first.title) == (ROWS, ["down", "back"], "Which rulebook? · 1 to 5 of 7")
    second = at_desk(GoTo(DeskPlace.RULEBOOKS), DeskAnswer(Facts(rulebooks=books)), first.keys["down"])
    assert (rows_of(second), ids(second), second.title) == (
        ["rulebook.book-5", "rulebook.book-6"],
        ["up", "back"],
        "Which rulebook? · 6 to 7 of 7",
    )


def test_the_desk_says_when_a_choice_is_taken_while_players_are_in_a_challenge() -> None:
    played = station().typed().opened()
    assert seen(played).lines == ("Players are in a challenge: it goes on when the desk is closed.",)
    assert any("as soon as nobody is in one" in line for line in seen(played.do(GoTo(DeskPlace.RULEBOOKS))).lines)
