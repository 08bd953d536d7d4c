"""``tilehall order``: from the command line to the faces of real clocks, and what each answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from click.testing import CliRunner

from game.journal.row import Kind
from hall.cli.main import main
from hall.keys.files import COMMAND_LINE, LISTENER
from hall.watch.status import read_picture
from tests.hall.joined import PASSPHRASE, JoinedHall, PlayedClock, joined_hall
from tests.hall.listener.listening import TILEHALL, Listening
from tests.installed import require
from tests.processes import running, until

pytestmark = pytest.mark.waits(8)

_LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ")


@dataclass
class DirectedHall:
    """Two clocks and a listener."""

    hall: JoinedHall
    soft: PlayedClock
    hard: PlayedClock
    listening: Listening

    def order(self, *words: str, typed: str = PASSPHRASE) -> tuple[int, str]:
        """Give the command; return its exit code and what it says."""
        broker, files = self.hall.broker, self.hall.files
        verb, *rest = words
        options = {
            "--host": broker.host, "--port": broker.port, "--http": self.listening.port, "--folder": files.identity(COMMAND_LINE).key.parent,
            "--key": files.director, "--book": self.hall.folder / "orders.db",
        }  # fmt: skip
        done = CliRunner().invoke(
            main, ["order", verb, *(str(each) for pair in options.items() for each in pair), *rest], input=f"{typed}\n"
        )
        assert isinstance(done.exception, SystemExit | None), done.exception
        # The clocks of this process log meanwhile.
        return done.exit_code, "".join(line for line in done.output.splitlines(keepends=True) if not _LOGGED.match(line))

    def until_heard(self) -> None:
        """Wait until the listener knows of both clocks what an order has to name: it is the same as at the table."""

        def known() -> bool:
            found = {each["name"]: each for each in read_picture(self.listening.port).devices}
            clocks = {"soft": self.soft, "hard": self.hard}
            return all(
                name in found
                and found[name]["address"] is not None
                and found[name]["table"] == _table(clock)
                and found[name]["clock"]["phase"] == clock.game.phase.value
                and found[name]["address"]["number"] == clock.loop._clock.table.record.highest
                for name, clock in clocks.items()
            )

        until(known, "the picture")


def _table(clock: PlayedClock) -> int | None:
    of_hall = clock.loop._clock.hall
    assert of_hall is not None
    return of_hall.place.table


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DirectedHall]:
    require("mosquitto")
    folder = tmp_path_factory.mktemp("o")
    with ExitStack() as stack:
        joined = stack.enter_context(joined_hall(folder))
        listener = joined.files.identity(LISTENER).key.parent
        words = ("listen", "--folder", str(listener), "--host", joined.broker.host, "--port", str(joined.broker.port))
        process = stack.enter_context(running(TILEHALL, *words, "--store", str(folder / "hall.db"), "--http", "0"))
        soft = stack.enter_context(joined.clock("soft", 12))
        hard = stack.enter_context(joined.clock("hard", 13, hall__freeze="hard"))
        directed = DirectedHall(joined, soft, hard, Listening(process))
        directed.until_heard()
        yield directed


def test_between_games_tables_names_and_the_next_game_reach_the_clock(hall: DirectedHall) -> None:
    assert hall.order("assign", "7", "--device", "soft", "--names", "Ana", "Björn") == (0, "1 accepted, 0 refused, 0 silent.\n")
    until(lambda: hall.soft.loop._clock.hall is not None and hall.soft.loop._clock.hall.place.table == 7, "table 7")
    until(lambda: hall.soft.face.rulebook.endswith("table 7 · hall"), "the sign")
    hall.until_heard()
    code, said = hall.order("assign", "12", "--table", "7")
    assert code == 0, said
    until(lambda: [body["table"] for body in hall.soft.bodies(Kind.ASSIGNED)] == [7, 12], "the rows")
    assert hall.soft.bodies(Kind.ASSIGNED)[-1]["left"] == "Ana"
    hall.until_heard()
    assert hall.order("setup", "club", "--left", "20:00", "--table", "12-13")[0] == 0
    until(lambda: "20:00" in hall.soft.face.hint, "the offer")


def test_settings_reach_the_clock_between_games(hall: DirectedHall) -> None:
    hall.until_heard()
    assert hall.order("settings", "--language", "es", "--buzzer", "--table", "13") == (0, "1 accepted, 0 refused, 0 silent.\n")
    until(lambda: hall.hard.loop._clock.table.setup.texts.language == "es", "the language")
    assert hall.hard.bodies(Kind.PROPOSAL)[-1]["settings"] == {"language": "es", "buzzer.enabled": True}
    code, said = hall.order("settings", "--language", "xx", "--table", "13")
    assert (code, "This clock does not have this language." in said) == (1, True), said
    hall.until_heard()
    assert hall.order("settings", "--language", "en", "--table", "13")[0] == 0


def test_an_update_is_for_each_clocks_own_settings_to_allow(hall: DirectedHall) -> None:
    hall.until_heard()
    code, said = hall.order("update", "--table", "12-13")
    assert code == 1
    assert said.count("refused. The clock's own settings do not let the desk update it.") == 2
    assert hall.hard.bodies(Kind.PROPOSAL)[-1]["answer"] == "no_updates"


def test_each_clock_answers_for_itself_and_what_was_not_accepted_is_named(hall: DirectedHall) -> None:
    hall.hard.press("right")
    hall.hard.until("running")
    hall.until_heard()
    code, said = hall.order("setup", "club", "--table", "10-13")
    assert code == 1
    assert said.splitlines() == [
        "Table 10: the hall knows no clock there.",
        "Table 11: the hall knows no clock there.",
        "Table 13 (hard): refused. A game is in progress.",
        "1 accepted, 1 refused, 0 silent.",
    ]


def test_stop_asks_the_one_and_stops_the_other_and_clear_starts_neither(hall: DirectedHall) -> None:
    for clock in (hall.soft, hall.hard):
        if clock.game.running is None:
            clock.press("right")
        clock.until("running")
    hall.until_heard()
    code, said = hall.order("stop", "Fire alarm", "--all")
    assert (code, said) == (0, "2 accepted, 0 refused, 0 silent. Stopped by the order: 1.\n")
    hall.hard.until("neutral")
    assert (hall.soft.game.phase.value, hall.hard.game.reason) == ("running", "director called")
    assert (hall.soft.face.called, hall.soft.face.stop_asked) == ("THE DIRECTOR ASKS YOU TO STOP: Fire alarm", True)
    # The instant stays, for a credit at the table.
    until(lambda: [body["text"] for body in hall.soft.bodies(Kind.PROPOSAL) if body["what"] == "stop"] == ["Fire alarm"], "the row")
    hall.until_heard()
    assert hall.order("clear", "--all")[0] == 0
    until(lambda: not hall.soft.face.stop_asked, "the request to go")
    assert hall.hard.game.phase.value == "neutral"


def test_a_notice_is_a_line_on_the_face(hall: DirectedHall) -> None:
    hall.until_heard()
    assert hall.order("notice", "Round 4 begins at 14:00", "--seconds", "600", "--table", "12")[0] == 0
    until(lambda: hall.soft.bodies(Kind.PROPOSAL)[-1]["what"] == "notice", "the row")


def test_what_cannot_be_sent_is_said_and_reaches_no_clock(hall: DirectedHall) -> None:
    before = hall.soft.bodies(Kind.PROPOSAL)
    for words, says in (
        (("stop",), "name them with --table, --device or --all"),
        (("stop", "--table", "99"), "expected a clock at one of these tables, found none"),
        (("stop", "--table", "x"), 'found "x"'),
        (("stop", "--device", "none"), 'found "none"'),
        (("notice", "x" * 121, "--all"), "text: expected string should have at most 120 characters"),
        (("assign", "5", "--all"), "expected one clock, found 2"),
        (("stop", "--all", "--port", "1"), "expected the hall's broker"),
        (("stop", "--all", "--book", "/proc/none.db"), "expected to keep orders before they are sent"),
        (("settings", "--all"), "name at least one setting to change"),
        (("setup", "club", "--left", "3", "--all"), "expected minutes and seconds such as 25:00, found '3'"),
    ):
        code, said = hall.order(*words)
        assert (code, says in said) == (2, True), said
    code, said = hall.order("stop", "--all", typed="wrong horse")
    assert (code, "expected the director's passphrase, found another one" in said) == (2, True), said
    assert hall.soft.bodies(Kind.PROPOSAL) == before


def test_a_clock_that_is_gone_is_silent_and_the_others_answer(hall: DirectedHall) -> None:
    with hall.hall.clock("third", 14):
        until(lambda: any(each["name"] == "third" and each["address"] for each in read_picture(hall.listening.port).devices), "the third")
    hall.until_heard()
    code, said = hall.order("stop", "--table", "12", "--table", "14")
    assert code == 1
    assert said.splitlines() == ["Table 14 (third): silent. No answer.", "1 accepted, 0 refused, 1 silent."]
