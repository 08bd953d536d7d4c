"""The language of a page: the one that was chosen, else the browser's; and the templates' own texts in it, from ``languages/*/desk-phrases.toml``.

Templates are English. A page in another language is made of the same template, whose static texts are looked up while it is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, cast

from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from appliance.texts import MASTER, languages_with
from hall.desk.access.accounts import DeskRole
from hall.desk.access.guard import DeskRoute

PHRASES: Final = "desk-phrases"
COOKIE: Final = "language"
_YEAR_S: Final = 365 * 86400
_READ: Final = frozenset({"aria-label", "title", "placeholder", "data-label", "alt"})
"""The attributes that people read."""
_STEP: Final = {"text": re.compile("<"), "tag": re.compile(r'>|([\w-]+)="'), "value": re.compile('"')}


def spoken() -> tuple[str, ...]:
    return tuple(sorted({MASTER, *languages_with(PHRASES)}))


def language_of(request: Request) -> str:
    """Return the language that the address or the cookie chooses, else the first that the browser accepts, else English."""
    known = spoken()
    accepted = request.headers.get("accept-language", "")
    wanted = [request.query_params.get(COOKIE, ""), request.cookies.get(COOKIE, ""), *_by_preference(accepted)]
    return next((each for each in wanted if each in known), MASTER)


def _by_preference(accepted: str) -> Iterator[str]:
    """Yield the codes of an Accept-Language header (RFC 9110, 12.5.4), the most wanted first; a region says nothing to us."""
    ranges = [part.strip().partition(";q=") for part in accepted.lower().split(",")]
    for code, _, quality in sorted(ranges, key=lambda each: -_quality(each[2])):
        if _quality(quality):
            yield code.partition("-")[0]


def _quality(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0


class Markup:
    """Where a template's static texts are in its HTML, across the tokens that expressions separate."""

    def __init__(self) -> None:
        self._state, self._read, self._code = "text", True, False

    def translated(self, html: str, say: Callable[[str], str]) -> str:
        """Return a piece of a template with its texts in another language."""
        made, at = [], 0
        while at <= len(html):
            found = _STEP[self._state].search(html, at)
            end = found.start() if found else len(html)
            piece = html[at:end]
            made.append(_said(piece, say) if self._state != "tag" and self._read and not self._code else piece)
            if found is None:
                break
            made.append(found[0])
            at = found.end()
            if self._state == "text":
                self._code = html.startswith("code>", at)
            self._next(found)
        return "".join(made)

    def _next(self, found: re.Match[str]) -> None:
        if self._state in {"text", "value"}:
            self._state = "tag"
        elif found[0] == ">":
            self._state, self._read = "text", True
        else:
            self._state, self._read = "value", found[1] in _READ


def _said(piece: str, say: Callable[[str], str]) -> str:
    words = " ".join(piece.split())
    if not words:
        return piece
    before, after = piece[: len(piece) - len(piece.lstrip())], piece[len(piece.rstrip()) :]
    return before + say(words) + after


class StaticTexts(Extension):
    """Says the static texts of a template in the language of its environment, whose ``say`` looks them up."""

    def filter_stream(self, stream: TokenStream) -> Iterator[Token]:
        markup, say = Markup(), cast("Callable[[str], str]", self.environment.globals["say"])
        for token in stream:
            yield Token(token.lineno, token.type, markup.translated(token.value, say)) if token.type == "data" else token


def own_path(path: str) -> str:
    """Return a path of this desk: another site's address after a page of ours would be its invitation."""
    plain = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if plain else "/"


async def choose(request: Request) -> Response:
    """Keep the language that a person chose, and go back to the page."""
    chosen, answer = request.path_params["code"], RedirectResponse(own_path(request.query_params.get("next", "/")), 303)
    if chosen in spoken():
        answer.set_cookie(COOKIE, chosen, _YEAR_S, secure=request.url.scheme == "https", httponly=True, samesite="lax")
    return answer


routes = (DeskRoute("/language/{code}", choose, DeskRole.SPECTATOR),)
