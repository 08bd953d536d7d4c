"""The graph holds the words it was given, in order, and no graph of fewer states does; each state lies alone on its base."""

import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon.dawg import BASE, ENDS, NEXT, TILE, Dawg, PlacedUnits, minimal, place, words_of
from lexicon.errors import TooLarge
from tests.errors import with_fields

WORD_SETS = st.sets(st.binary(min_size=1, max_size=7).map(lambda word: bytes(byte % 4 + 1 for byte in word)), max_size=60)

WIDE = st.sets(st.lists(st.integers(1, 63), min_size=1, max_size=6).map(bytes), max_size=40)


def right_languages(words: set[bytes]) -> set[frozenset[bytes]]:
    """What can follow each beginning of a word, the beginning itself aside: as many as a minimal automaton, ending on edges, has states with edges."""
    beginnings = {word[:at] for word in words for at in range(len(word))}
    return {
        frozenset(word[len(beginning) :] for word in words if word.startswith(beginning) and word != beginning) for beginning in beginnings
    }


@given(WORD_SETS | WIDE)
def test_the_words_come_out_in_order_of_as_few_states_as_can_be(words: set[bytes]) -> None:
    dawg = minimal(sorted(words))
    assert list(words_of(dawg)) == sorted(words)
    assert dawg.words == len(words)
    assert dawg.longest == max(map(len, words), default=0)
    # There are as many states as ways to go on.
    dawg = minimal(sorted(words))
    assert len(dawg.states) - 1 == len(right_languages(words))
    assert dawg.edges == sum(len({ending[0] for ending in language}) for language in right_languages(words))
    # Edges ascend and lead to lower numbers.
    for number, edges in enumerate(minimal(sorted(words)).states):
        tiles = [edge & TILE for edge in edges]
        assert tiles == sorted(set(tiles))
        assert all(edge >> NEXT < number for edge in edges)
        assert all(edge >> NEXT or edge & ENDS for edge in edges)


@pytest.mark.parametrize("words", [[b"\x02", b"\x01"], [b"\x01", b"\x01"], [b""], [b"\x01\x02", b"\x01"]])
def test_words_out_of_order_twice_or_empty_are_refused(words: list[bytes]) -> None:
    with pytest.raises(ValueError, match="ascending order"):
        minimal(words)


WORDS = st.sets(st.lists(st.integers(1, 63), min_size=1, max_size=7).map(bytes), min_size=1, max_size=80)

FEW_TILES = st.sets(st.lists(st.integers(1, 3), min_size=1, max_size=7).map(bytes), min_size=1, max_size=80)


def bases(dawg: Dawg, placed: PlacedUnits) -> dict[int, int]:
    found, ahead = {dawg.root: placed.root}, [dawg.root]
    while ahead:
        state = ahead.pop()
        for edge in dawg.states[state]:
            unit, to = placed.units[found[state] + (edge & TILE)], edge >> NEXT
            assert unit & (TILE | ENDS) == edge & (TILE | ENDS)
            assert unit & 0x80 == 0
            if to == 0:
                assert unit >> BASE == 0
            elif to not in found:
                found[to] = unit >> BASE
                ahead.append(to)
            assert unit >> BASE == found.get(to, 0)
    return found


def assert_well_placed(dawg: Dawg, placed: PlacedUnits) -> None:
    found = bases(dawg, placed)
    assert min(found.values()) >= 1
    assert len(set(found.values())) == len(found) == len(dawg.states) - 1
    assert sum(1 for unit in placed.units if unit) == dawg.edges
    assert placed.units[-1] != 0


@given(WORDS | FEW_TILES)
def test_each_state_has_a_base_of_its_own_the_lowest_that_is_free_to_the_most_used(words: set[bytes]) -> None:
    dawg = minimal(sorted(words))
    assert_well_placed(dawg, place(dawg))
    # The states that most words pass through take the lowest bases that are free.
    dawg = minimal(sorted(words))
    placed = place(dawg)
    lies_at, passing = bases(dawg, placed), passed_by(dawg, words)
    used: set[int] = set()
    taken: set[int] = {0}
    for state in sorted(passing, key=lambda state: (-passing[state], -state)):
        tiles = [edge & TILE for edge in dawg.states[state]]
        fits = (at for at in range(len(placed.units)) if at not in taken and not used & {at + tile for tile in tiles})
        assert lies_at[state] == next(fits)
        taken.add(lies_at[state])
        used |= {lies_at[state] + tile for tile in tiles}


def passed_by(dawg: Dawg, words: set[bytes]) -> Counter[int]:
    passing: Counter[int] = Counter()
    for word in words:
        state = dawg.root
        for tile in word:
            passing[state] += 1
            state = next(edge >> NEXT for edge in dawg.states[state] if edge & TILE == tile)
    return passing


def test_a_list_far_wider_than_the_window_is_placed_as_tightly_as_a_small_one() -> None:
    drawn = random.Random(1)  # noqa: S311 - words, not secrets
    words = {bytes(drawn.choices(range(1, 27), k=drawn.randint(2, 9))) for _ in range(20_000)}
    dawg = minimal(sorted(words))
    placed = place(dawg)
    assert_well_placed(dawg, placed)
    assert len(placed.units) > 1 << 15
    assert len(placed.units) < 1.1 * dawg.edges


def test_a_graph_that_needs_more_bases_than_there_are_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # The true limit of 24 bits takes half a minute to reach.
    dawg = minimal([bytes([1] * 30)])
    monkeypatch.setattr("lexicon.dawg._BASES", 31)
    assert max(bases(dawg, place(dawg)).values()) == 30
    monkeypatch.setattr("lexicon.dawg._BASES", 30)
    with pytest.raises(TooLarge, check=with_fields(expected=re.compile("at most 30 bases"), found="one that needs 31")):
        place(dawg)
