"""``tilelexicon info``, ``words``, ``diff``, ``alphabets`` and ``bench``: identify a list, print it, compare two editions, list the alphabets and their tiles; ``bench`` measures a list on this machine, by the public API alone."""

import heapq
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path

import click

from lexicon.alphabet import alphabets as shipped
from lexicon.alphabet import load_alphabet
from lexicon.cli.options import FILE, counted, in_one_line, lexicon_argument, print_figures, print_lines, titled, verified
from lexicon.reader import Lexicon

_WORDING = {
    "name": "name",
    "edition": "edition",
    "alphabet": "alphabet",
    "words": "words",
    "states": "states",
    "edges": "edges",
    "longest": "longest word",
    "size": "size",
    "short_hash": "short hash",
    "words_sha256": "SHA-256 of the list",
    "units_sha256": "SHA-256 of the units",
    "file_sha256": "SHA-256 of the file",
}
_UNITS = {"longest": " tiles", "size": " bytes"}


@click.command()
@lexicon_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object: figures as numbers, hashes in hex, sizes in bytes.")
def info(path: Path, *, as_json: bool) -> None:
    """Show the header of X.dawg, and the file's SHA-256 as `sha256sum` prints it.

    This proves nothing: the header is not checked against the words. `tilelexicon verify` reads everything.

    The list's SHA-256 covers the words alone, one per line as `tilelexicon words` prints them; the short hash is its beginning. Files with the same list hash and
    the same alphabet have the same words, whoever built them.
    """
    with Lexicon.open(path) as lexicon:
        figures = _figures(lexicon)
    if as_json:
        click.echo(json.dumps(figures, indent=2))
        return
    print_figures((_WORDING[key], _shown(key, figure)) for key, figure in figures.items() if key in _WORDING)
    click.echo("Only the header was read; this proves nothing. To verify everything: tilelexicon verify")


def _figures(lexicon: Lexicon) -> dict[str, str | int | bool]:
    header = lexicon.header
    return {
        "name": header.name,
        "edition": header.edition,
        "alphabet": header.alphabet,
        "words": header.words,
        "states": header.states,
        "edges": header.edges,
        "longest": header.longest,
        "size": header.size + 4 * header.units,
        "short_hash": header.short_hash,
        "words_sha256": header.words_sha256.hex(),
        "units_sha256": header.payload_sha256.hex(),
        "file_sha256": lexicon.sha256(),
        "verified": False,
    }


def _shown(key: str, figure: str | int) -> str:
    return f"{figure:,}{_UNITS.get(key, '')}" if isinstance(figure, int) else figure or "none"


@click.command()
@lexicon_argument
@click.option(
    "--prefix", default="", metavar="TILES", help="Only words that begin with these tiles. Tiles are not split: C does not begin CH."
)
def words(path: Path, *, prefix: str) -> None:
    """Verify X.dawg, then print its words, one per line, in the alphabet's order, in UTF-8.

    A tile of more than one letter has brackets, [CH], only where the word would be read differently without.
    """
    with verified(path) as lexicon:
        print_lines(lexicon.starting(prefix))


@click.command()
@click.argument("old", metavar="A.dawg", type=FILE)
@click.argument("new", metavar="B.dawg", type=FILE)
@click.option("--summary", is_flag=True, help="Only the counts, on standard output.")
def diff(old: Path, new: Path, *, summary: bool) -> int:
    """Show the words added in B (+) and removed from A (-), in order; the counts go to standard error.

    Both files are verified first. Exit code: 0 if both have the same words, 1 if not, 2 if one is unusable. Lists in different alphabets are compared by their
    words' texts.
    """
    with verified(old) as before, verified(new) as after:
        tally = {"+": 0, "-": 0}
        lines = _lines(before, after, tally)
        if summary:
            for _ in lines:
                pass
        else:
            print_lines(lines)
        common = len(before) - tally["-"]
        for mark, lexicon in (("A", before), ("B", after)):
            click.echo(f"{mark}: {in_one_line(titled(lexicon))}", err=not summary)
        if before.spelling.tiles != after.spelling.tiles:
            click.echo("They have different alphabets: compared by the words' texts.", err=not summary)
    click.echo(f"{tally['+']:,} added, {tally['-']:,} removed, {counted(common, 'word')} in both", err=not summary)
    return 1 if any(tally.values()) else 0


def changes(old: Iterable[bytes], new: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield words only in ``new`` with ``+`` and words only in ``old`` with ``-``; both inputs must ascend."""
    merged = heapq.merge(((word, "-") for word in old), ((word, "+") for word in new))
    for word, having in groupby(merged, itemgetter(0)):
        marks = [mark for _, mark in having]
        if len(marks) == 1:
            yield marks[0], word


def _lines(old: Lexicon, new: Lexicon, tally: dict[str, int]) -> Iterator[str]:
    alike = old.spelling.tiles == new.spelling.tiles
    # As texts, since the alphabets' orders differ.
    found = changes(old.walk(), new.walk()) if alike else changes(*(sorted(word.encode() for word in each) for each in (old, new)))
    for mark, word in found:
        tally[mark] += 1
        yield f"{mark} {old.spelling.text(word) if alike else word.decode()}"


@click.command()
@click.argument("alphabet", metavar="[ID|FILE]", required=False)
def alphabets(alphabet: str | None) -> None:
    """List the shipped alphabets, or show the tiles of one: in sorting order, with scores, counts and typed forms.

    An alphabet of your own is a TOML file like those in lexicon/alphabets; give its path instead of an ID.
    """
    if alphabet is None:
        width = max(map(len, shipped()))
        for each in map(load_alphabet, shipped()):
            click.echo(f"{each.id:<{width}}  {counted(len(each.tiles), 'tile')}: {each.source}")
        return
    _show(alphabet)


def _show(alphabet_id: str) -> None:
    alphabet = load_alphabet(alphabet_id)
    click.echo(f"{alphabet.name} ({alphabet.id}): {alphabet.source}")
    click.echo(
        f"{counted(sum(tile.count for tile in alphabet.tiles) + alphabet.blanks, 'tile')} in a set, {alphabet.blanks} of them blank\n"
    )
    click.echo("no.  tile  score  count")
    for number, tile in enumerate(alphabet.tiles, 1):
        only = "  always whole: other tiles must not spell it" if tile.always else ""
        only += f"  read whole: other tiles are written in brackets, [{tile.text[0]}]{tile.text[1:]}" if tile.joined else ""
        click.echo(f"{number:>3}  {tile.text:<4}  {tile.score:>5}  {tile.count:>5}{only}")
    if alphabet.typed:
        click.echo("\ntyped  for")
    for text, tiles in alphabet.typed.items():
        click.echo(f"{in_one_line(text):<5}  {' '.join(tiles)}")
    if alphabet.coded:
        click.echo("\ncoded  for, in lists that are read with --coded")
    for text, whole in alphabet.coded.items():
        click.echo(f"{in_one_line(text):<5}  {whole}")


_SAMPLE = 10_000

_ROUNDS = 5
_ROLLUP = Path("/proc/self/smaps_rollup")


def measure(path: Path) -> Iterator[tuple[str, str]]:
    """Yield what is measured, in words; the times of look-ups include the loop."""
    anonymous()  # exclude what this call itself needs
    before, start = anonymous(), time.perf_counter_ns()
    with Lexicon.open(path) as lexicon:
        open_ns, after = time.perf_counter_ns() - start, anonymous()
        words, size = len(lexicon), lexicon.header.size + 4 * lexicon.header.units
        yield "words", f"{words:,}"
        yield "size", f"{size:,} bytes, {100 * size // words / 100:.2f} a word"
        yield "open", f"{open_ns // 1000:,} µs"
        # In whole pages.
        grown = "not reported by this system" if before is None or after is None else f"{(after - before) // 1024:,} KiB"
        yield "memory used by opening", grown
        yield "first look-up", f"{_look_up_ns(lexicon, list(islice(lexicon, 1))) / 1000:,.1f} µs"
        start = time.perf_counter_ns()
        lexicon.verify()
        yield "verify", f"{(time.perf_counter_ns() - start) // 1_000_000:,} ms"
        hits = list(islice(lexicon, 0, None, -(-words // _SAMPLE)))
        misses = changed(lexicon, hits)
        yield "look-up, a word of the list", f"{_middle_ns(lexicon, hits):,} ns, of {len(hits):,}"
        missed = f"{_middle_ns(lexicon, misses):,} ns, of {len(misses):,}" if misses else "every change is a word"
        yield "look-up, one tile changed", missed


def changed(lexicon: Lexicon, words: Sequence[str]) -> list[str]:
    """Return ``words`` with one tile changed, each at another place; drop those where every change gives a word of the list."""
    spelling, found = lexicon.spelling, []
    tiles = len(spelling.tiles)
    for number, word in enumerate(words):
        codes = spelling.codes(word)
        at = number % len(codes)
        others = (codes[:at] + bytes([(codes[at] + by - 1) % tiles + 1]) + codes[at + 1 :] for by in range(1, tiles))
        other = next((each for each in others if spelling.can_spell(each) and not lexicon.holds(each)), None)
        if other is not None:
            found.append(spelling.text(other))
    return found


def anonymous() -> int | None:
    """Return the bytes of anonymous memory of this process; None if the system does not report it (only Linux does)."""
    try:
        lines = _ROLLUP.read_bytes().splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(b"Anonymous:")), None)


def _middle_ns(lexicon: Lexicon, words: Sequence[str]) -> int:
    return sorted(_look_up_ns(lexicon, words) for _ in range(_ROUNDS))[_ROUNDS // 2]


def _look_up_ns(lexicon: Lexicon, words: Sequence[str]) -> int:
    start = time.perf_counter_ns()
    for word in words:
        word in lexicon  # noqa: B015 - only the time matters
    return (time.perf_counter_ns() - start) // max(len(words), 1)


@click.command()
@lexicon_argument
def bench(path: Path) -> None:
    """Measure X.dawg on this machine: opening, look-ups, verifying, memory.

    Hits are words spread over the whole list; misses are the same words with one tile changed. Each figure is the median of five rounds. The file is in the
    system's cache after the first read.
    """
    print_figures(measure(path))
