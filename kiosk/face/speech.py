"""What the station says beside the moment before: letters as they are typed, the words before they are adjudicated, and the title of each page. Pure.

The voice speaks a verdict only if the director allows it, and after the adjudication no word.
"""

from collections.abc import Iterator, Sequence

from appliance.texts import Texts
from kiosk.challenge.flow import Flow, Step
from kiosk.challenge.writing import shown_text
from kiosk.context import Value
from kiosk.face.page import Page


class Moment(Value, frozen=True):
    flow: Flow
    page: Page


def news(before: Moment, after: Moment, texts: Texts, *, verdict: bool) -> tuple[str, ...]:
    old, new = before.flow, after.flow
    if after.page.name != before.page.name:
        return tuple(filter(None, _of_page(after, texts, verdict=verdict)))
    if after.page.name == "words":
        if (len(new.words), new.chosen) != (len(old.words), old.chosen):
            return _word(new, new.chosen, texts)
        return _typed(old.words[old.chosen], new.words[new.chosen], texts)
    return _typed(before.page.entry or "", after.page.entry or "", texts)


def _of_page(moment: Moment, texts: Texts, *, verdict: bool) -> Iterator[str]:
    flow, page = moment.flow, moment.page
    yield page.title
    if page.name == "checking":
        for index in range(len(flow.words)):
            yield from (*_word(flow, index, texts), shown_text(flow.words[index]).lower())
    if verdict or flow.step not in {Step.VERDICT, Step.SHOWN_AGAIN}:
        yield "" if page.banner is None else page.banner.text
        yield from page.lines


def _word(flow: Flow, index: int, texts: Texts) -> tuple[str, ...]:
    return (texts.say("speech.word", number=index + 1, count=len(flow.words)), *_letters(flow.words[index]))


def _typed(old: Sequence[str], new: Sequence[str], texts: Texts) -> tuple[str, ...]:
    if len(new) < len(old):
        return (texts.say("action.erase"), *_letters(old[len(new) :]))
    return _letters(new[len(old) :])


def _letters(tiles: Sequence[str]) -> tuple[str, ...]:
    # The engine speaks a single letter by its name.
    return tuple(each.strip("[]") for each in tiles)
