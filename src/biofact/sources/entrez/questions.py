"""Questions to NCBI Gene: summaries, records, the live record that an ID leads to, searches and links."""

import asyncio
import dataclasses
import functools
import hashlib
import operator
from collections.abc import Collection, Sequence

from biofact.core.errors import (
    AmbiguousQuery,
    BiofactError,
    CallTool,
    EntityNotFound,
    EntityRetired,
    RateLimited,
    ToolRef,
    UpstreamError,
)
from biofact.core.identifiers import QUERY_LENGTH
from biofact.core.records import Notice, is_included, missing_part
from biofact.dialects import datasets, eutils
from biofact.dialects.eutils import ARTICLES, ArticleSummary, SearchAnswer
from biofact.dialects.readable_rows import ReadableRows
from biofact.protocol.lookup import Lookup, ReplacementTrail, Upstream, missing_record, side_request
from biofact.protocol.templates import Absence
from biofact.sources.entrez import parse, search
from biofact.sources.entrez.parse import Docsum, GeneRifs, ParsedGene
from biofact.sources.entrez.records import EntrezGene, curie, uid_of
from biofact.sources.entrez.search import SEARCH
from biofact.transport.keep.store import Entry
from biofact.transport.service import LIST_SECONDS, BatchCall, Batching, Keep
from biofact.transport.stack import Transport

# efetch drops what it cannot get without a word: its silence is not believed for longer than a recovery waits.
RECORDS = Batching(
    "gene/1",
    limit=50,
    ask=lambda uids: BatchCall(eutils.efetch("gene", uids), parse.GeneSplitter()),
    absent_seconds=50.0,
)
ANNOTATED = Batching(
    "gene-annotated/1",
    limit=50,
    ask=lambda uids: BatchCall(eutils.efetch("gene", uids), parse.GeneSplitter(parse.annotated)),
    absent_seconds=50.0,
)
_GENERIFS = Batching(
    "gene-rifs/1",
    limit=50,
    ask=lambda uids: BatchCall(eutils.efetch("gene", uids), parse.GeneSplitter(parse.with_generifs)),
    absent_seconds=50.0,
)
REPORTS = Batching(
    "gene-report/1",
    limit=500,
    ask=lambda uids: BatchCall(datasets.dataset_reports(uids), datasets.report_splitter("gene", parse.trimmed_gene)),
)
_PRODUCTS = Batching(  # a megabyte for a gene of hundreds of transcripts
    "gene-products/1",
    limit=20,
    ask=lambda uids: BatchCall(
        datasets.product_reports(uids), datasets.report_splitter("product", parse.trimmed_product)
    ),
)
DOCSUMS = Batching(
    "gene-docsum/2",
    limit=500,
    ask=lambda uids: BatchCall(eutils.esummary("gene", uids), eutils.docsum_splitter(uids, parse.trimmed_docsum)),
)
_PART_OF_REPORT = 0.3  # of a call's time, so that a slow Datasets leaves enough for the XML
_MOST_PMIDS = 10  # of articles without a summary, in a notice
_MOST_HITS = 10_000  # that esearch lists
_EXACT_NAMES = eutils.joined_searches("gene", "gene-called/1", hits=search.LEAD_LIMIT)


class EntrezQuestions:
    """The questions of the tools."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._upstream = Upstream(transport, search.TITLE, eutils.refusal)
        lookup = functools.partial(Lookup, self._upstream, eutils.NCBI)
        id_of = operator.attrgetter("uid")
        self._records: Lookup[ParsedGene] = lookup(RECORDS, parse.gene, id_of=id_of)
        self._annotated: Lookup[ParsedGene] = lookup(ANNOTATED, parse.gene, id_of=id_of)
        self._generifs: Lookup[GeneRifs] = lookup(_GENERIFS, parse.generifs, id_of=id_of)
        self._docsums: Lookup[Docsum] = lookup(DOCSUMS, parse.docsum, id_of=id_of, curie=curie)
        report_lookup = functools.partial(Lookup, Upstream(transport, "NCBI Datasets"), datasets.DATASETS)
        self._reports: Lookup[bytes] = report_lookup(REPORTS, bytes)
        self._products: Lookup[bytes] = report_lookup(_PRODUCTS, bytes)
        self._articles: Lookup[ArticleSummary] = lookup(ARTICLES, eutils.article_summary)
        self._exact_names = transport.batched(_EXACT_NAMES)

    async def docsum(self, uid: str) -> Docsum | None:
        """The summary of a GeneID; None if NCBI has none. Batched with concurrent lookups."""
        return await self._docsums.get(uid)

    async def docsums(self, uids: Sequence[str], *, is_whole: bool = True) -> ReadableRows[Docsum]:
        """The summaries of these GeneIDs, in order; those without one are left out."""
        found = await self._docsums.get_present(uids, is_whole=is_whole)
        return found.with_items(docsum for _, docsum in found.items)

    async def docsum_outcomes(self, uids: Sequence[str]) -> dict[str, Docsum | BiofactError | None]:
        """The summary of each GeneID, None where there is none, or why it is not known."""
        return await self._docsums.get_many(uids)

    async def current(self, entrez_id: str, *, include: Collection[str] | None = None) -> EntrezGene:
        """The live record that an ID leads to, by way of its replacements.

        With ``include`` no more of it than is selected so; what was selected once is kept as long as what was read.
        Without it the whole XML record but GO terms and phenotypes.

        Raises:
            EntityNotFound: NCBI knows no such gene, or withdrew it.
        """
        trail = ReplacementTrail(uid_of(entrez_id))
        record = await self._record(trail.current_id, entrez_id, include)
        while record.status != "live":
            if not trail.follow(record.current_id):
                raise withdrawn(entrez_id, trail.ids, record)
            record = await self._record(trail.current_id, entrez_id, include)
        return record.gene

    async def generifs(self, uid: str) -> GeneRifs | None:
        """The GeneRIFs of a GeneID; None if efetch has no record. Batched with concurrent lookups."""
        return await self._generifs.get(uid)

    async def links(self, uid: str) -> list[str]:
        """PMIDs of the articles that NCBI links to a gene, highest first."""
        request = eutils.elink("gene", "pubmed", uid, parse.GENE_PUBMED)
        return await self._upstream.fetch(request, functools.partial(parse.pmids, uid), "gene-pubmed/1")

    async def articles(
        self, pmids: Sequence[str], *, has_titles: bool
    ) -> tuple[dict[str, ArticleSummary], list[Notice]]:
        """The summaries of articles, which share one request; a notice of those that PubMed did not send in time and,
        where titles are asked for, of those that it does not have.
        """
        facts = "titles and retractions" if has_titles else "retractions"
        leg = self.transport.side_leg(self._articles.get_many(pmids))
        outcomes, notices = await side_request(leg, f"{facts} of the articles")
        outcomes = outcomes or {}
        failures = [outcome for outcome in outcomes.values() if isinstance(outcome, BiofactError)]
        if failures:
            notices.append(missing_part(f"{facts} of {len(failures)} articles", failures[0].message))
        absent = [f"PMID:{pmid}" for pmid, outcome in outcomes.items() if outcome is None]
        if absent and has_titles:
            listed = ", ".join(absent[:_MOST_PMIDS]) + (", ..." if len(absent) > _MOST_PMIDS else "")
            notices.append(Notice(code="NOT_COVERED", message=f"PubMed has no summary of {listed}."))
        found = {pmid: article for pmid, article in outcomes.items() if isinstance(article, ArticleSummary)}
        return found, notices

    async def search(self, query: str, organism: str | None, term: str, start: int, limit: int) -> SearchAnswer:
        """The esearch answer for a term; ``query`` and ``organism`` are what the caller wrote.

        Raises:
            AmbiguousQuery: NCBI cannot run the query.
        """
        request = eutils.esearch("gene", term, retstart=start, retmax=limit, sort="relevance")
        keep = Keep("gene-search/1", f"{start}:{limit}:{term}", LIST_SECONDS)
        answer = self.transport.fetch(request, eutils.search_answer, keep=keep)
        return await eutils.run_search(answer, functools.partial(search.notices.not_understood, query, organism))

    async def search_exact_names(self, query: str, organism: str | None, term: str) -> SearchAnswer:
        """The esearch answer for a term of exact names; concurrent terms share one request.

        Raises:
            AmbiguousQuery: NCBI cannot run the query.
        """
        answer = self._exact_names.get(term, eutils.search_answer)
        not_understood = functools.partial(search.notices.not_understood, query, organism)
        return await eutils.run_search(answer, not_understood) or SearchAnswer()

    async def unknown_words(self, words: Sequence[str]) -> set[str]:
        """The words that stand in no field of any gene; each is of ASCII letters and digits."""
        term = " OR ".join(f"{word}[All Fields]" for word in words)
        unknown_phrases = (await self.search_exact_term(term, limit=0)).phrases_not_found
        unknown = {phrase.partition("[")[0].strip().casefold() for phrase in unknown_phrases}
        return {word for word in words if word.casefold() in unknown}

    async def search_exact_term(self, term: str, *, limit: int = _MOST_HITS) -> SearchAnswer:
        """Every gene, up to ``limit``, that a term of many names finds.

        Raises:
            UpstreamError: NCBI cannot run it.
        """
        request = eutils.esearch("gene", term, retmax=limit)
        digest = hashlib.sha256(f"{limit}:{term}".encode()).hexdigest()
        answer = self.transport.fetch(request, eutils.search_answer, keep=Keep("gene-names/2", digest, LIST_SECONDS))
        return await eutils.run_search(answer, _names_not_understood)

    async def _record(self, uid: str, entrez_id: str, include: Collection[str] | None) -> ParsedGene:
        """The record ``uid``, to which ``entrez_id`` leads: from its summary and reports, else from its XML."""
        replaces = entrez_id if curie(uid) != entrez_id else None
        # Diseases stand in the XML alone.
        if include is None or is_included("phenotypes", include):
            return await self._xml_record(uid, entrez_id, replaces, include)
        has_products = is_included("cross_references", include)
        reports = await self._kept_reports(uid, has_products=has_products)
        asked = None if reports else asyncio.create_task(self._reports_of(uid, has_products=has_products))
        failure: BiofactError | None = None
        try:
            summary = await self._docsums.entry(uid)
            if summary is not None and summary.value_in_call(parse.docsum).is_live:
                reports = await asked if asked else reports
                return ParsedGene(_joined(summary.body or b"", reports or (), tuple(sorted(include)), replaces), "live")
        except _Unreported:
            pass
        except (RateLimited, UpstreamError) as error:
            failure = error
        finally:
            if asked:
                asked.cancel()  # a gene that is not live needs none; what is under way is kept for the next time
        try:
            return await self._xml_record(uid, entrez_id, replaces, include)
        except (RateLimited, UpstreamError):
            if failure:
                raise failure from None  # the first is the cause; the XML had what time was left
            raise

    async def _kept_reports(self, uid: str, *, has_products: bool) -> list[Entry] | None:
        """The report of a gene, and that of its products, if they are kept: most genes are asked for again."""
        report = await self._reports.kept(uid)
        products = await self._products.kept(uid) if report and has_products else None
        if report is None or (has_products and products is None):
            return None
        return [report, products] if products else [report]

    async def _reports_of(self, uid: str, *, has_products: bool) -> list[Entry] | None:
        """The report of a gene, and that of its products; None where Datasets lacks one, or does not answer in time."""
        if int(uid) > datasets.LARGEST_GENE_ID:
            return None
        lookups = [self._reports, self._products] if has_products else [self._reports]
        legs = (self.transport.side_leg(lookup.entry(uid), _PART_OF_REPORT) for lookup in lookups)
        try:
            entries = await asyncio.gather(*legs)
        except (RateLimited, UpstreamError):
            return None
        return None if None in entries else [entry for entry in entries if entry]

    async def _xml_record(
        self, uid: str, entrez_id: str, replaces: str | None, include: Collection[str] | None
    ) -> ParsedGene:
        """The record in the XML; a record missing from efetch alone proves nothing."""
        include_names = None if include is None else tuple(sorted(include))
        is_annotated = any(is_included(part, include_names or ()) for part in ("go_terms", "phenotypes"))
        records = self._annotated if is_annotated else self._records
        record = await records.get(uid, functools.partial(_selected, replaces=replaces, include=include_names))
        if record is not None:
            return record
        if await self.docsum(uid) is None:
            raise _UNKNOWN_SUCCESSOR(entrez_id, successor=curie(uid)) if replaces else _UNKNOWN(entrez_id)
        raise missing_record("NCBI", entrez_id, curie(uid))


class _Unreported(Exception):
    """The reports do not make up the record."""


def _joined(summary: bytes, reports: Sequence[Entry], include: tuple[str, ...], replaces: str | None) -> EntrezGene:
    """The gene of its live summary and its reports. The summary is bytes, by which a remembered value is found at once.

    Raises:
        _Unreported: there are none, or they are of another gene or tell less than the XML.
    """
    if not reports:
        raise _Unreported
    report, *products = reports
    refseqs: tuple[str, ...] | None = None
    try:
        for product_report in products:
            product_parser = functools.partial(parse.refseqs, summary=summary)
            refseqs = product_report.value_in_call(product_parser)
        parser = functools.partial(
            parse.reported_gene, summary=summary, include=include, refseqs=refseqs, replaces=replaces
        )
        return report.value_in_call(parser)
    except UpstreamError as error:
        raise _Unreported from error


def _selected(payload: bytes, *, replaces: str | None, include: tuple[str, ...] | None) -> ParsedGene:
    record = parse.gene(payload, replaces=replaces)
    return record if include is None else dataclasses.replace(record, gene=record.gene.selected(include))


def _names_not_understood(words: str) -> AmbiguousQuery:
    return AmbiguousQuery(f"NCBI cannot search for these names: {words:.200}", hint="Ask for each alone.")


BATCH = ToolRef("entrez", "get_genes_batch")


_UNKNOWN = Absence(
    EntityNotFound, "NCBI Gene has no record {id}.", f"Check the number, or call {SEARCH} with the gene's symbol."
)
_UNKNOWN_SUCCESSOR = Absence(
    EntityNotFound, "{id} was replaced by {successor}, of which NCBI Gene has no record.", _UNKNOWN.hint
)
_ENDLESS = Absence(
    EntityRetired,
    "{id} leads to no current record: its replacements run in a circle or too far ({steps}).",
    f"Call {SEARCH} with the symbol {{last.gene.symbol}}.",
)
_NO_GENE = Absence(
    EntityNotFound,
    "{last.gene.id} is no gene, but a record for NCBI's own use.",
    f"Call {SEARCH} with the gene's symbol.",
)
_SEVERAL_SUCCESSORS = Absence(
    EntityRetired, "{id} was replaced by several genes: {successors}.", f"Call {BATCH} to see them, and choose."
)
_WITHDRAWN = Absence(
    EntityRetired,
    "NCBI withdrew {last.gene.id} ({last.gene.symbol}){date}; nothing replaced it{trail}.",
    "{advice}",
)


def withdrawn(entrez_id: str, trail: Sequence[str], last: ParsedGene) -> EntityNotFound:
    """The trail of replacements from ``entrez_id`` ends at a record that is not live, or has no end."""
    steps, symbol = " > ".join(map(curie, trail)), last.gene.symbol
    if len(last.current_ids) > 1:  # which of them is meant, the caller has to say
        successors = [curie(uid) for uid in last.current_ids]
        recovery = CallTool(BATCH, {"entrez_ids": successors})
        return _SEVERAL_SUCCESSORS(entrez_id, recovery, successors=", ".join(successors))
    if last.current_ids:
        return _ENDLESS(entrez_id, steps=steps, last=last)
    if last.status != "discontinued":
        return _NO_GENE(entrez_id, last=last)
    is_name = len(symbol) in QUERY_LENGTH and symbol.removeprefix("LOC") != uid_of(last.gene.id)
    return _WITHDRAWN(
        entrez_id,
        CallTool(SEARCH, {"query": symbol}) if is_name else None,
        last=last,
        date=f" on {last.discontinued_on}" if last.discontinued_on else "",
        trail=f" ({steps})" if last.gene.id != entrez_id else "",
        advice=f"Call {SEARCH} to see which genes carry the symbol {symbol} now." if is_name else "Nothing leads on.",
    )
