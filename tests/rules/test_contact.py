import pytest

from rules.contact import MS, Began, Contact, Ended, Signal, Spike, edge, ripen


def after(*edges_ms: int) -> tuple[Contact, list[Signal]]:
    """Return the contact after edges at these instants, down first, and what ripened before each."""
    contact, signals = Contact(), []
    for number, at in enumerate(edges_ms):
        while contact.due is not None and contact.due <= at * MS:
            contact, signal = ripen(contact)
            signals.append(signal)
        contact = edge(contact, at * MS, down=number % 2 == 0)
    return contact, signals


def test_a_press_counts_from_its_first_edge_and_ends_at_the_first_edge_of_its_release_bounces_left_out() -> None:
    contact, signals = after(100, 104, 109, 300, 307, 329, 340)
    assert signals == [Began(100 * MS)]
    # Down again 40 ms after the first edge up: that may still be the release.
    assert (contact.due, contact.held_for_sure(345 * MS), contact.held_for_sure(371 * MS)) == (None, 370 * MS, 371 * MS)
    contact, signals = after(100, 300, 307, 329)
    assert (contact.due, contact.held_for_sure(335 * MS)) == (364 * MS, None)
    contact, signal = ripen(contact)
    assert (signal, contact) == (Ended(100 * MS, 300 * MS), Contact(changed_at=329 * MS))
    # An edge up more than 30 ms after the first one is another release.
    assert ripen(after(100, 300, 307, 331)[0])[1] == Ended(100 * MS, 331 * MS)


def test_what_is_down_for_less_than_3_ms_is_a_spike_and_a_press_is_held_from_its_start() -> None:
    contact, _ = after(100)
    assert (contact.due, contact.held_for_sure(102 * MS)) == (103 * MS, 102 * MS)
    assert ripen(after(100, 102)[0])[1] == Spike(100 * MS)
    assert after(100, 103)[1] == [Began(100 * MS)]


def test_a_level_that_has_not_changed_does_nothing_and_nothing_is_due_at_rest() -> None:
    contact, _ = after(100)
    assert edge(contact, 101 * MS, down=True) is contact
    assert Contact().held_for_sure(5) is None
    for rests in (Contact(), ripen(contact)[0]):
        with pytest.raises(ValueError, match="expected a contact that is due"):
            ripen(rests)
