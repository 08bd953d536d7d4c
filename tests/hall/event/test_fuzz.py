"""Any bytes as a file of an event: an event or our own error with lines that exist, never another exception."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hall.event.model import Event
from hall.event.parsing import MAX, Problem, UnreadableEvent
from hall.event.reading import read_event
from tests.examples import examples
from tests.hall.event.test_reading import CONFIG, NEWT, A

PLAYERS = "division,number,name,rating\nA,1,Ann,1500\nA,2,Bo,\n"
PAIRINGS = "Division,Round,Player1,Score1,Player2,Score2,Table\nA,1,Ann,400,Bo,390,7\n"
FLOOR = "table,x,y\n1,0,0\n2,10,0\n"
SAMPLES = {
    "config.tsh": CONFIG, "a.t": A, "tourney.js": NEWT, "results.txt": f"#division A\n{A}", "players.csv": PLAYERS, "pairings.csv": PAIRINGS, "floor.csv": FLOOR,
}  # fmt: skip
PIECES = st.sampled_from(
    [b";", b",", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b"\n", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf", b"-1", b"0", b"00", b"9" * 30, b"9" * 5000,
     b"undefined", b"\\u0000line", b"newt=", b"division a a.t\n", b"..", b"1e999", b"NaN", b"#division", b"\xe2\x80\xae", b"<script>", b"tables{'A'} = [1..999999]"]
)  # fmt: skip


@st.composite
def spoiled(draw: st.DrawFn) -> dict[str, bytes]:
    files = {}
    for name in draw(st.lists(st.sampled_from(sorted(SAMPLES)), min_size=1, max_size=4, unique=True)):
        content = SAMPLES[name].encode()
        for _ in range(draw(st.integers(0, 4))):
            start = draw(st.integers(0, len(content)))
            end = min(len(content), start + draw(st.integers(0, 12)))
            content = content[:start] + draw(PIECES | st.binary(max_size=8)) + content[end:]
        files[name] = content
    return files


def read(files: dict[str, bytes]) -> Event | tuple[Problem, ...]:
    try:
        return read_event(files)
    except UnreadableEvent as error:
        return error.problems


@settings(max_examples=examples(400), deadline=None)
@given(spoiled())
def test_spoiled_files_give_an_event_or_problems_with_their_lines(files: dict[str, bytes]) -> None:
    found = read(files)
    if isinstance(found, Event):
        assert all(player.name.isprintable() for player in found.players)
        return
    assert 0 < len(found) <= MAX * (len(files) + 1)
    for each in found:
        lines = len(files.get(each.file, b"").replace(b"\r", b"\n").split(b"\n"))
        assert 0 <= each.line <= lines
        assert each.sentence.isprintable()


@settings(max_examples=examples(200), deadline=None)
@given(st.sampled_from(sorted(SAMPLES)), st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_any_bytes_under_any_name(name: str, content: bytes) -> None:
    assert read({name: content})
