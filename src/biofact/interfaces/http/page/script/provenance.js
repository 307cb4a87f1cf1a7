// Where answers came from: source, address, time, and whether live, from the cache, stale, or of the sandbox.

const ORIGINS = {
  live: ["live", "good"],
  cache: ["from the cache", ""],
  stale: ["stale: the service could not be asked", "doubtful"],
  sandbox: ["sandbox", "doubtful"],
};
const MOST_ANSWERS = 10;

let serviceTitles = {}; // by the names that provenance has

/** The request behind a result, and those beside it. */
function provenanceView(provenance) {
  const others = provenance.others ?? [];
  const more = others.length
    ? element("details", {class: "whole"}, element("summary", null, count(others.length, "further request")), ...others.map((one) => origin(one)))
    : null;
  return element("div", {class: "read"}, element("h4", null, "Read from"), origin(provenance), more);
}

function origin(read, title = null) {
  const [words, kind] = ORIGINS[read.from] ?? [read.from, ""];
  const time = String(read.retrieved_at);
  const month = read.release_date ? ` of ${read.release_date}` : "";
  const beside = [read.release && `release ${read.release}${month}`, read.licence].filter(Boolean);
  return element("div", {class: "origin"},
    element("div", {class: "head"},
      title && element("strong", null, title),
      element(title ? "span" : "strong", null, foreign(serviceTitles[read.source] ?? read.source)),
      element("span", {class: `badge ${kind}`}, words),
      element("time", {datetime: time, class: "hint"}, utcTime(time))),
    element("p", {class: "url"}, foreign(read.url)),
    beside.length && !title ? element("p", {class: "hint"}, foreign(beside.join(" \u00b7 "))) : null);
}

function utcTime(text) {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** Put an answer first among the last ones. */
function remember(title, answer) {
  if (!answer.provenance) return;
  byId("answers").prepend(element("li", null, origin(answer.provenance, title)));
  while (byId("answers").children.length > MOST_ANSWERS) byId("answers").lastElementChild.remove();
  byId("recent").hidden = false;
}
