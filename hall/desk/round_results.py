"""The results of the round that is played: as they stand, and kept once a game is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from pydantic import TypeAdapter
from starlette.concurrency import run_in_threadpool

from appliance.errors import TileclockError
from appliance.log import get_logger
from hall.desk.cards.result import TableResult, table_result
from hall.desk.cards.round import is_of_round
from hall.desk.desk import DirectorsDesk
from hall.desk.exports import ExportedRound, exported_round
from hall.store.database import StorePlace
from hall.store.results import keep_results, kept_results

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
        """Keep the results of all games of this round that are over."""
        number = self._desk.round
        over = {table: _RESULT.dump_json(each).decode() for table, each in self._present(only_over=True).items()}
        new = {table: result for table, result in over.items() if self._kept.get((number, table)) != result}
        if not number or not new:
            return
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
            results |= self._present()
        return exported_round(self._desk.hall, self._desk.event, number, results)

    def _present(self, *, only_over: bool = False) -> dict[int, TableResult]:
        now = self._now()
        cards = (card for card in self._desk.cards.values() if not only_over or card.phase == "over")
        found = (table_result(card, self._desk.game(card), now) for card in cards if is_of_round(card, self._desk.seats))
        return {each.table: each for each in found if each is not None}
