// A server on the TypeScript SDK v2 that asks in every way: one tool a kind of
// ask, several at once, several rounds, a state alone, and a prompt and a resource
// that ask. `node asks.mjs` speaks stdio, `node asks.mjs --http PORT` HTTP at /mcp.
import { McpServer, acceptedContent, createMcpHandler, createRequestStateCodec, inputRequired, inputResponse } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import http from 'node:http';
import * as z from 'zod/v4';

const states = createRequestStateCodec({ key: 'a key for tests, 32 bytes long..', ttlSeconds: 600 });
const say = text => ({ content: [{ type: 'text', text }] });
const field = name => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
const form = (message, name) => inputRequired.elicit({ message, requestedSchema: field(name) });
const sample = inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'Greet' } }], maxTokens: 20 });

function make() {
	const server = new McpServer({ name: 'asks', version: '1' }, { requestState: { verify: states.verify } });
	const tool = (name, call) => server.registerTool(name, { description: name, inputSchema: z.object({}) }, async (_, ctx) => call(ctx.mcpReq, ctx));
	const once = (name, key, ask) => tool(name, async (request, ctx) => {
		const got = inputResponse(request.inputResponses, key);
		if (got.kind !== 'missing') return say(`${name} got ${JSON.stringify(got)}`);
		return inputRequired({ inputRequests: { [key]: ask }, requestState: await states.mint({ name }, ctx) });
	});
	once('form', 'who', form('Who?', 'name'));
	once('url', 'pay', inputRequired.elicitUrl({ message: 'Pay', url: 'https://pay.example/1' }));
	once('sampling', 'llm', sample);
	once('roots', 'roots', inputRequired.listRoots());
	tool('all', async (request, ctx) => {
		const got = ['who', 'llm', 'roots'].map(k => inputResponse(request.inputResponses, k));
		if (got.every(g => g.kind !== 'missing')) return say(`all got ${JSON.stringify(got)}`);
		return inputRequired({ inputRequests: { who: form('Who?', 'name'), llm: sample, roots: inputRequired.listRoots() }, requestState: await states.mint({}, ctx) });
	});
	tool('rounds', async (request, ctx) => {
		const { n, said } = request.requestState() ?? { n: 0, said: [] };
		const words = n ? [...said, acceptedContent(request.inputResponses, `q${n}`)?.name] : said;
		if (n === 3) return say(`rounds got ${words.join(', ')}`);
		return inputRequired({ inputRequests: { [`q${n + 1}`]: form(`${n + 1} of 3`, 'name') }, requestState: await states.mint({ n: n + 1, said: words }, ctx) });
	});
	tool('state', async (request, ctx) => {
		const { n } = request.requestState() ?? { n: 0 };
		return n === 2 ? say('state alone, twice') : inputRequired({ requestState: await states.mint({ n: n + 1 }, ctx) });
	});
	server.registerPrompt('brief', { description: 'asks' }, async ctx => {
		const got = acceptedContent(ctx.mcpReq.inputResponses, 'who');
		if (!got) return inputRequired({ inputRequests: { who: form('Who?', 'name') } });
		return { messages: [{ role: 'user', content: { type: 'text', text: `Brief ${got.name}` } }] };
	});
	server.registerResource('secret', 'secret://doc', { mimeType: 'text/plain' }, async (uri, ctx) => {
		const got = acceptedContent(ctx.mcpReq.inputResponses, 'who');
		if (!got) return inputRequired({ inputRequests: { who: form('Who?', 'name') } });
		return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: `Opened for ${got.name}` }] };
	});
	return server;
}

const at = process.argv.indexOf('--http');
if (at < 0) serveStdio(make);
else {
	const handle = toNodeHandler(createMcpHandler(make));
	http.createServer((request, response) => handle(request, response)).listen(+process.argv[at + 1], '127.0.0.1');
}
