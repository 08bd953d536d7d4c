"""Flows at which words are being typed, those words, and what is said of them."""

from __future__ import annotations

from kiosk.challenge.apply import begin
from kiosk.challenge.flow import NOTICES, Flow
from kiosk.challenge.writing import lookup_text
from tests.kiosk.challenge.making import at_words, context


def words_of(flow: Flow) -> list[str]:
    return [lookup_text(word) for word in flow.words]


def said_of(flow: Flow) -> tuple[str, dict[str, str | int]]:
    assert flow.notice is not None
    assert NOTICES[flow.notice.key] == tuple(name for name, _ in flow.notice.values)
    return flow.notice.key.removeprefix("notice."), dict(flow.notice.values)


def english(count: int = 2) -> Flow:
    return at_words(begin(context()), count=count)


def one_word(alphabet: str) -> Flow:
    return at_words(begin(context(alphabet=alphabet)), count=1)
