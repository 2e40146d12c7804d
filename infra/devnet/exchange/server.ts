import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { sleep } from '../../../contracts/retry/retry';
import { FAULTS, type Fault } from './faults';
import { Interrupted, type Answered, type Method } from './method';
import { METHODS, type MethodName } from './methods';
import { RpcError } from '../json-rpc-error';
import { internalError, invalidRequest, methodNotFound, parseError, requestsLimit } from './rpc-error';
import { readJson } from '../../../contracts/json/read-json';
import { requestBody } from '../request-body';

export interface ServerOptions {
  readonly publicKey: KeyObject;
  readonly host: string;
  readonly port: number;
  readonly methods: Readonly<Record<MethodName, Method>>;
  readonly requestsPerSecond: number;
  /** Unix ms. */
  readonly now: () => number;
  readonly slowMs: number;
  readonly hugeBytes: number;
  /** The fault of a call that is about to begin. */
  readonly nextFault: (method: MethodName) => Fault | undefined;
  readonly onCall: (method: MethodName) => void;
}

export interface HttpServer {
  readonly port: number;
  close(): Promise<void>;
}

const MAX_BODY = 256 * 1024;

/** What X-Api-Key must be: the SHA-256 of the public key in PKCS #1 DER, in base64. */
export function apiKeyOf(publicKey: KeyObject): string {
  // Node 24 cannot write a key as PKCS #1 that it has read from PKCS #1.
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const der = createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({
    type: 'pkcs1',
    format: 'der',
  });
  return createHash('sha256').update(der).digest('base64');
}

/** Whether the body was signed with RSASSA-PKCS1-v1_5 and SHA-256: https://docs.changelly.com/development/authentication */
const authenticator = (publicKey: KeyObject) => {
  const apiKey = apiKeyOf(publicKey);
  return ({ headers }: IncomingMessage, body: Buffer): boolean => {
    const signature = headers['x-api-signature'];
    if (headers['x-api-key'] !== apiKey || typeof signature !== 'string') return false;
    return verify('sha256', body, publicKey, Buffer.from(signature, 'base64'));
  };
};

const id = z.union([z.string(), z.number()]);
const envelope = z.object({
  jsonrpc: z.literal('2.0'),
  id,
  method: z.string(),
  params: z.unknown().optional(),
});
type Id = z.output<typeof id> | null;

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';

const send = (response: ServerResponse, status: number, type: string, text: string | Buffer): void => {
  const body = Buffer.from(text);
  response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
};

const html = (title: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

const CHUNK = Buffer.alloc(65_536, 'a');

/** JSON of one very long string, in chunks. */
function* hugeJson(jsonId: string, bytes: number): Generator<Buffer> {
  yield Buffer.from(`{"jsonrpc":"2.0","id":${jsonId},"result":"`);
  for (let left = bytes; left > 0; left -= CHUNK.length) yield CHUNK.subarray(0, left);
  yield Buffer.from('"}');
}

/** At most so many calls in any second. */
function createRequestLimit(perSecond: number, now: () => number): () => boolean {
  const calls: number[] = [];
  return () => {
    if (perSecond === Infinity) return true;
    while (calls.length > 0 && calls[0]! <= now() - 1_000) calls.shift();
    if (calls.length >= perSecond) return false;
    calls.push(now());
    return true;
  };
}

const isMethod = (name: string): name is MethodName => METHODS.some(method => method === name);

/** An answer, or what is left of it. */
interface Unsent {
  readonly response: ServerResponse;
  readonly of: Id;
  readonly json: string;
  /** Ends what is slow. */
  readonly closing: AbortSignal;
}

/** Answers as a server does that has the fault. @param of the id of the request @param json of the right answer */
async function sendFaulty(
  { requestsPerSecond, slowMs, hugeBytes }: Pick<ServerOptions, 'requestsPerSecond' | 'slowMs' | 'hugeBytes'>,
  { response, of, json, closing }: Unsent,
  fault: Fault,
): Promise<void> {
  switch (fault) {
    case 'commit-then-drop':
    case 'drop-before-commit':
      response.destroy();
      return;
    case 'commit-then-502':
    case 'http-502':
      return send(response, 502, HTML_TYPE, html('502 Bad Gateway'));
    case 'http-429':
      return send(response.setHeader('retry-after', '1'), 429, TEXT_TYPE, 'Too Many Requests');
    case 'html':
      return send(response, 200, HTML_TYPE, html('Checking your browser'));
    case 'requests-limit':
      return send(response, 200, JSON_TYPE, failure(of, requestsLimit(requestsPerSecond)));
    case 'internal-error':
      return send(response, 200, JSON_TYPE, failure(of, internalError()));
    case 'wrong-id':
      return send(response, 200, JSON_TYPE, JSON.stringify({ ...(readJson(json) as object), id: `${of}0` }));
    case 'truncated':
      return send(response, 200, JSON_TYPE, Buffer.from(json).subarray(0, json.length / 2));
    case 'huge':
      response.writeHead(200, { 'content-type': JSON_TYPE });
      return pipeline(Readable.from(hugeJson(JSON.stringify(of), hugeBytes)), response);
    case 'slow':
      await sleep(slowMs, closing);
      if (!closing.aborted) send(response, 200, JSON_TYPE, json);
  }
}

/** Serves JSON-RPC 2.0 over HTTP as Changelly does: errors of a call have the HTTP status 200. */
export async function serve(options: ServerOptions): Promise<HttpServer> {
  const { publicKey, host, port, methods, requestsPerSecond, now } = options;
  const isAuthentic = authenticator(publicKey);
  const allow = createRequestLimit(requestsPerSecond, now);
  const closing = new AbortController();

  const call = (name: string, params: unknown): Answered => {
    if (!allow()) throw requestsLimit(requestsPerSecond);
    if (!isMethod(name)) throw methodNotFound();
    options.onCall(name);
    const fault = options.nextFault(name);
    if (fault && !FAULTS[fault]) throw new Interrupted(fault);
    return { ...methods[name](params), ...(fault && { fault }) };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url !== '/' && request.url !== '/v2') return send(response, 404, TEXT_TYPE, 'Not Found');
    if (request.method !== 'POST') return send(response, 405, TEXT_TYPE, 'Method Not Allowed');
    const body = await requestBody(request, MAX_BODY);
    if (!body) {
      response.shouldKeepAlive = false;
      return send(response, 413, TEXT_TYPE, 'Payload Too Large');
    }
    if (!isAuthentic(request, body)) return send(response, 401, TEXT_TYPE, 'Unauthorized');
    let of: Id = null;
    try {
      const parsed = envelope.safeParse(parseJson(body));
      if (!parsed.success) throw invalidRequest();
      of = parsed.data.id;
      const { result, fault } = call(parsed.data.method, parsed.data.params);
      const json = JSON.stringify({ jsonrpc: '2.0', id: of, result });
      if (fault) await sendFaulty(options, { response, of, json, closing: closing.signal }, fault);
      else send(response, 200, JSON_TYPE, json);
    } catch (error) {
      if (error instanceof Interrupted)
        return sendFaulty(options, { response, of, json: '', closing: closing.signal }, error.fault);
      if (!(error instanceof RpcError)) throw error;
      send(response, 200, JSON_TYPE, failure(of, error));
    }
  };

  const server = createServer((request, response) => {
    // What the caller cancelled has no answer.
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return readJson(body.toString('utf8'));
  } catch {
    throw parseError();
  }
}

function failure(of: Id, { code, message, data }: RpcError): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: of,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}
