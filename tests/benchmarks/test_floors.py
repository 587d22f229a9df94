"""Floors: checking, raising and lowering them."""

import json

from benchmarks import floors
from tests.evaluate.in_process import without_workers

PAGE = {
    "html": b"<ul><li><a href=/>Home</a></ul><p>" + b"wheat and chaff " * 20 + b"</p>",
    "text": "wheat and chaff " * 20,
}


def test_below():
    held = {"news": {"bte": 0.8, "cetd": 0.7}}
    assert floors.below(held, {"news": {"bte": 0.8, "cetd": 0.75, "new": 0.1}}) == []
    assert floors.below(held, {"news": {"bte": 0.79}}) == [
        "bte on news: 0.7900, below its floor 0.8000.",
        "cetd on news: not measured, the floor is 0.7000.",
    ]


def test_floors_rise_by_themselves_and_fall_on_demand():
    held, found = {"news": {"bte": 0.8, "cetd": 0.7}}, {"news": {"bte": 0.75, "cetd": 0.72}}
    assert floors.merged(held, found, lower=False) == {"news": {"bte": 0.8, "cetd": 0.72}}
    assert floors.merged(held, found, lower=True) == found


def test_no_corpora(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path / "none"))
    assert floors.main([str(tmp_path / "floors.json")]) == 0
    assert capsys.readouterr().out == "floors: not checked (no corpora)\n"


def test_checking_and_pinning(tmp_path, monkeypatch, capsys):
    import pyarrow as arrow
    from pyarrow import parquet

    without_workers(monkeypatch)
    parquet.write_table(arrow.Table.from_pylist([PAGE] * 2), tmp_path / "small.parquet")
    monkeypatch.setenv("THRESHER_CORPORA", str(tmp_path))
    file = tmp_path / "floors.json"
    assert floors.main([str(file), "--pin"]) == 0
    held = json.loads(file.read_text())
    assert held["small"]["bte"] == 1
    assert floors.main([str(file)]) == 0
    assert f"floors: checked {len(held['small'])}" in capsys.readouterr().out

    held["small"]["plain"] = 1.0
    file.write_text(json.dumps(held))
    assert floors.main([str(file), "--pin"]) == 1  # a lower floor needs the flag
    assert "plain on small" in capsys.readouterr().out
    assert floors.main([str(file), "--pin", "--lower"]) == 0
    assert json.loads(file.read_text())["small"]["plain"] < 1

    del held["small"]["bte"]
    file.write_text(json.dumps(held))
    assert floors.main([str(file), "--pin", "--method", "bte"]) == 0  # measures bte only
    assert json.loads(file.read_text())["small"] == held["small"] | {"bte": 1}
