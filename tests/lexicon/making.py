"""Small alphabets and lexicon files for the tests, and strategies that draw them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from hypothesis import strategies as st

from lexicon.alphabet import Alphabet, Tile, load_alphabet
from lexicon.build import BuildReport, Label, build

ENGLISH = load_alphabet("english")
_TYPED = "0123456789·"
"""On no tile: each typed form that is drawn has one of these."""

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŁŚŹŻŠŽ"


def alphabet(
    tiles: Iterable[str],
    typed: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    always: Iterable[str] = (),
    joined: Iterable[str] = (),
) -> Alphabet:
    """Return an alphabet of these tiles; those of ``always`` are never laid with others, those of ``joined`` only if brackets say so."""
    kept, whole = set(always), set(joined)
    return Alphabet(
        id="example",
        name="Example",
        source="made up",
        tiles=tuple(Tile(text, 1, 1, text in kept, text in whole) for text in tiles),
        typed=MappingProxyType(dict(typed)),
        blanks=0,
    )


EXAMPLE = alphabet(("A", "CH", "S", "T"), {"Á": ("A",)}, ("CH",))
"""The alphabet of the example in FORMAT.md."""


def coded(words: Iterable[str], of: Alphabet = ENGLISH) -> list[bytes]:
    return [of.spelling.codes(word) for word in words]


def built(path: Path, words: Iterable[bytes], of: Alphabet = ENGLISH, name: str = "EXAMPLE", edition: str = "") -> BuildReport:
    return build(words, path, Label(of, name, edition))


def example(path: Path) -> Path:
    built(path, coded(("AT", "CHA", "CHAT", "CHATS"), EXAMPLE), EXAMPLE, edition="2026-11-21")
    return path


@st.composite
def alphabets(draw: st.DrawFn, most: int = 63) -> Alphabet:
    """Alphabets of 1 to ``most`` tiles, of which some have several letters, in any order; some of those are always laid as themselves, some joined. More may be typed for them."""
    single = draw(st.lists(st.sampled_from(_LETTERS), min_size=1, max_size=min(most, 60), unique=True))
    longer = draw(st.lists(st.text(single, min_size=2, max_size=3), max_size=min(3, most - len(single)), unique=True))
    always = [text for text in longer if draw(st.booleans())]
    joined = [text for text in longer if draw(st.booleans())]
    tiles = [*single, *longer]
    texts = st.text([*single, *_TYPED], min_size=1, max_size=3).filter(lambda text: not set(text).isdisjoint(_TYPED))
    stands_for = st.lists(st.sampled_from(tiles), min_size=1, max_size=3).map(tuple)
    return alphabet(draw(st.permutations(tiles)), draw(st.dictionaries(texts, stands_for, max_size=4)), always, joined)


def words_in(of: Alphabet, most: int = 40, longest: int = 8) -> st.SearchStrategy[list[bytes]]:
    """Return a strategy of lists of words that can be laid with the tiles of ``of``, with repetitions, in no order."""
    few = st.integers(1, min(4, len(of.tiles)))
    tiles = st.one_of(few, st.integers(1, len(of.tiles)))
    word = st.lists(tiles, min_size=1, max_size=longest).map(bytes).filter(of.spelling.can_spell)
    return st.lists(word, min_size=1, max_size=most)
