"""Stable IDs in every spelling."""

import pytest

from biofact.sources.ensembl.identifiers import bare, parse_stable_id
from tests.each_of import each_of

pytestmark = pytest.mark.quick

STABLE_IDS = [
    ("ENSG00000141510", "ENSG00000141510", None),
    ("ensg00000141510", "ENSG00000141510", None),
    ("ENSG00000141510.18", "ENSG00000141510", "18"),
    ("ensg00000141510.18", "ENSG00000141510", "18"),
    ("ENSEMBL:ENSG00000141510", "ENSG00000141510", None),
    ("ensembl: ensg00000141510.2", "ENSG00000141510", "2"),
    ("Ensembl=ENSG00000141510", "ENSG00000141510", None),
    ("EnsemblGene:ENSG00000141510", "ENSG00000141510", None),
    (" (ENSG00000141510), ", "ENSG00000141510", None),
    ('"ENSG00000141510"', "ENSG00000141510", None),
    ("ENSG00000141510.", "ENSG00000141510", None),  # at the end of a sentence
    ("ENSG00000141510 gene", "ENSG00000141510", None),
    ("ENST00000269305.9", "ENST00000269305", "9"),
    ("ENSP00000269305", "ENSP00000269305", None),
    ("ENSMUSG00000059552", "ENSMUSG00000059552", None),
    ("ensrnot00000012345.2", "ENSRNOT00000012345", "2"),
    ("ENSG00000182378_PAR_Y", "ENSG00000182378", None),
    ("ENSG00000182378.14_PAR_Y", "ENSG00000182378", "14"),
    ("FBgn0039044", "FBgn0039044", None),
    ("fbgn0039044", "FBgn0039044", None),
    ("FBGN0039044", "FBgn0039044", None),
    ("fbtr0084557", "FBtr0084557", None),
    ("FBPP0083956", "FBpp0083956", None),
    ("WBGene00000467", "WBGene00000467", None),
    ("wbgene00000467", "WBGene00000467", None),
    ("Y74C9A.2a.1", "Y74C9A.2a.1", None),
    ("Y74C9A.3.1", "Y74C9A.3.1", None),
    ("y74c9a.2A.1", "Y74C9A.2a.1", None),
    ("cTel3X.1a.1", "cTel3X.1a.1", None),
    ("YAL001C", "YAL001C", None),
    ("yal001c", "YAL001C", None),
    ("YAL001C-A", "YAL001C-A", None),
    ("yal001c_mrna", "YAL001C_mRNA", None),
    ("LRG_321", "LRG_321", None),
    ("lrg_321", "LRG_321", None),
    ("LRG_321t1", "LRG_321t1", None),
    ("lrg_321P1", "LRG_321p1", None),
    ("MGP_CAROLIEiJ_G0012345", "MGP_CAROLIEiJ_G0012345", None),
    ("MGP_129S1SvImJ_T0012345.1", "MGP_129S1SvImJ_T0012345", "1"),
]


@each_of(("query", "stem", "version"), STABLE_IDS)
def test_a_stable_id_is_read_in_every_spelling(query, stem, version):
    assert parse_stable_id(query) == (stem, version)


@each_of("stem", sorted({stem for _, stem, _ in STABLE_IDS}))
def test_a_stable_id_in_ensembls_spelling_stays_as_it_is(stem):
    assert parse_stable_id(stem) == (stem, None)


@each_of(
    "query",
    [
        *("ENSE00003753508", "TP53", "ENSG0000014151", "ENSG000001415100", "xENSG00000141510", "ENSG00000141510.x"),
        *(
            "ENSG00000141510 human",
            "ENSG00000141510 ENSG00000141511",
            "AL033381.1",
            "NKX2.5",
            "RP11-34P13.7",
            "Y74C9A.3",
        ),
        *("ENSGT00390000003602", "HGNC:11998", "FBgn39044", "LRG", "YZL001C", "", "gene", "tumor protein"),
        "ENSG0000014151\u0660",
    ],
)
def test_a_text_of_another_form_is_no_stable_id(query):
    assert parse_stable_id(query) is None


@each_of(
    ("stable_id", "stem"),
    [
        ("ENSG00000141510.18", "ENSG00000141510"),
        ("ENSMUST00000108658.10", "ENSMUST00000108658"),
        ("MGP_CAROLIEiJ_G0012345.1", "MGP_CAROLIEiJ_G0012345"),
        ("ENSG00000141510", "ENSG00000141510"),
        ("Y74C9A.2a.1", "Y74C9A.2a.1"),  # the dots of a worm's transcript are no version
        ("FBgn0039044", "FBgn0039044"),
    ],
)
def test_a_version_is_what_follows_the_dot_of_ensembls_own_ids(stable_id, stem):
    assert bare(stable_id) == stem
