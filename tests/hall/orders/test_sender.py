"""Orders: kept before they are sent, each followed to what has become of it; forged ones at a real clock; and the command that sends them."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from hall.cli.main import main
from hall.errors import HallError
from hall.keys.files import COMMAND_LINE, LISTENER, unlock_director
from hall.orders.sender import SILENT_NS, Act, KeptOrder, OrderSender, OrderState, body_of, new_id, opened_book, timer
from hall.picture import OrderAddress
from hall.status import read_picture
from records.journal import Kind
from rules.duration import NS
from tests.errors import with_fields
from tests.hall.client import TestClient, connected
from tests.hall.joined import HALL, PASSPHRASE, JoinedHall, PlayedClock, joined_hall
from tests.hall.link.linked import payloads
from tests.hall.listener.listening import TILEHALL, Listening, command, listen
from tests.installed import require
from tests.processes import running, until
from tests.some import some
from tools.trial_broker import complete_hall
from wire.keys import SigningKey, signature_fits
from wire.proposals import ORDER, SignedBody
from wire.topics import CLOCK, Topics, signed_bytes

pytestmark = pytest.mark.waits(15)

TRIAL = "trial"
TRIAL_TOPICS = Topics(TRIAL)
ONE, TWO, AWAY = (f"c-{letter * 16}" for letter in "abc")
CLEAR: Act = {"do": "clear"}
KNOWN = {device: OrderAddress("0" * 16, 3, 14, f"{number:032x}") for number, device in enumerate((ONE, TWO))}


def stop(text: str) -> Act:
    return {"do": "stop", "text": text}


def notice(text: str, seconds: int) -> Act:
    return {"do": "notice", "text": text, "seconds": seconds}


def assignment(table: int, left: str, right: str) -> Act:
    return {"do": "assign", "table": table, "left": left, "right": right, "lexicon": None}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> SigningKey:
    files = complete_hall(tmp_path_factory.mktemp("hall"), clocks=0, stations=0).files
    return unlock_director(files.director, b"")


@dataclass
class OrdersDesk:
    path: Path
    key: SigningKey
    opened: ExitStack
    """Closes the book, in the thread that has opened it."""
    reachable: bool = True
    sent: list[tuple[str, bytes]] = field(default_factory=list)
    now: int = 0

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        self.book = self.opened.enter_context(opened_book(self.path))
        self.sender = OrderSender(TRIAL, "desk-1", self.book, self._publish, self.now)

    def send(self, acts: dict[str, Any], request: str | None = None) -> dict[str, KeptOrder]:
        orders = self.sender.send(request or new_id(), self.key, acts, KNOWN, self.now)
        return {each.device: each for each in orders}

    def answer(self, order: KeptOrder, reason: str | None = None, number: int | None = None, device: str | None = None) -> None:
        answer = {"v": 1, "command": order.id, "accepted": reason is None, "reason": reason, "at": 1, "seq": 5, "number": number}
        self.sender.receive(TRIAL_TOPICS.of_device(device or order.device, f"ack/{order.id}"), json.dumps(answer).encode())

    def turn(self, after: int = 0) -> dict[str, tuple[str, str | None]]:
        self.now += after
        return {each.device: (each.state, each.reason) for each in self.sender.turn(self.now)}

    def _publish(self, topic: str, payload: bytes) -> int | None:
        if not self.reachable:
            return None
        self.sent.append((topic, payload))
        return len(self.sent)


@pytest.fixture
def desk(tmp_path: Path, key: SigningKey) -> Iterator[OrdersDesk]:
    with ExitStack() as opened:
        yield OrdersDesk(tmp_path / "orders.db", key, opened)


def test_an_order_names_its_clock_and_is_signed_by_the_director(desk: OrdersDesk) -> None:
    order = desk.send({ONE: stop("Fire alarm")})[ONE]
    ((topic, payload),) = desk.sent
    assert topic == TRIAL_TOPICS.to_device(ONE, "order")
    signed = SignedBody.model_validate_json(payload)
    assert signature_fits(desk.key.public, signed.signature, signed_bytes("tc/1 order", TRIAL, signed.body))
    body = ORDER.validate_json(signed.body)
    assert (body.id, body.issuer, body.device, body.epoch, body.game, body.number, body.nonce) == (
        order.id, "desk-1", ONE, "0" * 16, 3, 14, KNOWN[ONE].nonce,
    )  # fmt: skip
    assert body.model_dump(include={"do", "text"}) == {"do": "stop", "text": "Fire alarm"}


def test_each_device_is_followed_to_what_has_become_of_its_order(desk: OrdersDesk) -> None:
    orders = desk.send({ONE: assignment(12, "Ann", "Bo"), TWO: assignment(13, "", ""), AWAY: assignment(14, "Cy", "Di")})
    assert [each.state for each in orders.values()] == ["waiting", "waiting", "silent"]
    assert len(desk.sent) == 2
    desk.answer(orders[ONE], number=15)
    desk.answer(orders[TWO], "out_of_date")
    assert desk.turn() == {ONE: ("accepted", None), TWO: ("refused", "out_of_date")}
    said = {each.device: each.sentence for each in desk.book.of(orders[ONE].request)}
    assert said == {
        ONE: "",
        TWO: "The game has gone on since the message was made.",
        AWAY: "The hall does not hear this device: nothing was sent to it.",
    }


def test_a_device_that_does_not_answer_is_silent_until_its_own_first_answer(desk: OrdersDesk) -> None:
    order = desk.send({ONE: CLEAR})[ONE]
    assert (desk.turn(SILENT_NS - 1), desk.turn(1)) == ({}, {ONE: ("silent", None)})
    desk.answer(order)
    assert desk.turn() == {ONE: ("accepted", None)}
    # Only the first answer counts, and only that of the device.
    orders = desk.send({ONE: CLEAR, TWO: CLEAR})
    desk.answer(orders[ONE], device=TWO)
    assert desk.turn() == {}
    desk.answer(orders[ONE])
    desk.answer(orders[ONE], "repeated")
    assert desk.turn() == {ONE: ("accepted", None)}
    assert desk.book.of(orders[ONE].request)[0].state is OrderState.ACCEPTED


def test_a_request_that_comes_again_sends_nothing_also_after_the_desk_died(desk: OrdersDesk) -> None:
    orders = desk.send({ONE: stop("Fire alarm"), TWO: stop("Fire alarm")}, "the form")
    desk.answer(orders[ONE])
    desk.turn()
    desk.book.close()
    desk.begin()
    again = desk.send({ONE: stop("Fire alarm"), TWO: stop("Fire alarm")}, "the form")
    assert len(desk.sent) == 2
    assert [(each.id, each.state) for each in again.values()] == [(orders[ONE].id, "accepted"), (orders[TWO].id, "waiting")]
    # What it had not heard yet is followed on.
    desk.answer(orders[TWO], "frozen")
    assert desk.turn() == {TWO: ("refused", "frozen")}


def test_a_book_that_was_restored_from_a_backup_sends_nothing_again(desk: OrdersDesk) -> None:
    kept = desk.send({ONE: stop("Fire alarm")}, "the form")
    desk.book.close()
    backup = desk.path.read_bytes()
    desk.begin()
    desk.answer(kept[ONE])
    lost = desk.send({TWO: stop("Fire alarm")}, "another form")
    desk.book.close()
    desk.path.write_bytes(backup)
    for companion in ("-wal", "-shm"):
        desk.path.with_name(f"{desk.path.name}{companion}").unlink(missing_ok=True)
    desk.begin()
    # It follows what waited at the time of the copy, and takes no answer to what it does not have.
    desk.answer(lost[TWO])
    assert [each.id for each in desk.send({ONE: stop("Fire alarm")}, "the form").values()] == [kept[ONE].id]
    assert (desk.turn(SILENT_NS), len(desk.sent), desk.book.of("another form")) == ({ONE: ("silent", None)}, 2, ())


def test_nothing_is_sent_that_is_not_on_the_disk(desk: OrdersDesk) -> None:
    desk.book.close()
    with pytest.raises(Exception, match="closed database"):
        desk.send({ONE: CLEAR})
    assert desk.sent == []


@pytest.mark.parametrize("act", [notice("", 30), notice("x" * 121, 30), notice("x", 4), assignment(0, "A", "B"), stop("two\nlines")])
def test_an_order_out_of_range_sends_nothing_to_anybody(desk: OrdersDesk, act: Any) -> None:
    with pytest.raises(HallError, check=with_fields(remedy="Nothing was sent")):
        desk.send({ONE: CLEAR, TWO: act}, "bad")
    assert (desk.sent, desk.book.of("bad")) == ([], ())


def test_without_a_broker_nothing_waits_and_nothing_is_sent_later(desk: OrdersDesk) -> None:
    desk.reachable = False
    desk.send({ONE: CLEAR})
    desk.reachable = True
    assert (desk.turn(), desk.turn(NS)) == ({ONE: ("silent", "unsent")}, {})
    assert desk.sent == []
    # A desk that the broker does not let send says so.
    desk.send({ONE: CLEAR, TWO: CLEAR})
    desk.sender.acknowledged(1, refused=True)
    desk.sender.acknowledged(2, refused=False)
    assert desk.turn() == {ONE: ("refused", "not_let")}


def test_an_answer_in_the_book_outlives_the_silence_of_another_program(desk: OrdersDesk) -> None:
    desk.send({ONE: CLEAR}, "shared")
    other = OrdersDesk(desk.path, desk.key, desk.opened)
    desk.answer(desk.book.of("shared")[0])
    desk.turn()
    assert other.turn(SILENT_NS) == {ONE: ("silent", None)}
    assert desk.book.of("shared")[0].state is OrderState.ACCEPTED


TOPICS = Topics(HALL)


@dataclass
class Sender:
    hall: JoinedHall
    clock: PlayedClock
    client: TestClient
    key: SigningKey

    def order(self, act: Act) -> tuple[str, bytes]:
        state, beat = (payloads(self.client, self.clock.device, what)[-1] for what in ("state", "beat"))
        return self.made(act, self.clock.device, OrderAddress(state["epoch"], state["game"], state["number"], beat["nonce"]))

    def made(self, act: Act, device: str, to: OrderAddress) -> tuple[str, bytes]:
        name = new_id()
        body = body_of(act, name, "desk-1", device, to)
        return name, SignedBody(body=body, signature=self.key.sign(signed_bytes("tc/1 order", HALL, body))).model_dump_json().encode()

    def send(self, payload: bytes) -> None:
        assert self.client.publish(TOPICS.to_device(self.clock.device, "order"), payload) < 0x80

    def answers(self, name: str) -> list[str | None]:
        """Return the clock's answers to an order so far: the reasons; None: accepted."""
        return [each["reason"] for each in payloads(self.client, self.clock.device, f"ack/{name}")]

    def refused(self, name: str, reason: str, times: int = 1) -> None:
        """Wait for the answer and the row, and see that the game and the face are as before."""
        self.client.wait(lambda: self.answers(name)[-times:] == [reason] * times, reason)
        until(lambda: (name, reason) in [(body["id"], body["answer"]) for body in self.clock.bodies(Kind.PROPOSAL)], "the row")
        assert (self.clock.game.phase.value, self.clock.face.stop_asked) == ("running", False)

    def accepted(self, act: Act) -> tuple[str, bytes]:
        """Send a genuine order until it comes in time: a new connection begins with many beats, and a busy machine may miss three of them."""
        while True:
            name, payload = self.order(act)
            self.send(payload)
            self.client.wait(lambda name=name: self.answers(name), "an answer")
            if self.answers(name) == [None]:
                return name, payload
            assert self.answers(name) == ["stale"]


@pytest.fixture(scope="module")
def sender(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sender]:
    require("mosquitto")
    with ExitStack() as stack:
        hall = stack.enter_context(joined_hall(tmp_path_factory.mktemp("f")))
        # A clock with a hard freeze: an order that came through would stop its game.
        clock = stack.enter_context(hall.clock("hard", 12, hall__freeze="hard"))
        client = stack.enter_context(connected(hall.broker, hall.files.identity("desk-1")))
        client.subscribe(TOPICS.of_device("+", "#"))
        clock.press("right")
        clock.until("running")
        client.wait(lambda: any(state["phase"] == "running" for state in payloads(client, clock.device, "state")), "its state")
        client.wait(lambda: payloads(client, clock.device, "beat"), "a beat")
        yield Sender(hall, clock, client, unlock_director(hall.files.director, PASSPHRASE.encode()))


def test_an_order_that_was_changed_or_is_played_back_is_refused(sender: Sender) -> None:
    # A genuine order with another act written into it.
    name, payload = sender.order(notice("Lunch at noon", 60))
    order = json.loads(payload)
    body = json.loads(order["body"])
    del body["seconds"]
    sender.send(json.dumps({**order, "body": json.dumps({**body, "do": "stop"})}).encode())
    sender.refused(name, "bad_signature")
    # An order that is played back is refused each time.
    name, payload = sender.accepted(notice("Round 4 at noon", 60))
    for times in (1, 2):
        sender.send(payload)
        sender.refused(name, "repeated", times)
    assert [body["answer"] for body in sender.clock.bodies(Kind.PROPOSAL) if body["id"] == name].count("accepted") == 1


def test_an_order_that_the_broker_kept_is_refused_when_the_clock_comes(sender: Sender) -> None:
    late = sender.hall._member("late", CLOCK)
    name, payload = sender.made(stop("Fire alarm"), late.id, OrderAddress("0" * 16, 1, 1, "0" * 32))
    assert sender.client.publish(TOPICS.to_device(late.id, "order"), payload, retain=True) < 0x80
    with sender.hall.clock("late", 13) as clock:
        until(lambda: [(each["id"], each["answer"]) for each in clock.bodies(Kind.PROPOSAL)] == [(name, "retained")], "the refusal")
        assert not clock.face.stop_asked


_LOGGED = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ")


@dataclass
class CommandedHall:
    hall: JoinedHall
    soft: PlayedClock
    hard: PlayedClock
    listening: Listening

    def order(self, *words: str, typed: str = PASSPHRASE) -> tuple[int, str]:
        broker, files = self.hall.broker, self.hall.files
        said = command(
            words[0], host=broker.host, port=broker.port, http=self.listening.port, folder=files.identity(COMMAND_LINE).key.parent,
            key=files.director, book=self.hall.folder / "orders.db",
        )  # fmt: skip
        done = CliRunner().invoke(main, ["order", *said, *words[1:]], input=f"{typed}\n")
        assert isinstance(done.exception, SystemExit | None), done.exception
        # The clocks of this process log meanwhile.
        return done.exit_code, "".join(line for line in done.output.splitlines(keepends=True) if not _LOGGED.match(line))

    def until_heard(self) -> None:
        """Wait until the listener knows of both clocks what an order has to name: it is the same as at the table."""

        def known() -> bool:
            found = {each["name"]: each for each in read_picture(self.listening.port).devices}
            return all(self._is_known(found.get(name), clock) for name, clock in (("soft", self.soft), ("hard", self.hard)))

        until(known, "the picture")

    def _is_known(self, shown: dict[str, Any] | None, clock: PlayedClock) -> bool:
        if shown is None or shown["address"] is None:
            return False
        at_table = (some(clock.loop._clock.hall).place.table, clock.game.phase.value, clock.loop._clock.table.history.number)
        return at_table == (shown["table"], shown["clock"]["phase"], shown["address"]["number"])


@pytest.fixture(scope="module")
def commanded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CommandedHall]:
    require("mosquitto")
    folder = tmp_path_factory.mktemp("o")
    with ExitStack() as stack:
        joined = stack.enter_context(joined_hall(folder))
        words = listen(joined.broker, joined.files.identity(LISTENER), folder / "hall.db")
        process = stack.enter_context(running(TILEHALL, *words))
        soft = stack.enter_context(joined.clock("soft", 12))
        hard = stack.enter_context(joined.clock("hard", 13, hall__freeze="hard"))
        directed = CommandedHall(joined, soft, hard, Listening(process))
        directed.until_heard()
        yield directed


def test_between_games_tables_names_and_the_next_game_reach_the_clock(commanded: CommandedHall) -> None:
    assert commanded.order("assign", "7", "--device", "soft", "--names", "Ana", "Björn") == (0, "1 accepted, 0 refused, 0 silent.\n")
    until(lambda: commanded.soft.loop._clock.hall is not None and commanded.soft.loop._clock.hall.place.table == 7, "table 7")
    until(lambda: commanded.soft.face.rulebook.endswith("table 7 · hall"), "the sign")
    commanded.until_heard()
    code, said = commanded.order("assign", "12", "--table", "7")
    assert code == 0, said
    until(lambda: [body["table"] for body in commanded.soft.bodies(Kind.ASSIGNED)] == [7, 12], "the rows")
    assert commanded.soft.bodies(Kind.ASSIGNED)[-1]["left"] == "Ana"
    commanded.until_heard()
    assert commanded.order("setup", "club", "--left", "20:00", "--table", "12-13")[0] == 0
    until(lambda: "20:00" in commanded.soft.face.hint, "the offer")


def test_settings_reach_the_clock_between_games(commanded: CommandedHall) -> None:
    commanded.until_heard()
    assert commanded.order("settings", "--language", "es", "--buzzer", "--table", "13") == (0, "1 accepted, 0 refused, 0 silent.\n")
    until(lambda: commanded.hard.loop._clock.table.setup.texts.language == "es", "the language")
    # Another proposal may follow before this is read.
    assert [body["settings"] for body in commanded.hard.bodies(Kind.PROPOSAL) if "settings" in body][-1:] == [
        {"language": "es", "buzzer.enabled": True}
    ]
    code, said = commanded.order("settings", "--language", "xx", "--table", "13")
    assert (code, "This clock does not have this language." in said) == (1, True), said
    commanded.until_heard()
    # An update is for each clock's own settings to allow.
    code, said = commanded.order("update", "--table", "12-13")
    assert (code, said.count("refused. The clock's own settings do not let the desk update it.")) == (1, 2)
    assert commanded.hard.bodies(Kind.PROPOSAL)[-1]["answer"] == "no_updates"


def test_each_clock_answers_for_itself_and_what_was_not_accepted_is_named(commanded: CommandedHall) -> None:
    commanded.hard.press("right")
    commanded.hard.until("running")
    commanded.until_heard()
    code, said = commanded.order("setup", "club", "--table", "10-13")
    assert code == 1
    assert said.splitlines() == [
        "Table 10: the hall knows no clock there.",
        "Table 11: the hall knows no clock there.",
        "Table 13 (hard): refused. A game is in progress.",
        "1 accepted, 1 refused, 0 silent.",
    ]


def test_stop_asks_the_one_and_stops_the_other_and_clear_starts_neither(commanded: CommandedHall) -> None:
    for clock in (commanded.soft, commanded.hard):
        clock.press("right")
        clock.until("running")
    commanded.until_heard()
    code, said = commanded.order("stop", "Fire alarm", "--all")
    assert (code, said) == (0, "2 accepted, 0 refused, 0 silent. Stopped by the order: 1.\n")
    commanded.hard.until("neutral")
    assert (commanded.soft.game.phase.value, commanded.hard.game.reason) == ("running", "director called")
    assert (commanded.soft.face.called, commanded.soft.face.stop_asked) == ("THE DIRECTOR ASKS YOU TO STOP: Fire alarm", True)
    # The instant stays, for a credit at the table.
    until(lambda: [body["text"] for body in commanded.soft.bodies(Kind.PROPOSAL) if body["what"] == "stop"] == ["Fire alarm"], "the row")
    commanded.until_heard()
    assert commanded.order("clear", "--all")[0] == 0
    until(lambda: not commanded.soft.face.stop_asked, "the request to go")
    assert commanded.hard.game.phase.value == "neutral"


def test_what_cannot_be_sent_is_said_and_reaches_no_clock(commanded: CommandedHall) -> None:
    before = commanded.soft.bodies(Kind.PROPOSAL)
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
        code, said = commanded.order(*words)
        assert (code, says in said) == (2, True), said
    code, said = commanded.order("stop", "--all", typed="wrong horse")
    assert (code, "expected the director's passphrase, found another one" in said) == (2, True), said
    assert commanded.soft.bodies(Kind.PROPOSAL) == before


def test_a_clock_that_is_gone_is_silent_and_the_others_answer(commanded: CommandedHall) -> None:
    with commanded.hall.clock("third", 14):
        until(
            lambda: any(each["name"] == "third" and each["address"] for each in read_picture(commanded.listening.port).devices), "the third"
        )
    commanded.until_heard()
    code, said = commanded.order("stop", "--table", "12", "--table", "14")
    assert code == 1
    assert said.splitlines() == ["Table 14 (third): silent. No answer.", "1 accepted, 0 refused, 1 silent."]


def test_the_halls_timer_begins_at_an_instant_of_the_clocks_machine() -> None:
    shown: Act = {"begins": 7, "seconds": 90, "warnings": [30, 10]}
    assert timer(shown, 500) == {"do": "timer", "begins": 6_500, "seconds": 90, "warnings": (30, 10)}
    assert timer(None, 500) == {"do": "timer", "begins": None}
