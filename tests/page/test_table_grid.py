"""Spans of cells, columns of cells, and which tables hold data, on literal values."""

import pytest

from thresher.page.table_grid import Counts, Row, Span, budget, cell_columns, is_data, span


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({}, Span(1, 1)),
        ({"colspan": "2", "rowspan": "3"}, Span(2, 3)),
        ({"colspan": "0", "rowspan": "0"}, Span(1, 0)),
        ({"colspan": "-1", "rowspan": "x"}, Span(1, 1)),
        ({"colspan": "5000", "rowspan": "99999"}, Span(1000, 65534)),
    ],
)
def test_span(attributes, expected):
    assert span(attributes) == expected


def columns(*rows: list[Span]) -> list[list[int]]:
    return cell_columns([Row(cells, len(rows) - 1) for cells in rows])


def test_columns_of_cells():
    one = Span(1, 1)
    assert columns([one, one], [one]) == [[0, 1], [0]]
    assert columns([Span(1, 2), one], [one]) == [[0, 1], [1]]  # the second row starts beside it
    assert columns([Span(2, 1), one], [one, one, one]) == [[0, 2], [0, 1, 2]]
    assert columns([Span(3, 1), one]) == [[0, 1]]  # columns without the start of a cell
    assert columns([Span(1, 0)], [one], [one]) == [[0], [1], [1]]  # to the end of the section


def test_spans_past_the_budget_are_ignored():
    wide = Span(1000, 65534)
    many = [[wide, wide]] * 100
    assert columns(*many) == [[0, 1]] * 100
    assert budget(200) < 2 * 1000 * 100


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        (Counts("", 0, 0, wide_rows=2, crowded=0, rows=2, prose=1), True),
        (Counts("", 0, 0, wide_rows=2, crowded=1, rows=2, prose=1), False),
        (Counts("", 0, 0, wide_rows=1, crowded=0, rows=1, prose=1), False),
        (Counts("", 0, 0, wide_rows=1, crowded=0, rows=1, prose=0), True),
        (Counts("", 0, 0, wide_rows=0, crowded=0, rows=2, prose=1), False),
        (Counts("", 1, 0, wide_rows=0, crowded=1, rows=2, prose=1), True),
        (Counts("", 0, 1, wide_rows=0, crowded=1, rows=2, prose=1), True),
        (Counts("grid", 0, 0, wide_rows=0, crowded=1, rows=2, prose=1), True),
        (Counts("presentation", 1, 1, wide_rows=2, crowded=0, rows=2, prose=1), False),
    ],
)
def test_is_data(counts, expected):
    assert is_data(counts) is expected
