"""Small trends whose numbers can be worked out by hand, for the tests of plots and reports."""

from thresher.trends import DatedDocument, Query, Trends, trend

QUERIES = (Query("rain", ("rain", "shower")), Query("sun", ("sun",)))


def document(year: str, text: str, source: str = "Weather", **more: str) -> DatedDocument:
    return DatedDocument(more.pop("title", text.capitalize()), text, year, source, **more)


def small() -> Trends:
    """Three years with documents, 2012 without; one undated document is left out.

    The query "rain" has two keywords, so a document with one of them scores 1 / sqrt(2).
    """
    return trend(
        [
            document("2010", "rain and more rain"),
            document("2010", "a shower of rain", "Climate"),
            document("2010", "sun"),
            document("2011", "wind", "Climate"),
            document("2013", "sun", "Climate"),
            document("2013", "sun and rain"),
            document("", "rain"),
        ],
        QUERIES,
    )


def long(years: int = 12, step: int = 6, each: int = 20) -> Trends:
    """A query that rises abruptly in year 2000 + `step`, and one that stays the same."""
    documents = []
    for year in range(years):
        rain = 15 if year >= step else 1
        texts = ["rain"] * rain + ["sun"] + ["wind"] * (each - rain - 1)
        documents += [document(str(2000 + year), text) for text in texts]
    return trend(documents, QUERIES)
