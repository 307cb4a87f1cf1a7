"""Tables as people have them go in, and come out with columns added: row for row, in the form of the file's name."""

import csv
import io
import json

import pytest

from biofact.core.usage import WrongUsage
from biofact.interfaces import every_source
from biofact.interfaces.cli import resolve_command, tool_command
from biofact.interfaces.cli.arguments import TypedSpelling, parse_words
from biofact.interfaces.cli.inputs import open_inputs
from biofact.interfaces.cli.resolve_command import LAYOUT
from biofact.interfaces.cli.rows import PlainLayout
from biofact.interfaces.cli.writers import choose_target, open_destination, row_writer
from biofact.interfaces.clients import Clients
from biofact.interfaces.spelling import command
from tests import virtual_time
from tests.each_of import each_of
from tests.interfaces.terminal import biofact
from tests.interfaces.tool_commands import OPTIONS, run_resolve, spec
from tests.sandboxed import WHOLE, transported

pytestmark = pytest.mark.quick

TABLE = """Sample;Gene name;fold change
1;TP53;-0,37
2;4-Oct;1,5

3;"HER2/neu";=1+2
4;no such gene;+3
5;;
6;BRCA1;3;extra
7;p150;@x
"""
ASKED = ["TP53", "4-Oct", "HER2/neu", "no such gene", "p150"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder in which the command runs, with the table."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "genes.csv").write_text(TABLE, "utf-8")
    return tmp_path


def resolve(*words, **typed):
    """The exit code of ``biofact resolve`` with these words and options, in virtual time."""

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            return await run_resolve(transport, *words, **typed)

    return virtual_time.run(ask())


def run_tool(source, method, *words, **typed):
    """The same of a tool's command."""
    tool = spec(source, method)
    options = {**dict.fromkeys(OPTIONS), **typed}
    values = {tool.entities.name: words}
    spelling = TypedSpelling(every_source, command, parameters=tool.parameters)

    async def ask(inputs):
        async with transported(timing=WHOLE) as (transport, _):
            run = tool_command.tool_command(tool, values, inputs, options, spelling)
            return await run.run(Clients(transport))

    with tool_command.tool_inputs(tool, values, options) as inputs:
        return virtual_time.run(ask(inputs))


def lines_of(file, delimiter=","):
    content = file.read_bytes().decode("utf-8-sig")
    return [*csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)]


OWN_ROWS = [line.split(";") for line in TABLE.splitlines()]
OWN_ROWS = [[cell.strip('"') for cell in row] for row in OWN_ROWS]


def test_a_table_comes_back_with_columns_added_row_for_row(folder, capsys):
    code = resolve("genes.csv", output="out.csv", columns="id,label,ambiguous_with,reason,error")

    header, *rows = lines_of(folder / "out.csv", ";")  # the delimiter of her own spreadsheet
    err = capsys.readouterr().err
    assert header == ["Sample", "Gene name", "fold change", "id", "label", "ambiguous_with", "reason", "error"]
    own = [row[:3] for row in rows]
    assert own == [
        *(["1", "TP53", "-0,37"], ["2", "4-Oct", "1,5"], ["", "", ""], ["3", "HER2/neu", "'=1+2"]),
        *(["4", "no such gene", "+3"], ["5", "", ""], ["6", "BRCA1", "3;extra"], ["7", "p150", "'@x"]),
    ]
    assert [row[3:5] for row in rows] == [
        *(["NCBIGene:7157", "TP53"], ["", ""], ["", ""], ["NCBIGene:2064", "ERBB2"]),
        *(["", ""], ["", ""], ["", ""], ["", ""]),
    ]
    assert rows[1][5].startswith("POU5F1 (NCBIGene:5460)")
    assert rows[6][6:] == ["Row 7 has 4 cells, and the header 3: it was not asked.", "AMBIGUOUS_QUERY"]
    assert code == 1
    assert "note: the column 'Gene name' of genes.csv is asked; --column chooses another.\n" in err


@each_of("form", ["tsv", "jsonl", "json"])
def test_every_form_has_the_rows_in_their_places(folder, form):
    resolve("genes.csv", output=f"out.{form}")
    text = (folder / f"out.{form}").read_text("utf-8")

    if form == "tsv":
        names = [line["Gene name"] for line in csv.DictReader(io.StringIO(text), delimiter="\t")]
    else:
        rows = json.loads(text)["items"] if form == "json" else [json.loads(line) for line in text.splitlines()]
        names = [row["row"]["Gene name"] or "" for row in rows]
        assert rows[2] == {"row": dict.fromkeys(["Sample", "Gene name", "fold change"])}
        assert rows[0]["entities"][0]["id"] == "NCBIGene:7157"
    assert names == [row[1] if len(row) > 1 else "" for row in OWN_ROWS[1:]]


def test_a_workbook_holds_texts_as_texts_and_numbers_as_numbers(folder):
    openpyxl = pytest.importorskip("openpyxl")
    resolve("genes.csv", output="out.xlsx")
    resolve("out.xlsx", output="again.xlsx", column="Gene name")

    first, again = (
        [*openpyxl.load_workbook(folder / name).active.iter_rows(values_only=True)]
        for name in ("out.xlsx", "again.xlsx")
    )
    assert [row[:3] for row in first[1:6]] == [
        *(("1", "TP53", "-0,37"), ("2", "4-Oct", "1,5"), (None, None, None), ("3", "HER2/neu", "=1+2")),
        ("4", "no such gene", "+3"),
    ]
    assert first[0][3:5] == ("id", "label")
    assert again[0][len(first[0]) :][:2] == ("biofact_id", "biofact_label")
    assert [row[: len(first[0])] for row in again] == first
    assert first[1][first[0].index("score")] == 1


def test_the_table_of_a_tool_has_a_row_for_each_of_its_answers(folder):
    (folder / "genes.tsv").write_text("x\tgene\n1\tNCBIGene:672\n2\tNCBIGene:7157\n\n3\tNCBIGene:999999999\n", "utf-8")
    code = run_tool("entrez", "get_pubmed_links", "genes.tsv", output="out.csv", allow_failed_rows=True)

    header, *rows = lines_of(folder / "out.csv")
    assert header[:3] == ["x", "gene", "id"]
    assert [row[0] for row in rows].count("1") > 1
    assert [row[:2] for row in rows[-2:]] == [["", ""], ["3", "NCBIGene:999999999"]]
    assert rows[-1][header.index("error")] == "ENTITY_NOT_FOUND"
    assert code == 0


def test_the_column_with_ids_of_the_tool_is_the_one_that_is_asked(folder):
    (folder / "ids.csv").write_text("gene,id\nTP53,ENSG00000141510\nBRCA1,ENSG00000012048\n", "utf-8")
    run_tool("ensembl", "get_gene", "ids.csv", output="out.csv", columns="symbol")

    assert lines_of(folder / "out.csv") == [
        *(["gene", "id", "symbol"], ["TP53", "ENSG00000141510", "TP53"], ["BRCA1", "ENSG00000012048", "BRCA1"])
    ]


def test_ids_in_further_databases_are_columns_on_request(folder):
    resolve("genes.csv", output="out.csv", columns="id,symbol,hgnc,uniprot,pubchem,ensembl")

    header, first, *_ = lines_of(folder / "out.csv", ";")
    assert header[3:] == ["id", "symbol", "hgnc", "uniprot", "pubchem", "ensembl"]
    assert first[3:] == ["NCBIGene:7157", "TP53", "HGNC:11998", "UniProtKB:P04637", "", "ENSG00000141510.20"]


def test_two_ids_are_compared_and_a_table_of_them_is_not(folder):
    entry = next(tool for tool in every_source.commands("identity") if tool.ref.method == "check_identity")
    words = {"id": ("CHEMBL:1642", "CHEMBL:941")}

    assert parse_words(entry, words) == {"id": ["CHEMBL:1642"], "other_id": "CHEMBL:941"}
    for others in (("CHEMBL:1642",), ("@ids.txt", "CHEMBL:941"), ("CHEMBL:1642", "CHEMBL:941", "CHEMBL:25")):
        assert parse_words(entry, {"id": others}) == {"id": list(others)}


def test_rows_may_fail_where_that_is_allowed_but_not_all(folder, capsys):
    (folder / "ids.txt").write_text("NCBIGene:672\nNCBIGene:999999999\n", "utf-8")

    assert run_tool("entrez", "get_gene", "@ids.txt") == 1
    assert run_tool("entrez", "get_gene", "@ids.txt", allow_failed_rows=True) == 0
    assert "note: 1 of 2 rows failed." in capsys.readouterr().err
    assert run_tool("entrez", "get_gene", "NCBIGene:999999999", allow_failed_rows=True) == 1


@each_of("tool", ["get_gene", "get_genes_batch"])
def test_one_id_of_a_file_has_the_form_of_many(folder, tool, capsys):
    shapes = []
    for ids in ("NCBIGene:672\n", "NCBIGene:672\nNCBIGene:7157\n"):
        (folder / "ids.txt").write_text(ids, "utf-8")
        run_tool("entrez", tool, "@ids.txt", format="json")
        answer = json.loads(capsys.readouterr().out)
        shapes.append(({*answer} - {"notices"}, len(answer["items"])))

    assert shapes == [({"items", "pagination"}, 1), ({"items", "pagination"}, 2)]


def test_no_header_line_is_written_on_request(folder, capsys):
    (folder / "genes.txt").write_text("symbol\nTP53\n", "utf-8")
    resolve("@genes.txt", columns="id", no_header=True)
    out, err = capsys.readouterr()

    assert out == "NCBIGene:7157\n"
    assert err.startswith("note: the first line, 'symbol', is a header.\n")


@each_of(
    ("options", "message"),
    [
        ({"output": "out.txt"}, "There is no form for files ending in .txt."),
        ({"output": "out.xls"}, "There is no form for files ending in .xls."),
        ({"format": "xlsx"}, "xlsx is for a file."),
        ({"format": "jsonl", "no_header": True}, "jsonl has no header line to leave out."),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_asked(options, message):
    with pytest.raises(WrongUsage) as refusal:
        choose_target({**dict.fromkeys(OPTIONS), **options}, LAYOUT.names, "biofact resolve")

    assert str(refusal.value) == message
    assert refusal.value.hint


@each_of(
    ("words", "options", "message"),
    [
        (["TP53"], {"column": "x"}, "--column is for a file."),
        (["TP53"], {"join": True}, "--join is for a file."),
        (["genes.csv", "TP53"], {"join": True}, "'genes.csv' cannot be joined."),
        (["nowhere.xlsx"], {}, "There is no file 'nowhere.xlsx'."),
        (["empty.csv"], {}, "The column 'gene' of 'empty.csv' is empty."),
    ],
)
def test_options_of_files_that_do_not_fit_are_refused(folder, words, options, message):
    (folder / "empty.csv").write_text("gene,x\n,1\n", "utf-8")

    with pytest.raises(WrongUsage) as refusal, open_inputs(words, options):
        pass
    assert str(refusal.value) == message


def test_a_name_that_is_a_file_is_asked_and_the_file_hinted_at(folder):
    (folder / "TP53").write_text("x", "utf-8")

    with open_inputs(["TP53"], {}) as inputs:
        assert (inputs.texts, inputs.is_of_file) == (["TP53"], False)
        assert inputs.messages == ["note: TP53 is a file here, too: @TP53 reads it."]


def test_the_answers_alone_are_given_where_no_join_is_asked_for(folder, capsys):
    resolve("genes.csv", join=False, format="tsv", columns="name,id")

    assert [line.split("\t")[0] for line in capsys.readouterr().out.splitlines()] == ["name", *ASKED[:4], "p150"]


def test_a_picture_is_not_named_as_another_form(folder, capsys, monkeypatch):
    done = biofact(capsys, monkeypatch, "chembl", "draw", "CHEMBL:25", "-o", "x.png", "--sandbox")

    assert done.returncode == 2
    assert (
        done.stderr == "error: .png is not the form of what is written, which is image/svg+xml.\nhint: Name it .svg.\n"
    )
    assert not (folder / "x.png").exists()


def test_a_table_that_changes_while_it_is_asked_says_so(folder, capsys):
    options = {**dict.fromkeys(OPTIONS), "output": "out.csv"}
    target, layout = resolve_command.choose_layout(options)

    async def ask():
        async with transported(timing=WHOLE) as (transport, _):
            with open_inputs(["genes.csv"], options) as inputs:
                (folder / "genes.csv").write_text(f"{TABLE}8;NEFL;1\n", "utf-8")
                settings = resolve_command.Options(None, "human", target, layout=layout)
                await resolve_command.write_rows(Clients(transport), inputs, settings)

    virtual_time.run(ask())

    assert "note: genes.csv was changed while it was read: run the command again.\n" in capsys.readouterr().err


def test_a_workbook_that_is_not_finished_leaves_nothing(folder, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    target = choose_target({**dict.fromkeys(OPTIONS), "output": "out.xlsx"}, ("id",), "x")

    def write_in_part():
        with open_destination(target) as destination:
            row_writer(PlainLayout(("id",)), target, destination).write([{"id": "1"}])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_in_part()

    assert [path.name for path in folder.iterdir()] == ["genes.csv"]
