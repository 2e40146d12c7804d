import { cpSync, lstatSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { Connection, Keypair } from '@solana/web3.js';
import { Address } from '@ton/core';
import { TonClient4 } from '@ton/ton';
import { WebSocket } from 'ws';
import type { RebuildReport } from '../../projections/engine/rebuild';
import { temporaryFolder } from '../temporary-folder';
import { send } from './client';
import { fee, installation } from './installation';
import { startTidemark, tidemark, tidemarkJson } from './tidemark';
import { until } from '../until';
import '../starts-programs';

// The program inherits it: files must be its user's alone, whatever the umask allows.
const umask = process.umask(0);
afterAll(() => void process.umask(umask));
const MAX_WATCHED_ACCOUNTS = 30;
const FIRST_READS = 60;
const MAX_CONNECTIONS = 100;

const pricesFolder = temporaryFolder();
const ratesFile = join(pricesFolder, 'rates.json');
writeFileSync(ratesFile, '{"coins":{"TON":"3.25"},"currencies":{"EUR":"0.5"}}');

/** It listens on all addresses, with its metrics apart, and has prices of a file. */
const main = installation({
  settings: {
    HOST: '0.0.0.0',
    METRICS_PORT: '0',
    TON_RPC_PORT_TESTNET: '0',
    MAX_WATCHED_ACCOUNTS: String(MAX_WATCHED_ACCOUNTS),
    RATE_LIMIT_FIRST_READS: String(FIRST_READS),
    MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    PRICE_FILE: ratesFile,
  },
});

const wallet = {
  ton: new Address(0, Buffer.alloc(32, 9)),
  solana: Keypair.generate().publicKey,
};

const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]+/;

/** Creates documents in every read model. */
beforeAll(async () => {
  const { ton, solana } = await main.places();
  const mainnet = ({ network }: { network: string }) => network === 'mainnet';
  const address = wallet.solana.toBase58();
  await send(ton.find(mainnet)!.endpoint, 'POST', '/faucet', {
    body: JSON.stringify({ address: wallet.ton.toRawString(), amount: '1000000000' }),
  });
  const connection = new Connection(solana.find(mainnet)!.endpoint);
  const signature = await connection.requestAirdrop(wallet.solana, 1_000_000_000);
  const account = { tonAddress: wallet.ton.toString(), solanaAddress: address };
  await until(
    () => main.post('/transactions/v3', { account, network: 'mainnet' }),
    ({ body }) => new Set((body as { data: { type: string }[] }).data.map(({ type }) => type)).size === 2,
  );
  for (const [name, body] of [
    ['account', { address }],
    ['tokens', { address }],
    ['transaction', { signature }],
  ] as const)
    await until(
      () => main.post(`/solana/${name}/mainnet`, body),
      ({ status }) => status === 200,
    );
  await main.record([fee('a'), fee('b', { collection_status: 'pending' })]);
  expect(await main.act({ action: 'generate_invoice', billingPeriod: '2026-01' })).toMatchObject({
    status: 200,
  });
});

it('shows the progress of each projection and indexer', async () => {
  const { projections, indexers } = await until(
    () =>
      tidemarkJson<{ projections: { state: string }[]; indexers: { gap: unknown }[] }>(
        ['status'],
        main.settings,
      ),
    status => status.projections.every(({ state }) => state === 'live'),
  );
  expect(projections.length).toBeGreaterThan(4);
  expect(indexers.map(({ gap }) => gap)).toEqual([null, null, null, null]);
});

it('rebuilds every projection beside the running program, without differences or failing reads', async () => {
  const before = await main.act({ action: 'get_revenue' });
  const reports = await tidemarkJson<RebuildReport[]>(['rebuild', '--all'], main.settings);
  for (const { projection, switched, comparison } of reports)
    expect([projection, switched, comparison?.different]).toEqual([projection, true, 0]);
  expect((await main.act({ action: 'get_revenue' })).body).toEqual(before.body);
  expect((await send(main.program.url, 'GET', '/health/ready')).status).toBe(200);
});

it('keeps the data folder and backups to its own user', async () => {
  await tidemarkJson(['backup', join(main.folder, 'backup')], main.settings);
  const files = readdirSync(main.folder, { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(
    expect.arrayContaining([
      'data/events.sqlite-wal',
      'data/networks/ton-mainnet.sqlite-shm',
      'backup/keys/ledger.json',
    ]),
  );
  const open = files.filter(file => (lstatSync(join(main.folder, file)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

it('prints no token that works, other than on a terminal', () => {
  expect(main.token).toMatch(JWT);
  expect(main.program.output()).not.toMatch(JWT);
});

it('serves the API on all addresses, and the local networks on loopback only', async () => {
  const elsewhere = (url: string): string => url.replace(/127\.0\.0\.1|0\.0\.0\.0/, '127.0.0.2');
  expect((await send(elsewhere(main.program.url), 'GET', '/health/live')).status).toBe(200);
  const { ton, solana } = await main.places();
  for (const { endpoint } of [...ton, ...solana]) {
    expect(endpoint).toContain('//127.0.0.1:');
    await expect(send(elsewhere(endpoint), 'GET', '/')).rejects.toThrow();
  }
});

it('shows the local networks to this machine only', async () => {
  const forwarded = { headers: { 'X-Forwarded-For': '192.0.2.1' } };
  expect((await send(main.program.url, 'GET', '/devnet')).status).toBe(200);
  expect((await send(main.program.url, 'GET', '/devnet', forwarded)).status).toBe(404);
});

it('shows and controls the local networks for no page of another origin in the browser of this machine', async () => {
  const from = (Origin: string) => ({ headers: { Origin } });
  const skip = { body: JSON.stringify({ network: 'mainnet', slots: 1 }) };
  const advance = { body: JSON.stringify({ seconds: 60 }) };
  const [page, control, clock, honest] = await Promise.all([
    send(main.program.url, 'GET', '/devnet', from('https://evil.example')),
    send(main.program.url, 'POST', '/devnet/solana/skip', { ...skip, ...from('https://evil.example') }),
    send(main.program.url, 'POST', '/devnet/ton/advance', { ...advance, ...from('https://evil.example') }),
    send(main.program.url, 'GET', '/devnet', from('http://localhost:8081')),
  ]);
  expect([page.status, control.status, clock.status, honest.status]).toEqual([404, 404, 404, 200]);
  expect(honest.headers.get('vary')).toBe('Origin, Accept');
});

const metricsUrl = () => main.program.operatorsUrl;

it('serves its metrics at their own address only', async () => {
  const url = metricsUrl();
  expect(url).toContain('//127.0.0.1:');
  expect(String((await send(url, 'GET', '/metrics')).body)).toContain(
    'tidemark_http_request_duration_seconds',
  );
  expect((await send(main.program.url, 'GET', '/metrics')).status).toBe(404);
});

it('serves the RPC node of a network at a port of its own too, for the published client and for the wallet', async () => {
  const [, url] = /"url":"(http:[^"]+)"[^\n]*is served at a port too/.exec(main.program.output())!;
  const client = new TonClient4({ endpoint: url! });
  const { last } = await client.getLastBlock();
  const { account } = await client.getAccount(last.seqno, new Address(0, Buffer.alloc(32, 10)));
  expect(account.state).toEqual({ type: 'uninit' });
  const socket = new WebSocket(`${url!.replace('http', 'ws')}/block/watch/changed`);
  const [frame] = (await once(socket, 'message')) as [Buffer];
  socket.terminate();
  expect(JSON.parse(String(frame))).toEqual({
    seqno: expect.any(Number) as number,
    lastUtime: expect.any(Number) as number,
    changed: expect.any(Object) as object,
  });
  expect((await send(url!, 'GET', '/health/live')).status).toBe(404);
  expect((await send(main.program.url, 'GET', '/rpc/testnet/block/latest')).status).toBe(200);
});

it('has the prices of a file instead of those of the local market', async () => {
  const { body, headers } = await until(
    () => main.get('/v2/price'),
    ({ status }) => status === 200,
  );
  expect(body).toMatchObject({
    price: { usd: 3.25 },
    evidence: { TON: { price: '3.25', sources: [{ source: 'file' }] } },
  });
  expect(headers.get('x-data-sources')).toBe('file');
});

it('accepts no more connections than it may, counts those it refuses, and answers once they have left', async () => {
  const { port } = new URL(main.program.url);
  const open = new Set<Socket>();
  let isOpening = true;
  /** With a request first: without one it is closed in ten seconds, in which a busy program may not accept a hundred. */
  const keepOpen = (): void => {
    if (!isOpening) return;
    const socket = connect(Number(port), '127.0.0.1');
    open.add(socket.resume().on('error', () => undefined));
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.once('close', () => {
      open.delete(socket);
      setTimeout(keepOpen, 200);
    });
  };
  for (let n = 0; n < MAX_CONNECTIONS + 20; n++) keepOpen();
  const refused = async () => {
    const page = String((await send(metricsUrl(), 'GET', '/metrics')).body);
    return Number(/^tidemark_http_connections_refused_total (\d+)$/m.exec(page)![1]);
  };
  try {
    await until(refused, count => count >= 20);
  } finally {
    isOpening = false;
    for (const socket of open) socket.destroy();
  }
  await until(
    () => send(main.program.url, 'GET', '/health/live'),
    ({ status }) => status === 200,
  );
});

it('watches no more accounts than it may, whatever is read, and serves those that it watches', async () => {
  const read = async (n: number): Promise<string> => {
    const address = new Address(0, Buffer.alloc(32, `stranger ${n}`)).toString();
    const { status, body } = await main.get(`/transactions/${address}`);
    return status === 200 ? 'served' : (body as { code: string }).code;
  };
  const outcomes = new Map<string, number>();
  for (let n = 0; n < 3 * FIRST_READS; n += 10) {
    const found = await Promise.all(Array.from({ length: 10 }, (_, i) => read(n + i)));
    for (const outcome of found) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  expect([...outcomes.keys()].sort()).toEqual(['rate_limited', 'served', 'watch_limit_reached']);
  expect(outcomes.get('served')).toBeLessThan(MAX_WATCHED_ACCOUNTS);
  expect((await main.get(`/transactions/${wallet.ton.toString()}`)).status).toBe(200);
  expect((await main.post('/solana/account/mainnet', { address: wallet.solana.toBase58() })).status).toBe(
    200,
  );
});

it('refuses a second program on the same folder', async () => {
  const { code, stderr } = await tidemark(['start'], main.settings);
  expect(code).toBe(1);
  expect(stderr).toContain('DATA_DIR');
  expect(stderr).toContain('another tidemark is running on this folder');
  expect((await send(main.program.url, 'GET', '/health/live')).status).toBe(200);
});

it('does not start with wrong settings, and reports why', async () => {
  const wrong = {
    LOCAL_TRAFFIC: 'perhaps',
    INSTANCE_JWT_SECRET: 'short',
    TON_RPC_URL_MAINNET: 'not a url',
    METRICS_PORT: '99999',
  };
  const data = { DATA_DIR: join(main.folder, 'never') };
  const { code, stderr } = await tidemark(['start'], { ...main.settings, ...data, ...wrong });
  expect(code).toBe(64);
  for (const name of Object.keys(wrong)) expect(stderr).toContain(`${name}=`);
});

it('does not start on a half-written key file, and names it', async () => {
  const DATA_DIR = join(main.folder, 'damaged');
  const key = join('keys', 'instance.json');
  cpSync(join(main.settings['DATA_DIR']!, 'keys'), join(DATA_DIR, 'keys'), { recursive: true });
  truncateSync(join(DATA_DIR, key), 60);
  const { code, stderr } = await tidemark(['start'], { ...main.settings, DATA_DIR });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(`${key}: .* not written to its end.* Restore it`),
  ]);
});

it('exits with 0 at a SIGTERM right after the start', async () => {
  const data = { ...main.settings, DATA_DIR: join(main.folder, 'short') };
  const short = await startTidemark(data);
  expect(await short.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
