"""TrendFinder: how often the topics of dated documents occur over time (thesis, 6.5 and 6.6).

files --documents--> DatedDocument --terms, vectors--> scores --trend--> Trends --plot, report-->

`queries` reads the keywords of the topics; `changes` and `keywords` describe curves and keywords.
"""

from thresher.trends.documents import DatedDocument, read_documents, write_xml
from thresher.trends.queries import Query, read_queries, thesis_queries
from thresher.trends.trend import Trends, trend

__all__ = [
    "DatedDocument",
    "Query",
    "Trends",
    "read_documents",
    "read_queries",
    "thesis_queries",
    "trend",
    "write_xml",
]
