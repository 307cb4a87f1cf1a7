// How the gateway stands: its sources with their budgets, its cache. Looked at again while somebody looks at the page.

const PAUSE_SECONDS = 5;
const SHARED = {
  redis: ["all replicas", "share them in Redis"],
  sqlite: ["one machine", "its processes share them"],
  memory: ["one process", "others have their own"],
};

let seenBefore = null; // the counts of the look before, for rates

function showState(state) {
  const now = performance.now() / 1000;
  const before = seenBefore;
  seenBefore = {at: now, services: state.services};
  serviceTitles = Object.fromEntries(Object.entries(state.services).map(([name, service]) => [name, service.title]));
  byId("version").textContent = state.version;
  const titles = Object.fromEntries(toolsets.map((set) => [set.name, set]));
  const cards = Object.entries(state.sources).map(([name, services]) => card(titles[name], name, services, state, before, now));
  fill(byId("cards"), ...cards);
  fill(byId("figures"), ...figuresOf(state));
  const note = [state.is_sandbox && "This gateway answers from a sandbox of its own: what it knows is a few dozen entities, for trying.",
    state.is_offline && "It is set to be offline, and answers from its cache alone."].filter(Boolean).join(" ");
  byId("place").textContent = note;
  byId("place").hidden = !note;
  byId("seen").textContent = `Looked at ${new Date().toLocaleTimeString("en-GB")}; no database was asked for this.`;
  for (const id of ["figures", "sources"]) byId(id).hidden = false;
}

function figuresOf(state) {
  const services = Object.values(state.services);
  const kept = new Set(services.map((service) => service.kept_in));
  const isLost = state.has_redis && (state.cache.kept_in !== "redis" || !kept.has("redis"));
  const lines = [
    ["Sources", Object.keys(state.sources).length, count(services.length, "service")],
    ["Tools", allTools().length, "each to be tried below"],
    ["Answers kept", state.cache.entries.toLocaleString("en"), `${bytes(state.cache.bytes)} in ${state.cache.kept_in === "sqlite" ? "a file" : state.cache.kept_in}`],
    ...(kept.size ? [["Budgets", ...SHARED[Object.keys(SHARED).findLast((place) => kept.has(place))]]] : []),
    ...(state.has_redis ? [["Redis", isLost ? "lost" : "in use", isLost ? "the gateway goes on without it" : "cache and budgets"]] : []),
  ];
  return lines.map(([name, value, words]) =>
    element("div", null, element("dt", null, name), element("dd", null, value, element("small", null, words))));
}

function card(set, name, services, state, before, now) {
  const drawn = services.map((service) => serviceView(service, name, state, before, now));
  return element("li", null,
    element("h3", null, set?.title ?? name), set ? element("p", {class: "about"}, set.about) : null, ...drawn);
}

function serviceView(name, source, state, before, now) {
  const service = state.services[name];
  const sharing = Object.keys(state.sources).filter((other) => other !== source && state.sources[other].includes(name));
  const rate = rateOf(service, before?.services[name], now - (before?.at ?? now));
  const numbers = [
    `${service.per_second.toLocaleString("en")} a second`,
    rate === null ? null : `${rate.toFixed(1)} used`,
    service.under_way === undefined ? null : `${service.under_way} under way`,
    service.waiting === undefined ? null : `${service.waiting} waiting`,
  ].filter(Boolean).map((words) => words.replaceAll(" ", "\u00a0")).join(" \u00b7 ");
  const bar = element("span");
  bar.style.width = `${Math.min(100, (100 * (rate ?? 0)) / service.per_second)}%`;
  return element("div", {class: "service"},
    element("div", {class: "head"}, element("span", {class: "name"}, service.title), badge(service)),
    rate === null ? null : element("div", {class: "track", "aria-hidden": "true"}, bar),
    element("p", {class: "numbers"}, numbers),
    sharing.length ? element("p", {class: "numbers"}, `One budget with ${sharing.map((other) => toolsets.find((set) => set.name === other)?.title ?? other).join(", ")}`) : null);
}

function badge(service) {
  if (service.down) return element("span", {class: "badge grave"}, "known to be down");
  if (service.is_paused) return element("span", {class: "badge doubtful"}, `paused for ${seconds(service.next_slot_seconds)}`);
  return element("span", {class: "badge good"}, "ready");
}

/** Requests a second since the look before; null where nobody counts them. */
function rateOf(service, earlier, passed) {
  if (service.requests === undefined || earlier?.requests === undefined || passed <= 0) return null;
  return Math.max(0, service.requests - earlier.requests) / passed;
}

function bytes(number) {
  const units = ["bytes", "KB", "MB", "GB"];
  const power = Math.min(units.length - 1, number < 1 ? 0 : Math.floor(Math.log10(number) / 3));
  return `${(number / 1000 ** power).toFixed(power && number / 1000 ** power < 10 ? 1 : 0)} ${units[power]}`;
}
