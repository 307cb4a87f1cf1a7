"""Recorded answers in place of the stand-in's: the matching one, several joined into one, and a part of one."""

import functools
import gzip
import itertools
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree as ET

import pytest

from biofact.dialects.eutils import NCBI
from biofact.sandbox.dialects.eutils.database import HistoryServer
from biofact.sandbox.dialects.eutils.standin import EutilsStandIn
from biofact.sandbox.recordings import Era, Recordings, Replay
from biofact.sandbox.standin import Reply, ServiceRequest
from tests.recordings import FOLDER, needs_recordings, recording
from tests.sandbox.three_genes import ThreeGenes

pytestmark = pytest.mark.quick

GENE = "entrez/efetch_gene_{}_single_Entrezgene_root.xml"
TODAYS_4747 = "entrez/efetch_gene_test_entrezgeneset_0.xml.gz"
OLDER_4747 = "entrez/efetch_gene_4747_older_record.xml"


@functools.cache
def replay(folder: Path = FOLDER, era: Era | None = None) -> Replay:
    return EutilsStandIn(ThreeGenes(), HistoryServer()).replay(Recordings(folder, era).for_service(NCBI))


def answer_of(replay: Replay, program: str, query: str, method: str = "GET") -> Reply | None:
    return replay(ServiceRequest(method, f"/{program}.fcgi", tuple(parse_qsl(query, keep_blank_values=True))))


def body(reply: Reply | None) -> bytes:
    assert reply is not None
    return reply.body if isinstance(reply.body, bytes) else b"".join(reply.body)


RECORDINGS = [
    ("efetch", "db=gene&id=4747&retmode=xml", TODAYS_4747),
    ("efetch", "db=gene&id=4747&retmode=xml&rettype=docsum&tool=x&email=y&api_key=z", TODAYS_4747),
    ("efetch", "db=pubmed&id=9997,12091962&retmode=xml", "pubmed/biopython_pubmed1.xml"),
    ("efetch", "db=pubmed&id=9997&id=12091962", "pubmed/biopython_pubmed1.xml"),
    ("esummary", "db=gene&id=3845&retmode=json", "entrez/esummary_gene_3845_json_pori.json"),
    ("esummary", "db=protein&id=28628843,28800982", "entrez/biopython_esummary3.xml"),
    ("esearch", "db=pubmed&term=biopython", "entrez/biopython_esearch1.xml"),
    ("esearch", "db=protein&term=abcXYZ&retmax=50", "entrez/biopython_esearch8.xml"),
    (
        "esearch",
        "db=taxonomy&term=Salmo[Next Level]&retmax=60",
        "entrez/esearch_taxonomy_children_with_name.yml_0.xml",
    ),
    ("elink", "dbfrom=pubmed&id=9298984", "entrez/biopython_elink1.xml"),
    ("elink", "dbfrom=pubmed&id=12169658,11748140&cmd=acheck", "entrez/biopython_elink7.xml"),
    ("epost", "db=pubmed&id=11237011", "entrez/biopython_epost1.xml"),
    ("espell", "db=pubmed&term=biopythooon", "entrez/biopython_espell.xml"),
    ("einfo", "", "entrez/einfo_nodb_test_einfo_dblist_0.xml"),
]


NOT_RECORDED = [
    ("efetch", "db=gene&id=4747"),  # ASN.1
    ("efetch", "db=gene&id=7157&retmode=xml"),  # no file
    ("efetch", "db=gene&id=4747,7157&retmode=xml"),  # one of them has none
    ("efetch", "db=gene&id=4747,916&retmode=xml&retmax=1"),
    ("esummary", "db=gene&id=3845"),  # recorded as JSON
    ("esearch", "db=pubmed&term=biopython&retmax=100"),  # 63 hits, of which 20 are recorded
    ("esearch", "db=pubmed&term=biopython&retstart=20"),
    ("esearch", "db=pubmed&term=biopython&sort=relevance"),
    ("esearch", "db=pubmed&term=biopython&rettype=count"),
    ("esearch", "db=medgen&term=OCRL&retmax=250&usehistory=y"),  # its WebEnv has expired
    ("elink", "dbfrom=pubmed&id=9298984&db=gene"),
    (
        "elink",
        "dbfrom=pubmed&id=11812492&id=11774222&db=pubmed&datetype=pdat&mindate=1995",
    ),  # recorded as one set
    ("elink", "dbfrom=protein&db=pubmed&id=1621261&id=68536103&id=20807972&id=730439"),  # an old shape
    ("epost", "db=nothing"),  # its status was not recorded
    ("esummary", f"db=pubmed&retmode=json&id={'32087273,26863316'}"),
    ("einfo", "db=pubmed"),  # an old shape
]


@needs_recordings
class TestTheFolder:
    """A replay of the folder of real recordings."""

    def test_a_recorded_request_gets_the_recorded_bytes(self, subtests: pytest.Subtests) -> None:
        for method, (program, query, name) in itertools.product(["GET", "POST"], RECORDINGS):
            with subtests.test(method=method, query=query, name=name):
                assert body(answer_of(replay(), program, query, method)) == recording(name)

    def test_a_request_without_a_recording_is_passed_to_the_stand_in(self, subtests: pytest.Subtests) -> None:
        for program, query in NOT_RECORDED:
            with subtests.test(query=query):
                assert answer_of(replay(), program, query) is None

    def test_a_bare_record_is_put_in_the_envelope_of_the_endpoint(self) -> None:
        answer = body(answer_of(replay(), "efetch", "db=gene&id=916&retmode=xml"))

        recordings = recording(GENE.format(916))
        before, _, after = answer.partition(recordings)
        assert before == recording(TODAYS_4747).partition(b"<Entrezgene>")[0]
        assert after.split() == [b"</Entrezgene-Set>"]

    def test_records_are_joined_in_the_order_asked(self) -> None:
        answer = body(answer_of(replay(), "efetch", "db=gene&id=916,4747,2833&retmode=xml"))

        genes = ET.fromstring(answer).findall("Entrezgene")
        path = "Entrezgene_track-info/Gene-track/Gene-track_geneid"
        assert [gene.findtext(path) for gene in genes] == ["916", "4747", "2833"]
        assert recording(GENE.format(2833)) in answer

    def test_one_record_is_cut_out_of_several(self) -> None:
        answer = body(answer_of(replay(), "efetch", "db=pubmed&id=9997&retmode=xml"))

        (article,) = ET.fromstring(answer).findall("PubmedArticle")
        whole = recording("pubmed/biopython_pubmed1.xml").decode()
        assert article.findtext("MedlineCitation/PMID") == "9997"
        assert re.findall(r"<PubmedArticle>.*?</PubmedArticle>", answer.decode(), re.DOTALL)[0] in whole

    def test_a_taxon_is_cut_out_with_its_lineage(self) -> None:
        (taxon,) = ET.fromstring(body(answer_of(replay(), "efetch", "db=taxonomy&id=9685"))).findall("Taxon")

        assert (taxon.findtext("ScientificName"), len(taxon.findall("LineageEx/Taxon")) > 10) == ("Felis catus", True)

    def test_summaries_are_cut_out_and_joined(self) -> None:
        payload = json.loads(body(answer_of(replay(), "esummary", "db=pmc&id=7771052&retmode=json&version=2.0")))
        xml = ET.fromstring(body(answer_of(replay(), "esummary", "db=protein&id=28628843")))

        whole = json.loads(recording("entrez/esummary_pmc_ft_search_entrez.yml_1.json"))["result"]
        assert payload["result"] == {"uids": ["7771052"], "7771052": whole["7771052"]}
        assert [element.text for element in xml.findall("DocSum/Id")] == ["28628843"]

    def test_an_era_can_be_chosen(self) -> None:
        query = "db=gene&id=4747&retmode=xml"

        assert body(answer_of(replay(era="old-shape"), "efetch", query)) == recording(OLDER_4747)
        assert body(answer_of(replay(era="today"), "efetch", query)) == recording(TODAYS_4747)
        assert answer_of(replay(era="old-shape"), "efetch", "db=gene&id=916&retmode=xml") is None

    def test_single_records_come_in_an_old_shape_when_there_is_no_newer_one(self) -> None:
        query = "db=pubmed&id=27797938&retmode=xml"

        assert body(answer_of(replay(), "efetch", query)) == recording("pubmed/biopython_pubmed4.xml")
        assert answer_of(replay(era="today"), "efetch", query) is None

    def test_answers_of_every_kind_are_well_formed(self) -> None:
        source, rows = replay(), Recordings(FOLDER).for_service(NCBI)
        single = [row for row in rows if row.path == "/efetch.fcgi" and "," not in str(row.params["id"])]

        for row in single:
            query = "&".join(f"{name}={value}" for name, value in row.params.items() if name in {"db", "id", "retmode"})
            if row.content_type.startswith("text/xml"):
                ET.fromstring(body(answer_of(source, "efetch", query)))
        assert len(single) > 100


HEADER = "file\tservice\tmethod\tpath\tparams\tstatus\tcontent_type\trecorded\tera\tfidelity\titem\n"


def row(file: str, **changes: str) -> str:
    values = {
        "file": file,
        "service": "ncbi",
        "method": "GET",
        "path": "/entrez/eutils/espell.fcgi",
        "params": '{"db":"pubmed","term":"x"}',
        "status": "200",
        "content_type": "text/xml",
        "recorded": "",
        "era": "today",
        "fidelity": "body",
        "item": "",
    }
    return "\t".join({**values, **changes}.values()) + "\n"


def in_a_folder(folder: Path, *rows: str) -> Replay:
    for line in rows:
        name = line.split("\t")[0]
        content = name.encode()
        (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    (folder / "REQUESTS.tsv").write_text(HEADER + "".join(rows))
    return replay(folder)


@pytest.mark.parametrize(
    ("rows", "best"),
    [
        ([row("b.xml"), row("a.xml")], "a.xml"),
        ([row("a.xml", recorded="2020-01-01"), row("b.xml", recorded="2024-01-01")], "b.xml"),
        ([row("a.xml", fidelity="rewrapped", recorded="2024-01-01"), row("b.xml")], "b.xml"),
        ([row("a.xml", fidelity="truncated"), row("b.xml.gz", fidelity="wrapper")], "b.xml.gz"),
        ([row("a.xml", status="429"), row("b.xml")], "b.xml"),
        ([row("a.xml", service="chembl"), row("b.xml")], "b.xml"),
    ],
)
def test_the_best_of_several_recordings_is_replayed(tmp_path: Path, rows: list[str], best: str) -> None:
    assert body(answer_of(in_a_folder(tmp_path, *rows), "espell", "db=pubmed&term=x")) == best.encode()


@pytest.mark.parametrize("changes", [{"fidelity": "truncated"}, {"era": "old-shape"}, {"status": ""}, {"item": "/0"}])
def test_a_row_that_is_no_answer_of_today_is_not_replayed(tmp_path: Path, changes: dict[str, Any]) -> None:
    assert answer_of(in_a_folder(tmp_path, row("a.xml", **changes)), "espell", "db=pubmed&term=x") is None
