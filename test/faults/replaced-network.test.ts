import { join } from 'node:path';
import { Connection, Keypair, type PublicKey } from '@solana/web3.js';
import { Address } from '@ton/core';
import { NOMINATOR_POOLS } from '../../contracts/chain/ton-verified-contracts';
import type { HistoryItem } from '../../contracts/http/history/history';
import { startSolanaDevnet, type SolanaDevnet } from '../../infra/devnet/solana/devnet';
import { openDevnetThread } from '../../infra/devnet/devnet-thread';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { quietDevnet, silent } from '../devnet/ton';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import { temporaryFolder } from '../temporary-folder';
import { until } from '../until';
import { call, send } from '../e2e/client';
import { fee } from '../e2e/installation';
import { startTidemark, tidemark, tidemarkJson, type Tidemark } from '../e2e/tidemark';
import type { NetworkReport } from '../../infra/cli/networks/report';

const folder = temporaryFolder();
const thread = openDevnetThread(silent);
const ton = {} as Record<'mainnet' | 'testnet', TonDevnet>;
const solana = {} as Record<'mainnet' | 'devnet', SolanaDevnet>;
/** Behind these URLs, which are set for mainnet, a test replaces the networks. */
let tonServer: ReplacedServer;
let solanaServer: ReplacedServer;
let settings: Record<string, string>;
let program: Tidemark;
let token: string;

/** Has money on both networks of each chain, in different amounts. `late` is read only once the networks are replaced. */
const wallets = [1, 2].map(byte => ({
  ton: new Address(0, Buffer.alloc(32, byte)),
  solana: Keypair.generate().publicKey,
}));
const [known, late] = wallets as [(typeof wallets)[0], (typeof wallets)[0]];
interface Received {
  /** Nanotons. */
  readonly ton: readonly string[];
  /** Signatures. */
  readonly solana: readonly string[];
}
/** What each wallet has received on mainnet, by its Solana key. */
const truth = new Map<PublicKey, Received>();
const AMOUNTS = { mainnet: 5_000_000_000n, other: 3_000_000_000n };

beforeAll(async () => {
  const local = { host: '127.0.0.1', logger: silent };
  await Promise.all([
    ...(['mainnet', 'testnet'] as const).map(async network => {
      ton[network] = await quietDevnet({
        dataDir: join(folder, 'ton'),
        network,
        thread,
        blockIntervalMs: 500,
      });
    }),
    ...(['mainnet', 'devnet'] as const).map(async network => {
      solana[network] = await startSolanaDevnet({ dataDir: join(folder, 'solana'), network, ...local });
    }),
  ]);
  for (const { ton: to, solana: key } of wallets) {
    await ton.mainnet.faucet(to.toRawString(), AMOUNTS.mainnet);
    await ton.testnet.faucet(to.toRawString(), AMOUNTS.other);
    await ton.testnet.faucet(to.toRawString(), AMOUNTS.other);
    const signature = await new Connection(solana.mainnet.url).requestAirdrop(key, Number(AMOUNTS.mainnet));
    truth.set(key, { ton: [String(AMOUNTS.mainnet)], solana: [signature] });
    await new Connection(solana.devnet.url).requestAirdrop(key, Number(AMOUNTS.other));
  }
  tonServer = await openReplacedServer(ton.mainnet.url);
  solanaServer = await openReplacedServer(solana.mainnet.url, solana.mainnet.wsUrl);
  settings = {
    DATA_DIR: join(folder, 'data'),
    TON_RPC_URL_MAINNET: tonServer.url,
    TON_RPC_URL_TESTNET: ton.testnet.url,
    SOLANA_RPC_URL_MAINNET: solanaServer.url,
    SOLANA_RPC_URL_DEVNET: solana.devnet.url,
  };
  program = await startTidemark(settings);
  ({ token } = await tidemarkJson<{ token: string }>(['token', '--role', 'admin', '--secure'], settings));
});
afterAll(async () => {
  await program?.kill('SIGTERM');
  await Promise.all(
    [tonServer, solanaServer, ...Object.values(ton), ...Object.values(solana)].map(each => each?.close()),
  );
  await thread.close();
});

const serveMainnet = (): void => {
  tonServer.replace(ton.mainnet.url);
  solanaServer.replace(solana.mainnet.url, solana.mainnet.wsUrl);
};
const serveOthers = (): void => {
  tonServer.replace(ton.testnet.url);
  solanaServer.replace(solana.devnet.url, solana.devnet.wsUrl);
};

/** What a wallet has received on a chain, as its history on mainnet shows it. */
async function received(wallet: typeof known): Promise<Received> {
  const { status, body } = await history(wallet);
  expect(status).toBe(200);
  const { data } = body as { data: HistoryItem[] };
  return {
    ton: data.flatMap(item => (item.type === 'ton' ? [amountOf(item)] : [])),
    solana: data.flatMap(item => ('signature' in item.data ? [item.data.signature] : [])),
  };
}
const history = ({ ton, solana }: typeof known) =>
  call(program.url, 'POST', '/transactions/v3', {
    body: {
      account: { tonAddress: ton.toString(), solanaAddress: solana.toBase58() },
      network: 'mainnet',
      cursor: {},
      limit: 100,
    },
  });
const amountOf = (item: HistoryItem): string => JSON.stringify(item).match(/"amount":"?(\d+)/)?.[1] ?? '';

const account = (key: typeof known.solana) =>
  call(program.url, 'POST', '/solana/account/mainnet', { body: { address: key.toBase58() } });

interface Health {
  readonly status: string;
  readonly checks: Record<string, string>;
}
const health = async (): Promise<Health> =>
  (await send(program.operatorsUrl, 'GET', '/health/ready')).body as Health;

/** Lines of the log at level `error` or above. */
const errors = (): string[] =>
  program
    .output()
    .split('\n')
    .filter(line => /"level":[56]0/.test(line));

it('logs no error at a first start with first reads', async () => {
  await until(
    () => received(known),
    found => found.ton.length === 1 && found.solana.length === 1,
  );
  expect(await received(known)).toEqual(truth.get(known.solana));
  expect(
    (
      await until(
        () => account(known.solana),
        ({ status }) => status === 200,
      )
    ).body.balance,
  ).toBe(String(AMOUNTS.mainnet));
  expect(errors()).toEqual([]);
});

it('shows nothing of other networks that take the place of its own, and says which source is wrong', async () => {
  serveOthers();
  const { status, checks } = await until(
    health,
    ({ checks }) => checks.ton_mainnet_sources !== 'ok' && checks.solana_mainnet_sources !== 'ok',
  );
  expect(status).toBe('degraded');
  expect(checks.ton_mainnet_sources).toContain(`${tonServer.url} is not used: it serves`);
  expect(checks.solana_mainnet_sources).toContain(`${solanaServer.url} is not used: it serves`);
  expect([checks.ton_testnet_sources, checks.solana_devnet_sources]).toEqual(['ok', 'ok']);

  // Nobody can say what it has received: that is no empty history.
  expect((await history(late)).status).toBe(503);
  const unread = await account(late.solana);
  expect([unread.status, unread.body.code]).toEqual([503, 'source_wrong_network']);
  expect((await account(known.solana)).body.balance).toBe(String(AMOUNTS.mainnet));
  await ton.testnet.faucet(known.ton.toRawString(), AMOUNTS.other);
  await new Connection(solana.devnet.url).requestAirdrop(known.solana, Number(AMOUNTS.other));

  const recorded = await call(program.url, 'POST', '/api/fees', { token, body: { fees: [fee('f-1')] } });
  expect(recorded.status).toBe(200);
  await until(
    health,
    ({ checks }) =>
      /it serves/.test(checks.indexer_ton_mainnet!) && /it serves/.test(checks.indexer_solana_mainnet!),
  );
  expect(await received(known)).toEqual(truth.get(known.solana));
});

it('continues by itself, and its histories are those of the right networks', async () => {
  serveMainnet();
  await until(health, ({ status }) => status === 'ready');
  await until(
    () => received(late),
    found => found.ton.length > 0 && found.solana.length > 0,
  );
  expect([await received(known), await received(late)]).toEqual([...truth.values()]);
  expect(
    (
      await until(
        () => account(late.solana),
        ({ status }) => status === 200,
      )
    ).body.balance,
  ).toBe(String(AMOUNTS.mainnet));
  await ton.mainnet.faucet(known.ton.toRawString(), 7n);
  await until(
    () => received(known),
    found => found.ton.length === 2,
  );
  expect((await received(known)).ton).toEqual(['7', String(AMOUNTS.mainnet)]);
});

const verify = async (...flags: string[]) => {
  const { code, stdout, stderr } = await tidemark(['--json', 'networks', 'verify', ...flags], settings);
  return { code, stderr, reports: (stdout === '' ? [] : JSON.parse(stdout)) as NetworkReport[] };
};

it('finds nothing false in what is stored', async () => {
  const { code, reports } = await verify();
  expect(code).toBe(0);
  expect(
    reports.map(({ network, transactions, ...report }) => [network, transactions > 0, report.false]),
  ).toEqual([
    ['ton:mainnet', true, 0],
    ['ton:testnet', false, 0],
    ['solana:mainnet', true, 0],
    ['solana:devnet', false, 0],
  ]);
});

it('takes back all that was read from a network that an operator declares to have been the wrong one', async () => {
  serveOthers();
  const found = await verify('--network', 'ton:mainnet', 'solana:mainnet');
  expect(found.code).toBe(2);
  expect(found.reports.map(report => [report.false, report.accounts.length, report.fixed])).toEqual([
    // The proxies of staking pools are followed as well as the wallets.
    [3, wallets.length + NOMINATOR_POOLS.mainnet.length, false],
    [2, wallets.length, false],
  ]);
  expect(await received(known)).toMatchObject({ solana: truth.get(known.solana)!.solana });

  const [{ network: one, identity }] = found.reports as [NetworkReport];
  const refused = await verify('--network', one, '--fix');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining(`--identity ${identity.source}`),
  ]);
  for (const { network, identity } of found.reports) {
    const fixed = await verify('--network', network, '--fix', '--identity', identity.source);
    expect([fixed.code, fixed.reports[0]!.fixed]).toEqual([0, true]);
  }
  await until(health, ({ status }) => status === 'ready');
  const other = String(AMOUNTS.other);
  await until(
    () => received(known),
    ({ ton, solana }) => ton.length === 3 && solana.length === 2,
  );
  expect((await received(known)).ton).toEqual([other, other, other]);
  await until(
    () => received(late),
    ({ ton, solana }) => ton.length === 2 && solana.length === 1,
  );
  const after = await until(
    () => verify(),
    ({ code }) => code === 0,
  );
  expect(after.reports.map(report => report.false)).toEqual([0, 0, 0, 0]);

  const before = [await received(known), await received(late)];
  const rebuilt = await tidemarkJson<{ comparison: { different: number } | null }[]>(
    ['rebuild', '--all'],
    settings,
  );
  expect(rebuilt.map(({ comparison }) => comparison?.different ?? 0)).toEqual(rebuilt.map(() => 0));
  expect([await received(known), await received(late)]).toEqual(before);
});
