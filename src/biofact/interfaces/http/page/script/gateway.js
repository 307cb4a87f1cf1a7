// Requests to the server that this page came from, and to no other.

const PROTOCOL = "2026-07-28";
const META = "io.modelcontextprotocol/";
const PROVENANCE = "biofact/provenance";

let token = ""; // here alone, kept nowhere

/** The gateway did not do what was asked; the message is for people. */
class Refusal extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function send(path, options = {}) {
  const headers = {...options.headers, ...(token ? {Authorization: `Bearer ${token}`} : {})};
  let response;
  try {
    response = await fetch(path, {...options, headers, cache: "no-store", redirect: "error"});
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refusal("The gateway does not answer. Is it still running?", 0);
  }
  if (response.ok) return response.json();
  throw new Refusal(await reason(response), response.status);
}

async function reason(response) {
  if (response.status === 401) return token ? "The gateway does not know this token." : "The gateway asks for a token.";
  if (response.status === 403) {
    const scope = /scope="([^"]*)"/.exec(response.headers.get("www-authenticate") ?? "")?.[1];
    return scope ? `Your token does not open this; it would take the scope ${scope}.` : "The gateway refuses this page.";
  }
  if (response.status === 503) return "The gateway has as much to do as it can take. Try again in a second.";
  const body = await response.json().catch(() => null);
  const words = body?.error?.message ?? body?.error;
  return `The gateway answered HTTP ${response.status}${typeof words === "string" ? `: ${words}` : "."}`;
}

let requests = 0;

/** The JSON-RPC request that calls a tool; each stands alone. */
function toolCall(name, values) {
  const meta = {
    [`${META}protocolVersion`]: PROTOCOL,
    [`${META}clientInfo`]: {name: "biofact-page", version: "1"},
    [`${META}clientCapabilities`]: {},
  };
  return {jsonrpc: "2.0", id: ++requests, method: "tools/call", params: {name, arguments: values, _meta: meta}};
}

/** What a tool answers: {body, isFailure, provenance, seconds}. A failure of the tool is an answer, too. */
async function call(path, name, values, signal) {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": PROTOCOL,
    "Mcp-Method": "tools/call",
    "Mcp-Name": name,
  };
  const began = performance.now();
  const reply = await send(path, {method: "POST", headers, body: JSON.stringify(toolCall(name, values)), signal});
  if (reply.error) throw new Refusal(`The gateway refused the call: ${reply.error.message}`, 200);
  const {content = [], isError = false, _meta: meta = {}} = reply.result;
  return {
    body: parsed(content.map((block) => block.text ?? "").join("\n")),
    isFailure: isError,
    provenance: meta[PROVENANCE] ?? null,
    seconds: (performance.now() - began) / 1000,
  };
}

/** JSON where it is some, else the text. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
