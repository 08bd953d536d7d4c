"""The listener: every message of every device becomes part of the picture and the store; one loop between the broker and the store."""

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from prometheus_client import generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from pydantic import BaseModel, ValidationError
from sdnotify import SystemdNotifier

from appliance.log import get_logger
from appliance.process import EndOnSignals, termination_signals
from faults.errors import Phrase
from hall.broker import is_watching, plan_of
from hall.errors import HallError, explained
from hall.keys.files import LISTENER
from hall.link.connection import BrokerConnection, Down, LinkPlan, Received, Up
from hall.listener.row_keeper import Committed, KeptValues, RowKeeper
from hall.picture import LOOPBACK, MAX_EXCHANGES, PICTURE, Exchange, Hall, RemoteDevice, picture
from hall.settings import Settings
from hall.store.database import named
from hall.store.store import Store, owned_store
from rules.duration import NS
from wire.proposals import MissingRows, MissingValues, TimeAnswer
from wire.reports import ClockReport, DeviceBeat, OpenCall, Presence, RowBatch, StationReport
from wire.topics import Topics

Page = Callable[[], tuple[str, bytes]]
"""Returns a page's content type and bytes; called from threads of the server's own."""
READER_S: Final = 10.0
"""How long the server waits for a reader that sends or takes nothing."""


@contextmanager
def serving(port: int, pages: Mapping[str, Page]) -> Iterator[int]:
    """Serve ``pages`` by their path on the loopback, in threads of their own; yield the port (0: a free one). Raises ``HallError`` if it is in use."""

    class Handler(BaseHTTPRequestHandler):
        timeout = READER_S

        def do_GET(self) -> None:
            page = pages.get(self.path.partition("?")[0])
            # A reader that is gone or too slow is its own affair.
            with suppress(OSError):
                if page is None:
                    self.send_error(HTTPStatus.NOT_FOUND)
                    return
                kind, content = page()
                self.send_response(HTTPStatus.OK)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Log nothing: a scraper asks every few seconds."""

    with explained(
        HallError, "a free port", where=f"{LOOPBACK}:{port}", remedy="Another listener may be running; else give another port with --http"
    ):
        server = ThreadingHTTPServer((LOOPBACK, port), Handler)
    thread = threading.Thread(target=server.serve_forever, name="http", daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Listener:
    """Takes messages and keeps the picture. Used by one thread. ``outgoing`` publishes a payload on a topic, and never blocks; ``on_commit``: see ``RowKeeper``."""

    def __init__(
        self,
        store: Store,
        hall: Hall,
        outgoing: Callable[[str, bytes], None],
        now: Callable[[], int] = time.monotonic_ns,
        on_commit: Committed | None = None,
    ) -> None:
        self._hall, self._outgoing, self._now = hall, outgoing, now
        self._topics = Topics(hall.name)
        self._rows = RowKeeper(store, hall, on_commit)
        self.on_heard: Callable[[str], None] = lambda _: None
        """Takes the id of each device whose message has been taken in, in the listener's thread. Set it before the first."""
        self._values = KeptValues()
        self._answers: defaultdict[str, deque[TimeAnswer]] = defaultdict(lambda: deque(maxlen=MAX_EXCHANGES))
        self._on: dict[str, Callable[[RemoteDevice, bytes, int], None]] = {
            "up": self._up, "state": self._state, "rows": self._batch, "beat": self._beat, "call": self._call,
        }  # fmt: skip

    def receive(self, topic: str, payload: bytes, at: int) -> None:
        """Take in a message that arrived at ``at`` (ns). What is not of version 1 is counted and dropped."""
        reported = self._topics.reported(topic)
        if reported is None:
            return
        name, what = reported
        if (handle := self._on.get(what)) is not None:
            device = self._hall.device(name, at)
            self._values.receive(device, what, payload)
            try:
                handle(device, payload, at)
            except ValidationError as error:
                _refuse(device, what, error)
            self.on_heard(name)

    def turn(self, now: int) -> None:
        self._rows.commit(now)
        for device, epoch, after in self._rows.wanted(now):
            self._publish(self._topics.to_device(device, "want"), MissingRows(epoch=epoch, after=after))
        for device in self._values.wanted(now):
            self._publish(self._topics.to_device(device, "want"), MissingValues())

    def _up(self, device: RemoteDevice, payload: bytes, _at: int) -> None:
        if not payload:
            device.presence = None
            return
        presence = Presence.model_validate_json(payload)
        device.presence = presence
        if presence.up:
            _note_boot(device, presence.boot)

    def _state(self, device: RemoteDevice, payload: bytes, _at: int) -> None:
        if device.is_station:
            device.station = StationReport.model_validate_json(payload) if payload else None
        else:
            device.clock = ClockReport.model_validate_json(payload) if payload else None

    def _batch(self, device: RemoteDevice, payload: bytes, at: int) -> None:
        if not self._rows.keep(device, RowBatch.model_validate_json(payload), at):
            _count(device, "rows: expected the rows first to last")

    def _beat(self, device: RemoteDevice, payload: bytes, at: int) -> None:
        beat = DeviceBeat.model_validate_json(payload)
        device.beat, device.beat_at = beat, at
        device.offsets = device.offsets.of_boot(beat.boot)
        if (exchange := self._completed(device, beat)) is not None:
            device.offsets = device.offsets.after(exchange)
        answer = TimeAnswer(boot=beat.boot, t1=beat.sent, t2=at, t3=self._now())
        self._answers[device.id].append(answer)
        self._publish(self._topics.to_device(device.id, "time"), answer)
        self._rows.heard(device, beat, at)
        self._values.heard(device, beat, at)

    def _completed(self, device: RemoteDevice, beat: DeviceBeat) -> Exchange | None:
        """Return the exchange that ``beat`` completes. An echo counts once, and only of an answer that was sent to this boot."""
        echo, sent = beat.echo, self._answers[device.id]
        if echo is None or (answer := TimeAnswer(boot=beat.boot, t1=echo.t1, t2=echo.t2, t3=echo.t3)) not in sent:
            return None
        sent.remove(answer)
        return Exchange.of(echo)

    def _call(self, device: RemoteDevice, payload: bytes, at: int) -> None:
        device.call = OpenCall.model_validate_json(payload) if payload else None
        if device.call is None:
            device.called_at = None
        elif device.called_at is None:
            device.called_at = at

    def _publish(self, topic: str, message: BaseModel) -> None:
        self._outgoing(topic, message.model_dump_json().encode())


def _note_boot(device: RemoteDevice, boot: str) -> None:
    # The kernel never gives the id of a boot again: one that comes back after another is a second machine.
    if boot in device.boots[:-1]:
        device.troubles["twins"] = Phrase("Two devices use the id {device}: revoke it, and enrol both.", device=device.id)
    if device.boots[-1:] != [boot]:
        device.boots = [*(each for each in device.boots if each != boot), boot]


def _refuse(device: RemoteDevice, what: str, error: ValidationError) -> None:
    fault = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, fault["loc"]))
    _count(device, f"{what}: {where + ': ' if where else ''}{fault['msg'][:1].lower()}{fault['msg'][1:]}")


def _count(device: RemoteDevice, found: str) -> None:
    if not device.refused_messages:
        get_logger().warning("a message was refused", device=device.id, found=found)
    device.refused_messages += 1
    device.troubles["messages"] = Phrase(
        "{device}: expected messages of version 1, found {count} that are none ({found}).",
        device=device.title,
        count=device.refused_messages,
        found=found,
    )


def _bound(device: RemoteDevice, now: int) -> float | None:
    bound = device.bound(now)
    return None if bound is None else bound / NS


_OF_DEVICES: Final[
    tuple[tuple[type[GaugeMetricFamily | CounterMetricFamily], str, str, Callable[[RemoteDevice, int], float | None]], ...]
] = (
    (
        GaugeMetricFamily,
        "device_stale",
        "Whether the last beat is older than 15 s.",
        lambda device, now: device.stale_since(now) is not None,
    ),
    (
        GaugeMetricFamily,
        "beat_age_seconds",
        "Age of the last beat.",
        lambda device, now: None if device.beat_at is None else (now - device.beat_at) / NS,
    ),
    (GaugeMetricFamily, "rows_held", "Rows held of the device's present journal.", lambda device, _: device.held),
    (
        GaugeMetricFamily,
        "rows_missing",
        "Rows that the device has and the listener has not.",
        lambda device, _: device.missing,
    ),
    (GaugeMetricFamily, "clock_error_bound_seconds", "How far off a running remote clock may be.", _bound),
    (
        CounterMetricFamily,
        "link_dropped",
        "Messages that the link has thrown away.",
        lambda device, _: None if device.beat is None else device.beat.dropped,
    ),
    (CounterMetricFamily, "refused_messages", "Messages that were none of version 1.", lambda device, _: device.refused_messages),
    (GaugeMetricFamily, "rewritten", "Whether the journal contradicts the rows held.", lambda device, _: "rows" in device.troubles),
)


def metrics(hall: Hall, now: int) -> bytes:
    return generate_latest(_Metrics(hall, now))


class _Metrics(Collector):
    def __init__(self, hall: Hall, now: int) -> None:
        self._hall, self._now = hall, now

    def collect(self) -> Iterator[Metric]:
        hall = self._hall
        yield GaugeMetricFamily("tilehall_broker_up", "Whether the listener is connected to the broker.", value=hall.broker_up)
        yield GaugeMetricFamily("tilehall_store_writable", "Whether the listener can write rows.", value=hall.trouble is None)
        yield GaugeMetricFamily("tilehall_troubles", "How many things are wrong.", value=len(list(hall.troubles())))
        yield GaugeMetricFamily(
            "tilehall_open_calls", "Tables that call the director.", value=sum(each.called_at is not None for each in hall.devices.values())
        )
        for kind, name, meaning, value in _OF_DEVICES:
            family = kind(f"tilehall_{name}", meaning, labels=("device", "kind", "table"))
            for device in hall.devices.values():
                if (found := value(device, self._now)) is not None:
                    family.add_metric((device.id, device.kind, "" if device.table is None else str(device.table)), found)
            yield family


class ListenerService:
    """Runs a listener until ``stop``; ``on_commit``: see ``RowKeeper``."""

    def __init__(self, plan: LinkPlan, store: Store, on_commit: Committed | None = None) -> None:
        self.hall = Hall(plan.hall)
        self._topics = Topics(plan.hall)
        self._connection = BrokerConnection(plan)
        self.listener = Listener(store, self.hall, self._publish, on_commit=on_commit)
        self._lock = threading.Lock()
        self._stop = False

    def pages(self) -> dict[str, Page]:
        return {
            PICTURE: lambda: ("application/json", self._shown(picture)),
            "/metrics": lambda: ("text/plain; version=0.0.4; charset=utf-8", self._shown(metrics)),
        }

    @contextmanager
    def picture(self) -> Iterator[Hall]:
        with self._lock:
            yield self.hall

    def stop(self) -> None:
        """May be called from any thread or signal handler."""
        self._stop = True

    def run(self) -> None:
        self._connection.open()
        while not self._stop:
            # What is missing is asked for so much later at most.
            ready = self._connection.wait(time.monotonic_ns() + NS // 4)
            with self._lock:
                self._step(ready)
        self._connection.close()

    def _step(self, ready: frozenset[int]) -> None:
        for news in self._connection.step(time.monotonic_ns(), ready):
            if isinstance(news, Received):
                self._receive(news)
            elif isinstance(news, Up):
                self._connection.subscribe(self._topics.of_device("+", "#"))
                self._broker(up=True)
            elif isinstance(news, Down):
                self._broker(up=False, why=news.why)
        self.listener.turn(time.monotonic_ns())

    def _receive(self, news: Received) -> None:
        # Not before it is taken: an instant before the arrival would make the offset's bound too small.
        self.listener.receive(news.topic, news.payload, time.monotonic_ns())

    def _broker(self, *, up: bool, why: str = "") -> None:
        if (up, why) != (self.hall.broker_up, self.hall.broker_why):
            get_logger().info("the broker is reachable" if up else "the broker is not reachable", why=why)
        self.hall.broker_up, self.hall.broker_why = up, why

    def _publish(self, topic: str, payload: bytes) -> None:
        # No device acts on an old one.
        self._connection.publish(topic, payload, qos=0 if topic.endswith("/time") else 1, expiry_s=10)

    def _shown(self, render: Callable[[Hall, int], bytes]) -> bytes:
        with self._lock:
            return render(self.hall, time.monotonic_ns())


@contextmanager
def listener_parts(settings: Settings) -> Iterator[tuple[LinkPlan, Store, EndOnSignals]]:
    """Yield what a listener is made of, and what connects the signals that end a program; these are blocked meanwhile."""
    plan = plan_of(Path(settings.listen.folder), settings.broker)
    if plan.device != LISTENER and not is_watching(plan.device):
        raise HallError(where=settings.listen.folder, expected="the listener's certificate", found=f"that of {plan.device}")

    with termination_signals() as asked, owned_store(settings.listen.store, plan.hall) as store:
        yield plan, store, asked


@contextmanager
def served(settings: Settings, plan: LinkPlan, store: Store, service: ListenerService) -> Iterator[None]:
    systemd = SystemdNotifier()
    with serving(settings.listen.http, service.pages()) as port:
        systemd.notify("READY=1")
        get_logger().info("the listener is ready", hall=plan.hall, broker=f"{plan.host}:{plan.port}", store=named(store.place), http=port)
        yield
        systemd.notify("STOPPING=1")


def run_listener(settings: Settings) -> None:
    with listener_parts(settings) as (plan, store, asked):
        service = ListenerService(plan, store)
        with served(settings, plan, store, service):
            asked(service.stop, outlives_session=False)
            service.run()
    get_logger().info("the listener has stopped")
