import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CARD_ISSUER_PATHS, type CardIssuerCallName } from '../../../contracts/card-issuer/protocol';
import { sha256 } from '../../../contracts/encoding/sha256';
import { readJson } from '../../../contracts/json/read-json';
import type { TonNetwork } from '../../../contracts/network/network';
import { reachableHost } from '../../config/reachable-host';
import { createCalls, Refused } from './calls';
import { startDelivery } from './delivery';
import { CARD_SCENARIOS } from './scenarios';
import { openIssuerStore, type Message } from './store';
import { requestBody } from '../request-body';

export interface CardIssuerDoubleOptions {
  /** What calls have as `Authorization: Bearer`. */
  readonly key: string;
  /** Signs webhooks. */
  readonly secret: Buffer;
  /** Where webhooks of a network are sent; null while it is not known. */
  webhookUrl(network: TonNetwork): string | null;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Cards and what is to be sent are kept there; default: in memory alone. */
  readonly dataDir?: string;
}

/** What goes wrong on the way of the next calls; of `lost` the call was done. */
export const CALL_FAULTS = ['http-502', 'http-429', 'dropped', 'lost', 'html'] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

/** A double of an issuer of cards: nothing of it is real. */
export interface CardIssuerDouble {
  readonly url: string;
  failNext(fault: CallFault, times?: number): void;
  messages(): readonly Message[];
  close(): Promise<void>;
}

const MAX_BODY = 262_144;
const PATHS = new Map(
  Object.entries(CARD_ISSUER_PATHS).map(([name, path]) => [path as string, name as CardIssuerCallName]),
);

export async function startCardIssuerDouble(options: CardIssuerDoubleOptions): Promise<CardIssuerDouble> {
  const { key, secret, webhookUrl, host = '127.0.0.1', port = 0, dataDir } = options;
  const store = openIssuerStore(dataDir ?? null);
  const delivery = startDelivery({ store, secret, webhookUrl });
  const calls = createCalls(store, () => delivery.wake());
  const faults: CallFault[] = [];
  const isAllowed = ({ headers }: IncomingMessage): boolean =>
    timingSafeEqual(sha256(headers.authorization ?? ''), sha256(`Bearer ${key}`));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (!isAllowed(request)) return send(response, 401, { reason: 'other' });
    if (pathname === '/scenarios' && request.method === 'GET')
      return send(response, 200, {
        scenarios: Object.entries(CARD_SCENARIOS).map(([name, { description }]) => ({ name, description })),
      });
    if (pathname === '/messages') {
      const play = searchParams.get('play');
      return send(response, 200, { messages: store.all('message').filter(each => each.play === play) });
    }
    const name = PATHS.get(pathname);
    if (request.method !== 'POST' || (!name && pathname !== '/scenarios'))
      return send(response, 404, { reason: 'other' });
    if (!name && webhookUrl('mainnet') === null) return send(response, 503, { reason: 'no_webhook_url' });
    const bytes = await requestBody(request, MAX_BODY);
    if (!bytes) return send(response, 400, { reason: 'invalid' });
    const body = readJson(bytes.toString());
    const fault = name && faults.shift();
    if (fault && fault !== 'lost') return sendFaulty(response, fault);
    const done = name ? calls.call(name, body) : calls.playScenario(body);
    if (fault) response.destroy();
    else send(response, 200, done);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof Refused) send(response, 422, { reason: error.reason });
      else send(response, 400, { reason: 'invalid' });
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://${reachableHost(host)}:${(server.address() as AddressInfo).port}`,
    failNext: (fault, times = 1) => void faults.push(...Array<CallFault>(times).fill(fault)),
    messages: () => store.all('message'),
    async close() {
      server.closeAllConnections();
      server.close();
      await delivery.close();
      store.close();
    },
  };
}

function send(response: ServerResponse, status: number, json: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
}

function sendFaulty(response: ServerResponse, fault: Exclude<CallFault, 'lost'>): void {
  if (fault === 'dropped') response.destroy();
  else if (fault === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>');
  else send(response, fault === 'http-429' ? 429 : 502, {});
}
