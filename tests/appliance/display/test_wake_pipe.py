from __future__ import annotations

import os
import threading

import pytest

from appliance.display.screen import WakePipe


def test_a_ring_before_the_sleep_ends_it_and_is_no_source() -> None:
    alarm = WakePipe()
    alarm.wake()
    assert not alarm.sleep([], None)
    alarm.close()


def test_a_source_that_can_be_read_ends_the_sleep_and_is_told() -> None:
    alarm, (read, write) = WakePipe(), os.pipe()
    os.write(write, b"x")
    assert alarm.sleep([read], None)
    for end in (read, write):
        os.close(end)
    alarm.close()


def test_a_ring_after_closing_writes_to_nothing_that_was_opened_since() -> None:
    alarm = WakePipe()
    alarm.close()
    read, write = os.pipe()
    os.set_blocking(read, False)
    alarm.wake()
    alarm.sleep([], None)
    with pytest.raises(BlockingIOError):
        os.read(read, 1)
    for end in (read, write):
        os.close(end)


def test_a_close_from_another_thread_waits_for_a_ring_that_is_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    alarm, closed = WakePipe(), threading.Event()
    written: list[int] = []
    write = os.write

    def close() -> None:
        alarm.close()
        closed.set()

    thread = threading.Thread(target=close)

    def slow(descriptor: int, data: bytes) -> int:
        thread.start()
        # Without the lock this is set at once, and the descriptor is closed.
        assert not closed.wait(0.2)
        written.append(write(descriptor, data))
        return 1

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", slow)
        alarm.wake()
    thread.join()
    assert written == [1]
    assert closed.is_set()
