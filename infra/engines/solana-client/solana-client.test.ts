import { once, setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import { z } from 'zod';
import { describeSolanaClient } from '../../../test/contracts/solana-client';
import type { SolanaClient } from '../../../contracts/ports/solana-client';
import { MAX_TOKEN_ACCOUNTS_BYTES } from './calls';
import { createSolanaClient } from './solana-client';

const stop = new AbortController();
setMaxListeners(0, stop.signal);
afterAll(() => stop.abort());

describeSolanaClient('JSON-RPC', (urls, identity) =>
  createSolanaClient({
    urls,
    ...(identity && { identity }),
    logger: pino({ level: 'silent' }),
    backoffMs: 1,
    timeoutMs: 60_000,
    signal: stop.signal,
  }),
);

const HUGE = gzipSync(Buffer.alloc(MAX_TOKEN_ACCOUNTS_BYTES + 1, ' '));

it.each<[string, number | null, (client: SolanaClient) => Promise<unknown>]>([
  ['excluded from the index of a node', -32010, client => client.getTokenAccounts('excluded')],
  ['with more tokens than a node looks up', -32012, client => client.getTokenAccounts('excluded')],
  ['with more tokens than an answer may have', null, client => client.getTokenAccounts('huge')],
  ['whose transaction has a wrong signature', -32006, client => client.sendTransaction(Buffer.from('wrong'))],
])(
  'accounts %s, however many are asked for at once, keep nobody from reading, and are no warnings',
  async (_what, code, ask) => {
    const server = createServer((request, response) => {
      void json(request).then(body => {
        const { id, method } = body as { id: unknown; method: string };
        const answer =
          method === 'getAccountInfo'
            ? { result: { context: { slot: 7 }, value: null } }
            : { error: { code, message: 'no' } };
        if (code === null && method !== 'getAccountInfo')
          return response.setHeader('content-encoding', 'gzip').end(HUGE);
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const lines: string[] = [];
    const client = createSolanaClient({
      urls: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }],
      logger: pino({ level: 'info' }, { write: line => void lines.push(line) }),
      backoffMs: 1,
      // On a busy machine that many large answers take longer than the default, and what times out counts as a fault of the server.
      timeoutMs: 60_000,
      signal: stop.signal,
    });
    const attack = Array.from({ length: 40 }, () => ask(client).catch(String));
    for (let n = 0; n < 40; n++) expect(await client.getAccount(`honest ${n}`)).toMatchObject({ slot: 7 });
    for (const error of await Promise.all(attack)) expect(error).toContain(String(code ?? 'more than'));
    expect(lines).toEqual([]);
    server.closeAllConnections();
    server.close();
  },
);

describe('of what a node answers instead of a result nothing is quoted', () => {
  const TEXT = 'written by the node';
  const answers = { error: { code: -32005, message: TEXT, data: TEXT }, form: TEXT, status: TEXT };
  let answer: keyof typeof answers | null;
  const server = createServer((request, response) => {
    void json(request).then(body => {
      const { id } = body as { id: unknown };
      response.statusCode = answer === 'status' ? 500 : 200;
      const given =
        answer === null ? { result: 7 } : answer === 'error' ? { error: answers.error } : { result: TEXT };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...given }));
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each(['error', 'form', 'status'] as const)(
    'in the log and the error (%s), and it is asked again',
    async kind => {
      if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const lines: string[] = [];
      const client = createSolanaClient({
        urls: [{ url }],
        logger: pino({ level: 'debug' }, { write: line => void lines.push(line) }),
        attempts: 1,
        signal: stop.signal,
      });
      answer = kind;
      const calls = [
        client.withFailover(({ connection }) => connection.getSlot()),
        client.withFailover(({ rpc }) => rpc('getSlot', []).then(slot => z.number().parse(slot))),
        client.withFailover(({ batch }) => batch([{ method: 'getSlot', params: [] }])),
      ];
      const ended = await Promise.allSettled(calls);
      const thrown = ended.flatMap(each => (each.status === 'rejected' ? [each.reason as Error] : []));
      expect(thrown.length).toBeGreaterThan(1);
      for (const error of thrown) expect(inspect(error, { depth: null })).not.toContain(TEXT);
      expect(lines.length).toBeGreaterThan(0);
      expect(lines.join()).not.toContain(TEXT);
      answer = null;
      expect(await client.withFailover(({ connection }) => connection.getSlot())).toBe(7);
    },
  );
});
