import subprocess
import sys

import pytest

from biofact.core.errors import AmbiguousQuery
from biofact.core.settings import Settings
from biofact.dialects import eutils
from tests.marks import requirement

pytestmark = pytest.mark.quick


@requirement("000 R1-esearch")
def test_a_search_asks_for_json_with_all_it_was_given():
    request = eutils.esearch("gene", "BRCA1[sym] AND alive[prop]", retstart=40, retmax=50, sort="relevance")

    assert request.path == "/esearch.fcgi"
    assert dict(request.params) == {
        "db": "gene",
        "term": "BRCA1[sym] AND alive[prop]",
        "retstart": "40",
        "retmax": "50",
        "sort": "relevance",
        "retmode": "json",
    }
    assert request.method == "GET"


def test_a_parameter_without_a_value_is_not_sent():
    assert "sort" not in dict(eutils.esearch("pubmed", "asthma").params)
    assert dict(eutils.einfo().params) == {"retmode": "json"}


@pytest.mark.parametrize("build", [eutils.esearch, eutils.espell])
@pytest.mark.parametrize("term", ["", "  \n"])
def test_a_blank_term_is_refused_before_it_is_sent(build, term):
    with pytest.raises(AmbiguousQuery) as refusal:
        build("gene", term)

    assert refusal.value.invalid_input == term
    assert refusal.value.hint


@requirement("000 R1-elink")
@pytest.mark.parametrize(
    ("request_", "path", "params"),
    [
        (
            eutils.esummary("gene", ["7157", "672"]),
            "/esummary.fcgi",
            {"db": "gene", "id": "7157,672", "retmode": "json"},
        ),
        (eutils.efetch("gene", ["4747"]), "/efetch.fcgi", {"db": "gene", "id": "4747", "retmode": "xml"}),
        (
            eutils.elink("gene", "pubmed", "7157", "gene_pubmed"),
            "/elink.fcgi",
            {"dbfrom": "gene", "db": "pubmed", "id": "7157", "linkname": "gene_pubmed", "retmode": "json"},
        ),
        (eutils.epost("pubmed", ["1", "2"]), "/epost.fcgi", {"db": "pubmed", "id": "1,2"}),
        (eutils.espell("pubmed", "asthmaa"), "/espell.fcgi", {"db": "pubmed", "term": "asthmaa"}),
        (eutils.einfo("gene"), "/einfo.fcgi", {"db": "gene", "retmode": "json"}),
    ],
)
def test_each_question_has_its_path_and_parameters(request_, path, params):
    assert (request_.path, dict(request_.params)) == (path, params)
    assert request_.service is eutils.NCBI


def test_uids_are_posted_as_a_form():
    assert eutils.epost("pubmed", ["1"]).method == "POST"


@pytest.mark.parametrize("uids", ["7157", [], ()])
def test_uids_are_a_list_that_is_not_empty(uids):
    with pytest.raises(ValueError, match="is not a list of UIDs"):
        eutils.esummary("gene", uids)


@requirement("000 R1-apikey", "000 R4-3rps", "000 R4-10rps", "004 S-rate")
def test_every_request_is_signed_with_the_tool_and_what_the_user_set():
    bare, full = Settings({}), Settings({"NCBI_API_KEY": "abc", "BIOFACT_EMAIL": "someone@example.org"})

    assert eutils.NCBI.sign(bare) == {"tool": "biofact"}
    assert eutils.NCBI.sign(full) == {"tool": "biofact", "email": "someone@example.org", "api_key": "abc"}
    assert (eutils.NCBI.rate(bare), eutils.NCBI.rate(full)) == (3.0, 10.0)


def test_key_and_mail_address_are_secret():
    secrets = Settings({"NCBI_API_KEY": "abc", "BIOFACT_EMAIL": "someone@example.org"}).secrets()

    assert {"abc", "someone@example.org"} <= set(secrets)


def test_the_address_can_be_set():
    settings = Settings({"BIOFACT_NCBI_URL": "http://127.0.0.1:8000/entrez/eutils"})

    assert settings[eutils.NCBI.base_url] == "http://127.0.0.1:8000/entrez/eutils"
    assert Settings({})[eutils.NCBI.base_url] == "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"


@pytest.mark.processes
def test_xml_parsers_load_on_first_use():
    code = (
        "import sys; from biofact.dialects import eutils;"
        'eutils.search_answer(b\'{"esearchresult":{"count":"0"}}\');'
        "print(sorted({'defusedxml', 'xml.etree.ElementTree'} & set(sys.modules)))"
    )

    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)

    assert output.stdout.strip() == "[]"
