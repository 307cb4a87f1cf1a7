// From the first look to the last.

let isKnown = false; // whether the gateway has shown us its tools
let timer = 0;

function askForToken(message) {
  byId("key").hidden = false;
  showFault(token ? message : "");
  for (const id of ["sources", "tools", "figures"]) byId(id).hidden = true;
  isKnown = false;
  token = "";
  byId("forget").hidden = true;
}

function showFault(message) {
  byId("fault").textContent = message;
  byId("fault").hidden = !message;
}

async function look() {
  clearTimeout(timer);
  try {
    const state = await send("state");
    sandbox = state.sandbox;
    if (!isKnown) {
      const found = await send("catalog");
      byId("key").hidden = true;
      showTools(found.toolsets);
      isKnown = true;
    }
    showState(state);
    showFault("");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.status === 401) return askForToken(error.message);
    showFault(error.message);
  }
  if (!document.hidden) timer = setTimeout(look, 1000 * PAUSE_SECONDS);
}

byId("endpoint").textContent = new URL("mcp", location.href).href;
byId("filter").addEventListener("input", filterTools);
addEventListener("hashchange", () => follow());
document.addEventListener("visibilitychange", () => {
  clearTimeout(timer);
  if (!document.hidden && byId("key").hidden) look();
});
byId("key-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  token = byId("key-field").value.trim();
  byId("key-field").value = "";
  await look();
  byId("forget").hidden = !isKnown;
  if (isKnown) byId("tools").focus({preventScroll: true});
  else byId("key-field").focus();
});
byId("forget").addEventListener("click", () => {
  askForToken("");
  for (const id of ["figures", "cards", "list", "tool", "answers"]) fill(byId(id));
  byId("recent").hidden = true;
  byId("key-field").focus();
});
look();
