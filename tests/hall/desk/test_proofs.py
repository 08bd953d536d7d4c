"""What the rows prove is computed again only when there is more of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hall.desk import earlier
from hall.desk.earlier import KnownProofs
from hall.store.reading import StoreReader
from hall.verify import EpochProof, proof
from tests.hall.reporting import Device, rig


def test_a_proof_is_computed_again_when_a_row_or_a_head_has_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[str] = []

    def counted(store: StoreReader, device: str, epoch: str) -> EpochProof | None:
        computed.append(device)
        return proof(store, device, epoch)

    monkeypatch.setattr(earlier, "proof", counted)
    with rig(tmp_path) as listener:
        device = Device()
        known = KnownProofs(tmp_path / "hall.db")

        def looks() -> tuple[int, int]:
            before = len(computed)
            found = [known.of(device.id, device.epoch) for _ in range(3)]
            assert found[0] is not None
            assert found == found[:1] * 3
            assert len(computed) - before == 1
            return found[0].rows, found[0].signed

        device.write(3)
        listener.report(device, "rows", device.batch(1, 3))
        assert looks() == (3, 0)
        device.write()
        listener.report(device, "rows", device.batch(4, 4))
        assert looks() == (4, 0)
        listener.report(device, "beat", device.beat(signed=device.signed(4)))
        assert looks() == (4, 4)


def test_a_store_that_is_not_there_proves_nothing(tmp_path: Path) -> None:
    assert KnownProofs(tmp_path / "none.db").of("c-" + "a" * 16, "0" * 16) is None
