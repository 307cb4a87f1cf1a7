"""The meanings of a schema's names: fields of the rules or the record, parts of objects, lists of rows. Pure."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from biofact.literature.extraction.coercion import PRESENCES, TYPES, requested_unit
from biofact.literature.extraction.findings import Finding, span
from biofact.literature.extraction.schema import Kind, SchemaField
from biofact.literature.records import Evidence
from biofact.sources.pubmed.records import CanonicalPubMedArticle

FIELD_NAMES: dict[str, str] = {
    "study_type": (
        "study_type study_design design methodology method methods type_of_study research_design trial_type"
        " article_type study_methodology research_method research_methodology study_kind publication_type"
        " evidence_type"
    ),
    "sample_size": (
        "sample_size participant_count n_participants number_of_participants participants_count num_participants"
        " total_participants n_patients number_of_patients patient_count num_patients total_patients n_subjects"
        " number_of_subjects subject_count cohort_size study_size n sample_n total_n"
        " n_total sample_count enrollment enrolment enrolled number_enrolled population_size size_of_sample"
        " n_randomized n_randomised number_randomized participants_number number_of_studies n_studies"
        " included_studies studies_included study_count"
    ),
    "arms": (
        "arms arm study_arms study_arm treatment_arms trial_arms groups group study_groups trial_groups"
        " treatment_groups arm_sizes group_sizes randomised_groups randomized_groups"
        " intervention_arms comparison_groups"
    ),
    "dataset_size": (
        "dataset_size data_set_size size_of_dataset corpus_size training_set_size training_size n_images image_count"
        " number_of_images number_of_records record_count number_of_data_points data_points n_data_points"
        " number_of_documents document_count data_size"
    ),
    "p_value": "p_value p pvalue p_val main_p_value primary_p_value p_values significance_value",
    "statistical_significance": (
        "statistical_significance is_significant significant statistically_significant significance"
        " is_statistically_significant result_significant"
    ),
    "effect_size": (
        "effect_size effect effect_estimate effect_measure main_effect odds_ratio hazard_ratio risk_ratio"
        " relative_risk rate_ratio mean_difference effect_value treatment_effect or hr rr or_value hr_value"
        " rr_value primary_effect effect_sizes estimate measure_of_effect auc sensitivity correlation"
    ),
    "confidence_interval": (
        "confidence_interval ci ci_95 ci95 confidence_limits effect_ci confidence_intervals interval 95_ci"
        " 95_confidence_interval"
    ),
    "population": (
        "population study_population sample patients participants subjects patient_population target_population"
        " cohort participant_characteristics patient_group study_participants sample_description condition_studied"
        " study_subjects"
    ),
    "intervention": (
        "intervention interventions treatment treatments exposure exposures therapy drug drugs intervention_type"
        " treatment_group experimental_group experimental_intervention independent_variable"
        " intervention_description procedure"
    ),
    "comparator": (
        "comparator comparators comparison control control_group controls comparison_group control_condition"
        " comparator_group comparison_arm control_arm placebo reference_group"
    ),
    "outcome": (
        "outcome outcomes primary_outcome main_outcome primary_endpoint primary_end_point endpoint end_point"
        " endpoints main_endpoint primary_outcomes outcome_measure outcome_measures primary_outcome_measure"
        " main_outcome_measure dependent_variable main_outcomes"
    ),
    "follow_up": (
        "follow_up followup follow_up_duration followup_duration follow_up_time follow_up_period"
        " duration_of_follow_up study_duration trial_duration treatment_duration followup_period follow_up_length"
        " duration followup_time"
    ),
    "registration": (
        "registration trial_registration registration_number trial_registration_number nct nct_id nct_number"
        " clinical_trial_id clinicaltrials_id trial_id registry_number registry_id clinical_trials_id"
        " trial_registry prospero_id protocol_registration isrctn eudract trial_number registered"
    ),
    "data_availability": (
        "data_availability data_available dataset_availability data_access data_sharing accession accessions"
        " accession_number accession_numbers open_data data_repository available_data datasets_available"
        " data_deposited"
    ),
    "code_availability": (
        "code_availability code_available source_code code software_availability software_available open_source"
        " code_url github github_url code_repository repository_url is_code_available available_code code_access"
    ),
    "limitations": "limitations limitation study_limitations limitations_mentioned caveats weaknesses limits",
    "key_contribution": (
        "key_contribution key_contributions main_contribution main_contributions contribution contributions"
        " primary_contribution what_is_presented"
    ),
    "key_findings": (
        "key_findings key_finding main_findings main_finding findings primary_findings principal_findings"
        " main_results key_results main_result conclusions conclusion"
    ),
    "novelty": "novelty novelty_claim claimed_novelty main_novelty innovation",
    "technology_domain": "technology_domain technology technology_field technology_area technical_domain tech_domain",
    "benchmarks_used": (
        "benchmarks_used benchmarks benchmark benchmark_used benchmark_datasets benchmark_dataset evaluation_benchmarks"
    ),
    "performance_improvement": (
        "performance_improvement performance_gain performance_gains improvement_over_baseline"
        " improvement_percent performance_improvement_percent improvement_over_state_of_the_art"
    ),
    "computational_cost": (
        "computational_cost computational_costs compute_cost computational_requirements computation_cost"
        " computational_resources compute_requirements training_cost"
    ),
}
FIELD_OF_NAME: dict[str, str] = {name: field for field, names in FIELD_NAMES.items() for name in names.split()}
LEADING_WORD = re.compile(r"^(?:the|study|article|paper|has|is|reported|stated)_")
"""As in: the_reported_effect, reported_effect."""
CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""As in: sampleSize, nPatients."""


def canonical_field(name: str) -> str | None:
    """The field of the rules that a schema's name means; None if rules have no such field."""
    plain = plain_name(name)
    return FIELD_OF_NAME.get(plain) or FIELD_OF_NAME.get(LEADING_WORD.sub("", plain))


Texts = Callable[[CanonicalPubMedArticle], list[str]]

_RECORD_KINDS: frozenset[Kind] = frozenset(("string", "array", "any"))
_NUMBER_KINDS: frozenset[Kind] = frozenset(("number", "integer"))
_DATE_KINDS: frozenset[Kind] = frozenset(("date",))

_RECORD_NAMES: Mapping[str, str] = {
    "title": "title article_title paper_title",
    "year": "year publication_year pub_year year_of_publication published_year",
    "publication_date": "publication_date date_of_publication pub_date published date",
    "journal": "journal journal_name journal_title",
    "doi": "doi",
    "authors": "authors author_list author_names",
    "keywords": "keywords key_words author_keywords",
    "mesh": "mesh mesh_terms mesh_headings",
    "grants": "funding funders funding_sources funder grants sponsors",
    "conflict_of_interest": "conflict_of_interest conflicts_of_interest competing_interests coi",
    "language": "language languages",
}
_RECORD_FIELDS = {name: field for field, names in _RECORD_NAMES.items() for name in names.split()}
_RECORD_TEXTS: Mapping[str, Texts] = {
    "mesh": lambda article: [heading.name for heading in article.mesh],
    "grants": lambda article: list(dict.fromkeys(grant.agency for grant in article.grants if grant.agency)),
}


def field_of_record(plain_name: str, kind: Kind) -> str | None:
    """The field of a record that a name means, where it can be expressed as that kind."""
    name = _RECORD_FIELDS.get(plain_name)
    further_kinds: Mapping[str | None, frozenset[Kind]] = {"year": _NUMBER_KINDS, "publication_date": _DATE_KINDS}
    return name if kind in _RECORD_KINDS | further_kinds.get(name, frozenset()) else None


def record_finding(article: CanonicalPubMedArticle, name: str) -> Finding | None:
    """The value of a field of the record; None if it is empty."""
    value: Any = _RECORD_TEXTS[name](article) if name in _RECORD_TEXTS else getattr(article, name)
    if not value:
        return None
    if name == "title":
        return Finding(value, (span("title", value, 0, len(value)),))
    quotes = value if isinstance(value, list) else [str(value)]
    return Finding(value, tuple(Evidence(where=name, quote=quote) for quote in quotes))


_MEASURES: tuple[tuple[str, frozenset[str]], ...] = (
    (r"hazard|^a?hr(?:_|$)", frozenset(("HR",))),
    (r"odds|^a?or(?:_|$)", frozenset(("OR",))),
    (r"risk_ratio|relative_risk|^a?rr(?:_|$)", frozenset(("RR",))),
    (r"rate_ratio|^irr(?:_|$)", frozenset(("IRR", "rate ratio"))),
    (r"mean_diff", frozenset(("MD", "WMD", "SMD"))),
    (r"risk_diff", frozenset(("RD",))),
    (r"^auc(?:_|$)", frozenset(("AUC",))),
    (r"sensitivity", frozenset(("sensitivity",))),
    (r"correlation", frozenset(("r", "ICC"))),
)
_REGISTERS: tuple[tuple[str, str], ...] = (
    (r"nct|clinical_?trials", "NCT"),
    (r"isrctn", "ISRCTN"),
    (r"prospero", "CRD"),
    (r"eudract", "20"),
)
_PEOPLE = re.compile(r"participant|patient|subject|enrol|cohort|people|population")
"""As in: number_of_patients, enrolment."""
_STUDIES = re.compile(r"stud(?:y|ies)_(?:included|count)|included_studies|(?:number_of|n|num)_studies")
"""As in: number_of_studies, included_studies."""
_COUNTS_STUDIES = re.compile(r"(?i)\b(?:stud(?:y|ies)|trials?|articles?|reports?|publications?|papers?|RCTs?)\b")
"""As in: 12 trials."""
_PARTS = ((r"url|link|github", "url"), (r"accession", "accessions"), (r"repositor", "repository"))


def plain_name(name: str) -> str:
    """A name in small letters with underscores between its words."""
    return re.sub(r"[^a-z0-9]+", "_", CAMEL_CASE.sub("_", name).lower()).strip("_")


def matching_findings(name: str, canonical: str, finding: Finding) -> list[Finding]:
    """The finding and its alternatives that fit the field's name; the best stays first."""
    plain = plain_name(name)
    return [match for candidate in finding.series for match in _narrow(plain, canonical, candidate)]


def fits_measure(plain: str, value: Any) -> bool:
    """Whether an effect has the measure that the name of a part asks for: ``hazard_ratio`` takes no odds ratio."""
    measures = next((measures for pattern, measures in _MEASURES if re.search(pattern, plain)), None)
    measure = value.get("measure") if isinstance(value, dict) else None
    return measures is None or measure is None or measure in measures


def _narrow(plain: str, canonical: str, finding: Finding) -> Iterator[Finding]:
    match canonical:
        case "effect_size":
            if fits_measure(plain, finding.value):
                yield finding
        case "sample_size" | "dataset_size":
            is_of_studies = any(_COUNTS_STUDIES.search(evidence.quote) for evidence in finding.evidence)
            if not (_PEOPLE.search(plain) and is_of_studies) and (is_of_studies or not _STUDIES.search(plain)):
                yield finding
        case "registration":
            yield from _numbers_of_register(plain, finding)
        case "data_availability" | "code_availability":
            yield from _availability_part(plain, finding)
        case _:
            yield finding


def _numbers_of_register(plain: str, finding: Finding) -> Iterator[Finding]:
    """The numbers of the register that the name mentions."""
    prefix = next((prefix for pattern, prefix in _REGISTERS if re.search(pattern, plain)), None)
    if prefix is None or not isinstance(finding.value, list):
        yield finding
        return
    pairs = zip(finding.value, finding.evidence, strict=False)
    matches = [(number, evidence) for number, evidence in pairs if str(number).upper().startswith(prefix)]
    if matches:
        yield replace(
            finding, value=[number for number, _ in matches], evidence=tuple(evidence for _, evidence in matches)
        )


def _availability_part(plain: str, finding: Finding) -> Iterator[Finding]:
    """The address, accession or repository, where the name asks for one."""
    part = next((part for pattern, part in _PARTS if re.search(pattern, plain)), None)
    if part is None or not isinstance(finding.value, dict):
        yield finding
    elif value := finding.value.get(part):
        yield replace(finding, value=value)


_EFFECTS = frozenset(("effect_size", "confidence_interval", "p_value", "statistical_significance"))
_NEUTRAL = frozenset(
    (
        "study", "study_details", "article", "paper", "design", "method", "methods", "result", "results", "finding",
        "findings", "main_result", "main_finding", "statistics", "stats", "details", "metadata", "trial", "quality",
        "pico", "picos", "characteristics", "study_characteristics", "summary", "availability", "overview", "key_facts",
    )
)  # fmt: skip
"""Names of objects that only gather fields; names that narrow the meaning, such as ``women``, are left unfilled."""
_GENERIC = frozenset(("value", "name", "text", "description", "label", "statement", "count", "number", "total"))
"""Names of the part that is the object's own value."""
_COUNTS = frozenset(("count", "total", "number", "n", "size"))
_YES_NO = frozenset(("available", "is_available", "shared", "is_shared", "open", "is_open", "public", "is_public"))
_UNIT = re.compile(r"_(?:in_)?(?:days?|weeks?|months?|years?)$")
"""As in: a name such as follow_up_in_months."""
_BOUNDS: Mapping[str, tuple[str, ...]] = {
    "low": ("low", "lower", "ci_low", "ci_lower", "lower_ci", "lower_bound", "lower_limit", "min"),
    "high": ("high", "upper", "ci_high", "ci_upper", "upper_ci", "upper_bound", "upper_limit", "max"),
    "level": ("level", "ci_level", "confidence_level"),
}
_NAMES = ("name", "label", "description", "title", "text")
_ESTIMATE: Mapping[str, tuple[str, ...]] = {
    "value": ("value", "estimate", "point_estimate", "number", "size", "effect"),
    "measure": ("measure", "type", "metric", "name", "kind", "statistic"),
    "favours": ("favours", "favors", "in_favour_of", "in_favor_of"),
    "direction": ("direction", "effect_direction"),
    **_BOUNDS,
}
MEMBERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "effect_size": _ESTIMATE,
    "confidence_interval": _BOUNDS,
    "p_value": {"value": ("value", "number"), "operator": ("operator", "sign", "comparison"), "text": ("text",)},
    "arms": {
        "name": (*_NAMES, "arm", "group", "treatment", "intervention", "arm_name", "group_name"),
        "n": (
            "n", "size", "number", "count", "total", "participants", "patients", "subjects", "sample_size", "value",
            "n_patients", "n_participants", "number_of_participants", "number_of_patients", "participant_count",
            "n_randomized", "n_randomised", "arm_size", "group_size",
        ),
    },
    "outcome_results": {
        "name": (*_NAMES, "outcome", "endpoint", "end_point", "outcome_name", "outcome_measure", "variable"),
        "primary": ("primary", "is_primary", "primary_outcome", "is_primary_outcome"),
        "rank": ("type", "role", "rank", "hierarchy", "kind"),
        "effect": (
            "effect", "effect_size", "estimate", "effect_estimate", "treatment_effect", "effect_value", "hazard_ratio",
            "odds_ratio", "risk_ratio", "relative_risk", "rate_ratio", "mean_difference", "hr", "or", "rr",
        ),
        "interval": ("interval", "ci", "confidence_interval", "ci_95", "ci95", "95_ci", "95_confidence_interval"),
        "p_value": ("p_value", "p", "pvalue", "p_val"),
        "comparator": ("comparator", "comparison", "control", "versus", "compared_with", "compared_to", "reference"),
        "significant": ("significant", "is_significant", "statistically_significant", "statistical_significance"),
        "measure": ("measure", "effect_measure", "metric", "statistic"),
        "value": ("value", "point_estimate"),
        "favours": _ESTIMATE["favours"],
        "direction": _ESTIMATE["direction"],
        **_BOUNDS,
    },
    "performance_improvement": {"value": ("value", "number", "percent"), "unit": ("unit",), "text": ("text",)},
    "follow_up": {"value": ("value", "number"), "unit": ("unit", "units"), "text": ("text", "description")},
    "data_availability": {"repository": ("repository",), "accessions": ("accessions",), "url": ("url", "link")},
    "code_availability": {"repository": ("repository",), "url": ("url", "link")},
}  # fmt: skip
"""The parts of the rules' objects, with the names that schemas give them."""
_RESULT_LISTS = frozenset(
    ("results", "result", "findings", "main_results", "comparisons", "outcome_results", "estimates")
)
"""Names of lists that are of outcomes if their entries name an outcome."""
_STATISTIC_PARTS = ("effect", "interval", "p_value", "value")


@dataclass(frozen=True, slots=True)
class Meaning:
    """The field of the rules or the record that a leaf of a schema asks for."""

    canonical: str
    member: str | None = None
    """The part of the finding's object that is asked for."""
    is_of_record: bool = False
    """A field of the record rather than one of the rules."""


def leaves_of(
    fields: tuple[SchemaField, ...], group: SchemaField | None
) -> Iterator[tuple[SchemaField, SchemaField | None]]:
    """Every leaf with the object that it is part of; those in the entries of a list likewise."""
    for field in fields:
        if field.is_group:
            yield from leaves_of(field.fields, field)
        elif field.holds_groups and field.items is not None:
            yield from ((part, field) for part in field.items.fields if not part.fields and not part.holds_groups)
        else:
            yield field, group


def meaning_of(leaf: SchemaField, group: SchemaField | None) -> Meaning | None:
    """The meaning of a leaf or a part of an object; None if the rules cannot read it or its type."""
    meaning = _top_level_meaning(leaf) if group is None else _part_meaning(leaf, group)
    if meaning is None or meaning.member is not None or meaning.is_of_record:
        return meaning
    if leaf.kind not in TYPES[meaning.canonical]:
        return None
    needs_unit = meaning.canonical == "follow_up" and leaf.kind in {"number", "integer"}
    return None if needs_unit and requested_unit(leaf) is None else meaning


def _top_level_meaning(leaf: SchemaField) -> Meaning | None:
    canonical = resolve_field(leaf.name)
    if canonical is not None:
        return Meaning(canonical)
    name = field_of_record(plain_name(leaf.name), leaf.items.kind if leaf.items else leaf.kind)
    return None if name is None else Meaning(name, is_of_record=True)


def resolve_field(name: str) -> str | None:
    """The field of the rules that a name means; plurals, and durations with their unit, count too."""
    plain = plain_name(name)
    spellings = (name, plain.removesuffix("s"), _UNIT.sub("", plain))
    return next((result for spelling in spellings if (result := canonical_field(spelling)) is not None), None)


def _part_meaning(leaf: SchemaField, group: SchemaField) -> Meaning | None:
    """The meaning of a part: of the field that the object is, or by its own name in an object that only gathers."""
    name, group_field = plain_name(leaf.name), resolve_field(group.name)
    leaf_field, compound_field = resolve_field(leaf.name), canonical_field(f"{group.name}_{leaf.name}")
    is_neutral = plain_name(group.name) in _NEUTRAL
    members = MEMBERS.get(group_field or "", {})
    member = next((member for member, names in members.items() if name in names), None)
    if member is not None:
        return Meaning(str(group_field), member)
    # sample: {size} asks for sample_size
    if compound_field is not None and not group.holds_groups:
        return Meaning(compound_field)
    if (whole := _whole_meaning(group_field, leaf, name)) is not None:
        return Meaning(whole)
    if group_field is not None and not is_neutral:
        # a p-value within an effect is the p-value, not the effect
        is_of_effects = leaf_field in _EFFECTS and group_field in _EFFECTS
        is_same = name in _GENERIC or leaf_field == group_field or (is_of_effects and not group.holds_groups)
        return Meaning(str(leaf_field) if is_of_effects else group_field) if is_same else None
    if leaf_field is not None and is_neutral and not group.holds_groups:
        return Meaning(leaf_field)
    return Meaning(group_field) if group_field is not None and name in {"type", "design", *_GENERIC} else None


def _whole_meaning(group_field: str | None, leaf: SchemaField, name: str) -> str | None:
    """The field that a part stands for as a whole: the size of a population, the availability of code."""
    if group_field == "population" and leaf.kind in {"number", "integer"} and name in _COUNTS:
        return "sample_size"
    return group_field if group_field in PRESENCES and leaf.kind == "boolean" and name in _YES_NO else None


def row_kind(leaf: SchemaField) -> str | None:
    """The kind of the entries of a list of objects: arms, or outcomes with their results; None for other lists."""
    parts = leaf.items.fields if leaf.holds_groups and leaf.items else ()
    names = {plain_name(part.name) for part in parts}
    list_field = resolve_field(leaf.name)
    if list_field == "arms" or (list_field == "intervention" and not names.isdisjoint(MEMBERS["arms"]["n"])):
        return "arms"
    outcomes = MEMBERS["outcome_results"]
    has_statistics = any(not names.isdisjoint(outcomes[member]) for member in _STATISTIC_PARTS)
    is_named = not names.isdisjoint(set(outcomes["name"]) - set(_NAMES))
    is_list = plain_name(leaf.name) in _RESULT_LISTS or list_field == "effect_size"
    is_of_outcomes = list_field == "outcome" or (is_list and is_named and has_statistics)
    return "outcome_results" if parts and is_of_outcomes else None
