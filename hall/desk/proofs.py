"""What the rows prove, computed anew only when rows, heads or roots have come."""

from __future__ import annotations

from faults.errors import TileclockError
from hall.store.database import FAULTS, StorePlace
from hall.store.reading import EpochMark, reading_store
from hall.verify import EpochProof, proof


class KnownProofs:
    """The proofs of one store. Any thread."""

    def __init__(self, place: StorePlace) -> None:
        self._place = place
        self._known: dict[tuple[str, str], tuple[EpochMark, EpochProof | None]] = {}

    def of(self, device: str, epoch: str) -> EpochProof | None:
        """Return what is shown of a journal or log; None: the store holds nothing of it, or cannot be read now."""
        try:
            with reading_store(self._place) as store:
                mark, known = store.mark_of(device, epoch), self._known.get((device, epoch))
                if known is None or known[0] != mark:
                    known = self._known[device, epoch] = mark, proof(store, device, epoch)
        except (TileclockError, *FAULTS):
            # A full disk, or a file that is being replaced: the next look finds it.
            return None
        return known[1]
