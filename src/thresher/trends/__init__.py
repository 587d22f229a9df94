"""TrendFinder: how often the topics of dated documents occur over time (thesis, 6.5 and 6.6).

    files       --documents-->        list of DatedDocument
    TOML file   --queries-->          list of Query
    both        --terms, vectors-->   scores of documents  --trend--> Trends
    Trends      --plot, report-->     a picture, an HTML page

`trend` returns the curves; `changes` and `keywords` describe curves and keywords.
"""

from thresher.trends.documents import DatedDocument, distinct, read_documents, write_xml
from thresher.trends.queries import Query, read_queries, thesis_queries
from thresher.trends.trend import Trends, trend

__all__ = [  # noqa: RUF022 (in the order of use, which the reference shows)
    "trend",
    "Trends",
    "read_documents",
    "DatedDocument",
    "distinct",
    "read_queries",
    "thesis_queries",
    "Query",
    "write_xml",
]
