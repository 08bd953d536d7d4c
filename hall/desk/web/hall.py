"""The hall: every table, whoever needs somebody first."""

from __future__ import annotations

from collections import Counter

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from hall.desk.cards.need import WORDS, NeedKind
from hall.desk.web.pages import context, page
from rules.side import Side


async def hall(request: Request) -> HTMLResponse:
    desk = context(request).desk
    cards = desk.by_need()
    counts = Counter(need.kind for card in cards for need in card.needs)
    kinds = [(kind.name.lower(), WORDS[kind], counts[kind]) for kind in NeedKind]
    divisions = sorted({card.division for card in cards if card.division})
    plan = {table: seat.place for table, seat in desk.seats.items() if seat.place is not None}
    return page(request, "hall.html", cards=cards, kinds=kinds, divisions=divisions, plan=plan, sides=tuple(Side))


routes = (Route("/", hall),)
