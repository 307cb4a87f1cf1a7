// What a tool answered, for people: in short, its notices, its facts as a table or list, and the whole as JSON.

const MOST_COLUMNS = 7;
const MOST_ROWS = 100;
const FEW = 3;
const NAMING = ["id", "label", "name", "symbol", "title"];

const textOf = (value) => typeof value === "string" ? value : JSON.stringify(value);

const isScalar = (value) => value === null || typeof value !== "object";
const isObject = (value) => !isScalar(value) && !Array.isArray(value);

/** One sentence about an answer, which screen readers say. */
function summary(answer) {
  if (answer.isFailure) return answer.body?.error?.code ?? "Refused";
  if (!Array.isArray(answer.body?.items)) return "Found";
  const {items, pagination} = answer.body;
  const total = pagination?.total_count;
  const rows = count(items.length, "row");
  return total > items.length ? `${rows} of ${total.toLocaleString("en")}` : rows;
}

/** A value beside its name, or within a row, where little of a nested one stands. */
function shown(value, isInRow = false) {
  if (isScalar(value)) return foreign(value);
  if (isFlat(value)) return element("span", null, ...value.flatMap((one, place) => place ? [", ", foreign(one)] : [foreign(one)]));
  if (Array.isArray(value)) return several(value, isInRow ? FEW : MOST_ROWS);
  return isInRow ? brief(value) : facts(value);
}

const isFlat = (value) => Array.isArray(value) && value.every(isScalar);

function several(values, most) {
  const lines = values.slice(0, most).map((one) => element("div", null, isObject(one) ? brief(one) : shown(one, true)));
  const rest = values.length - most;
  return element("div", null, ...lines, rest > 0 ? element("div", {class: "hint"}, `and ${rest} more`) : null);
}

/** An object in a line: what names it as it is, all else after its name. */
function brief(record) {
  const parts = Object.entries(record).filter(([name]) => name !== "notices").map(([name, value]) => {
    const inside = isObject(value) ? brief(value) : isFlat(value) || isScalar(value) ? shown(value) : plain(JSON.stringify(value));
    return NAMING.includes(name) ? [inside] : [element("span", {class: "hint"}, `${name} `), inside];
  });
  return element("span", null, ...parts.flatMap((part, place) => place ? [" \u00b7 ", ...part] : part));
}

/** An object as names and values. */
function facts(record) {
  const pairs = Object.entries(record).filter(([name]) => name !== "notices");
  return element("dl", {class: "facts"}, ...pairs.flatMap(([name, value]) =>
    [element("dt", null, name), element("dd", null, shown(value))]));
}

/** Rows as a table of their first columns; the JSON has all of them. */
function table(items) {
  const rows = items.slice(0, MOST_ROWS).map((row) => row.success === false ? failedRow(row) : row);
  const names = [...new Set(rows.flatMap(Object.keys))].filter((name) => name !== "notices").slice(0, MOST_COLUMNS);
  if (!names.length) return null;
  const head = element("tr", null, ...names.map((name) => element("th", {scope: "col"}, name)));
  const cell = (row, name) => element("td", {"data-label": name}, row[name] === undefined ? null : shown(row[name], true));
  const lines = rows.map((row) => element("tr", null, ...names.map((name) => cell(row, name))));
  return scrolled("Rows of the answer", element("table", null, element("thead", null, head), element("tbody", null, ...lines)));
}

/** The failure of one entry of a batch, as a row. */
const failedRow = ({error = {}}) => ({id: JSON.stringify(error.invalid_input), error: error.code, message: error.message});

const notices = (body) => Array.isArray(body?.notices) && body.notices.length
  ? element("ul", {class: "notices"}, ...body.notices.map((notice) =>
    element("li", null, element("span", {class: "badge"}, notice.code), foreign(notice.message))))
  : null;

/** What went wrong, and what may help: another call, or the sandbox. */
function failure(body, {recover, askSandbox}) {
  const error = body?.error;
  if (!error) return element("div", {class: "failure", role: "alert"}, element("p", null, foreign(textOf(body))));
  const recovery = error.recovery;
  const wait = Number(recovery?.retry_after_seconds);
  return element("div", {class: "failure", role: "alert"},
    element("p", null, foreign(error.message)),
    error.recovery_hint ? element("p", {class: "quiet"}, ...withCode(error.recovery_hint)) : null,
    typeof recovery?.tool === "string" ? button(`Call ${recovery.tool}`, () => recover(recovery)) : null,
    error.code === "UPSTREAM_ERROR" && askSandbox ? button("Ask the sandbox", askSandbox) : null,
    wait > 0 ? element("p", {class: "quiet"}, `The same call can succeed in ${seconds(wait)}.`) : null);
}

function contentView(body) {
  if (!isObject(body)) return element("pre", {tabindex: "0"}, foreign(body));
  if (Array.isArray(body.items)) {
    const beside = Object.fromEntries(Object.entries(body).filter(([name]) => !["items", "pagination", "notices"].includes(name)));
    const drawn = body.items.every(isObject) ? table(body.items) : shown(body.items);
    return element("div", null, Object.keys(beside).length ? facts(beside) : null, drawn);
  }
  return facts(body);
}

const folded = (words, value) => element("details", {class: "whole"}, element("summary", null, words),
  element("pre", {tabindex: "0"}, JSON.stringify(value, null, 2)));

/** How a call went, in a line that screen readers say. */
const outcome = (answer) => [
  element("span", {class: `badge ${answer.isFailure ? "grave" : "good"}`}, summary(answer)),
  element("span", {class: "hint"}, `in ${seconds(answer.seconds)}`),
];

/** All of an answer; `onward` has what its buttons do: `recover(recovery)`, `next(cursor)`, `askSandbox()` or null. */
function answerView(answer, request, onward) {
  const cursor = answer.body?.pagination?.cursor;
  return [
    answer.isFailure ? failure(answer.body, onward) : null,
    notices(answer.body),
    answer.isFailure ? null : contentView(answer.body),
    cursor ? element("p", {class: "next"}, button("Next page", () => onward.next(cursor))) : null,
    answer.provenance ? provenanceView(answer.provenance) : null,
    folded("The whole answer as JSON", answer.body),
    folded("The call as an agent sends it", request),
  ];
}
