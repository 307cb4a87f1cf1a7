"""Arms with their sizes, and the whole study that they add up to."""

import pytest

from biofact.literature.extraction.fields import read_fields
from tests.each_of import each_of
from tests.literature.made_articles import article_stating
from tests.marks import requirement

pytestmark = pytest.mark.quick


def arms(text):
    finding = read_fields(article_stating(f"METHODS: {text}"), ["arms"]).get("arms")
    return [(entry.value["name"], entry.value["n"]) for entry in finding.series] if finding else []


def size(text, *, title="A study."):
    padding = " Colds last a week in most people, and many remedies have been tried with little success." * 5
    finding = read_fields(article_stating(f"BACKGROUND:{padding} METHODS: {text}", title=title), ["sample_size"]).get(
        "sample_size"
    )
    return finding and (finding.value, finding.is_derived)


@each_of(
    ("text", "expected"),
    [
        (
            "Adults were randomized to zinc (n = 67) or no zinc (n = 68).",
            [("zinc", 67), ("no zinc", 68)]
        ),
        ("In all, 67 patients received zinc and 68 received placebo.", [("zinc", 67), ("placebo", 68)]),
        ("We randomly assigned 67 patients to zinc and 68 to placebo.", [("zinc", 67), ("placebo", 68)]),
        (
            "Women were assigned to zinc lozenges (n = 30), honey (n = 31), or placebo (n = 29) for a week.",
            [("zinc lozenges", 30), ("honey", 31), ("placebo", 29)],
        ),
        (
            "There were 41 in the zinc group and 40 in the placebo group.",
            [("zinc group", 41), ("placebo group", 40)]
        ),
        (
            "Children were divided into group A (n = 20), who received zinc, and group B (n = 21), who received honey.",
            [("zinc", 20), ("honey", 21)],
        ),
        ("Eighty adults took part (zinc, n = 41; placebo, n = 39).", [("zinc", 41), ("placebo", 39)]),
        ("They were assigned to zinc 5 mg (group Z, n = 20) or saline (group S, n = 20).",
         [("zinc 5 mg", 20), ("saline", 20)]),
        ("Of 50 women, twenty-five were given zinc and 25 were given honey.", [("zinc", 25), ("honey", 25)]),
        ("Runners (n = 40) were randomised to zinc (n = 21) or placebo (n = 19).", [("zinc", 21), ("placebo", 19)]),
        ("Adults were randomised (n = 30 for zinc, n = 31 for placebo).", [("zinc", 30), ("placebo", 31)]),
        ("In all, 40 women were randomised (22 zinc, 18 placebo).", [("zinc", 22), ("placebo", 18)]),
        ("There were 932 completers (462 in zinc and 470 in placebo).", [("zinc", 462), ("placebo", 470)]),
        ("A total of 371 adults were analysed (zinc 182, honey 189).", [("zinc", 182), ("honey", 189)]),
        ("Adults were randomised (n = 35, zinc; n = 29, placebo).", [("zinc", 35), ("placebo", 29)]),
        ("In all, 81 men were analysed (n = 40 zinc; n = 41 honey).", [("zinc", 40), ("honey", 41)]),
        ("Of 150 women, 77 (51%) were randomized to zinc and 73 (49%) to honey.", [("zinc", 77), ("honey", 73)]),
        ("They took zinc (77 pts) or honey (78 pts).", [("zinc", 77), ("honey", 78)]),
        ("They were randomised to the zinc arm (25 patients) or the control arm (26 patients).",
         [("zinc arm", 25), ("control arm", 26)]),
    ],
)  # fmt: skip
def test_arms_have_their_names_and_sizes(text, expected):
    assert arms(text) == expected


@each_of(
    "text",
    [
        "Adverse events were nausea (n = 12) and headache (n = 8) in the zinc group.",
        "Patients with fever (n = 12, 20%) and with cough (n = 20, 33%) received zinc.",
        "From May 2014 to December 2018, 229 women received zinc.",
        "Zinc was given to 40 patients.",
        "Scores (4 in zinc, 5 in honey) rose in 40 adults.",
        "Men (n = 30) and women (n = 25) were enrolled.",
    ],
)
def test_other_counted_groups_are_no_arms(text):
    assert arms(text) == []


@requirement("004 E-evidence")
def test_each_arm_stands_on_its_own_words():
    article = article_stating("METHODS: Adults were randomized to zinc (n = 67) or to placebo (n = 68).")
    finding = read_fields(article, ["arms"])["arms"]

    for entry in finding.series:
        (evidence,) = entry.evidence
        assert article.abstract[evidence.start : evidence.end] == evidence.quote
        assert entry.value["name"] in evidence.quote
        assert str(entry.value["n"]) in evidence.quote


def test_arms_are_summed_where_no_total_is_stated():
    assert size("Adults were randomly assigned to zinc (n = 67) or placebo (n = 68).") == (135, True)
    assert size("We randomly assigned 67 patients to receive zinc and 68 to receive placebo.") == (135, True)


def test_a_stated_total_is_the_total():
    text = "A total of 140 adults were randomly assigned to zinc (n = 67) or placebo (n = 68)."

    assert size(text) == (140, False)


def test_arms_that_are_not_all_there_make_no_total():
    text = "Adults were randomly assigned to three groups, among them zinc (n = 67) and placebo (n = 68)."

    assert size(text) is None
