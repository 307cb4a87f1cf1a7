"""Identifiers of every kind, from a table; the recorded ones, and all approved symbols."""

import json
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biofact.core.errors import AmbiguousQuery, BiofactError, UnresolvedEntity
from biofact.sandbox.dialects.gene_info import FILES, gene_row, recorded_rows
from biofact.sources.igvf.identifiers.readings import LONGEST_VARIANT, readings
from biofact.sources.igvf.term_ids import curie
from tests.dialects.genomic.test_genomes import TODAY, objects
from tests.each_of import each_of
from tests.marks import requirement
from tests.recordings import FOLDER, needs_recordings, recording

pytestmark = pytest.mark.quick

_LINES = Path(__file__).with_name("identifiers.tsv").read_text("utf-8").splitlines()
_, *ROWS = [tuple(line.split("\t")) for line in _LINES if not line.startswith("#")]
TABLE = [(text.replace("\\t", "\t").replace("\\\\", "\\"), *rest) for text, *rest in ROWS]
LONG_INSERTION = f"NC_000001.11:100:A:{'ACGT' * 100}"


def table_line(text, hint, organism):
    """The readings of a text, or its refusal, as the table writes them."""
    try:
        result = readings(text, hint or None, organism or None)
    except BiofactError as error:
        return refusal(error)
    return " | ".join(" ".join(filter(None, (item.organism, item.kind, item.id_type, item.id))) for item in result)


def refusal(error):
    if error.recovery is None:
        return error.code
    arguments = " ".join(f"{name}={value}" for name, value in error.recovery.arguments.items())
    return f"{error.code} -> {error.recovery.tool} {arguments}"


def test_the_table_is_read_as_an_expert_reads_it():
    wrong = [(*row, result) for row in TABLE if (result := table_line(*row[:3])) != row[3]]
    right = 1 - len(wrong) / len(TABLE)
    print(f"{right:.1%} of {len(TABLE)} identifiers")  # noqa: T201

    assert len({row[:3] for row in TABLE}) == len(TABLE) >= 330
    assert right >= 0.99, wrong
    assert not wrong, wrong


def test_the_table_has_every_kind():
    kinds = {part.split()[part.split()[0] in ("human", "mouse")] for *_, cell in TABLE for part in cell.split(" | ")}

    assert kinds >= {"gene", "transcript", "protein", "variant", "coding_variant", "term", "drug", "complex", "study"}
    assert kinds >= {"pathway", "motif", "dataset", "element"}


def test_the_id_of_a_reading_is_read_as_itself():
    """The service's own spelling is accepted like any other, except for positions, which count from another base."""
    pairs = [
        (item.id, item)
        for text, hint, organism, cell in TABLE
        if not cell.startswith(("UNRESOLVED", "AMBIGUOUS"))
        for item in readings(text, hint or None, organism or None)
        if item.id_type not in ("region", "name")
    ]
    wrong = [
        (text, item)
        for text, item in pairs
        if (item.kind, item.id_type, item.id) not in identifier_keys(readings(text))
    ]

    assert len(pairs) >= 200
    assert wrong == []


def identifier_keys(result):
    return {(item.kind, item.id_type, item.id) for item in result}


def test_every_refusal_has_a_hint():
    errors = {}
    for text, hint, organism, cell in TABLE:
        if cell.startswith(("UNRESOLVED", "AMBIGUOUS")):
            with pytest.raises((UnresolvedEntity, AmbiguousQuery)) as raises:
                readings(text, hint or None, organism or None)
            errors[text, hint, organism] = raises.value

    assert len(errors) >= 80
    assert [text for (text, *_), error in errors.items() if error.invalid_input != text] == []
    assert [error.hint for error in errors.values() if len(error.hint) < 12] == []
    assert [error.message for error in errors.values() if not error.message.endswith(".")] == []


@each_of(
    ("text", "words"),
    [
        ("672", ["HGNC:672", "ENTREZ:672"]),
        ("ENSRNOG00000010756", ["human and mouse only"]),
        ("NC_000017.10:43045710:T:C", ["GRCh37", "GRCh38", "Lift"]),
        ("BRCA1 c.68_69del", ["transcript", "NC_000017.11:g.43045711T>C"]),
        ("BRAF V600E", ["protein"]),
        ("NC_000017.11:83257441:A:G", ["83257441 bases"]),
        ("NC_000017:43045710:T:C", ["NC_000017.11"]),
        ("OMIM:113705", ["OMIM", "symbol", "MONDO"]),
        ("'BRCA1'", ["quotes", "BRCA1"]),
    ],
)
def test_the_refusal_says_why_and_what_to_write(text, words):
    with pytest.raises(UnresolvedEntity) as raises:
        readings(text)

    answer = f"{raises.value.message} {raises.value.hint}"
    assert [word for word in words if word not in answer] == []


@each_of(
    ("text", "organism", "words"),
    [
        ("ENSG00000012048.23", None, ".23"),
        ("R-HSA-164843.4", None, ".4"),
        ("17-43045711-T-C", None, "1-based"),
        ("6-32057633-ACT-A", None, "over more bases"),
        ("chr1:976210-976314", None, "human GRCh38"),
        ("chr1:976210-976314", "human", None),
        ("ENSG00000012048", None, None),
        ("NC_000020.11:3658947:A:G", None, None),
    ],
)
def test_a_reading_states_its_assumption(text, organism, words):
    [first_reading] = readings(text, organism=organism)

    assert first_reading.assumption is None if words is None else words in first_reading.assumption


def test_long_alleles_are_read_and_long_names_are_not():
    assert readings(LONG_INSERTION)[0].id_type == "spdi"
    with pytest.raises(UnresolvedEntity):
        readings("A" * 301)
    with pytest.raises(AmbiguousQuery):
        readings("A" * (LONGEST_VARIANT + 1))


def test_a_hint_that_there_is_not_is_refused():
    with pytest.raises(AmbiguousQuery, match="not a hint") as raises:
        readings("BRCA1", "enhancer")

    assert "tissue" in raises.value.hint


@each_of(
    ("term_id", "own_values"),
    [
        ("MONDO_0009861", "MONDO:0009861"),
        ("Orphanet_586", "Orphanet:586"),
        ("GO_0006915", "GO:0006915"),
        ("NCIT_C16407", "NCIT:C16407"),
        ("CHEBI_15365", "CHEBI:15365"),
        ("Oncotree_MEL", "Oncotree:MEL"),
        ("CVCL_0030", "CVCL_0030"),
        ("MONDO:0009861", "MONDO:0009861"),
    ],
)
def test_a_term_is_shown_with_a_colon_and_read_back(term_id, own_values):
    assert curie(term_id) == own_values
    assert readings(own_values)[0].id == term_id.replace(":", "_")


PIECES = [
    "chr",
    "17",
    ":",
    "-",
    "_",
    ".",
    "NC_000017.11",
    "g.",
    ">",
    "A",
    "del",
    "rs",
    "CA",
    "ENSG",
    "HGNC",
    "0",
    "M",
    " ",
]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=8).map("".join))
def test_any_text_is_read_or_refused(text):
    try:
        result = readings(text)
    except (UnresolvedEntity, AmbiguousQuery):
        return

    assert result
    assert not any(sign in item.id for item in result for sign in "'\"`\\\n")


FIELDS = {
    "spdi": "spdi",
    "hgvs": "hgvs",
    "rsid": "rsid",
    "ca_id": "ca_id",
    "hgnc": "hgnc_id",
    "transcript_id": "transcript_id",
    "term_id": "term_id",
    "study_id": "study_id",
    "go_id": "term_id",
    "variant_1_spdi": "spdi",
    "variant_2_hgvs": "hgvs",
    "uniprot_names": "uniprot_name",
    "id_version": "pathway_id",
    "file_set_id": "fileset_id",
}
"""Fields of the recorded answers, and the readings of their values."""
TYPES = {
    "genes": "gene_id",
    "transcripts": "transcript_id",
    "ontology_terms": "term_id",
    "drugs": "drug_id",
    "complexes": "complex_id",
    "files_filesets": "file_fileset_id",
    "motifs": "motif",
    "regulatory_regions": "element",
}
"""Collections of the service, and the readings of their members."""


def texts(value):
    """Every string in ``value`` with the name of the field that holds it."""
    for item in objects(value):
        for field, held_value in item.items():
            yield from (
                (field, text)
                for text in (held_value if isinstance(held_value, list) else [held_value])
                if isinstance(text, str)
            )


@needs_recordings
def test_recorded_identifiers_are_read_as_what_their_field_is():
    names = [*TODAY, *(path.relative_to(FOLDER).as_posix() for path in sorted(FOLDER.glob("igvf/acceptance_*.json")))]
    pairs = {
        (FIELDS[field], text) for name in names for field, text in texts(json.loads(recording(name))) if field in FIELDS
    }
    refs = {
        (TYPES[text.split("/")[0]], text)
        for name in names
        for _, text in texts(json.loads(recording(name)))
        if "/" in text and text.split("/")[0] in TYPES
    }
    wrong = [
        (key, text, table_line(text, "", ""))
        for key, text in pairs | refs
        if table_line(text, "", "").split(" | ")[0].split()[-2:-1] != [key]
    ]
    read_values = defaultdict(int)
    for key, _ in pairs | refs:
        read_values[key] += 1

    assert sum(read_values.values()) >= 500
    assert len(read_values) >= 14, dict(read_values)
    assert wrong == []


@pytest.fixture(
    scope="module",
    params=[pytest.param(40, marks=pytest.mark.quick), pytest.param(1, marks=pytest.mark.sweep)],
    ids=["every 40th", "all"],
)
def step(request):
    return request.param


@pytest.fixture(scope="module")
def symbols(step):
    """The approved symbols in the recorded gene_info files: by taxon, and whether the gene codes for a protein."""
    recording(f"bulk/{FILES[0]}")
    rows = [row for row in recorded_rows(FOLDER) if row.startswith(("9606\t", "10090\t"))]
    result = defaultdict(set)
    for row in map(gene_row, rows[::step]):
        result[row.taxon_id, row.gene_type == "protein-coding"].add(row.official_symbol)
    return {key: names - {""} for key, names in result.items()}


@requirement("003 T1-symbol")
@needs_recordings
def test_every_approved_symbol_is_read_as_a_gene_first_or_second(symbols, step):
    coding, symbol = symbols[9606, True], symbols[9606, False]
    missed_values = {symbol for symbol in coding | symbol if not has_gene(symbol)}

    assert len(coding) * step >= 19_000
    assert len(symbol) * step >= 20_000
    assert missed_values == set()


@needs_recordings
def test_for_mouse_every_mouse_symbol_is_read_as_a_gene_first_or_second(symbols, step):
    coding = symbols[10090, True]
    missed_values = {symbol for symbol in coding if not has_gene(symbol, "mouse")}

    assert len(coding) * step >= 1_000
    assert missed_values <= {"O<hv>"}  # a mutant allele that NCBI lists as a gene


def has_gene(symbol, organism=None):
    try:
        result = readings(symbol, organism=organism)
    except BiofactError:
        return False
    return any((item.kind, item.id_type, item.id) == ("gene", "name", symbol) for item in result[:2])
