"""Reports of 5, 50 and 2,000 articles in a browser: wide, narrow and on paper; axe-core checks accessibility."""

import pytest

from biofact.literature.report import page
from tests.extras import needs
from tests.literature.made_evidence import review_report

pytestmark = pytest.mark.extras

AXE = needs.axe_core()
COUNTS = (5, 50, 2000)
PRINTED_COUNTS = (5, 25, 200, 2000)
"""With 25 the evidence table crosses a page, which Chromium never ended while its body was a flex container."""
WIDTHS = (1280, 768, 360)
MOST_BYTES, MOST_ELEMENTS = 7_000_000, 150_000
"""2,000 articles: a browser lays them out in some two seconds, and 15 MB with 340,000 elements took seven."""
SMALLEST_TEXT = 9
"""Pixels: labels within an abstract have this size, all other text 12 and more."""

VIOLATIONS = """axe.run(document, {resultTypes: ["violations"]}).then((found) => found.violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .map((one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))]))"""
ORDER = """[...document.querySelectorAll(".ranking .sortable > tr")]
  .map((row) => [row.getBoundingClientRect().top, +row.querySelector(".rank").textContent])
  .sort((one, other) => one[0] - other[0]).map((row) => row[1])"""
OVERFLOWING_ELEMENTS = """[...document.querySelectorAll("main *")].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && box.right > innerWidth + 1 && !one.closest(".scroll") && !one.closest("thead");
  }).slice(0, 3).map((one) => one.outerHTML.slice(0, 200))"""
SMALL = """(() => { const small = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const size = parseFloat(getComputedStyle(walk.currentNode.parentElement).fontSize);
    if (walk.currentNode.data.trim() && size < %s) small.push([walk.currentNode.data.trim(), size]);
  } return small.slice(0, 5); })()"""


FIRST_ONES = """document.querySelectorAll("tbody > tr:nth-child(n+40), .card:nth-of-type(n+40)")
  .forEach((one) => one.remove());
document.body.className = "" """
AT_ONCE = "document.body.className = ''"
"""Lays out all content, even far from the window; to measure each place would take minutes."""
SCORES = """(() => {
  const row = document.querySelector(".ranking tbody tr:nth-child(1900)"), cells = [...row.querySelectorAll(".score")];
  const boxes = cells.map((one) => one.getBoundingClientRect()), range = document.createRange();
  range.selectNodeContents(row.querySelector(".rank"));
  return [boxes.map((one) => one.left), boxes.map((one) => one.top), range.getBoundingClientRect().height];
})()"""
DRAWN_MARKS = """[...document.querySelectorAll(".forest tbody .plot > svg")].map((one) => {
  const place = (name) => one.querySelector(name).getBoundingClientRect();
  const [line, square, none] = [place(".interval"), place(".estimate"), place(".null")];
  return [line.left, (square.left + square.right) / 2, line.right, none.height, one.getBoundingClientRect().height];
})"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    report_files = {count: folder / f"{count}.html" for count in {*COUNTS, *PRINTED_COUNTS}}
    for count, file in report_files.items():
        file.write_text(page(review_report(count)), "utf-8")
    return report_files


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", COUNTS[:2])
def test_axe_core_finds_nothing_serious(browser, files, count, width, scheme):
    browser.show(files[count].as_uri(), width=width, scheme=scheme)
    browser.value(f"{AXE};1")

    assert browser.value(VIOLATIONS) == []


def test_axe_core_finds_nothing_serious_among_two_thousand(browser, files):
    browser.show(files[2000].as_uri(), width=1280, scheme="light")
    browser.value(FIRST_ONES)
    browser.value(f"{AXE};1")

    assert browser.value(VIOLATIONS) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", COUNTS)
def test_nothing_is_cut_or_too_small(browser, files, count, width):
    browser.show(files[count].as_uri(), width=width, scheme="light")
    browser.value(AT_ONCE)

    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value(OVERFLOWING_ELEMENTS) == []
    assert browser.value(SMALL % SMALLEST_TEXT) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_scores_stand_side_by_side_and_ranks_in_one_line(browser, files, width):
    browser.show(files[2000].as_uri(), width=width, scheme="light")
    browser.value("document.querySelector('.ranking tbody tr:nth-child(1900)').scrollIntoView()")

    lefts, tops, rank_height = browser.value(SCORES)
    assert lefts == sorted(set(lefts))
    assert len(set(tops)) == 1
    assert rank_height < 30


def test_two_thousand_articles_are_a_page_that_opens_quickly(browser, files):
    assert files[2000].stat().st_size < MOST_BYTES
    browser.show(files[2000].as_uri(), width=1280, scheme="light")

    assert browser.value("document.querySelectorAll('*').length") < MOST_ELEMENTS
    assert browser.value("document.querySelectorAll('.ranking .sortable > tr').length") == 2000


@pytest.mark.parametrize("width", [1280, 360])
def test_the_reader_sorts_by_relevance_or_strength_with_keys_alone(browser, files, width):
    browser.show(files[50].as_uri(), width=width, scheme="light")
    rows = review_report(50).rows
    by_relevance = [row.rank for row in sorted(rows, key=lambda row: -row.candidate.relevance)]
    by_strength = [row.rank for row in sorted(rows, key=lambda row: -row.candidate.evidence_strength)]

    assert browser.value(ORDER) == [row.rank for row in rows]
    browser.value("document.querySelector('#sort-t').focus()")
    browser.press("ArrowRight")
    assert browser.value(ORDER) == by_relevance
    browser.press("ArrowRight")
    assert browser.value(ORDER) == by_strength
    assert browser.value("document.activeElement.id") == "sort-e"


def test_the_keyboard_follows_the_order_that_is_seen(browser, files):
    browser.show(files[5].as_uri(), width=1280, scheme="light")
    browser.value("document.querySelector('#sort-y').click()")
    focus_order = browser.value(ORDER)
    browser.value("document.querySelector('#sort-y').focus()")
    focused_ids = []
    for _ in focus_order:
        browser.press("Tab")
        focused_ids.append(browser.value("+document.activeElement.closest('tr').querySelector('.rank').textContent"))

    assert focus_order != sorted(focus_order)
    assert focused_ids == focus_order


@pytest.mark.parametrize("count", PRINTED_COUNTS)
def test_a_report_prints(browser, files, count):
    browser.show(files[count].as_uri(), width=794, scheme="dark")
    printed_pdf = browser.pdf()

    assert printed_pdf.startswith(b"%PDF-")
    assert (
        printed_pdf.count(b"/Type /Page\n") + printed_pdf.count(b"/Type /Page ") + printed_pdf.count(b"/Type /Page/")
        > 0
    )
    browser.ask("Emulation.setEmulatedMedia", media="print")
    assert browser.value("getComputedStyle(document.querySelector('.sort')).display") == "none"
    assert browser.value("getComputedStyle(document.querySelector('.ranking thead')).position") == "static"
    assert browser.value("document.documentElement.scrollWidth") <= 794
    browser.ask("Emulation.setEmulatedMedia", media="")


def test_the_forest_plot_draws_an_estimate_within_its_interval(browser, files):
    browser.show(files[50].as_uri(), width=1280, scheme="light")
    drawn_marks = browser.value(DRAWN_MARKS)

    assert len(drawn_marks) > 20
    for low, middle, right, no_effect, height in drawn_marks:
        assert low < middle < right
        assert no_effect == pytest.approx(height, abs=1)  # the line of no effect has no gaps between studies
