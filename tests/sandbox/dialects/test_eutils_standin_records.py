"""The stand-in for E-utilities: summaries, records, links and the History server."""

import json
import re
from xml.etree import ElementTree as ET

import pytest

from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from tests.recordings import recording
from tests.sandbox.dialects.eutils_calls import body, json_answer, reply, xml
from tests.sandbox.three_genes import ThreeGenes

pytestmark = pytest.mark.quick


@pytest.fixture
def gene() -> EutilsStandIn:
    return EutilsStandIn(ThreeGenes(), HistoryServer())


# esummary


def test_esummary_json_lists_uids_and_keeps_their_order(gene: EutilsStandIn) -> None:
    result = json_answer(gene, "esummary", "db=gene&id=30590,7157")["result"]

    assert result["uids"] == ["30590", "7157"]
    assert result["7157"]["organism"] == {"scientificname": "Homo sapiens", "commonname": "human", "taxid": 9606}


def test_an_unknown_uid_has_an_error_entry_of_its_own(gene: EutilsStandIn) -> None:
    result = json_answer(gene, "esummary", "db=gene&id=7157,999999999")["result"]

    assert result["999999999"] == {"uid": "999999999", "error": "cannot get document summary"}
    assert result["7157"]["name"] == "TP53"
    errors = xml(gene, "esummary", "db=gene&id=999999999").findall(".//DocumentSummary/error")
    assert [error.text for error in errors] == ["cannot get document summary"]


def test_esummary_xml_spells_its_elements_as_recorded(gene: EutilsStandIn) -> None:
    recordings = ET.fromstring(recording("entrez/klortho_esummary.gene.xml"))
    document = xml(gene, "esummary", "db=gene&id=7157").find(".//DocumentSummary")

    assert document is not None
    names = {element.tag for element in document.iter()}
    # since 2012 the organism has an element of its own
    assert names - {"Organism", "ScientificName", "CommonName", "int"} <= {element.tag for element in recordings.iter()}
    assert (document.findtext("Status"), document.findtext("CurrentID")) == ("0", "0")
    assert (document.findtext("Mim/int"), document.findtext("GenomicInfo/GenomicInfoType/ChrStart")) == (
        "191170",
        "7687489",
    )


def test_esummary_without_ids_is_an_error(subtests: pytest.Subtests, gene: EutilsStandIn) -> None:
    for query in ["db=gene", "db=gene&id=", "db=gene&id=,"]:
        with subtests.test(query=query):
            expected = recording("entrez/biopython_esummary8.xml")

            assert body(reply(gene, "esummary", query)) == expected


def test_a_malformed_uid_is_refused_under_200(gene: EutilsStandIn) -> None:
    answer = reply(gene, "esummary", "db=gene&id=7157,TP53&retmode=json")

    assert (answer.status, json.loads(body(answer))["error"]) == (200, "Invalid uid TP53 at position= 1")


def test_more_than_500_summaries_are_too_many_for_json(gene: EutilsStandIn) -> None:
    ids = ",".join(map(str, range(1, 502)))

    assert "Too many UIDs" in json_answer(gene, "esummary", f"db=gene&id={ids}")["esummaryresult"][0]


# efetch


def test_efetch_writes_the_database_records_piece_by_piece(gene: EutilsStandIn) -> None:
    answer = reply(gene, "efetch", "db=gene&id=7157,5,30590&retmode=xml")

    assert not isinstance(answer.body, bytes)
    root = ET.fromstring(body(answer))
    assert [element.text for element in root.iter("Gene-track_geneid")] == ["7157", "30590"]


def test_efetch_without_a_well_formed_id_is_refused(gene: EutilsStandIn) -> None:
    answer = reply(gene, "efetch", "db=gene&id=TP53,x1&retmode=xml")

    assert answer.status == 400
    assert b"<eFetchResult>\n\t<ERROR>ID list is empty! Possibly it has no correct IDs.</ERROR>" in body(answer)


def test_efetch_of_genes_is_xml_only(gene: EutilsStandIn) -> None:
    answer = reply(gene, "efetch", "db=gene&id=7157")

    assert (answer.status, answer.content_type) == (400, "text/plain; charset=UTF-8")
    assert b"retmode=xml" in body(answer)


def test_efetch_lists_uids_as_text(gene: EutilsStandIn) -> None:
    assert body(reply(gene, "efetch", "db=gene&id=7157,22059&rettype=uilist&retmode=text")) == b"7157\n22059\n"


# elink


def test_elink_json_leads_from_a_gene_to_its_articles(gene: EutilsStandIn) -> None:
    assert json_answer(gene, "elink", "dbfrom=gene&db=pubmed&id=7157&linkname=gene_pubmed") == {
        "header": {"type": "elink", "version": "0.3"},
        "linksets": [
            {
                "dbfrom": "gene",
                "ids": ["7157"],
                "linksetdbs": [
                    {"dbto": "pubmed", "linkname": "gene_pubmed", "links": ["31000003", "31000002", "31000001"]}
                ],
            }
        ],
    }


@pytest.mark.parametrize("uid", ["30590", "999999999"])
def test_without_links_linksetdbs_is_absent(gene: EutilsStandIn, uid: str) -> None:
    (link_set,) = json_answer(gene, "elink", f"dbfrom=gene&db=pubmed&id={uid}")["linksets"]

    assert link_set == {"dbfrom": "gene", "ids": [uid]}
    assert xml(gene, "elink", f"dbfrom=gene&db=pubmed&id={uid}").find(".//LinkSetDb") is None


def test_ids_in_one_parameter_share_a_link_set_and_repeated_ones_do_not(gene: EutilsStandIn) -> None:
    merged = json_answer(gene, "elink", "dbfrom=gene&db=pubmed&id=7157,22059")["linksets"]
    linksets = json_answer(gene, "elink", "dbfrom=gene&db=pubmed&id=22059&id=7157")["linksets"]

    assert [link_set["ids"] for link_set in merged] == [["7157", "22059"]]
    assert merged[0]["linksetdbs"][0]["links"] == ["31000004", "31000003", "31000002", "31000001"]
    assert [link_set["ids"] for link_set in linksets] == [["22059"], ["7157"]]


def test_elink_xml_is_written_as_recorded() -> None:
    recorded_text = recording("entrez/biopython_elink3.xml").replace(b"pubmed_pubmed", b"gene_pubmed").decode()
    head = recorded_text[: recorded_text.index("\t\t<Link>")]
    stand_in = EutilsStandIn(ThreeGenes(), HistoryServer())

    answer = body(reply(stand_in, "elink", "dbfrom=gene&db=pubmed&id=7157,22059")).decode()

    expected = head.replace("11812492", "7157").replace("11774222", "22059")
    assert answer.startswith(expected.replace("<DbFrom>pubmed", "<DbFrom>gene"))
    assert answer.endswith("\t\t</Link>\n\t</LinkSetDb>\n</LinkSet>\n</eLinkResult>\n")


def test_links_with_scores_are_objects(gene: EutilsStandIn) -> None:
    (link_set,) = json_answer(gene, "elink", "dbfrom=gene&db=pubmed&id=22059&cmd=neighbor_score")["linksets"]

    assert link_set["linksetdbs"][0]["links"][0] == {"id": "31000004", "score": 0}


def test_links_can_be_kept_on_the_history_server(gene: EutilsStandIn) -> None:
    linkset = json.loads(recording("entrez/tutorial_elink_bioproject_gds_history.json"))["linksets"][0]

    (link_set,) = json_answer(gene, "elink", "dbfrom=gene&db=pubmed&id=7157&cmd=neighbor_history")["linksets"]

    assert list(link_set) == list(linkset)
    assert link_set["linksetdbhistories"] == [{"dbto": "pubmed", "linkname": "gene_pubmed", "querykey": "1"}]


def test_the_available_links_are_reported(gene: EutilsStandIn) -> None:
    (link_set,) = xml(gene, "elink", "dbfrom=gene&id=7157&cmd=acheck").iter("IdLinkSet")
    (check_result,) = json_answer(gene, "elink", "dbfrom=gene&id=7157,30590&cmd=ncheck")["linksets"]

    assert (link_set.findtext("Id"), link_set.findtext("LinkInfo/LinkName")) == ("7157", "gene_pubmed")
    assert check_result["idchecklist"]["ids"] == [
        {"value": "7157", "hasneighbor": "Y"},
        {"value": "30590", "hasneighbor": "N"},
    ]


def test_malformed_ids_are_omitted_from_links(gene: EutilsStandIn) -> None:
    answer = json_answer(gene, "elink", "dbfrom=gene&db=pubmed&id=22059,TP53")

    assert answer["linksets"][0]["ids"] == ["22059"]
    assert answer["ERROR"].startswith("Some IDs have invalid value")


def test_elink_without_ids_or_with_an_unknown_link_is_an_error(subtests: pytest.Subtests, gene: EutilsStandIn) -> None:
    for query in ["&id=", "", "&id=7157&linkname=gene_shoes"]:
        with subtests.test(query=query):
            assert set(json_answer(gene, "elink", f"dbfrom=gene&db=pubmed{query}")) == {"header", "ERROR"}


# epost and History


def test_posted_ids_are_summarised_fetched_linked_and_searched(gene: EutilsStandIn) -> None:
    posted_xml = xml(gene, "epost", "db=gene&id=22059,7157")
    place = f"query_key={posted_xml.findtext('QueryKey')}&WebEnv={posted_xml.findtext('WebEnv')}"

    assert json_answer(gene, "esummary", f"db=gene&{place}")["result"]["uids"] == ["22059", "7157"]
    assert json_answer(gene, "esummary", f"db=gene&{place}&retstart=1&retmax=1")["result"]["uids"] == ["7157"]
    assert b"22059" in body(reply(gene, "efetch", f"db=gene&{place}&retmode=xml&retmax=1"))
    assert json_answer(gene, "elink", f"dbfrom=gene&db=pubmed&{place}")["linksets"][0]["ids"] == ["22059", "7157"]
    assert json_answer(gene, "esearch", f"db=gene&term=human[orgn]&{place}")["esearchresult"]["idlist"] == ["7157"]
    assert json_answer(gene, "esearch", f"db=gene&{place}")["esearchresult"]["count"] == "2"


def test_web_env_is_read_in_small_letters_too(gene: EutilsStandIn) -> None:
    esearchresult = json_answer(gene, "esearch", "db=gene&term=TP53[sym] AND human[orgn]&usehistory=y")["esearchresult"]

    root = xml(
        gene, "efetch", f"db=gene&webenv={esearchresult['webenv']}&query_key={esearchresult['querykey']}&retmode=xml"
    )

    assert root.findtext(".//Gene-track_geneid") == "7157"


def test_a_second_search_is_stored_in_the_same_history(gene: EutilsStandIn) -> None:
    first = json_answer(gene, "esearch", "db=gene&term=human[orgn]&usehistory=y")["esearchresult"]
    second = json_answer(gene, "esearch", f"db=gene&term=mouse[orgn]&usehistory=y&WebEnv={first['webenv']}")[
        "esearchresult"
    ]

    assert (first["querykey"], second["querykey"], second["webenv"]) == ("1", "2", first["webenv"])
    esearchresult = json_answer(gene, "esearch", f"db=gene&term=%231 OR %232&WebEnv={first['webenv']}")["esearchresult"]
    assert esearchresult["idlist"] == ["7157", "22059"]


def test_epost_xml_is_written_as_recorded(gene: EutilsStandIn) -> None:
    recordings = recording("entrez/biopython_epost1.xml")

    answer = body(reply(gene, "epost", "db=gene&id=7157"))

    expected = answer.replace(
        b'epost.dtd">\n<', b'epost.dtd"><'
    )  # the one blank by which recordings differ among themselves
    assert re.sub(rb"MCID_\w+", b"", expected) == re.sub(rb"MCID_\w+", b"", recordings)


def test_epost_names_invalid_ids_and_keeps_the_others(gene: EutilsStandIn) -> None:
    posted_xml = xml(gene, "epost", "db=gene&id=7157,-1,TP53")

    assert [element.text for element in posted_xml.findall("InvalidIdList/Id")] == ["-1", "TP53"]
    assert posted_xml.findtext("QueryKey") == "1"
    assert xml(gene, "epost", "db=gene").findtext("ERROR") == "Empty ID list; Nothing to store"


def test_an_unknown_place_on_the_history_server_is_refused(subtests: pytest.Subtests, gene: EutilsStandIn) -> None:
    for program in ["esummary", "efetch", "esearch"]:
        with subtests.test(program=program):
            answer = reply(gene, program, "db=gene&query_key=7&WebEnv=MCID_0&retmode=xml")

            assert (answer.status, b"Unable to obtain query #7" in body(answer)) == (400, True)
