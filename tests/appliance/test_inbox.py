"""The inbox: what comes from any thread is taken in its order, and whoever sleeps elsewhere is woken."""

from __future__ import annotations

import threading

from appliance.program import Inbox


class Sleeper:
    """Counts how often it was woken, and keeps for how long it was to sleep."""

    def __init__(self, *, blocks: bool) -> None:
        self.blocks = blocks
        self.woken = 0
        self.slept: list[int | None] = []

    def wait(self, timeout_ms: int | None) -> None:
        self.slept.append(timeout_ms)

    def wake(self) -> None:
        self.woken += 1


def test_what_was_put_in_is_taken_in_its_order_and_once() -> None:
    inbox: Inbox[str] = Inbox()
    for word in ("one", "two"):
        inbox.put(word)
    assert inbox.wait(None) == ["one", "two"]
    assert inbox.wait(0) == []


def test_a_wait_ends_with_what_another_thread_puts_in() -> None:
    inbox: Inbox[int] = Inbox()
    thread = threading.Thread(target=inbox.put, args=(7,))
    thread.start()
    assert inbox.wait(None) == [7]
    thread.join()


def test_a_sleeper_is_woken_for_what_comes_and_for_what_came_before_it() -> None:
    inbox: Inbox[int] = Inbox()
    inbox.put(1)
    sleeper = Sleeper(blocks=True)
    inbox.wake_on_put(sleeper)
    assert sleeper.woken == 1
    inbox.put(2)
    assert sleeper.woken == 2
    assert inbox.wait(0) == [1, 2]


def test_one_that_nobody_sleeps_in_is_left_alone_and_one_that_was_replaced_as_well() -> None:
    inbox: Inbox[int] = Inbox()
    first, second = Sleeper(blocks=True), Sleeper(blocks=False)
    inbox.wake_on_put(first)
    inbox.wake_on_put(second)
    inbox.put(1)
    assert (first.woken, second.woken) == (1, 1)


def test_the_loop_sleeps_in_a_sleeper_that_blocks_no_moment_too_short_and_on_the_inbox_otherwise() -> None:
    inbox: Inbox[int] = Inbox()
    inbox.put(1)
    sleeper = Sleeper(blocks=True)
    assert inbox.sleep(sleeper, 1_000_001) == [1]
    assert inbox.sleep(sleeper, None) == []
    assert sleeper.slept == [2, None]
    assert inbox.sleep(Sleeper(blocks=False), 1) == []
