import json
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from gpiozero import GPIOZeroError
from hypothesis import given, settings

from appliance.clocks import Clocks
from appliance.lock import hashed
from firmware.cli.main import main
from firmware.gestures.clock_state import ClockState
from firmware.journal.recovery import recover, wrong_codes
from firmware.journal.writer import JournalRecorder, JournalWriter, open_journal
from firmware.menu.actions import Menu
from firmware.settings import merge
from firmware.shell.assemble import setup_of
from firmware.shell.clock import TableClock
from firmware.shell.notices import Notices
from game.exact_json import decode
from game.game import Phase
from game.history import History, begin
from records.journal import Kind
from rules.contact import MS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.appliance.records.damage import tamper
from tests.examples import examples
from tests.firmware.gestures.any_train import Train, trains
from tests.firmware.saying import new_game
from tests.firmware.shell import rig as rigs
from tests.some import some

Raw = tuple[int, str, bool]
"""An edge: its instant in ns, the button, and whether it went down."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> rigs.Rig:
    with rigs.rig(tmp_path_factory.mktemp("played")) as table:
        table.play(rigs.whole_game(table), until=rigs.UNTIL)
    return table


def _kept(path: Path) -> list[tuple[int, str, str]]:
    """Return each event of the journal as it was left: its instant since the beginning, its name, and the rest of what it says."""
    left: dict[int | None, tuple[int, str, str]] = {}
    for kept in rigs.rows_in(path):
        if kept.row.kind == Kind.EVENT:
            body = decode(kept.row.body)
            rest = " ".join(str(body[key]) for key in body if key not in ("do", "before", "after"))
            left[kept.row.number] = (kept.row.at - rigs.BEGAN, body["do"], rest)
    return list(left.values())


def test_a_whole_game_by_buttons_alone_is_charged_to_the_nanosecond_and_shown_to_both_players_as_it_happens(played: rigs.Rig) -> None:
    assert played.used() == (rigs.LEFT_USED, rigs.RIGHT_USED)
    game = played.clock.table.game_at(played.hand.now)
    assert (game.phase, game.reason, game.accounts.right.allowed - game.accounts.left.allowed) == (Phase.OVER, "out play", rigs.ns("60"))
    assert [played.face(seconds).banner for seconds in ("2", "20", "70", "119", "217", "251", "305", "345")] == [
        *("", "", "HOLD", "STOPPED", "CHALLENGE", "UNACCEPTABLE", "OUT PLAY", "GAME OVER")
    ]
    assert played.face("20").halves.of(Side.LEFT).runs
    assert [played.face(seconds).menu is not None for seconds in ("122", "131")] == [True, False]
    assert "allowed: 26:00" in played.face("131").halves.of(Side.RIGHT).marks


def test_the_journal_holds_exactly_the_game_at_the_edges_own_instants(played: rigs.Rig) -> None:
    assert _kept(played.path) == [
        (0, "new_game", "5 naspa-2017"),
        (rigs.ns("5.000000001"), "press", "right"),
        (rigs.ns("38.25"), "press", "left"),
        (rigs.ns("61.5"), "hold", ""),
        (rigs.ns("79.75"), "release", ""),
        (rigs.ns("95.125000003"), "press", "right"),
        (rigs.ns("118"), "neutralise", ""),
        (rigs.ns("123"), "adjust", "right 60 now director's ruling"),
        (rigs.ns("140"), "press", "right"),
        (rigs.ns("190.5"), "press", "left"),
        (rigs.ns("215"), "challenge", ""),
        (rigs.ns("249"), "verdict", "False 1"),
        (rigs.ns("262"), "press", "left"),
        (rigs.ns("290.7"), "neutralise", ""),
        (rigs.ns("295.5"), "out_play", ""),
        (rigs.ns("336"), "window", "recount"),
    ]


def test_replay_of_the_exported_journal_shows_what_was_shown_live(played: rigs.Rig, tmp_path: Path) -> None:
    script = CliRunner().invoke(main, ["journal", "export", "--journal", str(played.path)])
    assert script.exit_code == 0
    lines = [line for line in script.output.splitlines() if json.loads(line)["do"] != "show"]
    lines += [json.dumps({"t": seconds, "do": "show"}) for seconds in played.looked]
    lines.sort(key=lambda line: rigs.ns(json.loads(line)["t"]))
    (tmp_path / "game.jsonl").write_text("\n".join(lines), encoding="utf-8")
    replayed = CliRunner().invoke(main, ["replay", "--strict", str(tmp_path / "game.jsonl")])
    assert replayed.exit_code == 0
    assert [json.loads(line) for line in replayed.output.splitlines()] == [json.loads(said) for said in played.looked.values()]


class Alone:
    def __init__(self, path: Path) -> None:
        setup = setup_of(merge([]).settings)
        open_journal(path)
        self.writer = JournalWriter(path, lambda _: None)
        recorder = JournalRecorder(self.writer, Clocks(wall=lambda: "", boot=lambda: "b"), 0, None)
        self.clock = TableClock(ClockState(begin(new_game("naspa-2017"), 0), setup), recorder, Notices(), 0)

    def played(self, heard: Iterable[tuple[int, Raw]], until: int) -> History:
        """Hear each edge at its instant; time goes on in between as the loop would see it."""
        for now, (at, button, down) in heard:
            self.clock.tick(now)
            self.clock.edge(button, at, down=down)
        self.clock.tick(until)
        assert self.writer.close()
        return self.clock.table.history


def test_while_a_press_is_undecided_a_mark_claims_no_time_after_its_first_edge_and_says_how_much_may_be_missing(tmp_path: Path) -> None:
    alone = Alone(tmp_path / "journal.db")
    alone.clock.edge("right", 5_000 * MS, down=True)
    # The disk says that no clock runs: one may have been started, and run until the next mark.
    for now, since, decided, lag in ((5_200, 5_000, 1, 1_200), (5_900, 5_900, 2, 1_200), (6_200, 6_200, 2, 0)):
        alone.clock.tick(now * MS)
        assert (alone.clock.known(now * MS), alone.clock.decided.history.number) == (since * MS, decided)
        assert alone.clock.table.history.number == 2
        alone.clock.mark(now * MS)
        assert alone.writer.lag_ns == lag * MS
    assert alone.writer.close()


def _left(history: History | None) -> list[tuple[int, object]]:
    """Return the events that stand, without their numbers: those say in which order they came."""
    return [] if history is None else [(link.at, link.event) for link in history.standing()]


@settings(max_examples=examples(120), deadline=None)
@given(trains())
def test_edges_that_are_late_and_in_any_order_make_the_same_journal(train: Train) -> None:
    heard = sorted((edge.at + delay, (edge.at, edge.button, edge.down)) for edge, delay in zip(train.edges, train.delays, strict=True))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "late.db"
        belated = Alone(path).played(heard, train.until)
        recovered = some(some(recover(path, load_rulebook)).history)
    assert _left(belated) == _left(recovered)
    assert belated.game_at(train.until) == recovered.game_at(train.until)


@pytest.mark.parametrize("delay", [0, 100 * MS, 500 * MS])
def test_a_new_game_begun_in_the_menu_is_one_game_in_the_journal_however_late_its_edges_come(tmp_path: Path, delay: int) -> None:
    last, path = 60_000 * MS, tmp_path / "journal.db"
    alone = Alone(path)
    # While the clock runs, ok opens the menu.
    ends, begins = rigs.row_of_menu("end", "0 press right"), rigs.row_of_menu("new_game", "0 press right", "1 end reason=x")
    walk = ("right", "key", "ok", *ends, "down", "ok", "down", "ok", *begins, "ok", "ok", "ok", "down")
    for second, button in enumerate(walk, start=1):
        alone.clock.edge(button, second * 1_000 * MS, down=True)
        if button != "key":
            alone.clock.edge(button, second * 1_000 * MS + 80 * MS, down=False)
    edges: list[Raw] = [
        *((last - 200 * MS, "up", True), (last - 199 * MS, "up", False)),  # a spike
        *((last, "ok", True), (last + 80 * MS, "ok", False), (last + 150 * MS, "key", False)),
        *((last + 200 * MS, "right", True), (last + 280 * MS, "right", False)),
    ]
    history = alone.played(sorted((edge[0] + delay * (turn % 2), edge) for turn, edge in enumerate(edges)), last + 5_000 * MS)
    assert [type(link.event).__name__ for link in history] == ["Press", "NewGame"]
    assert [(kept.row.game, kept.row.at) for kept in rigs.rows_in(path) if kept.row.number == 1] == [(1, 0), (2, last)]
    recovered = some(recover(path, load_rulebook))
    assert _left(recovered.history) == _left(history)


def test_what_no_edge_made_is_made_again_after_a_late_edge(tmp_path: Path) -> None:
    alone = Alone(tmp_path / "journal.db")
    clock = alone.clock
    clock.edge("key", 1_000 * MS, down=True)
    clock.tick(2_000 * MS)
    clock.hit_row(0, 2_000 * MS)
    clock.lose_screen(OSError("unplugged"), 2_500 * MS)
    taken = clock.table.menu
    alone.played([(3_000 * MS, (1_500 * MS, "up", True)), (3_000 * MS, (1_500 * MS + 500_000, "up", False))], 3_000 * MS)
    assert taken != Menu()
    assert clock.table.menu == taken
    assert not clock.table.setup.screen


def _unheard(table: rigs.Rig, seconds: str, button: str, *, down: bool) -> list[rigs.Step]:
    """Return the step of a button that moves, of which no edge comes: a flood has swallowed it."""
    pin = table.board.factory.pin(table.board.board.buttons[button].name)

    def move() -> None:
        with pytest.MonkeyPatch.context() as deaf:
            deaf.setattr(pin, "_call_when_changed", lambda: None)
            (table.board.down if down else table.board.up)(button, table.at(seconds))

    return [(table.at(seconds), move)]


def _lost(table: rigs.Rig) -> list[str]:
    return [note["edges_lost"] for note in table.notes() if "edges_lost" in note]


def test_a_press_of_which_every_edge_was_lost_counts_from_when_its_line_was_first_seen_low(table: rigs.Rig) -> None:
    lost = [*_unheard(table, "10.2", "left", down=True), *_unheard(table, "12.2", "left", down=False)]
    table.play(table.press("5", "right"), lost, table.press("20", "centre"), until="21")
    # Seen at the next turn of the loop, for the reading that changes once a second.
    assert table.used() == (rigs.ns("6"), rigs.ns("9"))
    assert _lost(table) == ["1", "2"]


def test_a_quiet_clock_is_not_woken_to_read_its_lines_and_a_press_asks_for_one_look(table: rigs.Rig) -> None:
    table.play(table.press("5", "up"), until="3600")
    assert len([asked for asked in table.screen.asked if asked is not None]) <= 4
    assert table.screen.asked[-1] is None
    assert _lost(table) == []


def test_lines_that_can_no_longer_be_read_are_given_up_and_the_game_goes_on(table: rigs.Rig) -> None:
    def fails(_pin: object) -> bool:
        raise GPIOZeroError("gone")

    with pytest.MonkeyPatch.context() as broken:
        fail: list[rigs.Step] = [
            (table.at("7"), lambda: broken.setattr("gpiozero.pins.mock.MockPin._get_state", fails)),
            (table.at("10"), broken.undo),
        ]
        table.play(table.press("5", "right"), fail, table.press("20", "centre"), until="21")
    assert table.used() == (rigs.ns("15"), 0)
    assert [note.get("given_up") for note in table.notes()].count("looking at the buttons again") == 1


STUCK = "LEFT button is stuck: release it"


def test_a_button_stuck_down_at_the_start_is_no_press_and_is_said_until_it_is_free_and_the_others_play(tmp_path: Path) -> None:
    with rigs.rig(tmp_path, stuck=["left"]) as table:
        # It bounces as it comes free.
        chatter = [table.at("20") + offset * MS for offset in (0, 5, 12)]
        freed = [(table.at("20"), lambda: table.board.bounce("left", chatter))]
        table.play(table.press("5", "right"), table.press("15.5", "centre"), freed, until="50")
        assert table.notices("4", "19", "21") == [(STUCK,), (STUCK,), ()]
        assert [table.face(at).phase for at in ("4", "6", "49")] == [Phase.READY, Phase.RUNNING, Phase.NEUTRAL]
        assert table.used() == (rigs.ns("10.5"), 0)
        assert table.notes()[0] == {"stuck": "left"}


@pytest.mark.parametrize(("board", "more"), [("full", ""), ("two-button", ". The other one held 1\xa0s stops the clock")])
def test_a_button_that_sticks_in_a_game_is_named_after_ten_seconds_and_its_press_counts_once(tmp_path: Path, board: str, more: str) -> None:
    with rigs.rig(tmp_path, board__file=board) as table:
        presses = [step for at, button in (("5", "right"), ("40", "right"), ("70", "left")) for step in table.press(at, button)]
        table.play(presses, table.press("12", "left", held=rigs.ns("48")), until="80")
        # It ended the turn at its edge, and does nothing more, however long it is down: the other player's next press begins the next turn.
        assert table.notices("21.9", "22", "30", "59.9", "61") == [(), *[(f"{STUCK}{more}",)] * 3, ()]
        assert [table.face(at).halves.left.runs for at in ("6", "13", "41", "69", "71")] == [True, False, True, True, False]
        assert table.used() == (rigs.ns("37"), rigs.ns("28"))
        assert table.notes() == [{"stuck": "left"}]


def test_no_other_button_stops_where_both_are_stuck_and_what_is_held_as_long_as_anything_means_is_not_stuck(tmp_path: Path) -> None:
    with rigs.rig(tmp_path, stuck=["left", "right"], board__file="two-button") as table:
        table.play(until="5")
        assert table.notices("4") == [(STUCK, "RIGHT button is stuck: release it")]
    with rigs.rig(tmp_path / "two", board__file="two-button") as table:
        table.play(table.press("5", "left", "right", held=rigs.ns("9.9")), until="20")
        assert all(face.notices == () for _, face in table.screen.faces)
        assert table.notes() == []
    with rigs.rig(tmp_path / "full") as table:
        table.play(table.turn("5", "key", on=True), until="60")
        assert table.notices("59") == [()]


RIGHT = ("left", "right", "right", "left")
WRONG = ("left", "left", "right", "left")


@pytest.fixture(scope="module")
def code() -> str:
    return hashed("1221")


def _knock(table: rigs.Rig, seconds: str) -> list[rigs.Step]:
    """Return the steps that open the door after 5 s."""
    return table.press(seconds, "left", "right", held=rigs.ns("5.2"))


def _enter(table: rigs.Rig, seconds: int, buttons: tuple[str, ...]) -> list[rigs.Step]:
    """Return the presses of a code, handed in 4 s after ``seconds``."""
    return [*table.presses(str(seconds), *buttons), *table.press(f"{seconds + 4}", "left", "right", held=rigs.ns("0.3"))]


def test_the_right_code_opens_the_menu_and_a_wrong_one_does_not(tmp_path: Path, code: str) -> None:
    with rigs.rig(tmp_path, board__file="two-button", director__code=code) as table:
        table.play(_knock(table, "5"), _enter(table, 12, WRONG), _enter(table, 20, RIGHT), until="30")
        asked = some(table.face("19").menu)
        assert asked.rows == (), "the code's page still"
        assert table.clock.table.menu is not None
        assert table.clock.table.wrong_codes == 0
    assert wrong_codes(table.path) == 0


def test_three_wrong_codes_wait_and_a_restart_waits_its_whole_time_again_also_on_another_journal(tmp_path: Path, code: str) -> None:
    with rigs.rig(tmp_path, board__file="two-button", director__code=code) as table:
        wrong = [step for seconds in (12, 20, 28) for step in _enter(table, seconds, WRONG)]
        table.play(_knock(table, "5"), wrong, until="34", cut=True)
        assert table.clock.table.wrong_codes == 3
    assert wrong_codes(table.path) == 3
    for boot in ("second", "third", "fourth"):
        with rigs.rig(tmp_path, rigs.Hand(rigs.ns("5000"), boot=boot), board__file="two-button", director__code=code) as again:
            again.play(_knock(again, "2"), _enter(again, 10, RIGHT), until="16")
            assert again.clock.table.wrong_codes == 3
            door = again.clock.table.door
            assert again.clock.table.menu is None
            assert some(door).entered == "", "the door takes no press before its wait is over"
        if boot == "second":
            tamper(table.path, "UPDATE rows SET body = '{}' WHERE seq = 2")
    assert len(list(tmp_path.glob("*.damaged"))) == 1
