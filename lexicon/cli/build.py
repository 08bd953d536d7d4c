"""``tilelexicon build`` and ``convert``: build a lexicon file from a text of words, and convert between our files, texts, and other programs' word files.

``convert`` always goes through words in tiles: IN -> source: words in tiles -> sorted, without duplicates -> OUT. On a terminal a bar shows the progress.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from faults.endings import printable
from lexicon.alphabet import Alphabet, Tile, load_alphabet
from lexicon.build import BuildReport, Label, atomic_write, build_text, in_order
from lexicon.build import build as build_lexicon
from lexicon.cli.options import DEFAULT_ALPHABET, FILE, counted, in_one_line, print_figures, reading_options, require_different, verified
from lexicon.dawg import minimal
from lexicon.errors import TILES_IN_WORD, TILES_ON_BOARD, BadAlphabet, LexiconError
from lexicon.formats.files import files, open_word_file, read
from lexicon.formats.siblings import Format
from lexicon.reader import Lexicon
from lexicon.wordtext import Checked, Laid, OnProgress, Reading, Spelled, no_progress


@contextmanager
def progress() -> Iterator[OnProgress]:
    """Show progress on standard error until the block ends, if that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield no_progress
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = TextColumn("{task.description:<9}"), BarColumn(), TextColumn("{task.fields[figure]}")
    with Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task("", total=None, figure="")

        def watch(what: str, done: int, of: int) -> None:
            # Reading counts bytes, with a known total; the other steps count words.
            figure = f"{100 * done // of} %" if of else f"{done:,} words"
            bar.update(task, description=what, completed=done, total=of or None, figure=figure)

        yield watch


NAMES: Final = {
    Format.TILECLOCK: "a Tileclock lexicon",
    Format.TEXT: "a text",
    Format.KWG: "a KWG file",
    Format.ZYZZYVA: "a Zyzzyva .dwg file",
    Format.QUACKLE: "a Quackle .dawg file (version 1)",
    Format.QUACKLE0: "a Quackle .dawg file (version 0)",
}


class WordSource(Struct, frozen=True):
    """An open list, whose words have one byte per tile of ``alphabet``, in any order.

    ``name`` and ``edition`` are empty if the file has none. ``checked`` has the words that were left out.
    """

    path: Path
    format: Format
    alphabet: Alphabet
    checked: Checked
    name: str = ""
    edition: str = ""
    notes: tuple[str, ...] = ()


@contextmanager
def reading(path: Path, claimed: Format | None, alphabet: str | None, watch: OnProgress, how: Reading) -> Iterator[WordSource]:
    """Open the list at ``path``; a lexicon is verified first. Raises ``LexiconError``, here or while the words are read.

    ``claimed``: the format named by the user; None: recognise it. ``alphabet``: id or path; default English; a lexicon has its own.
    """
    file = open_word_file(path, claimed)
    if file.format is not Format.TILECLOCK:
        chosen = load_alphabet(DEFAULT_ALPHABET if alphabet is None else alphabet)
        if file.format is Format.TEXT:
            yield WordSource(path, Format.TEXT, chosen, Spelled(path, chosen, watch, how))
            return
        found = read(file, chosen, coded=how.coded)
        yield WordSource(path, file.format, chosen, Laid(path, chosen, found, found.strange, how), notes=found.notes)
        return
    for option, given in (("--alphabet", alphabet), ("--coded", how.coded)):
        if given:
            raise BadAlphabet(
                where=path, expected=f"no {option} for a lexicon, which has its own tiles", found=option, remedy="Leave it out"
            )
    with verified(path) as lexicon:
        header = lexicon.header
        own = _own_alphabet(lexicon)
        yield WordSource(path, file.format, own, Laid(path, own, lexicon.walk(), how=how), header.name, header.edition)


def _own_alphabet(lexicon: Lexicon) -> Alphabet:
    """Return the alphabet in the file, which may differ from the shipped one of that name. It has no scores and counts."""
    header, spelling = lexicon.header, lexicon.spelling
    tiles = tuple(Tile(text, 0, 0, number in spelling.always, number in spelling.joined) for number, text in enumerate(spelling.tiles, 1))
    typed = {text: tuple(spelling.tiles[code - 1] for code in codes) for text, codes in spelling.typed.items()}
    return Alphabet(header.alphabet, header.alphabet, header.alphabet, tiles, 0, typed)


@click.command()
@click.argument("text", metavar="WORDS.txt", type=FILE)
@click.option(
    "-o", "--output", required=True, type=FILE, metavar="X.dawg", help="The file to write; an existing one is replaced at the end."
)
@click.option("--name", required=True, help="The list's name, shown wherever the list is used.")
@click.option("--edition", default="", metavar="DATE", help="The edition's date: YYYY-MM-DD, YYYY-MM or YYYY.")
@click.option(
    "--alphabet",
    default=DEFAULT_ALPHABET,
    show_default=True,
    metavar="ID|FILE",
    help="The list's alphabet: see `tilelexicon alphabets`; or a TOML file of your own.",
)
@reading_options
def build(  # noqa: PLR0913 - click passes each option as an argument
    text: Path, *, output: Path, name: str, edition: str, alphabet: str, skip_invalid: bool, coded: bool
) -> None:
    """Build a lexicon file from WORDS.txt: UTF-8, one word per line, in any order.

    Duplicates are dropped. Lines that the alphabet's tiles cannot spell, and words longer than the board's 15 tiles, are listed with their
    numbers, and nothing is written. The same words, name, edition and
    alphabet always give the same bytes. X.dawg is written atomically.
    """
    label = Label(load_alphabet(alphabet), name, edition)
    require_different(text, output)
    with progress() as watch:
        report, spelled = build_text(text, output, label, watch, Reading(skip_invalid=skip_invalid, coded=coded))
    list_left_out(text, spelled)
    print_figures(
        [
            ("name", label.name),
            ("edition", label.edition or "none"),
            ("alphabet", label.alphabet.id),
            *_figures(report, spelled),
            ("file", str(output)),
        ]
    )


def list_left_out(source: Path, checked: Checked) -> None:
    if not checked.invalid:
        return
    click.echo(f"{printable(source)}: left out, as they are no words of the alphabet's tiles, or too long:", err=True)
    for each in checked.invalid:
        click.echo(printable(str(each)), err=True)
    if checked.invalid_count > len(checked.invalid):
        click.echo(f"and {checked.invalid_count - len(checked.invalid):,} more", err=True)
    click.echo(f"{counted(checked.invalid_count, 'word was', 'words were')} left out. {checked.remedy()}", err=True)


def _figures(report: BuildReport, spelled: Spelled) -> list[tuple[str, str]]:
    return [
        ("words", f"{report.words:,}"),
        ("duplicates", f"{report.duplicates:,} left out"),
        ("invalid", f"{spelled.invalid_count:,} left out"),
        ("size", f"{report.size:,} bytes"),
        ("SHA-256 of the list", report.words_sha256),
        ("SHA-256 of the file", report.sha256),
    ]


_WRITTEN = ("tileclock", "text", "kwg", "zyzzyva", "quackle")
_READ = (*_WRITTEN, "quackle0")


@click.command()
@click.argument("source", metavar="IN", type=FILE)
@click.argument("to", metavar="OUT", type=FILE)
@click.option("--to", "kind", type=click.Choice(_WRITTEN), required=True, help="The format to write.")
@click.option("--from", "claimed", type=click.Choice(_READ), help="The format of IN, if it is ambiguous.")
@click.option("--name", help="For --to tileclock: the list's name; default: that of IN, if it has one.")
@click.option("--edition", metavar="DATE", help="For --to tileclock: YYYY-MM-DD, YYYY-MM or YYYY; default: that of IN, if it has one.")
@click.option(
    "--alphabet", metavar="ID|FILE", help="The alphabet of IN: see `tilelexicon alphabets`; default: english. A lexicon has its own."
)
@reading_options
def convert(  # noqa: PLR0913 - click passes each option as an argument
    source: Path,
    to: Path,
    *,
    kind: str,
    claimed: str | None,
    name: str | None,
    edition: str | None,
    alphabet: str | None,
    skip_invalid: bool,
    coded: bool,
) -> None:
    """Convert the words of IN to another format and write them to OUT.

    IN may be a Tileclock lexicon, a text, KWG (wolges, Woogles, Macondo), Zyzzyva .dwg or Quackle .dawg; its content shows which. For an ambiguous file name the
    format with --from.

    For Zyzzyva, three files are written: OUT, its -R twin of reversed words, and the checksums. OUT is written atomically.
    """
    if kind != "tileclock" and (name is not None or edition is not None):
        raise LexiconError(
            expected="--name and --edition only with --to tileclock", found=f"--to {kind}, which holds neither", remedy="Leave them out"
        )
    require_different(source, to)
    written, claimed_format = Format(kind), None if claimed is None else Format(claimed)
    # Only a station needs words that can be laid.
    longest = TILES_ON_BOARD if written is Format.TILECLOCK else TILES_IN_WORD
    with progress() as watch, reading(source, claimed_format, alphabet, watch, Reading(longest, skip_invalid, coded)) as found:
        words, duplicates = _write(found, written, to, (name, edition), watch)
    list_left_out(source, found.checked)
    click.echo(f"read {in_one_line(source)}: {NAMES[found.format]} in the alphabet {in_one_line(found.alphabet.id)}")
    click.echo(f"wrote {in_one_line(to)}: {NAMES[written]} of {counted(words, 'word')}")
    notes = [f"{counted(duplicates, 'duplicate')} left out."] if duplicates else []
    for note in (*notes, *found.notes):
        click.echo(f"note: {in_one_line(note)}")


def _write(found: WordSource, kind: Format, to: Path, named: tuple[str | None, str | None], watch: OnProgress) -> tuple[int, int]:
    if kind is Format.TILECLOCK:
        report = build_lexicon(found.checked.accepted(), to, _label(found, *named), watch)
        return report.words, report.duplicates
    words, duplicates = in_order(found.checked.accepted())
    if kind is Format.TEXT:
        with atomic_write(to) as file:
            file.writelines(f"{found.alphabet.spelling.text(word)}\n".encode() for word in words)
    else:
        _write_others(found, words, kind, to)
    return len(words), duplicates


def _label(found: WordSource, name: str | None, edition: str | None) -> Label:
    if name is None and not found.name:
        raise LexiconError(expected="--name, the list's name", found="none", remedy="Add it")
    return Label(found.alphabet, found.name if name is None else name, found.edition if edition is None else edition)


def _write_others(found: WordSource, words: list[bytes], kind: Format, to: Path) -> None:
    made = files(kind, minimal(words), found.alphabet, to)
    for path in made:
        require_different(found.path, path)
    with ExitStack() as all_or_none:
        # All are written before any is renamed; the last one is renamed first.
        for path, data in made.items():
            file = all_or_none.enter_context(atomic_write(path))
            file.write(data)
            file.flush()
