"""A whole clock whose left button wears: what it keeps beside its journal, whom it warns, and when."""

from pathlib import Path

import msgspec

from appliance.errors import State
from firmware.doctor.examine import check_wear
from firmware.shell.wear import WearLog, load_wear, wear_path
from hardware.buttons.board_pins import Edge
from rules.contact import MS
from rules.wear import FIRST_GAMES, Heard, Tally, Wear, Worn
from tests.cells import each_cell
from tests.firmware.shell.rig import Rig, Step, rig, whole_game
from tests.processes import until
from tests.some import some

TOUCHES = ("64.5", "81", "100.25")
"""While nothing of a game depends on the left button's being up."""
NAMED = "LEFT button is wearing: replace it. Touches too short: 0\u00a0% before, 13\u00a0% now"


def pressed(times: int, *, touches: int = 0) -> Tally:
    tally = Tally(touches=touches)
    for _ in range(times):
        tally = tally.and_press(MS, 90 * MS, opened=False)
    return tally


def stored(journal: Path, games: int) -> Path:
    """Store a left button that has been touched in so many of its last games, beside a sound right one."""
    sound = Wear(pressed(400), FIRST_GAMES, (pressed(20),) * 8)
    touched = Wear(pressed(400), FIRST_GAMES, (*(pressed(20),) * (4 - games), *(pressed(20, touches=3),) * games), pressed(5))
    wear_path(journal).write_bytes(msgspec.json.encode({"left": touched, "right": sound}))
    return journal


def touched_game(table: Rig) -> list[Step]:
    touches = (table.press(at, "left", held=MS) for at in TOUCHES)
    return [*whole_game(table), *(step for touch in touches for step in touch)]


def test_a_worn_button_is_named_to_the_director_between_games_and_to_nobody_else(tmp_path: Path) -> None:
    journal = stored(tmp_path / "journal.db", games=3)
    with rig(tmp_path) as table:
        table.play(touched_game(table), table.turn("345", "key", on=True), table.turn("348", "key", on=False), until="350")
        assert [each for _, face in table.screen.faces for each in face.notices if "wearing" in each][:1] == [NAMED]
        assert table.notices("122", "337", "346", "349") == [(), (), (NAMED,), ()]
        assert [note["worn"] for note in table.notes() if "worn" in note] == [
            "left button is wearing: touches too short, 0 % before, 13 % now"
        ]
        until(lambda: load_wear(journal)["left"].last[-1].touches == len(TOUCHES), "the file")


def test_a_button_that_is_known_to_be_worn_is_named_after_a_start_but_not_in_the_game(tmp_path: Path) -> None:
    stored(tmp_path / "journal.db", games=4)
    with rig(tmp_path) as table:
        keys = [table.turn(at, "key", on=on) for at, on in (("2", True), ("4", False), ("30", True))]
        table.play(*keys, table.press("10", "right"), table.press("20", "left"), until="40")
        assert table.notices("1", "3", "5", "35") == [(), (NAMED.replace("13", "15"),), (), ()]
        assert not any("worn" in note for note in table.notes())


def test_a_game_adds_its_presses_once_it_is_over_and_edges_without_the_kernels_instant_say_nothing(tmp_path: Path) -> None:
    log = WearLog(tmp_path / "journal.db")

    def take(*edges: tuple[str, int, bool], stamped: bool = True) -> None:
        log.take(Edge(button, down, at * MS, stamped) for button, at, down in edges)

    presses = [("ok", 1000 * each + 90 * (not down), down) for each in range(10) for down in (True, False)]
    take(*presses, ("key", 10_000, True), ("key", 10_090, False), ("left", 10_000, True))
    assert not log.count(10_500 * MS, playing=True)
    take(("left", 10_100, False), stamped=False)
    take(("up", 10_600, True), ("up", 10_690, False), stamped=False)
    assert log.count(11_000 * MS, playing=False)
    assert not log.count(12_000 * MS, playing=False)
    until(lambda: wear_path(tmp_path / "journal.db").exists(), "the file")
    known = load_wear(tmp_path / "journal.db")
    assert known["ok"].last == (heard_of("ok", presses),)
    assert known["left"] == known["up"] == Wear()
    assert "key" not in known


def heard_of(button: str, edges: list[tuple[str, int, bool]]) -> Tally:
    heard = Heard()
    for name, at, down in edges:
        heard = heard.edge(at * MS, down=down) if name == button else heard
    return heard.until(10**12).tally


def test_a_file_that_is_damaged_or_none_is_no_knowledge_and_no_trouble(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    impossible = b'{"left": {"first": {"bounces": [1]}}}', b'{"left": {"first": {"touches": -1}}}'
    for cell in each_cell([b"", b"{", b"[" * 20_000, b'{"x": {}, "key": {}}', *impossible]):
        with cell as damaged:
            wear_path(journal).write_bytes(damaged)
            assert (load_wear(journal), list(check_wear(journal))) == ({}, [])
    with rig(tmp_path) as table:
        table.play(touched_game(table), until="350")
        until(lambda: load_wear(journal).keys() >= {"left", "right"}, "a new file")
    assert table.notices("346") == [()]


def test_a_file_that_cannot_be_written_ends_no_game(tmp_path: Path) -> None:
    wear_path(tmp_path / "journal.db").mkdir()
    with rig(tmp_path) as table:
        table.play(whole_game(table), until="350")
        assert some(table.clock.table.game_at(table.hand.now).end) is not None


def test_the_doctor_names_what_has_changed_or_that_nothing_has(tmp_path: Path) -> None:
    (worn,) = check_wear(stored(tmp_path / "journal.db", games=4))
    assert (worn.name, worn.state) == ("wear of left", State.NOTE)
    assert worn.found == f"{Worn('left', 'touches', 0, 15).words}. Replace it before it loses a press"
    (sound,) = check_wear(stored(tmp_path / "journal.db", games=3))
    assert (sound.state, sound.found) == (State.OK, "no change since their first games: left, right")
