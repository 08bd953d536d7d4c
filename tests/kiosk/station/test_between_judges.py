"""A play between two word judges: the desk may lock itself, the program may have ended; it waits for the next judge, and nobody rules twice."""

from game.challenge_log.entry import Kind
from kiosk import events as players
from kiosk.director.adjudication import REMEMBERED_NS, Opinion, Ruling, Seat, Stage
from kiosk.effects import WriteVerdict
from kiosk.events import AskReview, DeskPlace, GiveVerdict, GoTo, Settle, TakeOpinion, VerdictWritten
from kiosk.face.view import page
from kiosk.station.apply import begin
from kiosk.station.timeouts import wake_at
from kiosk.station.value import Before
from kiosk.texts import load_texts
from tests.kiosk.challenge.making import context
from tests.kiosk.station.playing import BEGUN, BOTH, Playing, station

FIRST = Ruling(Seat.FIRST, "AB", acceptable=True, row=41)
WAITING = Opinion(7, None, (tuple("HEM"),), None, BEGUN + REMEMBERED_NS, (FIRST,))


def restarted() -> Playing:
    return Playing(begin(context(count_first=False), BOTH, BEGUN, before=Before(opinions=(WAITING,))))


def taken(played: Playing) -> Playing:
    return played.opened().do(GoTo(DeskPlace.JUDGE), TakeOpinion(7))


def ruled(played: Playing, judge: str, row: int, *, acceptable: bool) -> Playing:
    return played.do(players.Type(judge), players.Next(), GiveVerdict(acceptable), VerdictWritten(row))


def test_what_a_loss_of_power_cut_short_waits_at_the_desk_and_is_over_when_it_is_settled() -> None:
    played = ruled(taken(restarted()), "CD", 50, acceptable=True)
    (row,) = [effect.entry for effect in played.asked if isinstance(effect, WriteVerdict)]
    assert (row.kind, row.why, row.first) == (Kind.MANUAL, "second judge CD", 41)
    assert played.now.opinions == (WAITING,)
    assert played.do(Settle()).now.opinions == ()


def test_the_desk_says_of_it_that_it_is_not_settled_and_nothing_of_how_it_was_ruled() -> None:
    played = restarted().opened().do(GoTo(DeskPlace.JUDGE))
    (row,) = page(played.now, played.at, load_texts, ()).rows
    assert (row.text, row.detail) == ("Not yet settled: table 7", "Words challenged: 1")


def test_it_is_forgotten_in_its_time_like_any_play_that_waits() -> None:
    played = restarted()
    assert wake_at(played.now, BEGUN) == WAITING.until
    assert played.after(599.9).now.opinions == (WAITING,)
    assert played.after(0.1).now.opinions == ()


def test_where_the_desk_locks_itself_between_two_judges_the_next_one_is_asked_and_not_the_first_again() -> None:
    played = station().checking().judged().do(players.SecondOpinion(here=False)).after(1)
    taken(played).do(players.Finish())
    ruled(played, "AB", 41, acceptable=True).do(AskReview()).after(300)
    assert played.kept()[-1] == ("aborted", "manual adjudication: the desk locked itself")
    (waiting,) = played.now.opinions
    assert waiting.rulings == (FIRST,)
    judging = taken(played).now.desk.judging
    assert judging is not None
    assert (judging.stage, judging.seat) == (Stage.JUDGE, Seat.SECOND)


def test_another_slip_of_the_same_table_leaves_the_one_that_waits_as_it_is() -> None:
    played = station().checking().judged().do(players.SecondOpinion(here=False)).after(1)
    before = played.now.opinions
    other = tuple("QI")
    played.opened()
    desk = taken(played).now.desk
    assert desk.judging is not None
    slip = desk.judging.slip.replace(words=(other,))
    played.now = played.now.replace(desk=desk.replace(judging=desk.judging.replace(slip=slip, stage=Stage.BOOK, rulings=(FIRST,))))
    assert played.after(300).now.opinions == before
