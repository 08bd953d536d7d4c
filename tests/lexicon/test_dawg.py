"""The graph holds the words it was given, in order, and no graph of fewer states does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon.dawg import ENDS, NEXT, TILE, minimal, words_of

WORD_SETS = st.sets(st.binary(min_size=1, max_size=7).map(lambda word: bytes(byte % 4 + 1 for byte in word)), max_size=60)
WIDE = st.sets(st.lists(st.integers(1, 63), min_size=1, max_size=6).map(bytes), max_size=40)


def right_languages(words: set[bytes]) -> set[frozenset[bytes]]:
    """What can follow each beginning of a word, the beginning itself aside: as many as a minimal automaton, ending on edges, has states with edges."""
    beginnings = {word[:at] for word in words for at in range(len(word))}
    return {
        frozenset(word[len(beginning) :] for word in words if word.startswith(beginning) and word != beginning) for beginning in beginnings
    }


@given(WORD_SETS | WIDE)
def test_the_words_come_out_in_order_each_once(words: set[bytes]) -> None:
    dawg = minimal(sorted(words))
    assert list(words_of(dawg)) == sorted(words)
    assert dawg.words == len(words)
    assert dawg.longest == max(map(len, words), default=0)


@given(WORD_SETS | WIDE)
def test_there_are_as_many_states_as_ways_to_go_on(words: set[bytes]) -> None:
    dawg = minimal(sorted(words))
    assert len(dawg.states) - 1 == len(right_languages(words))
    assert dawg.edges == sum(len({ending[0] for ending in language}) for language in right_languages(words))


@given(WORD_SETS | WIDE)
def test_edges_ascend_and_lead_to_lower_numbers(words: set[bytes]) -> None:
    for number, edges in enumerate(minimal(sorted(words)).states):
        tiles = [edge & TILE for edge in edges]
        assert tiles == sorted(set(tiles))
        assert all(edge >> NEXT < number for edge in edges)
        assert all(edge >> NEXT or edge & ENDS for edge in edges)


def test_no_words_are_a_graph_without_edges() -> None:
    dawg = minimal([])
    assert (dawg.states, dawg.words, dawg.longest, dawg.root, dawg.edges) == (((),), 0, 0, 0, 0)


@pytest.mark.parametrize("words", [[b"\x02", b"\x01"], [b"\x01", b"\x01"], [b""], [b"\x01\x02", b"\x01"]])
def test_words_out_of_order_twice_or_empty_are_refused(words: list[bytes]) -> None:
    with pytest.raises(ValueError, match="ascending order"):
        minimal(words)
