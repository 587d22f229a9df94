"""A sample of the damaged models."""

import warnings

import numpy as np
import pytest

import thresher
from benchmarks.attack.models import DAMAGE, READERS, attack, outcome, pack, unpack
from thresher import InputError
from thresher.methods.model.files import file_name, load, shipped


@pytest.mark.parametrize("seed", [2, 3])
def test_damaged_models_predict_or_are_refused(seed):
    rows = attack(15 * len(DAMAGE), seed)
    assert sum(row.tried for row in rows) == 15 * len(DAMAGE)
    assert [row.first for row in rows if row.failed] == []


@pytest.mark.parametrize("method", READERS)
def test_a_whole_model_written_anew_is_read_without_a_warning(tmp_path, method):
    path = tmp_path / file_name(method)
    path.write_bytes(pack(*unpack(shipped(method).read_bytes())))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        READERS[method](load(method, str(path)))
    assert outcome(method, path, [thresher.parse("<p>one two three")]) == ""


@pytest.mark.parametrize("split", [-1, 0, 100_000, 2**62])
def test_a_bad_split_is_refused_when_the_model_is_loaded(tmp_path, split):
    header, arrays = unpack(shipped("default").read_bytes())
    path = tmp_path / "m.npz"
    path.write_bytes(pack(header, arrays | {"split": np.array([split])}))
    assert outcome("default", path, [thresher.parse("<p>one two three")]) == ""
    with pytest.raises(InputError, match="its trees cannot be split at"):
        thresher.extract(
            "<p>one two three", method=thresher.methods.get("default", model=str(path))
        )


def test_an_attack_that_succeeds_is_seen(tmp_path, monkeypatch):
    path = tmp_path / "m.json"
    path.write_bytes(shipped("boilerpipe").read_bytes())
    assert outcome("boilerpipe", path, [thresher.parse("<p>one")]) == ""
    load.__globals__["_load"].cache_clear()
    monkeypatch.setattr("benchmarks.attack.models.PATIENCE", -1.0)
    assert "takes" in outcome("boilerpipe", path, [thresher.parse("<p>one")])
