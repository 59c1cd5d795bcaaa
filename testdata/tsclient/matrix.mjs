// Calls every tool of the matrix server with the TypeScript SDK's client, in
// every revision and over both transports, and prints one line for each: what
// the revision defines gives the outcome of the table, the rest fails and names
// the capability.
//
//   node matrix.mjs MODULES SERVER
//
// MODULES is the folder that @modelcontextprotocol/client is installed in,
// SERVER the program in serve/.
import { execFileSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';

const [modules, server] = process.argv.slice(2);
const require = createRequire(modules + '/');
const { Client, StreamableHTTPClientTransport } = require('@modelcontextprotocol/client');
const { StdioClientTransport } = require('@modelcontextprotocol/client/stdio');

const table = JSON.parse(execFileSync(server, ['-table'], { encoding: 'utf8' }));
const modern = '2026-07-28';

async function startHTTP() {
  const child = spawn(server, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    return { url: line, stop: () => child.stdin.end() };
  }
  throw new Error('the server did not say where it serves');
}

async function connect(revision, transport, url, asked) {
  const client = new Client(
    { name: 'matrix', version: '1' },
    {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
      ...(revision === modern
        ? { versionNegotiation: { mode: { pin: revision } } }
        : { supportedProtocolVersions: [revision] }),
    },
  );
  client.setRequestHandler('elicitation/create', async (r) => {
    asked.push('elicitation/create');
    return r.params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } };
  });
  client.setRequestHandler('sampling/createMessage', async () => {
    asked.push('sampling/createMessage');
    return { role: 'assistant', model: 'poet', content: { type: 'text', text: 'x' } };
  });
  client.setRequestHandler('roots/list', async () => {
    asked.push('roots/list');
    return { roots: [{ uri: 'file:///srv/data' }] };
  });
  await client.connect(
    transport === 'http'
      ? new StreamableHTTPClientTransport(new URL(url))
      : new StdioClientTransport({ command: server, args: ['-stdio'] }),
  );
  return client;
}

// judge says what is wrong with how a call came out, or ''.
function judge(kind, revision, asked, outcome) {
  const defined = revision >= kind.since && (!kind.until || revision <= kind.until);
  if (defined) {
    if (outcome.error) return `failed: ${outcome.error.message}`;
    const text = outcome.result.content?.[0]?.text;
    if (text !== kind.outcome) return `said ${JSON.stringify(text)}, not ${JSON.stringify(kind.outcome)}`;
    return isDeepStrictEqual(asked, [kind.method]) ? '' : `asked ${JSON.stringify(asked)}`;
  }
  if (!outcome.error) return `succeeded, although ${revision} does not define it`;
  if (asked.length > 0) return `asked ${JSON.stringify(asked)}, although it failed`;
  if (kind.missing === '') {
    return outcome.error.code === -32603 && outcome.error.message.includes('not available in protocol revision')
      ? ''
      : `failed with ${outcome.error.code}: ${outcome.error.message}`;
  }
  if (outcome.error.code !== -32021) return `failed with ${outcome.error.code}: ${outcome.error.message}`;
  const want = { requiredCapabilities: JSON.parse(kind.missing) };
  return isDeepStrictEqual(outcome.error.data, want) ? '' : `named ${JSON.stringify(outcome.error.data)}`;
}

let failures = 0;
let cells = 0;
const http = await startHTTP();
for (const revision of table.revisions) {
  for (const transport of ['stdio', 'http']) {
    if (revision === '2024-11-05' && transport === 'http') continue; // another transport, which is not served
    const asked = [];
    const client = await connect(revision, transport, http.url, asked);
    for (const kind of table.kinds) {
      asked.length = 0;
      let outcome;
      try {
        outcome = { result: await client.callTool({ name: kind.tool, arguments: {} }) };
      } catch (error) {
        outcome = { error };
      }
      const wrong = judge(kind, revision, asked, outcome);
      cells++;
      if (wrong) failures++;
      const seen = outcome.error ? `error ${outcome.error.code}` : outcome.result.content?.[0]?.text;
      console.log(`${revision}  ${transport.padEnd(5)}  ${kind.tool.padEnd(15)}  ${wrong ? 'WRONG' : 'ok'}  ${wrong || seen}`);
    }
    await client.close();
  }
}
http.stop();
console.log(`${cells - failures} of ${cells} as the table says`);
process.exit(failures ? 1 : 0);
