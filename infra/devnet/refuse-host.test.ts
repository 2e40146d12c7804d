import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../../test/temporary-folder';
import { allowHosts } from '../config/allowed-hosts';
import { startSolanaDevnet } from './solana/devnet';
import { startTonDevnet } from './ton/devnet';

const isAllowed = allowHosts(['wallet.example', 'Networks']);

describe('a request is allowed', () => {
  it.each([
    ['localhost:4100', undefined],
    ['LOCALHOST', undefined],
    ['127.0.0.1:4100', undefined],
    ['127.8.0.1', undefined],
    ['[::1]:4100', undefined],
    ['app.localhost:4100', undefined],
    ['192.168.1.5:4100', undefined],
    ['wallet.example', undefined],
    ['networks:4100', undefined],
    ['localhost:4100', 'http://localhost:8081'],
    ['localhost:4100', 'http://127.0.0.1:3000'],
    ['localhost:4100', 'http://[::1]:3000'],
    ['localhost:4100', 'https://wallet.example'],
  ])('to %s from a page of %s', (host, origin) => {
    expect(isAllowed({ host, ...(origin !== undefined && { origin }) })).toBe(true);
  });
});

describe('a request is refused', () => {
  it.each([
    ['rebound.example:4100', undefined],
    ['localhost.example', undefined],
    ['127.0.0.1.example', undefined],
    ['wallet.example.evil.example', undefined],
    ['', undefined],
    ['rebound.example:4100', 'http://rebound.example:4100'],
    ['localhost:4100', 'https://evil.example'],
    ['localhost:4100', 'null'],
    ['localhost:4100', 'http://localhost.evil.example'],
    ['192.168.1.5:4100', 'http://192.168.1.6'],
  ])('to %s from a page of %s', (host, origin) => {
    expect(isAllowed({ host, ...(origin !== undefined && { origin }) })).toBe(false);
  });
});

describe('local networks', () => {
  const folder = temporaryFolder();
  const logger = pino({ level: 'silent' });
  const shared = { dataDir: folder, host: '127.0.0.1', logger, allowedHosts: ['networks'] };
  const open = async () => {
    const [ton, solana] = await Promise.all([
      startTonDevnet({ ...shared, network: 'mainnet' }),
      startSolanaDevnet({ ...shared, network: 'mainnet' }),
    ]);
    return { ton, solana };
  };
  let networks: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    networks = await open();
  });
  afterAll(() => Promise.all([networks.ton.close(), networks.solana.close()]));

  const PLACES = [
    ['the node of TON', () => ({ url: networks.ton.url, path: '/block/latest', method: 'GET' })],
    ['the faucet of TON', () => ({ url: networks.ton.url, path: '/faucet', method: 'OPTIONS' })],
    ['the node of Solana', () => ({ url: networks.solana.url, path: '/health', method: 'GET' })],
    [
      'the second port of Solana',
      () => ({ url: networks.solana.wsUrl.replace('ws', 'http'), path: '/health', method: 'GET' }),
    ],
  ] as const;
  const ask = async (
    { url, path, method }: { url: string; path: string; method: string },
    headers: Record<string, string>,
  ) => {
    const sent = request(url + path, { method, headers, agent: false }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: answer.statusCode!, text: await text(answer), vary: answer.headers.vary };
  };
  const ATTACKS = [{ Host: 'rebound.example' }, { Origin: 'https://evil.example' }, { Origin: 'null' }];
  const HONEST = [{}, { Host: 'networks:4100' }, { Origin: 'http://localhost:8081' }];

  it.each(PLACES)('%s answers its own machine, and no page of elsewhere', async (_what, placeOf) => {
    for (const headers of ATTACKS) {
      const [refused, ...served] = await Promise.all([
        ask(placeOf(), headers as Record<string, string>),
        ...HONEST.map(each => ask(placeOf(), each as Record<string, string>)),
      ]);
      expect(refused).toMatchObject({ status: 403, vary: 'Origin' });
      for (const { status, vary } of served) {
        expect(status).toBeLessThan(300);
        expect(vary).toBe('Origin');
      }
    }
  });

  it.each([
    ['TON', () => `${networks.ton.url.replace('http', 'ws')}/block/watch`],
    ['Solana', () => networks.solana.wsUrl],
  ])('WebSockets of %s, too', async (_what, urlOf) => {
    for (const headers of ATTACKS) {
      const refused = new WebSocket(urlOf(), { headers: headers as Record<string, string> });
      const served = new WebSocket(urlOf(), { headers: { Origin: 'http://localhost:8081' } });
      const [[, response]] = await Promise.all([
        once(refused, 'unexpected-response') as Promise<[unknown, IncomingMessage]>,
        once(served, 'open'),
      ]);
      expect(response.statusCode).toBe(403);
      refused.on('error', () => undefined).terminate();
      served.terminate();
    }
  });
});
