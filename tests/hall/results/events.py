"""Events as hypothesis makes them: what files can say and read back."""

from hypothesis import strategies as st

from hall.event.model import BYE, Event, Pairing, Player
from hall.results.book import Applied, GameResult, KeptRow, applied, book_of

NAMES = ("Lee, Ann", "O\u2019Neil, Bo", "Zoë, Cy", '"Ng", Di', "=Roe, Eve Jo", "Ångström, Flo", "de la Cruz, Gil", "Hu, Ian")
TWICE = ("Lee, Ann", "Lee, Ann", *NAMES[1:])
"""One name twice in each division, and in both."""
_EXTRAS = st.sampled_from(
    ["", "off 50", "penalty 0 -10 5", "note a\\;b c\\\\; penalty -25", "rprov 3 400 350; rtime 1 2", "excwins -3.07160046801756 0.5 1.50"]
)
_SCORE = st.integers(-50, 850)
_BYE_SCORE = st.sampled_from([None, 50, 0, -50, 100])


@st.composite
def events(draw: st.DrawFn, divisions: tuple[str, ...] = ("A", "B"), names: tuple[str, ...] = TWICE) -> Event:
    players, pairings = list[Player](), list[Pairing]()
    for division in divisions:
        numbers = range(1, draw(st.integers(2, len(names))) + 1)
        for number in numbers:
            rating = draw(st.sampled_from(["0", "1500", "1437+21", "1700.5", "1437.1234567890123"]))
            member = draw(st.sampled_from(["", f"AA{number:06}"]))
            players.append(
                Player(division, number, names[number - 1], rating, member, draw(st.sampled_from(["", "Red Sox"])), draw(_EXTRAS))
            )
        for each in range(1, draw(st.integers(0, 3)) + 1):
            order = draw(st.permutations(numbers))
            board = 0
            while len(order) > 1 and draw(st.integers(0, 5)):
                one, two, *order = order
                board += 1
                scores = draw(st.one_of(st.none(), st.tuples(_SCORE, _SCORE)))
                pairings.append(Pairing(division, each, one, two, ordered=True, board=board, scores=scores or (None, None)))
            pairings += [Pairing(division, each, one, BYE, scores=(draw(_BYE_SCORE), None)) for one in order if draw(st.booleans())]
    return Event(tuple(players), tuple(sorted(pairings, key=lambda each: (each.division, each.round, each.first))))


def with_rows(event: Event, *rows: GameResult) -> Applied:
    """Return the event with what rows come to, in this order."""
    return applied(event, book_of((number, "", KeptRow(row)) for number, row in enumerate(rows, 1)))
