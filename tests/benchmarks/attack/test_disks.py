"""A sample of the kills and full disks."""

from benchmarks.attack.disks import attack


def test_a_sample_of_kills_and_full_disks():
    rows = attack(kills=15, part=slice(1, 2))
    assert [row.first for row in rows if row.failed] == []
    assert [row.tried for row in rows[:3]] == [15, 2, 1]
