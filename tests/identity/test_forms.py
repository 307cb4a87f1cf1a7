"""MicroRNAs, alleles and first isoforms lead to their genes and entries, drawn from the recorded files."""

import functools
import random
import re
from collections import defaultdict

import pytest

from biofact.identity.client import IdentityClient
from tests import virtual_time
from tests.each_of import check_each
from tests.recordings import folder_of_genes, gene_table, needs_recordings
from tests.sandboxed import transported

pytestmark = pytest.mark.quick

ORGANISMS = {9606: ("human", "hsa"), 10090: ("mouse", "mmu")}
HUMAN_OR_BOTH = [9606, pytest.param(10090, marks=pytest.mark.sweep)]
SEED = 37
SIZES = [4, pytest.param(20, marks=pytest.mark.sweep)]
"""Names of a test."""


def drawn(names, count):
    return sorted(random.Random(SEED).sample(sorted(names), count))


def answers(names, organism="human", genes=()):
    async def ask(**options):
        async with transported(**options) as (transport, _):
            return (await IdentityClient(transport).resolve(names, organism=organism)).items

    if not genes:
        return virtual_time.run(ask())
    with folder_of_genes({"\t".join(cells): None for cells in genes}) as folder:
        return virtual_time.run(ask(recordings=folder))


def ids(row):
    return {entity.id for entity in row.entities} or set(re.findall(r"NCBIGene:\d+", str(row.ambiguous_with)))


@functools.cache
def genes_of_micro_rnas(taxon_id):
    """The rows of the genes of each microRNA, by the hairpins that they list, and whether their symbols are its own:
    all, or none.
    """
    hairpin = re.compile(rf"{ORGANISMS[taxon_id][1]}-(mir|let)-(\d+[a-z]?)(?:-\d+)?")
    genes = defaultdict(dict)
    for cells in gene_table(taxon_id):
        for match in filter(None, map(hairpin.fullmatch, (*cells[4].split("|"), *cells[13].split("|")))):
            genes[f"{match[1].replace('mir', 'miR')}-{match[2]}"][cells[1]] = cells
    own = {name: {is_named_so(name, cells[2]) for cells in rows.values()} for name, rows in genes.items()}
    return {name: (rows, own[name].pop()) for name, rows in genes.items() if len(own[name]) == 1}


def is_named_so(name, symbol):
    prefix = "mir" + re.sub("(?i)^mir-|-", "", name).casefold()
    copy = symbol.casefold().removeprefix(prefix)
    is_copy = re.fullmatch(r"-?\d+" if prefix[-1].isalpha() else r"-\d+", copy) is not None
    return symbol.casefold().startswith(prefix) and (is_copy or not copy)


@functools.cache
def number_of(name):
    """The number of a microRNA or of its gene; None of other genes."""
    match = re.fullmatch(r"(?i)(mir-?(?:let-?)?|let-)(\d+)(?!hg)[a-z]{0,2}(?:-?\d+)?", name)
    return match and ("let" in match[1].lower(), match[2])


@needs_recordings
@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("taxon_id", ORGANISMS)
def test_a_mature_micro_rna_leads_to_its_gene_or_names_all_its_loci(taxon_id, count):
    organism, prefix = ORGANISMS[taxon_id]
    genes = {name: rows for name, (rows, has_name) in genes_of_micro_rnas(taxon_id).items() if has_name}
    single = drawn((name for name, rows in genes.items() if len(rows) == 1), count)
    several = drawn((name for name, rows in genes.items() if len(rows) > 1), count // 2)
    names = {f"{prefix}-{name}-{arm}p": name for name, arm in zip([*single, *several], [5, 3] * count, strict=False)}
    rows = answers([*names], organism, [row for name in names.values() for row in genes[name].values()])

    def check(row):
        assert ids(row) == {f"NCBIGene:{gene_id}" for gene_id in genes[names[row.name]]}
        assert "microRNA of" in row.reason

    check_each(rows, check)


@needs_recordings
@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("taxon_id", HUMAN_OR_BOTH)
def test_a_former_name_of_a_micro_rna_leads_to_its_gene_or_names_it(taxon_id, count):
    """hsa-mir-544 is MIR544A, and mmu-mir-92a Mir92-1 and Mir92-2; another number is another microRNA."""
    organism, prefix = ORGANISMS[taxon_id]
    genes = {
        name: {gene_id for gene_id, cells in rows.items() if number_of(cells[2]) == number_of(name)}
        for name, (rows, has_name) in genes_of_micro_rnas(taxon_id).items()
        if not has_name
    }
    names = {f"{prefix}-{name}-5p": name for name in drawn((name for name, ids in genes.items() if ids), count)}
    numbers = {*map(number_of, names.values())}
    rows = answers([*names], organism, [cells for cells in gene_table(taxon_id) if number_of(cells[2]) in numbers])

    def check(row):
        assert {f"NCBIGene:{gene_id}" for gene_id in genes[names[row.name]]} <= ids(row)

    check_each(rows, check)


@needs_recordings
@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("taxon_id", HUMAN_OR_BOTH)
def test_a_number_of_several_micro_rnas_is_a_question_that_names_all(taxon_id, count):
    organism, _ = ORGANISMS[taxon_id]
    genes = defaultdict(list)
    for cells in gene_table(taxon_id):
        if (number := number_of(cells[2])) and cells[9] == "ncRNA":
            genes[number].append(cells)
    names = {name for rows in genes.values() for cells in rows for name in f"{cells[4]}|{cells[13]}".split("|")}
    known = {re.sub(r"[\s-]", "", name.lower()) for name in names}
    several = {
        number: rows
        for (is_let, number), rows in genes.items()
        if 1 < len(rows) <= 12 and not is_let and not any(cells[2].lower() == f"mir{number}" for cells in rows)
        if all(re.search(r"\d[a-z]", cells[2], re.IGNORECASE) for cells in rows)
        if f"mir{number}" not in known
    }
    names = {f"miR-{number}": number for number in drawn(several, count)}

    rows = answers([*names], organism, [cells for number in names.values() for cells in several[number]])

    def check(row):
        assert row.entities == []
        assert ids(row) == {f"NCBIGene:{cells[1]}" for cells in several[names[row.name]]}

    check_each(rows, check)


@needs_recordings
@pytest.mark.parametrize("count", SIZES)
def test_an_allele_leads_to_its_gene(count):
    genes = {cells[2]: cells for cells in gene_table(9606)}
    hla = drawn((symbol for symbol in genes if re.fullmatch("HLA-[A-Z]+[0-9]*", symbol)), count)
    others = drawn(
        (symbol for symbol in genes if re.fullmatch("(CYP|UGT|NAT|TPM|SLCO|GST)[A-Z0-9]+", symbol)), count // 2
    )
    names = {f"{symbol}*02:01": symbol for symbol in hla}
    names |= {f"{symbol.removeprefix('HLA-')}*15:01:01N": symbol for symbol in hla}
    names |= {f"{symbol}*3A": symbol for symbol in others}

    for row in answers([*names], "human", [genes[symbol] for symbol in (*hla, *others)]):
        assert ids(row) == {f"NCBIGene:{genes[names[row.name]][1]}"}, row.name
        assert row.reason == f"An allele of {names[row.name]}."


SEROTYPES = {
    "HLA-A2": "A",
    "HLA-A*02": "A",
    "HLA-B27": "B",
    "HLA-Cw6": "C",
    "HLA-C7": "C",
    "HLA-DR3": "DRB1",
    "HLA-DR15": "DRB1",
    "HLA-DR51": "DRB5",
    "HLA-DR52": "DRB3",
    "HLA-DR53": "DRB4",
    "HLA-DQ2.5": "DQA1 DQB1",
    "HLA-DQ8": "DQA1 DQB1",
    "HLA-DPw4": "DPA1 DPB1",
}


@needs_recordings
def test_a_serotype_leads_to_the_genes_of_its_chains():
    genes = {cells[2]: cells for cells in gene_table(9606) if cells[2].startswith("HLA-")}

    for row in answers([*SEROTYPES], "human", genes.values()):
        symbols = [f"HLA-{gene}" for gene in SEROTYPES[row.name].split()]
        assert ids(row) == {f"NCBIGene:{genes[symbol][1]}" for symbol in symbols}, row.name
        assert row.reason.endswith(f"of {', '.join(symbols)}."), row.name


def test_a_variant_of_a_gene_leads_to_it():
    rows = answers(["EGFRvIII", "EGFR-V3", "HER2v1", "TP53v12", "XYZQv6", "EGFRv"])

    leaders = [row.entities[0].id if row.entities else None for row in rows]
    assert leaders == ["NCBIGene:1956", "NCBIGene:1956", "NCBIGene:2064", "NCBIGene:7157", None, None]
    assert rows[0].reason == "A splice variant or mutant of EGFR."


def test_the_first_isoform_is_that_of_its_entry():
    (first, second, prefixed) = answers(["P04637-1", "P04637-2", "UniProtKB:P38398-1"])

    assert (first.entities[0].id, first.reason) == ("UniProtKB:P04637", "The first isoform of P53_HUMAN.")
    assert (second.entities[0].id, second.reason) == ("UniProtKB:P04637-2", None)
    assert (prefixed.entities[0].id, prefixed.reason) == ("UniProtKB:P38398", "The first isoform of BRCA1_HUMAN.")


def test_a_form_of_what_nobody_knows_has_no_entity():
    rows = answers(["mmu-miR-21a-5p", "hsa-miR-99999-5p", "HLA-QQ*01:01", "XYZQ*3", "Q99999-1"])

    assert [row.entities for row in rows] == [[]] * 5
    assert all(row.reason.startswith("No ") for row in rows)
