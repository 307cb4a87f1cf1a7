"""Recorded answers read whole; the expected values were read off the recordings by hand."""

import pytest

from biofact.dialects.eutils import (
    LinkAnswer,
    LinkSet,
    LinkType,
    PostAnswer,
    SearchAnswer,
    SearchField,
    SpellAnswer,
    StoredLinks,
    info_answer,
    link_answer,
    post_answer,
    search_answer,
    spell_answer,
    summaries,
)
from tests.recordings import recording

pytestmark = pytest.mark.quick


def test_a_search_in_json():
    name = "entrez/esearch_pubmed_28_22PTEN_22_5BTitle_2FAbstract_5D_AND_2_2026.json"

    assert search_answer(recording(name)) == SearchAnswer(
        count=3,
        uids=("32150788", "29373119", "17427195"),
        query_translation='"PTEN"[Title/Abstract] AND "D326N"[Title/Abstract]',
    )


def test_a_search_that_the_history_server_keeps():
    assert search_answer(recording("entrez/tutorial_esearch_bioproject_usehistory.json")) == SearchAnswer(
        count=1,
        uids=("988806",),
        query_translation="PRJNA988806[PRJA]",
        web_env="MCID_69f375ae0f91922ac904b7db",
        query_key="1",
    )


def test_a_search_in_xml_that_finds_nothing_says_why():
    assert search_answer(recording("entrez/biopython_esearch8.xml")) == SearchAnswer(
        query_translation="(abcXYZ[All Fields])",
        phrases_not_found=("abcXYZ",),
        messages=("No items found.",),
    )


def test_a_search_in_xml_lists_the_words_that_it_dropped():
    answer = search_answer(recording("entrez/klortho_esearch.error.xml"))

    assert (answer.count, len(answer.uids), answer.uids[0]) == (5163, 20, "101595451")
    assert answer.phrases_not_found == ("fleegle[MeSH Terms]",)
    assert answer.query_translation == '"obstetrics"[MeSH Terms]'


def test_the_summary_of_a_gene_in_json():
    answer = summaries(recording("entrez/esummary_gene_3845_json_pori.json"))

    kras = answer.docsums["3845"]
    assert answer.uids == ("3845",)
    assert (kras["name"], kras["mim"], kras["status"]) == ("KRAS", ["190070"], "")
    assert kras["organism"] == {"scientificname": "Homo sapiens", "commonname": "human", "taxid": 9606}
    assert kras["genomicinfo"] == [
        {"chrloc": "12", "chraccver": "NC_000012.12", "chrstart": 25250928, "chrstop": 25205245, "exoncount": 6}
    ]


def test_the_summary_of_a_gene_in_xml_has_the_shape_of_json():
    answer = summaries(recording("entrez/klortho_esummary.gene.xml"))

    tgfb1 = dict(answer.docsums["21803"])
    designations = tgfb1.pop("otherdesignations").split("|")
    assert tgfb1 == {
        "uid": "21803",
        "name": "Tgfb1",
        "description": "transforming growth factor, beta 1",
        "organism": {"scientificname": "Mus musculus", "taxid": 10090},
        "status": "",
        "currentid": "",
        "chromosome": "7",
        "geneticsource": "genomic",
        "maplocation": "7 6.5 cM",
        "otheraliases": "TGF-beta1, TGFbeta1, Tgfb, Tgfb-1",
        "nomenclaturesymbol": "Tgfb1",
        "nomenclaturename": "transforming growth factor, beta 1",
        "nomenclaturestatus": "Official",
        "mim": [],
        "genomicinfo": [
            {"chrloc": "7", "chraccver": "NC_000073.6", "chrstart": 25687001, "chrstop": 25704995, "exoncount": 7}
        ],
        "geneweight": 204825,
        "summary": "",
        "chrsort": "07",
        "chrstart": 25687001,
    }
    assert (len(designations), designations[0]) == (5, "TGF-beta 1")


def test_the_summary_of_an_article_in_xml_has_the_shape_of_json():
    article = summaries(recording("entrez/klortho_esummary.pubmed.xml")).docsums["5683731"]

    assert article["authors"] == [
        {"name": "Goldberg MJ", "authtype": "Author", "clusterid": "2484865"},
        {"name": "Davis LJ", "authtype": "Author", "clusterid": "1638084"},
    ]
    assert (article["lang"], article["pubtype"], article["references"]) == (["eng"], ["Journal Article"], [])
    assert article["articleids"][1] == {"idtype": "doi", "idtypen": 3, "value": "10.1038/sc.1968.18"}
    assert article["history"][0] == {"pubstatus": "pubmed", "date": "1968/08/01 00:00"}
    assert (article["recordstatus"], article["pmcrefcount"]) == ("PubMed - indexed for MEDLINE", 0)
    assert (article["title"], article["bookname"]) == ("An assistive device for smoking.", "")


def test_a_docsum_with_attributes_has_the_shape_of_json():
    protein = summaries(recording("entrez/klortho_esummary.protein.xml")).docsums["284822047"]

    assert protein["oslt"] == {"indexed": "yes", "value": "ADB98021.1"}
    assert protein["statistics"][3] == {"type": "cdregion", "subtype": "CDS", "count": "1"}


def test_a_docsum_of_the_old_form_is_a_dict_of_its_names():
    answer = summaries(recording("entrez/biopython_esummary6.xml"))

    assert answer.uids == ("9913", "30521")
    assert answer.docsums["30521"] == {
        "uid": "30521",
        "status": "active",
        "rank": "species",
        "division": "even-toed ungulates & whales",
        "scientificname": "Bos grunniens",
        "commonname": "domestic yak",
        "taxid": 30521,
        "akataxid": 0,
        "genus": "",
        "species": "",
        "subsp": "",
        "modificationdate": "2020/04/29 00:00",
    }


def test_links_stay_with_the_record_that_they_come_from():
    assert link_answer(recording("entrez/bioperl_elink_neighbor_corr.xml")) == LinkAnswer(
        (
            LinkSet("protein", ("1621261",), {"protein_pubmed": ("12368430", "9634230")}),
            LinkSet(
                "protein", ("68536103",), {"protein_pubmed": ("15968079",), "protein_pubmed_refseq": ("15968079",)}
            ),
            LinkSet(
                "protein", ("20807972",), {"protein_pubmed": ("11997336",), "protein_pubmed_refseq": ("11997336",)}
            ),
            LinkSet("protein", ("730439",), {"protein_pubmed": ("8206848",)}),
        )
    )


def test_links_that_have_scores():
    (linked,) = link_answer(recording("entrez/bioperl_elink_scores.xml")).linksets

    assert linked.links["protein_protein_identical"] == ("15622530", "74573864", "15921743")
    assert linked.scores["protein_protein_identical"] == {"15622530": 2147483647, "74573864": 0, "15921743": 0}
    assert linked.scores["protein_protein"]["15921743"] == 381


def test_a_record_without_links_has_none():
    assert link_answer(recording("entrez/elink_medgen_pubmed_no_links.xml")) == LinkAnswer((LinkSet("medgen", ("0",)),))


def test_links_that_the_history_server_keeps_in_json():
    stored = StoredLinks("gds", "bioproject_gds", "2", "MCID_69f379d2a5849e8d8c0781b5")

    assert link_answer(recording("entrez/tutorial_elink_bioproject_gds_history.json")) == LinkAnswer(
        (LinkSet("bioproject", ("988806",), histories=(stored,)),)
    )


def test_links_that_the_history_server_keeps_in_xml():
    (linked,) = link_answer(recording("entrez/bioperl_elink_nhist.xml")).linksets

    assert linked.source_ids == ("730439", "68536103", "1621261", "20807972")
    web_env = "085LBC0s_G5ZenmRAnAm9dgF-TYrzyM9zVawz6_GfunjA5iasUqoGSfSzd@991070AE944054A1_0001SID"
    assert linked.histories == (
        StoredLinks("pubmed", "protein_pubmed", "1", web_env),
        StoredLinks("pubmed", "protein_pubmed_refseq", "2", web_env),
    )


def test_checks_and_linkout_answers_keep_the_uids():
    check = ("730439", "68536103", "1621261", "20807972")

    assert [s.source_ids for s in link_answer(recording("entrez/bioperl_elink_ncheck.xml")).linksets] == [check]
    assert [s.source_ids for s in link_answer(recording("entrez/bioperl_elink_lcheck.xml")).linksets] == [check]
    assert [s.source_ids for s in link_answer(recording("entrez/bioperl_elink_llinks_corr.xml")).linksets] == [
        ("1621261",),
        ("68536103",),
        ("20807972",),
        ("730439",),
    ]
    assert [s.source_ids for s in link_answer(recording("entrez/biopython_elink6.xml")).linksets] == [
        ("12085856", "12085853")
    ]
    assert [s.source_ids for s in link_answer(recording("entrez/biopython_elink7.xml")).linksets] == [
        ("12169658", "11748140")
    ]


def test_posted_uids():
    assert post_answer(recording("entrez/biopython_epost1.xml")) == PostAnswer("1", "MCID_692851c130aec64bed0a8c2a")
    assert post_answer(recording("entrez/biopython_epost2.xml")) == PostAnswer(
        error="Invalid db name specified: nothing"
    )


def test_spellings():
    assert spell_answer(recording("entrez/biopython_espell.xml")) == SpellAnswer(
        "pubmed", "biopythooon", "biopython", ("biopython",)
    )
    assert spell_answer(recording("entrez/bioperl_espell.xml")) == SpellAnswer(
        "pubmed", "Netch AND Mus musclus", "notch AND mus musculus", ("notch", "musculus")
    )


def test_all_databases():
    answer = info_answer(recording("entrez/einfo_nodb_test_einfo_dblist_0.xml"))

    assert (len(answer.databases), answer.databases[0], answer.databases[-1]) == (40, "pubmed", "gtr")
    assert "gene" in answer.databases
    assert answer.database is None


def test_one_database():
    database = info_answer(recording("entrez/bioperl_einfo.xml")).database

    assert (database.name, database.menu_name, database.count) == ("pubmed", "PubMed", 18525976)
    assert (database.description, database.last_update) == ("PubMed bibliographic record", "2008/12/11 02:33")
    assert database.fields[1] == SearchField(
        name="UID",
        full_name="UID",
        description="Unique number assigned to publication",
        term_count=0,
        is_date=False,
        is_numerical=True,
        is_single_token=True,
        is_hierarchy=False,
        is_hidden=True,
    )
    assert database.links[-1] == LinkType("pubmed_unists", "UniSTS Links", "Related UniSTS records", "unists")
