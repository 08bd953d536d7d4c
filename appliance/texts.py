"""The languages, and their texts as data: a folder of ``languages/`` each, whose files have the same keys and braces as the English ones (checked on load).

``say`` looks a text up by its dotted key and fills in its braces. ``render`` says what came as a phrase, as errors do.
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from appliance.errors import Finding, TextsError, counted, error_finding, ok
from faults.errors import Phrase, TileclockError, as_phrase
from faults.small_file import toml_in
from languages import FOLDER

MASTER: Final = "en"
"""The language all others are checked against."""
_ABOUT: Final = "language"
"""The part that tells about the language itself, and makes a folder a language."""
_REMEDY = "Correct the file, or install the program again"


class Texts(Struct, frozen=True):
    """The texts of one language, by dotted key."""

    language: str
    by_key: Mapping[str, str]
    phrases: Mapping[str, str] = field(default_factory=dict)

    def say(self, key: str, **values: object) -> str:
        """Return the text of ``key`` with its braces filled in; phrases among the values are rendered."""
        template = self.by_key[key]
        # Most texts of a face have no braces.
        return template.format(**self._rendered(values)) if "{" in template else template

    def render(self, said: str) -> str:
        if not isinstance(said, Phrase):
            return said
        template = self.phrases.get(said.template, said.template)
        return template.format(**self._rendered(said.values)) if said.values else template

    def _rendered(self, values: Mapping[str, object]) -> dict[str, object]:
        return {name: self.render(value) if isinstance(value, Phrase) else value for name, value in values.items()}


def sent(said: object) -> object:
    """Return ``said`` for JSON: each phrase in it as its template and values, all else as it is."""
    if isinstance(said, Phrase):
        return [said.template, sent(said.values)]
    if isinstance(said, dict):
        return {name: sent(value) for name, value in said.items()}
    return [*map(sent, said)] if isinstance(said, list | tuple) else said


def received(said: Any) -> Any:
    if not isinstance(said, list):
        return said
    template, values = said
    return Phrase(template, **{name: received(value) for name, value in values.items()}) if values else as_phrase(template)


@cache
def languages() -> tuple[str, ...]:
    return tuple(sorted(file.parent.name for file in FOLDER.glob(f"*/{_ABOUT}.toml")))


def languages_with(file: str) -> tuple[str, ...]:
    return tuple(code for code in languages() if (FOLDER / code / f"{file}.toml").is_file())


@cache
def language_names() -> Mapping[str, str]:
    """Return each language's own name for itself, by its code. Raises ``TextsError`` as ``load_part`` does."""
    return {code: about(code).say("name") for code in languages()}


def voice_of(language: str) -> str:
    """Return the name of the voice that espeak-ng has for a language. Raises ``TextsError`` as ``load_part`` does."""
    return about(language).say("voice")


def about(language: str) -> Texts:
    """Return what a language says of itself, such as ``keyboard``, the layout that its typists know. Raises ``TextsError`` as ``load_part`` does."""
    # Without phrases: to read those of all languages takes a station as long as its first picture.
    return _without_phrases(_ABOUT, language)


@cache
def load_part(part: str, language: str) -> Texts:
    """Return the texts of ``clock``, ``station`` or ``sheets`` in a language, by its code.

    Raises ``TextsError``: the language is unknown, or its keys or placeholders differ from the English file.
    """
    texts = _without_phrases(part, language)
    if language == MASTER:
        return texts
    # The shared packages' and the program's own.
    phrases = _phrases(FOLDER / language / "phrases.toml") | _phrases(FOLDER / language / f"{part}-phrases.toml")
    return replace(texts, phrases=phrases)


def _without_phrases(part: str, language: str) -> Texts:
    if language not in languages():
        raise TextsError(
            expected=Phrase("a language that is shipped ({known})", known=", ".join(languages())),
            found=repr(language),
            remedy="Choose one of these",
        )
    file = FOLDER / language / f"{part}.toml"
    texts = parse_texts(_read(file), language, _named(file))
    if language != MASTER:
        check_against(texts, _without_phrases(part, MASTER), _named(file))
    return texts


@cache
def load_phrases(file: str, language: str) -> Texts:
    """Return the phrases alone of a file of a language, by its name without ``.toml``; none in English. Raises ``TextsError`` for other braces."""
    return Texts(language, {}, {} if language == MASTER else _phrases(FOLDER / language / f"{file}.toml"))


def _read(file: Path) -> bytes:
    """Return a file of a language; empty if it does not exist, so that the first text that it lacks is named."""
    return file.read_bytes() if file.is_file() else b""


def _named(file: Path) -> str:
    return f"{FOLDER.name}/{file.parent.name}/{file.name}"


def _phrases(file: Path) -> dict[str, str]:
    phrases: dict[str, str] = toml_in(_named(file), _read(file), TextsError)
    for english, text in phrases.items():
        _require_braces(f"{_named(file)}: {english}", english, text)
    return phrases


def parse_texts(content: bytes, language: str, where: str) -> Texts:
    """Return the texts of the language file ``where``; raises ``TextsError`` for a value that is not a text with valid placeholders."""
    found = toml_in(where, content, TextsError)
    try:
        by_key = dict(_flat(found, ""))
        for text in by_key.values():
            _braces(text)
    except TextsError as error:
        error.locate(where)
        raise
    except ValueError as error:
        raise TextsError(
            where=where,
            expected="texts with matching braces",
            found=Phrase("a fault: {error}", error=str(error)),
            remedy=_REMEDY,
        ) from error
    return Texts(language, by_key)


def check_against(texts: Texts, master: Texts, where: str) -> None:
    """Raise ``TextsError`` if ``texts``, of the file ``where``, and ``master`` differ in keys or placeholders."""
    for key in sorted(master.by_key.keys() ^ texts.by_key.keys()):
        expected, found = ("a text", "none") if key in master.by_key else ("a key of the English file", "another")
        raise TextsError(where=f"{where}: {key}", expected=expected, found=found, remedy=_REMEDY)
    for key, text in master.by_key.items():
        _require_braces(f"{where}: {key}", text, texts.by_key[key])


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            flat += _flat(value, f"{prefix}{name}.")
        elif isinstance(value, str):
            flat.append((prefix + name, value))
        else:
            raise TextsError(where=f"{prefix}{name}", expected="a text", found=repr(value), remedy=_REMEDY)
    return flat


def _require_braces(where: str, english: str, text: str) -> None:
    if _braces(english) != _braces(text):
        raise TextsError(
            where=where, expected=Phrase("the braces {braces}", braces=sorted(_braces(english))), found=repr(text), remedy=_REMEDY
        )


def _braces(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def check_texts(language: str, load: Callable[[str], Texts]) -> Finding:
    try:
        texts = load(language)
    except TileclockError as error:
        remedy = "Choose a shipped language with --language, or reinstall Tileclock if a shipped file was changed"
        return error_finding("texts", error, remedy)
    return ok("texts", Phrase("{language}: {texts}", language=language, texts=counted(len(texts.by_key), "text")))
