"""The pages that people read, taken apart: links, headings, code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = (
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "lexicon" / "FORMAT.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "tools" / "wiring").glob("*.md")),
)
_FENCE: Final = re.compile(r"^ *(`{3,})(\S*)[^\n]*\n(.*?)^ *\1 *$", re.MULTILINE | re.DOTALL)
_SPAN: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_LINK: Final = re.compile(r"\]\(([^()\s]+)\)")
_HEADING: Final = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced block, or a span within a line."""

    language: str
    text: str
    line: int


def name(page: Path) -> str:
    """Return the page's path from the root."""
    return str(page.relative_to(ROOT))


def fences(text: str) -> Iterator[Code]:
    """Yield the fenced blocks."""
    for match in _FENCE.finditer(text):
        yield Code(match[2], match[3], text.count("\n", 0, match.start()) + 2)


def prose(text: str) -> str:
    """Return the page without its fenced blocks; lines keep their numbers."""
    return _FENCE.sub(lambda match: "\n" * match[0].count("\n"), text)


def spans(text: str) -> Iterator[Code]:
    """Yield the code within lines."""
    plain = prose(text)
    for match in _SPAN.finditer(plain):
        yield Code("", match[1], plain.count("\n", 0, match.start()) + 1)


def links(text: str) -> list[str]:
    """Return where the page's links and pictures lead to."""
    return _LINK.findall(_SPAN.sub("", prose(text)))


def anchors(text: str) -> set[str]:
    """Return the names of a page's headings in links, as code hosts and MyST make them."""
    titles = (heading.replace("`", "") for heading in _HEADING.findall(prose(text)))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
