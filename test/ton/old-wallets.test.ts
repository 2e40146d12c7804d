import { Address, internal, SendMode, toNano, type Contract } from '@ton/core';
import {
  WalletContractV1R1,
  WalletContractV1R2,
  WalletContractV1R3,
  WalletContractV2R1,
  WalletContractV2R2,
  WalletContractV3R1,
  WalletContractV3R2,
  type TonClient4,
} from '@ton/ton';
import request from 'supertest';
import { OLD_WALLETS_COST } from '../../contracts/chain/ton-old-wallets';
import { CONTRACT_READS } from '../../contracts/http/ton/contracts';
import { quotaSetting } from '../../infra/config/settings';
import { tonContracts } from '../../infra/program/features/ton-contracts';
import type { TonDevnet } from '../../infra/devnet/ton/devnet';
import { localWallet } from '../../infra/devnet/ton/wallets';
import { createTonClient } from '../../infra/engines/ton-client/ton-client';
import { oldWallets } from '../../infra/program/features/old-wallets';
import { clientOf, quietDevnet, silent } from '../devnet/ton';
import { openReplacedServer, type ReplacedServer } from '../doubles/replaced-server';
import { startTestProgram, type TestProgram } from '../program';
import { until } from '../until';
import { friendly } from './testnet';

const { keys } = localWallet('someone who came early', 'v4r2', 'testnet');
const owner = { workchain: 0, publicKey: keys.publicKey };
const HEX = keys.publicKey.toString('hex');
const OLD = {
  v1r1: WalletContractV1R1.create(owner),
  v1r2: WalletContractV1R2.create(owner),
  v1r3: WalletContractV1R3.create(owner),
  v2r1: WalletContractV2R1.create(owner),
  v2r2: WalletContractV2R2.create(owner),
  v3r1: WalletContractV3R1.create(owner),
  v3r2: WalletContractV3R2.create(owner),
} as const;
type Version = keyof typeof OLD;

const stop = new AbortController();
let devnet: TonDevnet;
let client: TonClient4;
/** In front of the local network, to answer what that cannot: no account of it is frozen within a lifetime. */
let node: ReplacedServer;
let program: TestProgram;
/** Of the clock by which balances are stale. */
let aheadMs = 0;

interface Accounts {
  readonly totalBalance: string;
  readonly seqno: number;
  readonly accounts: readonly {
    readonly version: Version;
    readonly address: string;
    readonly balance: { readonly coins: string };
    readonly state: object;
  }[];
}

const path = (key = HEX, network = 'testnet'): string => `/balances/old/${key}?network=${network}`;

/** What is read now. */
async function balances(key = HEX): Promise<Accounts> {
  const { last } = await client.getLastBlock();
  aheadMs += 60_000;
  const body = (await request(program.app).get(path(key)).expect(200)).body as Accounts;
  expect(body.seqno).toBeGreaterThanOrEqual(last.seqno);
  return body;
}

const stateOn = async (version: Version) =>
  (await client.getAccountLite((await client.getLastBlock()).last.seqno, OLD[version].address)).account;

/** Deploys a funded wallet by its first transfer, to its own address. */
async function deploy(version: Version): Promise<void> {
  const { address } = OLD[version];
  const wallet = client.open<Contract & Pick<WalletContractV3R2, 'sendTransfer'>>(OLD[version] as never);
  const messages = [internal({ to: address, value: toNano('0.1'), bounce: false })];
  const sendMode = SendMode.PAY_GAS_SEPARATELY;
  await wallet.sendTransfer({ seqno: 0, secretKey: keys.secretKey, sendMode, messages });
  await until(
    () => stateOn(version),
    ({ state }) => state.type === 'active',
  );
}

beforeAll(async () => {
  devnet = await quietDevnet();
  client = clientOf(devnet.url);
  node = await openReplacedServer(devnet.url);
  const urls = [node.url];
  const ton = createTonClient({ urls, logger: silent, backoffMs: 1, attempts: 1, signal: stop.signal });
  program = await startTestProgram({
    features: [oldWallets],
    beside: [tonContracts],
    settings: {
      TON_RPC_URL_TESTNET: node.url,
      TRUSTED_PROXIES: '1',
      [quotaSetting(CONTRACT_READS)]: String(20 * OLD_WALLETS_COST),
    },
    clock: () => new Date(Date.now() + aheadMs),
    clients: { ton: () => ton },
  });
  for (const [nth, { address }] of Object.values(OLD).slice(0, 6).entries())
    await devnet.faucet(address.toString(), toNano(nth + 1));
  for (const version of ['v1r3', 'v2r2', 'v3r1'] as const) await deploy(version);
});
afterAll(async () => {
  await program.stop();
  stop.abort();
  await node.close();
  await devnet.close();
});

it('has every wallet of a key before v4 as the chain has it: not deployed, deployed, never used', async () => {
  const { accounts, totalBalance, seqno } = await balances();
  expect(accounts.map(({ version }) => version)).toEqual(Object.keys(OLD));
  let total = 0n;
  for (const account of accounts) {
    const { address } = OLD[account.version];
    const { balance, state, last, storageStat } = (await client.getAccountLite(seqno, address)).account;
    total += BigInt(balance.coins);
    expect(account).toEqual({
      version: account.version,
      address: friendly(address),
      balance: { coins: balance.coins },
      state,
      last,
      storageStat: storageStat && { ...storageStat, used: { ...storageStat.used, publicCells: 0 } },
    });
  }
  expect(totalBalance).toBe(String(total));
  expect(accounts.map(({ state }) => state)).toEqual([
    { type: 'uninit' },
    { type: 'uninit' },
    { type: 'active', codeHash: expect.any(String), dataHash: expect.any(String) },
    { type: 'uninit' },
    { type: 'active', codeHash: expect.any(String), dataHash: expect.any(String) },
    { type: 'active', codeHash: expect.any(String), dataHash: expect.any(String) },
    { type: 'uninit' },
  ]);
  expect(accounts.map(({ balance }) => balance.coins)).toEqual([
    String(toNano(1)),
    String(toNano(2)),
    expect.stringMatching(/^2[89]\d{8}$/),
    String(toNano(4)),
    expect.stringMatching(/^4[89]\d{8}$/),
    expect.stringMatching(/^5[89]\d{8}$/),
    '0',
  ]);
});

it('reads them as of one block, whatever happens meanwhile', async () => {
  await devnet.faucet(OLD.v1r1.address.toString(), 1n);
  node.requests.length = 0;
  const paid: Promise<unknown>[] = [];
  node.answer = ({ url }) => {
    if (url?.endsWith('/lite')) paid.push(devnet.faucet(OLD.v3r2.address.toString(), 1n));
    return false;
  };
  const { seqno } = await balances();
  node.answer = null;
  await Promise.all(paid);
  const blocks = node.requests.filter(text => text.endsWith('/lite')).map(text => text.split('/')[2]);
  expect(blocks).toEqual(Array(7).fill(String(seqno)));
});

it('has a frozen wallet, and what it owes', async () => {
  const { address } = OLD.v3r2;
  const stateHash = Buffer.alloc(32, 7).toString('base64');
  const account = {
    state: { type: 'frozen', stateHash },
    balance: { coins: '0', currencies: {} },
    last: { lt: '9', hash: stateHash },
    storageStat: { lastPaid: 1_700_000_000, duePayment: '12', used: { bits: 105, cells: 1, publicCells: 0 } },
  };
  await devnet.faucet(OLD.v1r1.address.toString(), 1n);
  node.answer = ({ url }, response) => {
    const of = url?.split('/')[3];
    if (!url?.endsWith('/lite') || !of || !Address.parse(decodeURIComponent(of)).equals(address))
      return false;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ account }));
    return true;
  };
  const { currencies: _, ...balance } = account.balance;
  expect((await balances()).accounts.at(-1)).toEqual({
    version: 'v3r2',
    address: friendly(address),
    ...account,
    balance,
  });
  node.answer = null;
});

it('serves nothing older than ten seconds while a node answers', async () => {
  await balances();
  for (const [paid, laterMs] of [
    [1n, 10_001],
    [2n, 3_600_000],
  ] as const) {
    await devnet.faucet(OLD.v1r1.address.toString(), paid);
    const { last } = await client.getLastBlock();
    aheadMs += laterMs;
    const { body } = await request(program.app).get(path()).expect(200);
    expect((body as Accounts).seqno).toBeGreaterThanOrEqual(last.seqno);
  }
});

it('serves what it read last while the nodes fail, and says when that was', async () => {
  const before = await balances();
  node.answer = (_, response) => {
    response.writeHead(500).end();
    return true;
  };
  aheadMs += 3_600_000;
  expect((await request(program.app).get(path(HEX.toUpperCase())).expect(200)).body).toEqual(before);
  const unknown = await request(program.app).get(path('ab'.repeat(32)));
  expect([unknown.status, (unknown.body as { code: string }).code]).toEqual([503, 'not_ready']);
  node.answer = null;
});

it.each([
  ['/balances/old/abc', '/path/pubkey'],
  [`/balances/old/${'zz'.repeat(32)}`, '/path/pubkey'],
  [`/balances/old/${'ab'.repeat(33)}`, '/path/pubkey'],
  [path(HEX, 'devnet'), '/query/network'],
])('refuses %s, and names the field', async (target, pointer) => {
  const { status, body } = (await request(program.app).get(target)) as {
    status: number;
    body: { errors: { pointer: string }[] };
  };
  expect([status, body.errors[0]!.pointer]).toEqual([400, pointer]);
});

it('a stranger has as many keys read as it may, each time that they are read again, and somebody honest is answered', async () => {
  const ask = (from: string, key: string) => request(program.app).get(path(key)).set('X-Forwarded-For', from);
  const keyOf = (n: number) => n.toString(16).padStart(64, 'e');
  const statuses: number[] = [];
  for (let again = 0; again < 6; again += 1) {
    aheadMs += 11_000;
    for (let n = 0; n < 8; n += 1) statuses.push((await ask('203.0.113.1', keyOf(n))).status);
    // What is in memory is not counted.
    expect((await ask('203.0.113.1', keyOf(0))).status).toBe(statuses.at(-8));
    expect((await ask('192.0.2.1', HEX)).status).toBe(200);
  }
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
  expect(statuses).toContain(429);
});
