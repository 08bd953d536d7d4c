"""The results of a round's tables, kept when the games are over: the next game takes the clock's face."""

from __future__ import annotations

from collections.abc import Mapping

import sqlalchemy as sa

from hall.store.database import StorePlace
from hall.store.events import writing
from hall.store.reading import reading_connection
from hall.store.schema import RESULTS


def keep_results(place: StorePlace, hall: str, number: int, results: Mapping[int, str]) -> None:
    """Keep the results of round ``number``: JSON by table; those of the same table are replaced.

    Raises:
        StoreError: they cannot be written.
    """
    with writing(place) as connection:
        where = (RESULTS.c.hall == hall, RESULTS.c.round == number, RESULTS.c.table.in_(list(results)))
        connection.execute(sa.delete(RESULTS).where(*where))
        lines = [{"hall": hall, "round": number, "table": table, "result": result} for table, result in results.items()]
        connection.execute(sa.insert(RESULTS), lines)


def kept_results(place: StorePlace, hall: str, number: int) -> dict[int, str]:
    """Return what was kept of round ``number``.

    Raises:
        StoreError: the store cannot be read.
    """
    with reading_connection(place) as connection:
        query = sa.select(RESULTS.c.table, RESULTS.c.result).where(RESULTS.c.hall == hall, RESULTS.c.round == number)
        return {table: result for table, result in connection.execute(query)}  # noqa: C416 - rows are no pairs to mypy
