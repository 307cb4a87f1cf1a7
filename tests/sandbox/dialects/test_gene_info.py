"""Rows of NCBI's gene_info files, and the files of a folder that are read."""

import gzip
from pathlib import Path

import pytest

from biofact.sandbox.dialects.gene_info import FILES, FOLDER, gene_row, recorded_rows

pytestmark = pytest.mark.quick

ROW = "\t".join(
    (
        *("9606", "1", "AAA1", "-", "A1|A2", "MIM:1|HGNC:HGNC:5|Ensembl:ENSG1|Ensembl:ENSG2", "X|Y", "Xp22", "a gene"),
        *("protein-coding", "AAA1", "A gene", "O", "first|second", "20260101", "-"),
    )
)


def test_a_hyphen_is_an_empty_cell_and_a_bar_parts_values() -> None:
    row = gene_row(ROW)

    assert (row.gene_id, row.synonyms, row.chromosomes) == ("1", ("A1", "A2"), ("X", "Y"))
    assert gene_row(ROW.replace("A1|A2", "-")).synonyms == ()


def test_an_id_is_cut_at_its_first_colon_alone() -> None:
    row = gene_row(ROW)

    assert row.ids == {"MIM": ["1"], "HGNC": ["HGNC:5"], "Ensembl": ["ENSG1", "ENSG2"]}
    assert (row.first_id("Ensembl"), row.first_id("RGD")) == ("ENSG1", "")


def test_the_rows_of_the_files_that_are_there_are_read_without_their_headings(tmp_path: Path) -> None:
    assert list(recorded_rows(tmp_path)) == []

    (tmp_path / FOLDER).mkdir()
    with gzip.open(tmp_path / FOLDER / FILES[1], "wt", encoding="utf-8") as file:
        file.write(f"#tax_id\tGeneID\n{ROW}\n")

    assert list(recorded_rows(tmp_path)) == [ROW]
