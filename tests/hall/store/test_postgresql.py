"""The store in a real PostgreSQL: the same rows as in a file, several halls beside each other, and a server that is killed."""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest
from click.testing import CliRunner

from appliance.errors import RecordError
from hall.cli.main import main
from hall.desk.rows import journal_proof
from hall.picture import Hall
from hall.store.store import open_store, reading_store
from tests.errors import with_fields
from tests.hall.reporting import TOPICS, Device, Rig
from tests.hall.store.postgresql import Cluster
from tests.some import some


@contextmanager
def rig(url: str, hall: str = "club") -> Iterator[Rig]:
    store, _ = open_store(url, hall)
    with closing(store):
        yield Rig(store, Hall(TOPICS.hall))


def seqs(url: str, device: Device, hall: str = "club") -> list[int]:
    with reading_store(url, hall) as store:
        return [row.seq for row in store.rows(device.id, device.epoch)]


def test_rows_of_a_listener_are_in_the_database_once_and_verified(database: str) -> None:
    device = Device(rows=19)
    device.sign(17)
    with rig(database) as found:
        found.report(device, "rows", device.batch(1, 12))
        found.report(device, "rows", device.batch(5, 20))
    assert seqs(database, device) == list(range(1, 21))
    done = CliRunner().invoke(main, ["verify", "--store", database])
    assert done.exit_code == 0, done.output
    assert ("whole up to row 20" in done.stdout, "signed by this device up to row 17" in done.stdout) == (True, True)


def test_halls_write_beside_each_other_and_each_sees_its_own(database: str) -> None:
    devices = {hall: Device(hall) for hall in ("north", "south", "west")}
    with ExitStack() as stack:
        rigs = {hall: stack.enter_context(rig(database, hall)) for hall in devices}
        for hall, device in devices.items():
            device.write(5)
            rigs[hall].report(device, "rows", device.batch(1, 5))
    for hall, device in devices.items():
        assert seqs(database, device, hall) == [1, 2, 3, 4, 5]
        assert [seqs(database, device, other) for other in devices if other != hall] == [[], []]
        # The pages of each hall's desk read their own.
        assert some(journal_proof(database, hall, device.id, device.epoch)).rows == 5
    with (
        pytest.raises(RecordError, check=with_fields(expected="the rows of one hall", found="those of north, south, west")),
        reading_store(database),
    ):
        pass


def test_a_second_listener_of_the_same_hall_writes_nothing_and_says_why(database: str) -> None:
    device = Device(rows=2)
    with rig(database) as first:
        first.report(device, "rows", device.batch(1, 1))
        with rig(database) as second:
            second.report(device, "rows", device.batch(1, 2))
            assert "another program writes the rows of the hall club" in some(second.hall.trouble)
        assert seqs(database, device) == [1]
    # The first has ended, and with it its lock.
    with rig(database) as third:
        third.report(device, "rows", device.batch(1, 2))
    assert seqs(database, device) == [1, 2]


def test_a_killed_server_loses_no_committed_row_and_the_rest_is_asked_for(database: str, server: Cluster) -> None:
    device = Device(rows=30)
    with rig(database) as found:
        found.report(device, "rows", device.batch(1, 10))
        # Not committed: it waits at the device.
        found.report(device, "rows", device.batch(11, 15), turn=False)
        server.kill()
        found.listener.turn(found.now)
        assert "rows wait at the tables" in some(found.hall.trouble)
        found.report(device, "state", device.state(table=12))
        assert found.known(device).table == 12
        server.start()
        found.pass_time(6)
        asked = found.wants(device)
        assert len(asked) == 1
        found.pass_time(2)
        found.report(device, "rows", device.batch(asked[0] + 1, 30))
        assert list(found.hall.troubles()) == []
    assert seqs(database, device) == list(range(1, 31))


@pytest.mark.parametrize(
    ("store", "sentence"),
    [
        ("postgresql://nobody@/none?host=/nowhere", "the database does not answer as expected"),
        ("postgresql://host:x/d", "expected a URL such as postgresql://user@host/database, found another text"),
    ],
)
def test_a_database_that_is_not_there_is_one_sentence_without_its_password(store: str, sentence: str) -> None:
    done = CliRunner().invoke(main, ["verify", "--store", store.replace("nobody@", "nobody:hush@")])
    assert done.exit_code == 2, done.output
    assert (sentence in done.stderr, "hush" in done.stderr) == (True, False)
