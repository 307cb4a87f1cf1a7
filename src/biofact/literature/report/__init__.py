"""A whole run on one page of HTML, which needs nothing but itself. Pure: same report, same bytes."""

from biofact.literature.report.content import DataSource, Flow, Query, Report, flow_of
from biofact.literature.report.figures import between_features, known_correlations
from biofact.literature.report.markup import field_label, weights_in_words
from biofact.literature.report.page import page

__all__ = [
    "DataSource", "Flow", "Query", "Report", "between_features", "field_label", "flow_of", "known_correlations", "page",
    "weights_in_words",
]  # fmt: skip
