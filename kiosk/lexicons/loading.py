"""From a path to a verified lexicon, or to a trouble with file, fault and remedy; the lexicons of a folder, for the director to choose from; the thread that watches the file in use.

A list is read completely before the first verdict and after every change of the file. Judging uses a copy in memory, whose very bytes were
verified: a change of the file or the disk cannot change a verdict or end the program. The same bytes are verified once: a proof of 270,000 words takes longer
than all else of a start. The practice list is recognised by its words, under any name.
For the choice, only headers are read, which is fast; the chosen list is then read completely.

Once a second the thread checks whether the path still holds the same file. If not, it reads the new one and passes it on; the receiver decides when to use
it. Until then the old list stays open and in use. Failures that may pass are retried, even if the file does not change. No error ends the thread:
an unwatched file would be trusted for ever.
"""

import threading
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Self, TypeAlias

from appliance.errors import Diagnosis
from appliance.log import get_logger as logbook
from appliance.records.files import write_whole
from appliance.version import VERSION
from faults.errors import Phrase, problem_of, reason
from faults.small_file import read_small
from kiosk.context import LexiconFile, Trouble, TroubleKind, Value
from kiosk.lexicons.proof import prove
from lexicon import Lexicon, LexiconError
from lexicon.alphabet import load_alphabet
from lexicon.errors import Unreadable
from lexicon.practice import PRACTICE
from lexicon.spelling import Spelling
from records.entry import LexiconName

FileStamp: TypeAlias = tuple[int, int, int, int, int]
"""Device, inode, size, and the times of the last change of content and of anything, in ns: the former can be set back, the latter cannot."""


def stamp(path: str | Path) -> FileStamp | None:
    """Return the stamp of the file at ``path``; None if it is missing."""
    try:
        there = Path(path).stat()
    except (OSError, ValueError):
        return None
    return there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns


class Loaded(Value, frozen=True):
    """A completely read and valid lexicon, in memory."""

    lexicon: Lexicon
    name: LexiconName
    spelling: Spelling


class Passing(Trouble, frozen=True):
    """A trouble that may pass even if the file does not change: lack of memory, processes or time, or a disk error."""


class Expected(Value, frozen=True):
    """The requirements for a list; by default, none."""

    alphabet: str | None = None
    """The alphabet's name, for messages."""
    tiles: tuple[str, ...] | None = None
    sha256: str | None = None
    """The first hex digits of the required hash, or all of it (NZ 1.3: the right lexicon is loaded)."""


ANYTHING: Final = Expected()


def expected(alphabet: str | None, sha256: str | None) -> Expected:
    """Return requirements: ``alphabet`` (a shipped id or a file), and a hash that begins with ``sha256``; None: any. Raises LexiconError: no such alphabet."""
    return Expected(alphabet, None if alphabet is None else load_alphabet(alphabet).spelling.tiles, sha256)


MAX: Final = 50
"""The most files examined (a larger folder was named by mistake), and the most lists that stay proven."""


class Proven:
    """The SHA-256 of the lists that this version has proven, newest last, in the file at ``path``. If it cannot be read, none is; then the next proof writes it anew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            version, *self._known = read_small(str(path)).decode("ascii").splitlines()
        except (OSError, ValueError):
            version, self._known = "", []
        if version != VERSION:
            self._known = []

    def __contains__(self, sha256: str) -> bool:
        return sha256 in self._known

    def add(self, sha256: str) -> None:
        self._known = [*self._known, sha256][-MAX:]
        try:
            write_whole(self._path, "\n".join((VERSION, *self._known)).encode("ascii"))
        except OSError as error:
            logbook().warning("the next start proves the list again", why=reason(error))


def load(path: str | Path, wanted: Expected = ANYTHING, proven: Proven | None = None) -> Loaded | Trouble:
    """Open the lexicon at ``path``, a ``.dawg`` file, and read all of it, in well under a second. Return it, or the trouble with it.

    ``proven``: the lists that need no further proof; None: this one is proven in any case.
    """
    try:
        lexicon = Lexicon.open(path, copied=True)
        sha256 = lexicon.sha256()
        if proven is None or sha256 not in proven:
            prove(lexicon)
            if proven is not None:
                proven.add(sha256)
        return unsuited(lexicon, wanted) or Loaded(lexicon, named(lexicon), lexicon.spelling)
    # The same if the practice list is unusable: without it, another list cannot be distinguished from it.
    except Unreadable as error:
        return Passing(TroubleKind.LEXICON_MISSING, Diagnosis.of(error))
    except LexiconError as error:
        return Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis.of(error))


def unsuited(lexicon: Lexicon, wanted: Expected) -> Trouble | None:
    """Return why an open lexicon, even a valid one, does not meet the requirements; by its header alone."""
    header = lexicon.header
    if wanted.tiles is not None and lexicon.spelling.tiles != wanted.tiles:
        return Trouble(
            TroubleKind.LEXICON_ALPHABET,
            Diagnosis(
                problem_of(
                    lexicon.path,
                    Phrase("the tiles of the alphabet {alphabet}", alphabet=wanted.alphabet),
                    Phrase("those of {alphabet}", alphabet=header.alphabet),
                ),
                "Choose a lexicon of that alphabet, or correct the alphabet in the settings",
            ),
        )
    if wanted.sha256 is not None and not header.words_sha256.hex().startswith(wanted.sha256.lower()):
        return Trouble(
            TroubleKind.LEXICON_DAMAGED,
            Diagnosis(
                problem_of(
                    lexicon.path,
                    Phrase("the list {hash}", hash=wanted.sha256[:8].lower()),
                    Phrase("{hash} ({name} {edition})", hash=header.short_hash, name=header.name, edition=header.edition),
                ),
                "Copy the list that this tournament is played with, or correct the hash in the settings",
            ),
        )
    return None


def named(lexicon: Lexicon) -> LexiconName:
    header = lexicon.header
    return LexiconName(
        name=header.name,
        edition=header.edition,
        words=len(lexicon),
        sha256=header.words_sha256.hex(),
        alphabet=header.alphabet,
        practice=header.words_sha256 == _practice(),
    )


@cache
def _practice() -> bytes:
    with Lexicon.open(PRACTICE) as lexicon:
        return bytes(lexicon.header.words_sha256)


def listing(folder: Path, others: Sequence[Path] = (), wanted: Expected = ANYTHING) -> tuple[LexiconFile, ...]:
    """Return the lexicon files in ``folder``, by name, followed by those of ``others`` that exist elsewhere.

    Each is compared with ``wanted``. A folder that is missing or unreadable has none.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix == ".dawg")[:MAX]
    except OSError:
        files = []
    # By stamp, because ``exists`` raises if the file may not be examined.
    return tuple(_listed(path, wanted) for path in dict.fromkeys((*files, *(other for other in others if stamp(other) is not None))))


def _listed(path: Path, wanted: Expected) -> LexiconFile:
    try:
        with Lexicon.open(path) as lexicon:
            trouble = unsuited(lexicon, wanted)
            return LexiconFile(str(path), named(lexicon), None if trouble is None else trouble.what.sentences)
    except LexiconError as error:
        return LexiconFile(str(path), None, Diagnosis.of(error).sentences)


LOOK_S: Final = 1.0
"""The interval of checks; a stat takes some microseconds."""
AGAIN_LOOKS: Final = 10
"""Failures that may pass are retried after this many checks, to spare a machine short of memory."""
LEAVE_S: Final = 2.0
"""How long the end of the program waits for the reading of a list, and for running errands."""


class Fetched(Value, frozen=True):
    path: Path
    found: Loaded | Trouble
    requested: bool
    """It was requested; otherwise the file in use has changed."""
    in_use: bool = False
    """It is the watched file, so its trouble is the station's."""


class LexiconLoader:
    """Watches one path, read once into ``first`` before this returns, every ``look_s`` seconds; and reads others on request.

    ``wanted``: the requirements for a list. ``on_fetched`` takes results, in the loader's thread. ``proven`` as in ``load``.
    """

    def __init__(
        self,
        path: Path,
        wanted: Expected,
        on_fetched: Callable[[Fetched], None],
        look_s: float = LOOK_S,
        proven: Proven | None = None,
    ) -> None:
        self.wanted = wanted
        self._proven = proven
        self._on_fetched = on_fetched
        self._look_s = look_s
        self._path = path
        # Before reading, so that the first check finds a change during reading.
        self._stamp = stamp(path)
        self.first = self._load(path)
        self._note(self.first)
        self._requests: list[Path] = []
        self._called = threading.Event()
        self._ends = False
        self._thread = threading.Thread(target=self._work, name="lexicon loader", daemon=True)

    def __enter__(self) -> Self:
        # A list that is not in use any more is to take no memory.
        del self.first
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends = True
        self._called.set()
        # A list may be being read: the end of the program does not wait for that.
        self._thread.join(LEAVE_S)

    def fetch(self, path: Path) -> None:
        self._requests.append(path)
        self._called.set()

    def _work(self) -> None:
        while not self._ends:
            self._called.wait(self._look_s)
            self._called.clear()
            try:
                self._turn()
            except Exception:  # noqa: BLE001 - whatever the error, the file must stay watched
                logbook().exception("the list could not be looked at; it is tried again")

    def _turn(self) -> None:
        while self._requests and not self._ends:
            self._fetch(self._requests.pop(0))
        if not self._ends:
            self._look()

    def _fetch(self, path: Path) -> None:
        before, used = stamp(path), stamp(self._path)
        # Under any name, and even if it has changed since the last check.
        in_use = path == self._path or (before is not None and used is not None and before[:2] == used[:2])
        found = self._load(path)
        if isinstance(found, Loaded):
            self._path = path
        if in_use or isinstance(found, Loaded):
            self._stamp = before
            self._note(found)
        self._on_fetched(Fetched(path, found, requested=True, in_use=in_use))

    def _look(self) -> None:
        now = stamp(self._path)
        if now != self._stamp:
            self._stamp = now
            self._read_again(None)
        elif self._passing is not None:
            self._looked += 1
            if self._looked >= AGAIN_LOOKS:
                self._read_again(self._passing)

    def _read_again(self, reported: Trouble | None) -> None:
        """Read the file in use, and pass the result on unless it equals ``reported``: otherwise the log would repeat it every few seconds."""
        found = self._load(self._path)
        self._note(found)
        if found != reported:
            self._on_fetched(Fetched(self._path, found, requested=False, in_use=True))

    def _load(self, path: Path) -> Loaded | Trouble:
        try:
            return load(path, self.wanted, self._proven)
        except Exception as error:  # noqa: BLE001 - as above: it is reported and retried, with a traceback for the developer
            logbook().exception("the program failed while it read the list", path=str(path))
            name = type(error).__name__
            return Passing(
                TroubleKind.LEXICON_MISSING,
                Diagnosis(
                    problem_of(str(path), "to read it whole", Phrase("that the program failed at it ({error})", error=name)),
                    "Choose another file, or start the station again",
                ),
            )

    def _note(self, found: Loaded | Trouble) -> None:
        """Store whether the result for the path in use may pass, and restart its checks."""
        self._passing = found if isinstance(found, Passing) else None
        self._looked = 0
