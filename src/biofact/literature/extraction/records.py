"""The records that extraction returns."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from biofact.core.records import Metadata, Result, absent, absent_list
from biofact.literature.extraction.schema import ExtractionSchema
from biofact.literature.records import CanonicalPubMedExtraction, Method, SlimCanonicalPubMedExtraction

Extracted_co = TypeVar("Extracted_co", bound=SlimCanonicalPubMedExtraction, covariant=True)


class ExtractionStatistics(Metadata):
    """Statistics of the extraction over all articles."""

    total_processed: int
    """Articles attempted."""
    successful_extractions: int
    """Articles that state every field."""
    partial_extractions: int
    """Articles that state some fields, not all, or had values that break the schema beside good ones."""
    failed_extractions: int
    """Articles from which not one value came: they state none, or could not be read."""
    processing_time_ms: int
    tokens_used: int
    """By the language model, failed attempts among them; 0 for rules."""
    method: Method
    model: str | None = absent("The language model that was asked.")
    fields_not_read_by_rules: list[str] = absent_list("Fields that rules cannot read, where rules read articles.")
    ungrounded: int = 0
    """Values that were dropped because their quote is not in the article, or does not hold them."""


class ExtractionList(Result, Generic[Extracted_co]):
    """The requested fields of the articles."""

    listed: ClassVar[str | None] = "extractions"

    @classmethod
    def open_columns(cls, arguments: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
        """The fields of the schema; none for one that is refused."""
        try:
            schema = ExtractionSchema.read(arguments["extraction_schema"])
        except ValueError:
            return {}
        return {"extraction": [leaf.path for leaf in schema.leaves]}

    extractions: list[Extracted_co]
    """One for each article, in the order given."""
    extraction_metadata: ExtractionStatistics
    collection: str | None = absent("The handle of this list, for the next step.")


class SlimExtractions(ExtractionList[SlimCanonicalPubMedExtraction]):
    """The requested fields of the articles, without the evidence."""


class Extractions(ExtractionList[CanonicalPubMedExtraction]):
    """The requested fields of the articles, with the evidence."""
