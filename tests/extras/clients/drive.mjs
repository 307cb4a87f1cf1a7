// A TypeScript client asks a server: `drive.mjs FOLDER 1|2 SERVER CALLS`, all but the second as JSON. SERVER has a
// `command`, or a `url` with the `token` to bring or who is to `signIn` at which `issuer` (a program with a `scope` of its own choice).
// Prints how many tools it lists, what it hands its host for each call: the result, or what it throws, and the refusals
// that it was sent over HTTP.
import { createRequire } from "node:module";
import { Person, program } from "./sign_in.mjs";

const [folder, major, server, calls] = process.argv.slice(2).map((word) => JSON.parse(word));
const load = createRequire(`${folder}/`);
const sdk =
  major === 1
    ? {
        ...load("@modelcontextprotocol/sdk/client/index.js"),
        ...load("@modelcontextprotocol/sdk/client/stdio.js"),
        ...load("@modelcontextprotocol/sdk/client/streamableHttp.js"),
        ...load("@modelcontextprotocol/sdk/client/auth.js"),
        ...load("@modelcontextprotocol/sdk/client/auth-extensions.js"),
      }
    : { ...load("@modelcontextprotocol/client"), ...load("@modelcontextprotocol/client/stdio") };

const seen = { refusals: [] };
async function watchedFetch(url, options) {
  const answer = await fetch(url, options);
  const challenge = answer.headers.get("www-authenticate");
  if (String(url) === server.url && challenge !== null) seen.refusals.push({ status: answer.status, challenge });
  return answer;
}

const signsIn = { program: () => program(sdk.ClientCredentialsProvider, server), person: () => new Person() };
const authProvider = signsIn[server.signIn]?.();
function transport() {
  if (!server.url) {
    const [command, ...args] = server.command;
    return new sdk.StdioClientTransport({ command, args, env: process.env });
  }
  const headers = server.token ? { Authorization: `Bearer ${server.token}` } : {};
  return new sdk.StreamableHTTPClientTransport(new URL(server.url), {
    fetch: watchedFetch,
    requestInit: { headers },
    authProvider,
  });
}

async function connected() {
  const wire = transport();
  const client = new sdk.Client({ name: "test", version: "1" });
  try {
    await client.connect(wire);
  } catch (error) {
    if (!(error instanceof sdk.UnauthorizedError) || !authProvider?.code) throw error;
    await wire.finishAuth(authProvider.code);
    return connected();
  }
  return client;
}

async function ask() {
  const client = await connected();
  const { tools } = await client.listTools();
  seen.tools = tools.length;
  seen.answers = [];
  for (const [name, given] of calls) {
    const answer = client.callTool({ name, arguments: given });
    seen.answers.push(await answer.catch((error) => ({ thrown: String(error) })));
  }
  await client.close();
}

await ask().catch((error) => (seen.thrown = String(error)));
console.log(JSON.stringify(seen));
