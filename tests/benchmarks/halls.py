"""One hall's listener, which writes the rows of its tables into a database that other halls share: a process to measure, and to kill."""

import json
import sys
from contextlib import closing

import click

from hall.listener.service import Listener
from hall.picture import Hall
from hall.store.store import open_store, reading_store
from tests.hall.reporting import NS, TOPICS, Device
from wire.topics import Topics

ROWS_OF_A_TURN = 20
"""Batches that come between two commits, as in a hall of 200 tables in play."""


def main(url: str, hall: str, tables: int, rows: int) -> None:
    """Write until every table has ``rows`` rows; what the database has already is not sent again. Ends with what it wrote."""
    devices = [Device(f"{hall}-{number}") for number in range(tables)]
    for device in devices:
        device.write(rows)
    with reading_store(url, hall) as held:
        have = {device.id: sum(1 for _ in held.rows(device.id, device.epoch)) for device in devices}
    store, _ = open_store(url, hall)
    topics, wrote, turns = Topics(TOPICS.hall), 0, 0
    with closing(store):
        picture = Hall(TOPICS.hall)
        listener = Listener(store, picture, lambda *_: None, lambda: 1000 * NS)
        click.echo("begun")
        for number in range(1, rows + 1):
            for index, device in enumerate(devices, 1):
                if number > have[device.id]:
                    listener.receive(topics.of_device(device.id, "rows"), json.dumps(device.batch(number, number)).encode(), 1000 * NS)
                    wrote += 1
                if index % ROWS_OF_A_TURN == 0:
                    listener.turn(1000 * NS)
                    turns += 1
            if picture.trouble is not None:
                sys.exit(picture.trouble)
    click.echo(json.dumps({"rows": wrote, "turns": turns}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
