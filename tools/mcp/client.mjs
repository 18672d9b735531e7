// Drives a server with an official SDK client: client.mjs PACKAGE-FOLDER v1|v2|v2-auto stdio PROGRAM ARGUMENT...
//                                                 client.mjs PACKAGE-FOLDER v1|v2|v2-auto http URL TOKEN
// The server has the tools of the conformance suite; behind a gateway it is the one that MCP_SERVER names.
// Prints one line of JSON: what the client saw.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, sdk, way, ...rest] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(path.join(folder, 'node_modules', '@modelcontextprotocol', name)));
const isFirst = sdk === 'v1';
const server = process.env.MCP_SERVER;
const called = (name) => (server ? `${server}__${name}` : name);
const at = (uri) => (server ? `cagewright:${server}:${uri}` : uri);

async function parts() {
  if (isFirst) {
    const { Client } = await load('sdk/dist/esm/client/index.js');
    const { StdioClientTransport } = await load('sdk/dist/esm/client/stdio.js');
    const { StreamableHTTPClientTransport } = await load('sdk/dist/esm/client/streamableHttp.js');
    const { ElicitRequestSchema } = await load('sdk/dist/esm/types.js');
    return { Client, StdioClientTransport, StreamableHTTPClientTransport, elicit: ElicitRequestSchema };
  }
  const { Client, StreamableHTTPClientTransport } = await load('client/dist/index.mjs');
  const { StdioClientTransport } = await load('client/dist/stdio.mjs');
  return { Client, StdioClientTransport, StreamableHTTPClientTransport, elicit: 'elicitation/create' };
}

const { Client, StdioClientTransport, StreamableHTTPClientTransport, elicit } = await parts();
const options = { capabilities: { elicitation: {} } };
if (sdk === 'v2-auto') options.versionNegotiation = { mode: 'auto' };
const client = new Client({ name: 'peer', version: '1.0.0' }, options);
client.setRequestHandler(elicit, async () => ({ action: 'accept', content: { username: 'Ann', email: 'ann@example.test', name: 'Ann' } }));
const transport = way === 'stdio'
  ? new StdioClientTransport({ command: rest[0], args: rest.slice(1), stderr: 'inherit' })
  : new StreamableHTTPClientTransport(new URL(rest[0]), { requestInit: { headers: { Authorization: `Bearer ${rest[1]}` } } });
const call = (name, args, more = {}) => isFirst
  ? client.callTool({ name: called(name), arguments: args }, undefined, more)
  : client.callTool({ name: called(name), arguments: args }, more);

const seen = {};
try {
  await client.connect(transport);
  seen.server = client.getServerVersion()?.name;
  seen.version = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? '';
  seen.tools = (await client.listTools()).tools.length;
  seen.said = (await call('test_simple_text', {})).content[0].text;
  const steps = [];
  await call('test_tool_with_progress', {}, { onprogress: (step) => steps.push(step.progress) });
  seen.steps = steps;
  seen.asked = (await call('test_elicitation', { message: 'Who?' })).content[0].text;
  seen.read = (await client.readResource({ uri: at('test://static-text') })).contents[0].text;
  seen.prompt = (await client.getPrompt({ name: called('test_simple_prompt') })).messages[0].content.text;
  seen.refused = await call('no_such_tool', {}).then((result) => String(result.isError), (failure) => failure.code);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  seen.cancelled = await call('test_waits', {}, { signal: stop.signal }).then(() => 'no', () => 'yes');
  seen.after = (await call('test_simple_text', {})).content.length;
} catch (failure) {
  seen.failed = String(failure?.stack ?? failure);
} finally {
  await client.close();
}
console.log(JSON.stringify(seen));
process.exit(seen.failed ? 1 : 0);
