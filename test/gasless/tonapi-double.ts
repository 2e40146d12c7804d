import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a call is answered with in place of the answer. */
export type TonapiFault =
  | 'html'
  | 'empty object'
  | 'too many requests'
  | 'server error'
  | 'redirect'
  | 'endless answer'
  /** The call is carried out, and the connection ends before the answer. */
  | 'lost answer'
  /** The connection ends before the call is carried out. */
  | 'lost call'
  | 'other relay'
  | 'other messages'
  | 'other wallet';

export interface TonapiDouble {
  readonly url: string;
  /** Of the next call of the path, or the next one whose body has this text. */
  failNext(path: TonapiPath, fault: TonapiFault, text?: string): void;
  /** Bodies of the calls of a path, in their order. */
  calls(path: TonapiPath): readonly string[];
  close(): Promise<void>;
}

type TonapiPath = 'config' | 'estimate' | 'send';

const CODES_OF_PENDING = { error: 'pending messages', error_code: 40_003 };

/**
 * A double of the gasless API of TonAPI for a local testnet. A relayer of ours does what it is asked for, so that transfers happen; the
 * double speaks as TonAPI does, and is less kind: without the key nothing is answered, and a request that was taken is refused when it
 * is posted again.
 * @param relayer URL of a program that relays on testnet
 */
export async function startTonapiDouble(relayer: string, key: string): Promise<TonapiDouble> {
  let faults: { readonly path: TonapiPath; readonly fault: TonapiFault; readonly text: string }[] = [];
  const calls: Record<TonapiPath, string[]> = { config: [], estimate: [], send: [] };
  const taken = new Set<string>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = /^\/v2\/gasless\/(config|estimate|send)/.exec(request.url!)?.[1] as TonapiPath | undefined;
    const body = await textOf(request);
    if (!path) return reply(response, 404, { error: 'not found' });
    calls[path].push(body);
    if (request.headers.authorization !== `Bearer ${key}`) return reply(response, 401, { error: 'no key' });
    const next = faults.find(each => each.path === path && body.includes(each.text));
    faults = faults.filter(each => each !== next);
    const fault = next?.fault;
    if (fault === 'lost call') return void response.destroy();
    if (fault && isOfServer(fault)) return failWith(response, fault);
    if (path === 'send' && taken.has(body)) return reply(response, 400, CODES_OF_PENDING);
    const relayed = await fetch(`${relayer}${request.url}?network=testnet`, {
      method: request.method!,
      ...(body && { body, headers: { 'content-type': 'application/json' } }),
    });
    const json = (await relayed.json()) as Record<string, unknown>;
    if (path === 'send' && relayed.status === 200) taken.add(body);
    if (fault === 'lost answer') return void response.destroy();
    if (relayed.status === 200) return reply(response, 200, fault ? changed(json, fault) : json);
    reply(response, relayed.status, { error: String(json['detail']), error_code: json['error_code'] });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failNext: (path, fault, text = '') => void faults.push({ path, fault, text }),
    calls: path => calls[path],
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const OF_SERVER = ['html', 'empty object', 'too many requests', 'server error', 'redirect', 'endless answer'];
const isOfServer = (fault: TonapiFault): boolean => OF_SERVER.includes(fault);

function failWith(response: ServerResponse, fault: TonapiFault): void {
  switch (fault) {
    case 'html':
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html><body>Just a moment...</body></html>');
    case 'too many requests':
      return reply(response, 429, { error: 'rate limit' });
    case 'server error':
      return reply(response, 500, { error: 'internal' });
    case 'redirect':
      return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    case 'endless answer':
      response.writeHead(200, { 'content-type': 'application/json' });
      return fill(response);
    default:
      return reply(response, 200, {});
  }
}

/** Until the reader has enough. */
function fill(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write(' '.repeat(65_536), () => fill(response));
}

/** A quote that would have the wallet sign something else. */
function changed(quote: Record<string, unknown>, fault: TonapiFault): object {
  const other = `0:${'7'.repeat(64)}`;
  const messages = quote['messages'] as { amount: string }[];
  if (fault === 'other relay') return { ...quote, relay_address: other };
  if (fault === 'other wallet') return { ...quote, from: other };
  return { ...quote, messages: [messages[0], { ...messages[1], amount: '50000001' }] };
}
