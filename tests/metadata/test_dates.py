"""Dates as written on pages."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.metadata import dates
from thresher.metadata.dates import date_in_url, is_only_date, to_iso, to_partial_iso, with_clock

DAY = "2024-05-03"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2024-05-03", DAY),
        ("2024-05-03T15:47:42.389Z", f"{DAY}T15:47:42+00:00"),
        ("2024-05-03 15:47 +0200", f"{DAY}T15:47:00+02:00"),
        ("2024-05-03T15:47", DAY),  # no time without its zone
        ("2024-05-03T25:47Z", DAY),
        ("2024-05-03T15:47:42 1714751262", f"{DAY}T15:47:42+00:00"),
        ("2024/5/3", DAY),
        ("2024. 05. 03.", DAY),
        ("20240503", DAY),
        ("20240503154742", DAY),
        ("1714751262", f"{DAY}T15:47:42+00:00"),
        ("1714751262000", f"{DAY}T15:47:42+00:00"),
        ("Fri, 03 May 2024 15:47:00 GMT", f"{DAY}T15:47:00+00:00"),
        ("Published: May 3rd, 2024 at 5:14 pm", DAY),
        ("3. Mai 2024, 12:30 Uhr", DAY),
        ("vendredi 3 mai 2024", DAY),
        ("Publié le 1er mai 2024", "2024-05-01"),
        ("1ère mai 2024", "2024-05-01"),
        ("1.º de mayo de 2024", "2024-05-01"),
        ("1.° de mayo de 2024", "2024-05-01"),
        ("1º de maio de 2024", "2024-05-01"),
        ("1-го мая 2024", "2024-05-01"),
        ("2024. május 1-jén", "2024-05-01"),
        ("2024. május 3-án", DAY),
        ("1:a maj 2024", "2024-05-01"),
        ("1e mei 2024", "2024-05-01"),
        ("1st May 2024", "2024-05-01"),
        ("2nd of May, 2024", "2024-05-02"),
        ("3 de mayo de 2024", DAY),
        ("3 maggio 2024", DAY),
        ("3 de maio de 2024", DAY),
        ("3 mei 2024", DAY),
        ("3 maj 2024", DAY),
        ("3. toukokuuta 2024", DAY),
        ("3 maja 2024", DAY),
        ("3. května 2024", DAY),
        ("3 мая 2024", DAY),
        ("3 травня 2024", DAY),
        ("3 Μαΐου 2024", DAY),
        ("3 Mayıs 2024", DAY),
        ("2024. május 3.", DAY),
        ("2024 m. gegužės 3 d.", DAY),
        ("3 Mei 2024", DAY),
        ("٣ مايو ٢٠٢٤", DAY),
        ("3 במאי 2024", DAY),  # the month with the prefix for "in"
        ("3 พ.ค. 2567", DAY),
        ("3 พ.ค. 67", DAY),
        ("3 มี.ค. 2567", "2024-03-03"),
        ("3 เม.ย. 2567", "2024-04-03"),
        ("3 x.y. 2567", ""),
        ("3 tháng 5 2024", DAY),
        ("Thứ sáu, ngày 3 tháng 5, năm 2024", DAY),
        ("3 מאי 2024", DAY),
        ("3 मई 2024", DAY),
        ("2024年5月3日(金)", DAY),
        ("2024년 5월 3일", DAY),
        ("令和6年5月3日", DAY),
        ("平成元年1月8日", "1989-01-08"),
        ("3 พฤษภาคม 2567", DAY),
        ("3พฤษภาคม2567", DAY),
        ("۱۴ اردیبهشت ۱۴۰۳", DAY),
        ("1403/02/14", DAY),
        ("13/3/2024", "2024-03-13"),
        ("3/13/2024", "2024-03-13"),
        ("3.5.24", DAY),
        ("May 3 at 9:12, 2024", DAY),
        ("Fri May  3 15:47:00 2024", DAY),
        ("2024. gada 3. maijs", DAY),
        ("৩ মে ২০২৪", DAY),
        ("৩ জানুয়ারি ২০২৪", "2024-01-03"),
        ("2024-02-30", ""),
        ("May 2024", ""),
        ("May 2024, 3 min", ""),
        ("12 hours ago", ""),
        ("version 1.2.3", ""),
        ("", ""),
    ],
)
def test_forms(text, iso):
    assert to_iso(text) == iso


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("By Jan Smith, 3 June 2024", "2024-06-03"),
        ("By Jan Smith, June 3rd, 2024 at 5 pm", "2024-06-03"),
        ("By June Carter | 12 August 2024", "2024-08-12"),
        ("Von Jan Müller, 3. Juni 2024", "2024-06-03"),
        ("Jan de Vries, 3 juni 2024", "2024-06-03"),
        ("Autor: Jan Kowalski, 3 maja 2024", DAY),
        ("Jan Kowalski 03.05.2024", DAY),
        ("Jan 03.05.2024", DAY),
        ("By Mai Linh, 7 October 2023", "2023-10-07"),
        ("By April Ryan, May 3, 2024", DAY),
        ("Theresa May, 3 June 2024", "2024-06-03"),
        ("Theresa May 3 June 2024", "2024-06-03"),
        ("Bruno Mars, 12 août 2024", "2024-08-12"),
        ("Dec Donnelly 5 Jan 2024", "2024-01-05"),
        ("August Wilson 2 Oct 2024", "2024-10-02"),
        ("Jan Smith, 3 comments in 2024", ""),
        ("12 May 3, 2024", DAY),  # 12 is not the day
    ],
)
def test_names_of_people_that_are_names_of_months(text, iso):
    assert to_iso(text) == iso


def test_month_first_decides_the_order_of_numbers():
    assert to_iso("5/3/2024") == "2024-03-05"
    assert to_iso("5/3/2024", month_first=True) == "2024-05-03"
    assert to_iso("5.3.2024", month_first=True) == "2024-03-05"  # with dots the day is first


@given(
    st.dates(date(1950, 1, 1), date(2099, 12, 31)), st.sampled_from(sorted(dates._MONTH.items()))
)
def test_every_month_name_is_read(day, named):
    name, month = named
    wanted = day.replace(month=month, day=min(day.day, 28))
    assert to_iso(f"{wanted.day} {name} {wanted.year}") == wanted.isoformat()
    assert to_iso(f"{name} {wanted.day}, {wanted.year}") == wanted.isoformat()


@given(st.dates(date(1950, 1, 1), date(2056, 12, 31)))
def test_forms_of_every_day(day):
    assert to_iso(day.isoformat()) == day.isoformat()
    assert to_iso(f"{day:%d.%m.%Y}") == day.isoformat()
    assert to_iso(f"{day:%m/%d/%Y}", month_first=True) == day.isoformat()
    assert to_iso(f"{day.year + 543}-{day:%m-%d}") in (day.isoformat(), "")
    assert date_in_url(f"https://example.org/{day:%Y/%m/%d}/tea") == (
        day.isoformat() if day.year >= 1990 else ""
    )


def test_the_persian_calendar_by_known_new_years():
    for year, new_year in ((1400, date(2021, 3, 21)), (1403, date(2024, 3, 20))):
        for month, day, later in ((1, 1, 0), (2, 1, 31), (7, 1, 186), (12, 29, 364)):
            wanted = (new_year + timedelta(days=later)).isoformat()
            assert to_iso(f"{year}/{month}/{day}") == wanted


def test_dates_in_urls():
    assert date_in_url("https://example.org/news/2024-05-03-tea.html") == DAY
    assert date_in_url("https://example.org/20240503/tea") == DAY
    assert date_in_url("https://example.org/2024/05/tea") == ""
    assert date_in_url("https://example.org/1234/56/78/tea") == ""


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text):
    found = to_iso(text)
    assert found == "" or date.fromisoformat(found[:10])


def test_superscript_digits_are_not_part_of_a_year():
    assert dates.to_iso("5 May ²⁰²⁴") == ""
    assert dates.to_iso("5 May 2024²") == "2024-05-05"


def test_a_long_text_is_cut():
    assert to_iso("x" * 10_000_000 + " 3 May 2024") == ""


@pytest.mark.parametrize(
    "text",
    [
        "3 May, 09:12",
        "09:12",
        "May 3",
        "3. Mai",
        "Yesterday at 10:00",
        "Fri, 03 May 2024 15:47:00 GMT",
        "2024-05-03",
        "2024年5月3日",
        "3 hours ago",
        "vor 3 Stunden",
        "5h",
    ],
)
def test_texts_that_are_only_a_date(text):
    assert is_only_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "may2012",
        "June Carter",
        "agent 47",
        "user447274",
        "May",
        "Tom on May 3, 2024",
        "tinroof 3 May",
        "",
    ],
)
def test_texts_that_are_not_only_a_date(text):
    assert not is_only_date(text)


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2006", "2006"),
        ("2006-05", "2006-05"),
        ("2006-05-17", "2006-05-17"),
        ("2006-05-17T23:30:00-08:00", "2006-05-17"),
        ("2006/05/17/", "2006-05-17"),
        ("2006/05//Spring", "2006-05"),
        ("2006///", "2006"),
        ("17.5.2006", "2006-05-17"),
        ("May 17, 2006", "2006-05-17"),
        ("May 2006", "2006-05"),
        ("2006 May", "2006-05"),
        ("Mai 2006", "2006-05"),
        ("mayo de 2006", "2006-05"),
        ("мая 2006", "2006-05"),
        ("2006年5月", "2006-05"),
        ("May-June 2006", "2006-05"),
        ("5/2006", "2006-05"),
        ("200605", "2006-05"),
        ("2006-5", "2006-05"),
        ("2006-13", "2006"),
        ("2006-00-00", "2006"),
        ("2006.0", "2006"),
        ("2005-2006", "2005"),
        ("Spring 2006", "2006"),
        ("Winter 2006/2007", "2006"),
        ("c2006", "2006"),
        ("1869-11-04", "1869-11-04"),
        ("1867/02/30", "1867-02"),
        ("4 November 1869", "1869-11"),
        ("1869", "1869"),
        ("1147824000", "2006-05-17"),
        ("2549", "2006"),  # Buddhist calendar
        ("1385", "2006"),  # Persian calendar
        ("٢٠٠٦", "2006"),
        ("1499 to 2101", ""),
        ("n.d.", ""),
        ("in press", ""),
        ("12345", ""),
        ("", ""),
    ],
)
def test_dates_as_exact_as_they_are_given(text: str, iso: str) -> None:
    assert to_partial_iso(text) == iso


@given(st.dates(date(1500, 1, 1), date(2100, 12, 31)), st.integers(0, 2))
def test_partial_iso_dates_stay_as_they_are(day: date, missing: int) -> None:
    iso = "-".join(str(day).split("-")[: 3 - missing])
    assert to_partial_iso(iso) == iso


@given(st.text())
def test_any_text_gives_a_partial_date_or_none(text: str) -> None:
    iso = to_partial_iso(text)
    assert iso == "" or date.fromisoformat(iso + "0000-01-01"[len(iso) :])


def test_the_order_of_a_partial_date() -> None:
    assert to_partial_iso("5/3/2024") == "2024-03-05"
    assert to_partial_iso("5/3/2024", month_first=True) == "2024-05-03"


@pytest.mark.parametrize(
    ("text", "month_first", "iso"),
    [
        ("03/12/2024", False, "2024-03-12"),
        ("12/03/2024", True, "2024-03-12"),
        ("03/05/2024", False, DAY),
        ("23/12/2024", False, ""),
        ("3 December 2024", False, ""),
        ("03/12/2025", False, ""),
        ("2024-12-05T10:00:00Z", False, ""),  # the year comes first: no other reading
        ("2024/12/05", True, ""),
        ("20241205", False, ""),
    ],
)
def test_dates_after_the_latest(text, month_first, iso):
    assert to_iso(text, month_first=month_first, latest="2024-06-01") == iso


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("05-01-2021, 10:00 AM", "T10:00:00"),
        ("May 1, 2021 12:05 pm", "T12:05:00"),
        ("May 1, 2021 12:05:09 a.m.", "T00:05:09"),
        ("2021-05-01T22:10:00", "T22:10:00"),
        ("1 May 2021, 25:00", ""),
        ("1 May 2021", ""),
    ],
)
def test_the_time_of_day_as_written(text, time):
    assert with_clock("2021-05-01", text) == f"2021-05-01{time}"
    assert with_clock("2021-05-01T01:00:00+00:00", text) == "2021-05-01T01:00:00+00:00"


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("Monday, 11.05.2012", "2012-11-05"),  # 11 May 2012 was a Friday
        ("Freitag, 11.05.2012", "2012-05-11"),
        ("Mon 11/05/2012", "2012-11-05"),
        ("Monday 05/11/2012", "2012-11-05"),
        ("Tuesday 05/11/2012", "2012-11-05"),  # no reading is a Tuesday
        ("10.06.08, 02:20 PM EDT", "2008-10-06"),
        ("10.06.08, 02:20", "2008-06-10"),
    ],
)
def test_a_weekday_or_a_zone_decides_the_order(text, iso):
    assert to_iso(text) == iso


def test_the_month_near_which_a_date_is_decides_the_order():
    assert to_iso("11.05.12", near="2012-11") == "2012-11-05"
    assert to_iso("11.05.12", near="2012-05") == "2012-05-11"
    assert to_iso("11.05.12", near="2012-07") == "2012-05-11"
    assert to_iso("11 May 2012", near="2012-11") == "2012-05-11"


@pytest.mark.parametrize(
    "text", ["3 de maig de 2024", "2024ko maiatzaren 3a", "3. мај 2024.", "3. maja 2024"]
)
def test_more_month_names(text):
    assert to_iso(text) == "2024-05-03"


def test_a_shift_from_universal_time():
    text = "Fri May 03 2024 15:47:00 GMT+0200 (CEST)"
    assert to_iso(text) == "2024-05-03T15:47:00+02:00"
    assert to_iso("3 May 2024 15:47 GMT") == "2024-05-03T15:47:00+00:00"
