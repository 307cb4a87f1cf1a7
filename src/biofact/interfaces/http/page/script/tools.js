// The list of tools, and the one that is tried.

let toolsets = [];
let sandbox = null; // where the sandbox answers, if the gateway offers it
let place = "live"; // where calls go: "live" or "sandbox"
let underway = null; // what can stop the call that is under way

const allTools = () => toolsets.flatMap((set) => set.tools);

function showTools(found) {
  toolsets = found;
  const groups = found.map((set, index) => element("details", {"data-set": set.name, open: index === 0},
    element("summary", null, `${set.title} `, element("span", {class: "quiet"}, count(set.tools.length, "tool"))),
    element("p", {class: "quiet"}, set.about),
    element("ul", null, ...set.tools.map((tool) =>
      element("li", {"data-tool": tool.name}, element("a", {href: `#${tool.name}`}, tool.title))))));
  fill(byId("list"), ...groups);
  byId("tools").hidden = false;
  follow({isFocused: false});
}

/** Show the tool that the address names, or the first. */
function follow({isFocused = true} = {}) {
  const named = allTools().find((tool) => `#${tool.name}` === location.hash);
  const tool = named ?? allTools()[0];
  if (!tool || (location.hash && !named && byId("tool").childElementCount)) return;
  openTool(tool, tool.example);
  if (named && isFocused) {
    byId("tool").scrollIntoView();
    byId("tool-title").focus();
  }
}

function filterTools() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const set of toolsets) {
    const group = document.querySelector(`[data-set="${CSS.escape(set.name)}"]`);
    const kept = set.tools.filter((tool) => {
      const text = `${set.title} ${tool.name} ${tool.title} ${tool.description}`.toLowerCase();
      const isKept = words.every((word) => text.includes(word));
      group.querySelector(`[data-tool="${CSS.escape(tool.name)}"]`).hidden = !isKept;
      return isKept;
    });
    group.hidden = !kept.length;
    if (words.length) group.open = true;
    found += kept.length;
  }
  byId("filter-count").textContent = words.length ? count(found, "tool") : "";
}

function openTool(tool, given) {
  underway?.abort();
  for (const link of byId("list").querySelectorAll("a")) {
    if (link.hash === `#${tool.name}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
  const set = toolsets.find((one) => one.tools.includes(tool));
  document.querySelector(`[data-set="${CSS.escape(set.name)}"]`).open = true;
  const form = element("form", {novalidate: true, autocomplete: "off"});
  const shown = argumentsOf(tool, given);
  const submit = element("button", {type: "submit"}, "Ask");
  const stop = button("Stop", () => underway?.abort(), {hidden: true});
  form.append(...shown.elements, ...places(), element("div", {class: "row"}, submit, stop));
  const result = element("div", {id: "result"});
  const status = element("p", {class: "outcome", role: "status", id: "status"});
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = shown.values();
    if (values) run({tool, values, result, status, submit, stop});
  });
  fill(byId("tool"), element("p", {class: "calls"}, set.title, " \u00b7 ", element("code", null, tool.name)),
    element("h3", {id: "tool-title", tabindex: "-1"}, tool.title),
    element("p", {class: "says"}, ...withCode(tool.description)), form, status, result);
  return form;
}

/** Where the call goes, if there is a choice. */
function places() {
  if (!sandbox) return [];
  const words = {live: "the databases", sandbox: "the sandbox: a few dozen known entities, for trying"};
  const options = Object.entries(words).map(([name, text]) => {
    const choice = element("input", {type: "radio", name: "place", value: name, id: `place-${name}`});
    choice.checked = place === name;
    choice.addEventListener("change", () => { place = name; });
    return element("label", {class: "option", for: choice.id}, choice, text);
  });
  return [element("fieldset", null, element("legend", null, "Who answers"), element("div", {class: "options"}, ...options))];
}

async function run({tool, values, result, status, submit, stop}) {
  const path = place === "sandbox" && sandbox ? sandbox : "mcp";
  const own = underway = new AbortController();
  submit.disabled = true;
  stop.hidden = false;
  status.textContent = "Asking \u2026";
  try {
    const answer = await call(path, tool.name, values, own.signal);
    const onward = {
      recover,
      next: (cursor) => again(tool, {...values, cursor}),
      askSandbox: path === sandbox || !sandbox ? null : () => {
        place = "sandbox";
        again(tool, values);
      },
    };
    fill(status, ...outcome(answer));
    fill(result, ...answerView(answer, toolCall(tool.name, values), onward));
    remember(tool.title, answer);
  } catch (error) {
    if (error.name !== "AbortError" && !(error instanceof Refusal)) throw error;
    fill(result);
    status.textContent = error.name === "AbortError" ? "Stopped." : error.message;
    if (error.status === 401) askForToken(error.message);
  } finally {
    submit.disabled = false;
    stop.hidden = true;
    if (own === underway) underway = null;
  }
}

/** Make a call with other arguments, in a form that shows them. */
function again(tool, values) {
  openTool(tool, values).requestSubmit();
  byId("tool-title").focus({preventScroll: false});
}

function recover({tool: name, arguments: values = {}}) {
  const tool = allTools().find((one) => one.name === name);
  if (!tool) return;
  history.replaceState(null, "", `#${tool.name}`);
  again(tool, values);
}
