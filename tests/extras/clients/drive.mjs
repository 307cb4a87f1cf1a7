// A TypeScript client asks a server: `drive.mjs FOLDER 1|2 SERVER CALLS`, all but the second as JSON.
// Prints how many tools it lists and what it hands its host for each call: the result, or what it throws.
import { createRequire } from "node:module";

const [folder, major, server, calls] = process.argv.slice(2).map((word) => JSON.parse(word));
const load = createRequire(`${folder}/`);
const { Client, StdioClientTransport, StreamableHTTPClientTransport } =
  major === 1
    ? {
        ...load("@modelcontextprotocol/sdk/client/index.js"),
        ...load("@modelcontextprotocol/sdk/client/stdio.js"),
        ...load("@modelcontextprotocol/sdk/client/streamableHttp.js"),
      }
    : { ...load("@modelcontextprotocol/client"), ...load("@modelcontextprotocol/client/stdio") };

const transport = server.url
  ? new StreamableHTTPClientTransport(new URL(server.url))
  : new StdioClientTransport({ command: server.command[0], args: server.command.slice(1), env: process.env });
const client = new Client({ name: "test", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
const answers = [];
for (const [name, given] of calls) {
  answers.push(await client.callTool({ name, arguments: given }).catch((error) => ({ thrown: String(error) })));
}
console.log(JSON.stringify({ tools: tools.length, answers }));
await client.close();
