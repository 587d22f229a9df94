"""A sample of the hostile fetches."""

from benchmarks.attack import fetches
from benchmarks.attack.fetches import attack, ok, outcome, serving


def test_a_sample_of_hostile_fetches():
    rows = attack(slice(1, None, 9))
    assert [row.tried > 0 for row in rows] == [True] * 5
    assert [row.first for row in rows if row.failed] == []


def test_the_battery_sees_what_goes_wrong(monkeypatch):
    with serving() as server:
        server.answers = {"/page": ok(fetches.PAGE)}
        assert outcome(server.url("/page")) == ""
        assert list(fetches.refusals(server, ["127.0.0.1"])) == [""]
        monkeypatch.setattr(fetches, "SLACK", -fetches.WHOLE)
        assert "takes" in outcome(server.url("/page"))
        monkeypatch.setattr(fetches, "SECRET", "127.0.0.1")
        assert "returns" in outcome(server.url("/page"))
        assert "shows its password" in outcome(server.url("/page").replace("http", "ftp"))
