"""The report in a real browser, over DevTools' pipe: it fetches no file, no content overflows, all text is legible."""

import pytest

from biofact.literature.report import page
from tests.literature.made_page import hostile
from tests.literature.made_ranking import report

pytestmark = pytest.mark.extras

NARROW, WIDE = 360, 1280
# Text whose contrast with what is behind it is below 4.5; a canvas turns any colour into numbers.
FAINT = """(() => {
  const context = Object.assign(document.createElement("canvas"), {width: 1, height: 1}).getContext("2d");
  const colour = (written) => {
    context.clearRect(0, 0, 1, 1); context.fillStyle = written; context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (rgba) => rgba.slice(0, 3)
    .map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
  const behind = (element) => {
    for (; element; element = element.parentElement) {
      const found = colour(getComputedStyle(element).backgroundColor);
      if (found[3] === 255) return found;
    }
    return [255, 255, 255, 255];
  };
  const faint = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement, style = getComputedStyle(element);
    if (!walk.currentNode.data.trim()) continue;
    const shades = [colour(element.closest("svg") ? style.fill : style.color), behind(element)].map(luminance);
    const contrast = (Math.max(...shades) + 0.05) / (Math.min(...shades) + 0.05);
    if (contrast < 4.5) faint.push([walk.currentNode.data.trim(), contrast]);
  }
  return faint;
})()"""
SIZES = """["svg", ".flow .box", ".heat td", ".bar", ".abstract mark", "table"].map((name) =>
  Math.min(...[...document.querySelectorAll(name)].flatMap((one) => {
    const box = one.getBoundingClientRect();
    return [box.width, box.height];
  })))"""


@pytest.fixture(scope="module")
def addresses(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    colours = {}
    for name, content in (("plain", report()), ("hostile", report(**hostile()))):
        (folder / f"{name}.html").write_text(page(content), "utf-8")
        colours[name] = (folder / f"{name}.html").as_uri()
    return colours


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [NARROW, WIDE])
@pytest.mark.parametrize("name", ["plain", "hostile"])
def test_the_page_is_whole_and_legible(browser, addresses, name, width, scheme):
    browser.show(addresses[name], width=width, scheme=scheme)

    assert browser.events_of("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded") == []
    requests = [event["params"]["request"]["url"] for event in browser.events_of("Network.requestWillBeSent")]
    assert [url for url in requests if not url.startswith("data:")] == [addresses[name]]
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert all(size > 0 for size in browser.value(SIZES))
    assert browser.value("document.scripts.length") == 0
    assert browser.value(FAINT) == []


def test_light_and_dark_differ(browser, addresses):
    colours = []
    for scheme in ("light", "dark"):
        browser.show(addresses["plain"], width=WIDE, scheme=scheme)
        colours.append(browser.value("getComputedStyle(document.body).backgroundColor"))

    assert colours == ["rgb(255, 255, 255)", "rgb(16, 23, 29)"]


def test_the_policy_stops_what_slips_in(browser, tmp_path):
    injected_tags = (
        '<script>document.body.remove()</script><img src="https://biofact.invalid/x.png"><p style="color:#999">faint'
    )
    (tmp_path / "slipped.html").write_text(page(report()).replace("</main>", f"</main>{injected_tags}"), "utf-8")
    browser.show((tmp_path / "slipped.html").as_uri(), width=WIDE, scheme="light")

    assert browser.value("document.querySelectorAll('h1').length") == 1
    assert len(browser.events_of("Log.entryAdded")) == 2
    assert [text for text, _ in browser.value(FAINT)] == ["faint"]


def test_on_paper_it_is_light_and_nothing_is_cut(browser, addresses):
    browser.show(addresses["plain"], width=794, scheme="dark")
    browser.ask(
        "Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}]
    )

    assert browser.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.value("document.documentElement.scrollWidth") <= 794
    browser.ask("Emulation.setEmulatedMedia", media="")
