"""The results of the round that is played: as they stand, and kept once a game is over, also one that ends when the next round is played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from pydantic import TypeAdapter
from starlette.concurrency import run_in_threadpool

from appliance.log import get_logger
from faults.errors import TileclockError
from hall.desk.cards.result import TableResult, table_result
from hall.desk.cards.round import is_of_round
from hall.desk.cards.seating import seats_of
from hall.desk.desk import DirectorsDesk
from hall.desk.exports import ExportedRound, exported_round
from hall.store.database import StorePlace
from hall.store.events import keep_results, kept_results

_EVERY_S: Final = 2.0
_RESULT: Final = TypeAdapter(TableResult)


class RoundResults:
    """Used in the event loop.

    Args:
        desk: whose round.
        place: where results are kept.
        now: CLOCK_MONOTONIC in ns.
    """

    def __init__(self, desk: DirectorsDesk, place: StorePlace, now: Callable[[], int] = time.monotonic_ns) -> None:
        self._desk, self._place, self._now = desk, place, now
        self._kept: dict[tuple[int, int], str] = {}

    async def run(self) -> None:
        """Keep results until it is cancelled."""
        while True:
            await self.keep()
            await asyncio.sleep(_EVERY_S)

    async def keep(self) -> None:
        """Keep the results of all games that are over: of this round, and of the round before, of which a game may end late."""
        current = self._desk.round
        before = max((each.round for each in self._desk.event.pairings if each.round < current), default=0)
        for number in filter(None, (current, before)):
            over = {table: _RESULT.dump_json(each).decode() for table, each in self._present(number, only_over=True).items()}
            new = {table: result for table, result in over.items() if self._kept.get((number, table)) != result}
            if not new:
                continue
            try:
                await run_in_threadpool(keep_results, self._place, self._desk.hall, number, new)
            except TileclockError as error:
                get_logger().warning("results cannot be kept now", why=str(error))
                return
            self._kept |= {(number, table): result for table, result in new.items()}

    async def exported(self, number: int) -> ExportedRound:
        """Return round ``number``: its games as they were when over; those of the round that is played as they stand.

        Raises:
            StoreError: the store cannot be read.
        """
        kept = await run_in_threadpool(kept_results, self._place, self._desk.hall, number)
        results = {table: _RESULT.validate_json(result) for table, result in kept.items()}
        if number == self._desk.round:
            results |= self._present(number)
        return exported_round(self._desk.hall, self._desk.event, number, results)

    def _present(self, number: int, *, only_over: bool = False) -> dict[int, TableResult]:
        present = self._desk.seats
        seats = present if number == self._desk.round else seats_of(self._desk.event, number)
        now, found = self._now(), {}
        for card in self._desk.cards.values():
            # Of two who meet again at the same table the game is one of the round that is played.
            elsewhere = seats is not present and is_of_round(card, present)
            if elsewhere or not is_of_round(card, seats) or (only_over and card.phase != "over"):
                continue
            if (result := table_result(card, self._desk.game(card), now)) is not None:
                found[result.table] = result
        return found
