"""A text by its key and values, chosen where no language is known and said where one is: at the face."""

from __future__ import annotations

from dataclasses import dataclass

from appliance.texts import Texts
from faults.errors import as_phrase


@dataclass(frozen=True, slots=True)
class KeyedMessage:
    """The key of a text, and what fills its braces."""

    key: str
    values: tuple[tuple[str, str | int], ...] = ()

    def said(self, texts: Texts, **always: str) -> str:
        """Return the text in a language; words among the values are said in it too if it has them, and ``always`` fills further braces."""
        values = {name: texts.render(as_phrase(value)) if isinstance(value, str) else value for name, value in self.values}
        return texts.say(self.key, **always, **values)


def message(key: str, **values: str | int) -> KeyedMessage:
    """Return the message of ``key`` with ``values`` for its braces."""
    return KeyedMessage(key, tuple(values.items()))
