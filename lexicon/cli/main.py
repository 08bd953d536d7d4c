"""``tilelexicon``: the command and its verbs."""

from __future__ import annotations

import click

from faults.guard import Guarded
from lexicon.cli.answers import judge, verify
from lexicon.cli.bench import bench
from lexicon.cli.build import build, convert
from lexicon.cli.lists import alphabets, diff, info, words


@click.group(cls=Guarded, program="tilelexicon", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tileclock", prog_name="tilelexicon")
def main() -> None:
    """Tilelexicon: verifiable word lists for Scrabble.

    \b
    Build one from a text, one word a line: tilelexicon build words.txt -o club.dawg --name "Club list"
    Which list is this?                     tilelexicon info club.dawg
    Is every byte as built?                 tilelexicon verify club.dawg
    Is a play acceptable?                   tilelexicon judge club.dawg TILE CLOCK
    What did the new edition change?        tilelexicon diff old.dawg new.dawg

    Exit codes: 0 done or yes; 1 no (unacceptable, different, not as expected); 2 bad use or a bad file, with a sentence that says what to do.
    Every verb explains itself with --help.
    """  # noqa: D301 - click's marker for lines not to rewrap


for verb in (alphabets, bench, build, convert, diff, info, judge, verify, words):
    main.add_command(verb)


if __name__ == "__main__":
    # Running this file runs the program too.
    main(prog_name="tilelexicon")
