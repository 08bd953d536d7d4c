"""``tilelexicon convert``: between our files, texts, and the word files of other programs. Everything passes through as words in tiles.

IN -> source: words in tiles -> in order, each once -> OUT
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lexicon.cli.guard import BadOption
from lexicon.cli.options import FILE, must_differ, skip_invalid_option
from lexicon.cli.output import counted, in_one_line

if TYPE_CHECKING:
    from lexicon.build import Label
    from lexicon.cli.source import Source
    from lexicon.formats.found import Format
    from lexicon.sorting import InOrder
    from lexicon.wordtext import Watch

_WRITTEN = ("tileclock", "text", "kwg", "zyzzyva", "quackle")
_READ = (*_WRITTEN, "quackle0")


@click.command()
@click.argument("source", metavar="IN", type=FILE)
@click.argument("to", metavar="OUT", type=FILE)
@click.option("--to", "kind", type=click.Choice(_WRITTEN), required=True, help="What to write.")
@click.option("--from", "said", type=click.Choice(_READ), help="What IN is, if it could be more than one thing.")
@click.option("--name", help="For --to tileclock: what the list is called; that of IN if it is such a file.")
@click.option("--edition", metavar="DATE", help="For --to tileclock: YYYY-MM-DD, YYYY-MM or YYYY; that of IN if it is such a file.")
@click.option(
    "--alphabet", metavar="ID|FILE", help="The tiles of IN: see `tilelexicon alphabets`; by default english. A lexicon has its own."
)
@skip_invalid_option
def convert(  # noqa: PLR0913 - click hands over each option as an argument
    source: Path, to: Path, *, kind: str, said: str | None, name: str | None, edition: str | None, alphabet: str | None, skip_invalid: bool
) -> None:
    """Write the words of IN as OUT, in another format.

    IN may be a lexicon of ours, a text, KWG (wolges, Woogles, Macondo), Zyzzyva .dwg or Quackle .dawg: it is recognised by what it holds. What could be
    something else as well is refused until --from says what it is.

    For Zyzzyva three files are written: OUT, its -R twin of reversed words, and the checksums. OUT appears when it is whole, or not at all.
    """
    from lexicon.cli.build import list_left_out
    from lexicon.cli.progress import progress
    from lexicon.cli.source import NAMES, reading
    from lexicon.formats.found import Format

    if kind != "tileclock" and (name is not None or edition is not None):
        raise BadOption(
            expected="--name and --edition only with --to tileclock", found=f"--to {kind}, which holds neither", remedy="Leave them out"
        )
    must_differ(source, to)
    written, said_format = Format(kind), None if said is None else Format(said)
    with progress() as watch, reading(source, said_format, alphabet, watch, skip_invalid=skip_invalid) as found:
        words, duplicates = _write(found, written, to, (name, edition), watch)
    if found.spelled is not None:
        list_left_out(source, found.spelled)
    click.echo(f"read {in_one_line(source)}: {NAMES[found.format]} in the alphabet {in_one_line(found.alphabet.id)}")
    click.echo(f"wrote {in_one_line(to)}: {NAMES[written]} of {counted(words, 'word')}")
    notes = [f"{counted(duplicates, 'duplicate')} left out."] if duplicates else []
    for note in (*notes, *found.notes):
        click.echo(f"note: {in_one_line(note)}")


def _write(found: Source, kind: Format, to: Path, named: tuple[str | None, str | None], watch: Watch) -> tuple[int, int]:
    """Write the words; return how many there are, and how many came again."""
    from lexicon.build import build
    from lexicon.formats.found import Format
    from lexicon.sorting import InOrder

    if kind is Format.TILECLOCK:
        report = build(found.words, to, _label(found, *named), watch)
        return report.words, report.duplicates
    words = InOrder(found.words, to.absolute().parent)
    count = _write_text(found, words, to) if kind is Format.TEXT else _write_others(found, words, kind, to)
    return count, words.duplicates


def _label(found: Source, name: str | None, edition: str | None) -> Label:
    from lexicon.build import Label

    if name is None and not found.name:
        raise BadOption(expected="--name, what the list is to be called", found="none", remedy="Add it")
    return Label(found.alphabet, found.name if name is None else name, found.edition if edition is None else edition)


def _write_text(found: Source, words: InOrder, to: Path) -> int:
    """Write what `tilelexicon words` would print."""
    from lexicon.errors import BadText
    from lexicon.files import appearing

    text, count = found.alphabet.spelling.text, 0
    with appearing(to) as file:
        for word in words:
            file.write(f"{text(word)}\n".encode())
            count += 1
        if not count:
            raise BadText(expected="words", found="none", remedy="Give a list of at least one word")
    return count


def _write_others(found: Source, words: InOrder, kind: Format, to: Path) -> int:
    from lexicon.dawg import minimal
    from lexicon.files import appearing
    from lexicon.formats.write import files

    dawg = minimal(words)
    made = files(kind, dawg, found.alphabet, to)
    for path in made:
        must_differ(found.path, path)
    with ExitStack() as all_or_none:
        # None appears before all are written; the last that is entered appears first.
        for path, data in made.items():
            file = all_or_none.enter_context(appearing(path))
            file.write(data)
            file.flush()
    return dawg.words
