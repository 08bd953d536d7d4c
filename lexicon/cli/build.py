"""``tilelexicon build``: builds a lexicon file from a text of words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from faults.guard import printable
from lexicon.cli.options import DEFAULT_ALPHABET, FILE, require_different, skip_invalid_option
from lexicon.cli.output import print_figures

if TYPE_CHECKING:
    from lexicon.build import BuildReport
    from lexicon.spelled import Spelled


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
@skip_invalid_option
def build(  # noqa: PLR0913 - click passes each option as an argument
    text: Path, *, output: Path, name: str, edition: str, alphabet: str, skip_invalid: bool
) -> None:
    """Build a lexicon file from WORDS.txt: UTF-8, one word per line, in any order.

    Duplicates are dropped. Lines that the alphabet's tiles cannot spell, and words longer than the board's 15 tiles, are listed with their
    numbers, and nothing is written. The same words, name, edition and
    alphabet always give the same bytes. X.dawg is written atomically.
    """
    from lexicon.alphabet import load_alphabet
    from lexicon.build import Label, build_text
    from lexicon.cli.progress import progress

    label = Label(load_alphabet(alphabet), name, edition)
    require_different(text, output)
    with progress() as watch:
        report, spelled = build_text(text, output, label, watch, skip_invalid=skip_invalid)
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


def list_left_out(text: Path, spelled: Spelled) -> None:
    """List on standard error the lines left out, if any."""
    if not spelled.invalid:
        return
    click.echo(f"{printable(text)}: left out, as they are no words of the alphabet's tiles, or longer than the board:", err=True)
    for each in spelled.invalid:
        click.echo(printable(str(each)), err=True)
    if spelled.invalid_count > len(spelled.invalid):
        click.echo(f"and {spelled.invalid_count - len(spelled.invalid):,} more", err=True)
    click.echo(f"{spelled.invalid_count:,} of the text's lines were left out. {spelled.remedy()}", err=True)


def _figures(report: BuildReport, spelled: Spelled) -> list[tuple[str, str]]:
    return [
        ("words", f"{report.words:,}"),
        ("duplicates", f"{report.duplicates:,} left out"),
        ("invalid", f"{spelled.invalid_count:,} left out"),
        ("size", f"{report.size:,} bytes"),
        ("SHA-256 of the list", report.words_sha256),
        ("SHA-256 of the file", report.sha256),
    ]
