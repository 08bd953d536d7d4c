import os
import pty
import random
import select
import socket
import threading
import time
import tty
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.kernel.inside import framed
from tests.kernel.inside.framed import Asker, Lines, Said, serve

LONGEST_S = 60


class Line:
    """A pseudo-terminal whose other side answers, and a relay before it that cuts, loses and adds."""

    def __init__(self, damages: int) -> None:
        self.done: list[Said] = []
        self.damages, self._chance = damages, random.Random(20260)  # noqa: S311 - no secret
        self.near, far = socket.socketpair()
        master, slave = pty.openpty()
        tty.setraw(slave)
        self._ends = (far.detach(), master)
        self._slave = slave
        self.threads = [threading.Thread(target=self._relay, daemon=True), threading.Thread(target=self._serve, daemon=True)]
        for thread in self.threads:
            thread.start()

    def close(self) -> None:
        self.near.close()
        for thread in self.threads:
            thread.join(LONGEST_S)
            assert not thread.is_alive()
        for end in (*self._ends, self._slave):
            os.close(end)

    def _serve(self) -> None:
        serve(self._slave, self._answer)

    def _answer(self, asked: Said) -> Said:
        self.done.append(asked)
        return {"end": True} if asked["do"] == "end" else {"back": asked["text"]}

    def _relay(self) -> None:
        """Pass on pieces of a few bytes, with a pause after every tenth."""
        other = dict([self._ends, self._ends[::-1]])
        while True:
            for end in select.select(self._ends, [], [])[0]:
                raw = os.read(end, self._chance.randint(1, 90))
                if not raw:
                    return
                os.write(other[end], self._damaged(raw))
                if self._chance.randrange(10) == 0:
                    time.sleep(0.002)

    def _damaged(self, raw: bytes) -> bytes:
        if self.damages == 0 or self._chance.randrange(4):
            return raw
        self.damages -= 1
        at = self._chance.randrange(len(raw))
        return raw[:at] + self._chance.choice((b"", b"\n", b"[  12.3] a line of the console\n")) + raw[at + 1 :]


@pytest.fixture(params=[0, 60], ids=["whole", "damaged"])
def line(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    monkeypatch.setattr(framed, "AGAIN_S", 0.3)
    line = Line(request.param)
    yield line
    line.close()


def test_each_answer_belongs_to_its_question_and_each_question_is_done_once(line: Line) -> None:
    asker = Asker(Lines(line.near.fileno()), line.near.sendall)
    questions: list[Said] = [{"do": "say", "text": f"{number} é\n" * (1 + 40 * (number % 5))} for number in range(40)]
    with ThreadPoolExecutor(3) as threads:
        answers = threads.map(lambda each: asker.ask(each, LONGEST_S), questions)
    assert list(answers) == [{"back": each["text"]} for each in questions]
    # A machine that was saved with its last question is asked by someone else.
    other = Asker(Lines(line.near.fileno()), line.near.sendall)
    assert other.ask({"do": "end"}, LONGEST_S) == {"end": True}
    assert sorted(each.get("text", "") for each in line.done) == sorted(["", *(each["text"] for each in questions)])
    assert line.damages == 0, "all were done"


def test_a_line_that_says_nothing_and_one_that_ends_are_told_apart() -> None:
    near, far = socket.socketpair()
    with near, far:
        far.send(b"half a line")
        with pytest.raises(TimeoutError):
            Asker(Lines(near.fileno()), near.sendall).ask({"do": "say"}, 0.05)
        far.close()
        with pytest.raises((EOFError, ConnectionError)):
            Lines(near.fileno()).next(LONGEST_S)
