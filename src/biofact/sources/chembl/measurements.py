"""Measurements page by page: those of a compound, and the compounds measured on a target."""

import re
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field

from biofact.core.errors import UpstreamError
from biofact.core.records import Notice
from biofact.core.tool import NARROWS
from biofact.dialects.readable_rows import MissingField, ReadableRows, omission_notices
from biofact.protocol.listing import ListPage
from biofact.sources.chembl import parse
from biofact.sources.chembl.identifiers import curie, native, native_number
from biofact.sources.chembl.parse import ListPart, Measurement, MechanismRow, MoleculeHit
from biofact.sources.chembl.questions import ChEMBLQuestions
from biofact.sources.chembl.records import AssayType, Bioactivity, TargetCompound
from biofact.sources.chembl.search import notices
from biofact.sources.chembl.service import MOST_ROWS

_STRONGEST, _FIRST = "-pchembl_value,activity_id", "activity_id"  # a list with ties would change from page to page
_LACKS_PCHEMBL, _TARGETS, _COMPOUND = "pchembl_value__isnull", "target_chembl_id__in", "parent_molecule_chembl_id"
_AT_LEAST = "pchembl_value__gte"
_LONGEST_TYPE = 60
_MOST_PAGES = 5  # upstream pages for one page of ours; a compound measured a thousand times is one row
_LEAST_ROWS = 50  # of the first of them, twice as many of the next: a page of ours may be of a single row
_ROWS_EACH = 4  # that a compound has on a target, more or less

_Row = Measurement | MissingField | None
"""A row, the error of one that lacks a field, or None if it does not match the query."""


_COMMON_TYPES = (
    *("IC50", "Ki", "Kd", "EC50", "ED50", "AC50", "XC50", "Potency", "GI50", "CC50", "LC50", "LD50", "MIC"),
    *("Inhibition", "Activity", "Residual activity", "Solubility", "T1/2", "AUC", "Cmax", "CL", "LogD", "LogP", "pKa"),
)
_BY_LETTERS = {re.sub(r"[^a-z0-9]", "", name.casefold()): name for name in _COMMON_TYPES}


def _activity_type(text: str) -> str:
    """A type of measurement as ChEMBL writes it, ``IC50`` of "ic-50"; other types stay as they are."""
    name = " ".join(text.split())
    letters = re.sub(r"[^a-z0-9]", "", name.casefold())
    if not letters or len(name) > _LONGEST_TYPE or re.search(r"[,;|]", name):
        raise ValueError(f"one type of measurement is expected, such as {', '.join(_COMMON_TYPES[:8])}")
    return _BY_LETTERS.get(letters, name)


MinPchembl = Annotated[float | None, Field(ge=0, le=20), NARROWS]
ActivityType = Annotated[
    str | None, AfterValidator(lambda text: None if text is None else _activity_type(text)), NARROWS
]


@dataclass(frozen=True, slots=True)
class MeasurementFilter:
    """The measurements that are meant: at least so potent, of one type, of one kind of assay."""

    min_pchembl: float | None = None
    activity_type: str | None = None
    assay_type: AssayType | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """The filters that are set, by the names of a tool's arguments."""
        names = ("min_pchembl", "activity_type", "assay_type")
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    @property
    def params(self) -> dict[str, str]:
        """ChEMBL's own filters."""
        letters = {kind: letter for letter, kind in parse.ASSAY_TYPES.items()}
        values = {
            _AT_LEAST: None if self.min_pchembl is None else f"{self.min_pchembl:g}",
            "standard_type": self.activity_type,
            "assay_type": letters[self.assay_type] if self.assay_type else None,
        }
        return {name: value for name, value in values.items() if value is not None}

    def holds(self, measurement: Measurement) -> bool:
        """Whether a row is as ChEMBL was asked to send it."""
        activity = measurement.activity
        is_potent = self.min_pchembl is None or (measurement.pchembl or -1.0) >= self.min_pchembl
        is_of_type = self.activity_type in {None, activity.standard_type}
        return is_potent and is_of_type and self.assay_type in {None, activity.assay_type}

    def unmatched(self, subject: str) -> list[Notice]:
        """The notice of an empty list; nothing where no filter is set."""
        if not self.arguments:
            return []
        values = ", ".join(
            f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in self.arguments.items()
        )
        types = ""
        if self.activity_type and self.activity_type not in _COMMON_TYPES:
            types = f" Types are written as ChEMBL has them: {', '.join(_COMMON_TYPES[:8])}, ..."
        return [notices.NO_MEASUREMENT(subject=subject, filters=values, types=types)]


NO_FILTER = MeasurementFilter()


class ActivityPosition(BaseModel):
    """The start of the next page of a compound's measurements."""

    offset: int = Field(ge=0, le=100_000_000)
    """The row in the list of those with a pChEMBL value, followed by the list of the others."""
    compared: int = Field(ge=0)
    """The number of measurements with a pChEMBL value."""
    total: int = Field(ge=0)
    last: int = 0
    """Number of the last measurement shown."""


ActivityPage = ListPage[Bioactivity, ActivityPosition]


@dataclass(frozen=True, slots=True)
class MeasurementsOfCompound:
    """The measurements of a compound, on some targets or on all: strongest pChEMBL first, then those without one."""

    questions: ChEMBLQuestions
    molecule: str
    targets: Sequence[str] = ()
    wanted: MeasurementFilter = NO_FILTER

    async def page(self, position: ActivityPosition | None, page_size: int) -> ActivityPage:
        """The page that begins at ``position``, or page 1.

        Raises:
            UpstreamError: ChEMBL lists something else, or the same again.
        """
        offset, last = (position.offset, position.last) if position else (0, 0)
        rows: list[_Row] = []
        # Page 1 knows neither count: one more than its offset lets it begin with the values that have a pChEMBL.
        with_pchembl, total = (position.compared, position.total) if position else (offset + 1, None)
        if offset < with_pchembl:
            list_part = await self._list_part(offset, page_size, has_pchembl=True)
            rows, with_pchembl = self._read(list_part, last, has_pchembl=True), list_part.total
        if self.wanted.min_pchembl is not None:
            total = with_pchembl
        elif len(rows) < page_size or total is None:  # page 1 always needs the number of the others
            offset_without, missing_count = max(0, offset + len(rows) - with_pchembl), page_size - len(rows)
            list_part = await self._list_part(offset_without, max(1, missing_count), has_pchembl=False)
            rows = [*rows, *self._read(list_part, last, has_pchembl=False)[:missing_count]]
            total = with_pchembl + list_part.total
        measurements = _matching(rows)
        end = offset + len(rows)
        last = measurements[-1].activity.activity_id if measurements else last
        next_position = ActivityPosition(offset=end, compared=with_pchembl, total=total, last=last)
        following = next_position if rows and end < total else None
        return ListPage([row.activity for row in measurements], following, total, _omissions(rows))

    async def _list_part(self, offset: int, limit: int, *, has_pchembl: bool) -> ListPart:
        filters = {"molecule_chembl_id": self.molecule, _LACKS_PCHEMBL: "false" if has_pchembl else "true"}
        filters |= self.wanted.params
        if self.targets:
            filters[_TARGETS] = ",".join(self.targets)
        return await self.questions.activities(_STRONGEST if has_pchembl else _FIRST, offset, limit, **filters)

    def _read(self, list_part: ListPart, last: int, *, has_pchembl: bool) -> list[_Row]:
        def is_match(measurement: Measurement) -> bool:
            is_on_target = not self.targets or measurement.target in self.targets
            return (
                measurement.molecule == self.molecule
                and is_on_target
                and self.wanted.holds(measurement)
                and (measurement.pchembl is not None) == has_pchembl
            )

        return _read(list_part.rows, is_match, last)


class TargetCompoundPosition(BaseModel):
    """The start of the next page of a target's compounds."""

    drugs: int = Field(ge=0, le=100_000)
    """The number of drugs with a mechanism on earlier pages."""
    offset: int = Field(ge=0, le=100_000_000)
    """The row in the list of measurements."""
    last: int = 0
    """The number of the last measurement that was examined."""


TargetCompoundPage = ListPage[TargetCompound, TargetCompoundPosition]


@dataclass(frozen=True, slots=True)
class CompoundsOnTarget:
    """The compounds of some targets: drugs by mechanism, those that got furthest first; then, by best pChEMBL, others.

    Salts count as the compound itself. Nothing is remembered from page to page: a compound stands where its strongest
    measurement stands (of equal ones the first by number), which any page can request. Where measurements are filtered,
    drugs stand among the others, by their measurements.
    """

    questions: ChEMBLQuestions
    targets: Sequence[str]
    wanted: MeasurementFilter = NO_FILTER

    async def page(self, cursor_position: TargetCompoundPosition | None, page_size: int) -> TargetCompoundPage:
        """The page that begins at ``cursor_position``, or page 1.

        Raises:
            UpstreamError: ChEMBL lists something else, or the same again.
        """
        position = cursor_position or TargetCompoundPosition(drugs=0, offset=0)
        drugs, dropped_count = await self._drugs()
        read_rows: list[_Row] = []
        page_drugs = list(drugs.values())[position.drugs : position.drugs + page_size]
        rows = [_by_mechanism(row) for row in page_drugs]
        next_position: TargetCompoundPosition | None = position.model_copy(
            update={"drugs": position.drugs + len(page_drugs)}
        )
        for doublings in range(_MOST_PAGES):
            if next_position is None or len(rows) == page_size:
                break
            missing_count = page_size - len(rows)
            limit = max(_LEAST_ROWS << doublings, _ROWS_EACH * missing_count)
            page = await self._activities(next_position.offset, limit)
            target_compounds, next_position, page_rows = await self._next_compounds(
                page, next_position, missing_count, drugs
            )
            rows += target_compounds
            read_rows += page_rows
        total = None if cursor_position or next_position else len(rows)
        remarks = _omissions(read_rows, dropped_count)
        return ListPage(await self._with_names(rows), next_position, total, remarks)

    async def _drugs(self) -> tuple[dict[str, MechanismRow], int]:
        """The best mechanism of each drug, by its ID without salt, and the number of rows of other targets."""
        if self.wanted.arguments:
            return {}, 0
        rows = await self.questions.mechanisms_on(self.targets)
        mechanism_rows = [row for row in rows if row.target in self.targets]
        best: dict[str, MechanismRow] = {}
        for row in sorted(mechanism_rows, key=lambda row: (-(row.max_phase or 0), native_number(row.parent))):
            best.setdefault(row.parent, row)
        return best, len(rows) - len(mechanism_rows)

    async def _next_compounds(
        self, page: ListPart, position: TargetCompoundPosition, limit: int, drugs: Container[str]
    ) -> tuple[list[TargetCompound], TargetCompoundPosition | None, list[_Row]]:
        """The next compounds of a page of the list, the position of the rest, and the rows before that."""
        measurements = _read(page.rows, self._is_match, position.last)
        first = await self._firsts(
            [measurement for measurement in _matching(measurements) if measurement.parent not in drugs]
        )
        rows: list[TargetCompound] = []
        page_rows: list[_Row] = []
        for measurement in measurements:
            if len(rows) == limit:
                break
            page_rows.append(measurement)
            if not isinstance(measurement, Measurement):
                continue
            if first.get(measurement.parent) == measurement.activity.activity_id:
                rows.append(_by_measurement(measurement))
        offset = position.offset + len(page_rows)
        page_measurements = _matching(page_rows)
        last = page_measurements[-1].activity.activity_id if page_measurements else position.last
        following = position.model_copy(update={"offset": offset, "last": last})
        has_more = bool(page_rows) and offset < page.total
        return rows, following if has_more else None, page_rows

    async def _firsts(self, candidates: Sequence[Measurement]) -> dict[str, int]:
        """The strongest measurement of each compound, wherever in the list it stands; of equal ones the lowest.

        Only the five thousand strongest of all of them, and the measurements given, are searched.
        """
        if not candidates:
            return {}
        compounds = {measurement.parent for measurement in candidates}
        weakest = min(measurement.pchembl or 0.0 for measurement in candidates)
        filters = {f"{_COMPOUND}__in": ",".join(sorted(compounds)), _AT_LEAST: f"{weakest:g}"}
        strong = list(candidates)
        for page_number in range(_MOST_PAGES):
            page = await self._activities(page_number * MOST_ROWS, MOST_ROWS, **filters)
            measurements = _read(page.rows, lambda row: self._is_match(row) and row.parent in compounds)
            strong += _matching(measurements)
            if (page_number + 1) * MOST_ROWS >= page.total:
                break
        best: dict[str, Measurement] = {}
        for measurement in sorted(strong, key=_strength):
            best.setdefault(measurement.parent, measurement)
        return {compound: measurement.activity.activity_id for compound, measurement in best.items()}

    async def _activities(self, offset: int, limit: int, **filters: str) -> ListPart:
        # Descending, ChEMBL sorts nulls first: the values without a pChEMBL are filtered out, not left to the end.
        all_filters = {_TARGETS: ",".join(self.targets), _LACKS_PCHEMBL: "false", **self.wanted.params, **filters}
        return await self.questions.activities(_STRONGEST, offset, limit, **all_filters)

    async def _with_names(self, rows: list[TargetCompound]) -> list[TargetCompound]:
        """The rows with the name and phase of each compound."""
        molecules = {
            molecule.id: molecule for molecule in await self.questions.lookup([native(row.id) for row in rows])
        }
        return [_with_name(row, molecules.get(native(row.id))) for row in rows]

    def _is_match(self, measurement: Measurement) -> bool:
        is_on_target = measurement.target in self.targets and measurement.pchembl is not None
        return is_on_target and self.wanted.holds(measurement)


def _read(rows: Sequence[dict[str, Any]], is_match: Callable[[Measurement], bool], last: int = 0) -> list[_Row]:
    """The measurement of each row, or why it is none of the query's.

    Raises:
        UpstreamError: every row lacks a field; no row matches the query, as if its filters were ignored; or the one
            that was seen last is there again, as if the list did not move on.
    """
    found = ReadableRows.of(rows, parse.measurement)
    outcomes = [row if isinstance(row, MissingField) or is_match(row) else None for row in found.outcomes]
    measurements = _matching(outcomes)
    if found.items and not measurements:
        raise UpstreamError("ChEMBL listed measurements of something else.", hint="Call again later.")
    if any(measurement.activity.activity_id == last for measurement in measurements):
        raise UpstreamError("ChEMBL listed measurements again.", hint="Begin again with page 1, without a cursor.")
    return outcomes


def _matching(rows: Sequence[_Row]) -> list[Measurement]:
    return [row for row in rows if isinstance(row, Measurement)]


def _omissions(rows: Sequence[_Row], dropped_count: int = 0) -> list[Notice]:
    """The notices of the rows that are not shown; ``dropped_count`` is of further rows that do not match the query."""
    omissions = Counter(row.name for row in rows if isinstance(row, MissingField))
    return [*notices.dropped_rows(dropped_count + rows.count(None)), *omission_notices("ChEMBL", omissions)]


def _strength(measurement: Measurement) -> tuple[float, int]:
    return -(measurement.pchembl or 0.0), measurement.activity.activity_id


def _by_mechanism(row: MechanismRow) -> TargetCompound:
    return TargetCompound(
        id=curie(row.parent),
        name=row.parent,
        evidence="mechanism",
        target=curie(row.target or ""),
        max_phase=row.max_phase,
        mechanism=row.words,
        action=row.action,
    )


def _by_measurement(measurement: Measurement) -> TargetCompound:
    return TargetCompound(
        id=curie(measurement.parent),
        name=(measurement.name if measurement.molecule == measurement.parent else None) or measurement.parent,
        evidence="activity",
        target=measurement.activity.target or "",
        pchembl=measurement.pchembl,
        standard_type=measurement.activity.standard_type,
        activity_id=measurement.activity.activity_id,
    )


def _with_name(row: TargetCompound, molecule: MoleculeHit | None) -> TargetCompound:
    if molecule is None:
        return row
    return row.model_copy(update={"name": molecule.name, "max_phase": row.max_phase or molecule.max_phase})
