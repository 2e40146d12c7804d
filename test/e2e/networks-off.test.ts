import { Keypair } from '@solana/web3.js';
import WebSocket from 'ws';
import type { Endpoint, Example } from '../../contracts/http/endpoint';
import { SOLANA_BESIDE } from '../../contracts/network/network';
import { ENDPOINTS } from '../endpoints';
import '../starts-programs';
import { until } from '../until';
import { call, expectProblem, send, type Answer } from './client';
import { fee, installation } from './installation';
import { pathOf } from './malformed-requests';
import { startTidemark, storedStatus, tidemark, type Tidemark } from './tidemark';

/** The folder is used with all networks first. */
const main = installation();

const SOME_OFF = {
  TON_RPC_URL_TESTNET: 'off',
  SOLANA_RPC_URL_MAINNET: 'off',
  SOLANA_RPC_URL_DEVNET: 'off',
  TON_RPC_PORT_TESTNET: '0',
};
const ALL_OFF = { ...SOME_OFF, TON_RPC_URL_MAINNET: 'off' };

const TON = `0:${'6d'.repeat(32)}`;
const SOLANA = Keypair.generate().publicKey.toBase58();

let program: Tidemark;

const ask = (endpoint: Endpoint, { params, query, body }: Example): Promise<Answer> => {
  const path = pathOf({ path: endpoint.path, ...(params && { params }) });
  return send(program.url, endpoint.method, `${path}?${new URLSearchParams(query).toString()}`, {
    body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    headers: { authorization: `Bearer ${main.token}` },
  });
};

function expectOff(answer: Answer, { path }: Pick<Endpoint, 'path'> = { path: '' }): void {
  if (answer.status !== 404) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  expect(expectProblem(answer)).toMatchObject({ code: 'network_off', status: 404 });
  expect(answer.headers.get('retry-after')).toBeNull();
}

const examplesOf = (endpoint: Endpoint) => (endpoint.examples ?? []).map(example => ({ endpoint, example }));
const NEEDING = ENDPOINTS.filter(({ needs }) => needs).flatMap(examplesOf);

/** Their examples ask for prices of coins, which are the same on each network. */
const OF_COINS = ['/v2/rates', '/v2/rates/chart'];

/** An example that asks for the test network instead; null where it names no network. */
function onTestNetwork({ params, query, body }: Example): Example | null {
  const changed = <T extends object | string | undefined>(part: T): T => {
    if (typeof part !== 'object') return part;
    if ('network' in part) return { ...part, network: 'testnet' };
    if ('isTestnet' in part) return { ...part, isTestnet: part.isTestnet === false ? true : 'true' };
    return part;
  };
  const moved: Example = {
    ...(params && { params: changed(params) }),
    ...(query && { query: changed(query) }),
    ...(body && { body: changed(body) }),
  };
  return JSON.stringify(moved) === JSON.stringify({ params, query, body }) ? null : moved;
}

/** What a WebSocket is answered with instead of the upgrade. */
const refusedUpgrade = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${program.url.replace('http', 'ws')}${path}`);
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode);
      socket.terminate();
    });
    socket.on('open', () => reject(new Error('accepted')));
    socket.on('error', () => undefined);
  });

const history = (network: 'mainnet' | 'testnet', more: object = {}) =>
  call(program.url, 'POST', '/transactions/v3', {
    body: { account: { tonAddress: TON, solanaAddress: SOLANA }, network, cursor: {}, limit: 32, ...more },
  });
const typesOf = ({ body }: Answer): string[] =>
  (body as { data: { type: string }[] }).data.map(({ type }) => type);
const metrics = async (): Promise<string> =>
  String((await send(program.operatorsUrl, 'GET', '/metrics')).body);
const checks = async () =>
  (await send(program.operatorsUrl, 'GET', '/health/ready')).body as { status: string; checks: object };

/** Two receipts on each of two networks, read while all networks are on. */
beforeAll(async () => {
  ({ program } = main);
  const { ton, solana } = await main.places();
  for (const network of ['mainnet', 'testnet'] as const) {
    const { endpoint } = ton.find(each => each.network === network)!;
    const rpc = solana.find(each => each.network === SOLANA_BESIDE[network])!.endpoint;
    for (let i = 1; i <= 2; i++) {
      const paid = await send(endpoint, 'POST', '/faucet', {
        body: JSON.stringify({ address: TON, amount: String(i * 1_000_000_000) }),
      });
      expect(paid.status).toBe(200);
      const airdrop = { jsonrpc: '2.0', id: 1, method: 'requestAirdrop', params: [SOLANA, i * 1_000_000] };
      expect((await send(rpc, 'POST', '/', { body: JSON.stringify(airdrop) })).status).toBe(200);
    }
    await until(
      () => history(network),
      answer => answer.status === 200 && typesOf(answer).length === 4,
    );
  }
  const account = { body: { address: SOLANA } };
  for (const read of [
    () => call(program.url, 'GET', `/transactions/${TON}?network=testnet`),
    () => send(program.url, 'GET', `/contract/info/${TON}?network=testnet`),
    () => send(program.url, 'GET', '/net/testnet/elections/latest'),
    () => call(program.url, 'POST', '/solana/account/devnet', account),
  ])
    await until(read, ({ status }) => status === 200);
  await main.stop();
});

describe('with a chain and a test network off that were on before', () => {
  const settings = { ...main.settings, ...SOME_OFF };
  beforeAll(async () => void (program = await startTidemark(settings)));
  afterAll(() => program.kill('SIGTERM'));

  it('refuses every call that needs one of them', async () => {
    const moved = NEEDING.flatMap(({ endpoint, example }) => {
      const there = onTestNetwork(example);
      return there && !OF_COINS.includes(endpoint.path) ? [{ endpoint, example: there }] : [];
    });
    const paths = new Set(moved.map(({ endpoint }) => endpoint.path));
    expect(paths.size).toBeGreaterThan(35);
    for (const { endpoint, example } of moved) expectOff(await ask(endpoint, example), endpoint);
  });

  it('refuses jettons of such a network, beside prices of coins', async () => {
    const rates = (tokens: string[]) =>
      call(program.url, 'POST', '/v2/rates', { body: { network: 'testnet', tokens } });
    await until(
      () => rates(['ton']),
      ({ status }) => status === 200,
    );
    expectOff(await rates(['ton', TON]));
    expectOff(await call(program.url, 'GET', `/v2/rates/chart?network=testnet&token=${TON}`));
  });

  it('serves nothing of the time when they were on', async () => {
    const account = { body: { address: SOLANA } };
    for (const answer of [
      await call(program.url, 'GET', `/transactions/${TON}?network=testnet`),
      await call(program.url, 'POST', '/solana/account/devnet', account),
      await call(program.url, 'POST', '/solana/account/mainnet', account),
      await history('testnet'),
    ])
      expectOff(answer);
  });

  it('refuses streams before they are open, and the RPC node at its own port', async () => {
    expect(await refusedUpgrade(`/solana/mainnet/account/${SOLANA}/ws`)).toBe(404);
    expect(await refusedUpgrade('/rpc/testnet/block/watch')).toBe(404);
    const [, own] = /"url":"(http:[^"]+)","path":"\/rpc\/testnet"/.exec(program.output())!;
    expectOff(await send(own!, 'GET', '/block/latest'));
  });

  it('answers the history of a wallet with the chain that is left, complete and page by page', async () => {
    const answer = await history('mainnet');
    expect(answer.body).toMatchObject({ hasMore: false, notServed: ['solana'] });
    expect(typesOf(answer)).toEqual(['ton', 'ton']);
    const first = await history('mainnet', { limit: 1 });
    expect(first.body).toMatchObject({ hasMore: true, data: [(answer.body as { data: unknown[] }).data[0]] });
    const { cursor } = first.body as { cursor: object };
    const second = await history('mainnet', { limit: 2, cursor });
    expect((second.body as { data: unknown[] }).data).toEqual((answer.body as { data: unknown[] }).data);
  });

  it('goes on where the network only says which records are meant', async () => {
    expect((await send(program.url, 'GET', '/appconfig/testnet')).status).toBe(200);
    expect((await send(program.url, 'GET', '/config')).body).toMatchObject({ network: 'mainnet' });
    const registered = await call(program.url, 'POST', '/push/register', {
      body: {
        token: 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]',
        appPublicKey: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
        addresses: [TON, SOLANA],
      },
    });
    expect(registered.body).toEqual({ ok: true, addresses: 2, notServed: 1, ignored: 0 });
  });

  it('says that they are off, and that nothing is wrong', async () => {
    // A node that answers late, on a busy machine, is a fault of its own.
    const body = await until(checks, ({ status }) => status === 'ready');
    expect(body).toMatchObject({
      checks: {
        ton_mainnet_sources: 'ok',
        ton_testnet_sources: 'off',
        solana_mainnet_sources: 'off',
        solana_devnet_sources: 'off',
        indexer_ton_mainnet: 'ok',
      },
    });
    expect(Object.keys(body.checks).join()).not.toMatch(/indexer_(solana|ton_testnet)/);
    expect(await metrics()).not.toMatch(/network="(testnet|devnet)"|chain="solana"/);
    expect((await send(program.url, 'GET', '/')).body).toContain(
      'Networks that are off: TON testnet, Solana mainnet, Solana devnet',
    );
    const status = await storedStatus<{ off: string[]; indexers: { indexer: string }[] }>(settings);
    expect(status.off.sort()).toEqual(['solana devnet', 'solana mainnet', 'ton testnet']);
    expect(status.indexers.map(({ indexer }) => indexer)).toEqual(['ton mainnet']);
    const verify = await tidemark(['networks', 'verify', '--network', 'ton:testnet'], settings);
    expect(verify).toMatchObject({ code: 64, stderr: expect.stringContaining('TON_RPC_URL_TESTNET=off') });
  });
});

describe('with all networks off', () => {
  const settings = { ...main.settings, ...ALL_OFF };
  beforeAll(async () => void (program = await startTidemark(settings)));
  afterAll(() => program.kill('SIGTERM'));

  it('refuses every call that needs one, prices among them', async () => {
    for (const { endpoint, example } of NEEDING) expectOff(await ask(endpoint, example), endpoint);
    const priced = ENDPOINTS.filter(({ errors, needs }) => errors?.includes('network_off') && !needs);
    for (const { endpoint, example } of priced.flatMap(examplesOf)) expectOff(await ask(endpoint, example));
  });

  it('answers everything else as ever', async () => {
    const others = ENDPOINTS.filter(
      ({ kind = 'json', longPoll, needs, errors }) =>
        (kind === 'json' || kind === 'raw') && !longPoll && !needs && !errors?.includes('network_off'),
    );
    for (const { endpoint, example } of others.flatMap(examplesOf)) {
      const { status, body } = await ask(endpoint, example);
      const { code } = body as { code?: string };
      if (code !== 'exchange_not_configured')
        expect([endpoint.path, status < 500, code]).toEqual([endpoint.path, true, code]);
      expect([endpoint.path, code]).not.toEqual([endpoint.path, 'network_off']);
    }
  });

  it('bills', async () => {
    const token = main.token;
    const recorded = await call(program.url, 'POST', '/api/fees', { token, body: { fees: [fee('off-1')] } });
    expect(recorded.status).toBe(200);
    const after = recorded.headers.get('x-ledger-position');
    const revenue = await call(program.url, 'POST', '/api/instance-admin', {
      token,
      after,
      body: { action: 'get_revenue' },
    });
    expect(revenue.status).toBe(200);
  });

  it('has the addresses that wallets warn of, without the configuration of a network', async () => {
    expect((await send(program.url, 'GET', '/config')).body).toMatchObject({ wallets: {}, config: null });
    expect(await checks()).toMatchObject({ status: 'ready', checks: { ton_mainnet_sources: 'off' } });
  });
});
